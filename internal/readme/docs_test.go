package readme

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// files lists the files of the tree whose names end in ext, but for those of directories that the go command ignores.
func files(t *testing.T, ext string) (names []string) {
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch base := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && name != root && (base[0] == '.' || base[0] == '_' || base == "testdata"):
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ext):
			names = append(names, name)
		}
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, names)
	return names
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	fences  = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")
	span    = regexp.MustCompile("`[^`]*`")
)

// Links to files of the tree, and to their headings, lead somewhere.
func TestLinks(t *testing.T) {
	for _, name := range files(t, ".md") {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range link.FindAllSubmatch(span.ReplaceAll(fences.ReplaceAll(text, nil), nil), -1) {
			target, anchor, _ := strings.Cut(string(m[1]), "#")
			if strings.Contains(target, "://") {
				continue
			}
			to := name
			if target != "" {
				to = filepath.Join(filepath.Dir(name), filepath.FromSlash(target))
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which is not there", name, m[1])
				continue
			}
			if anchor != "" && !anchors(t, to)[anchor] {
				t.Errorf("%s links to %s, and there is no such heading", name, m[1])
			}
		}
	}
}

func anchors(t *testing.T, name string) map[string]bool {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	all := map[string]bool{}
	for _, m := range heading.FindAllSubmatch(text, -1) {
		all[strings.ReplaceAll(strings.ToLower(string(m[1])), " ", "-")] = true
	}
	return all
}

// Go code in documents stands in a file that is compiled, word for word but for indentation.
func TestGoCode(t *testing.T) {
	var compiled []string
	for _, name := range files(t, ".go") {
		src, err := os.ReadFile(name)
		require.NoError(t, err)
		compiled = append(compiled, unindented(string(src)))
	}
	for _, name := range files(t, ".md") {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, m := range fences.FindAllStringSubmatch(string(text), -1) {
			if m[1] != "go" {
				continue
			}
			found := false
			for _, src := range compiled {
				found = found || strings.Contains(src, unindented(m[2]))
			}
			if !found {
				t.Errorf("%s has Go code that is in no compiled file:\n%s", name, m[2])
			}
		}
	}
}

func unindented(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(strings.TrimSpace(line) + "\n")
	}
	return b.String()
}

// The index of errors has every error value of the module, with its text.
func TestErrors(t *testing.T) {
	index, err := os.ReadFile(filepath.Join(root, "docs", "errors.md"))
	require.NoError(t, err)
	count := 0
	for _, name := range files(t, ".go") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range f.Decls {
			vars, ok := d.(*ast.GenDecl)
			if !ok || vars.Tok != token.VAR {
				continue
			}
			for _, spec := range vars.Specs {
				v := spec.(*ast.ValueSpec)
				text, ok := errorText(v)
				if !ok || !v.Names[0].IsExported() {
					continue
				}
				count++
				require.Contains(t, string(index), "`"+f.Name.Name+"."+v.Names[0].Name+"` | "+text+" |",
					"docs/errors.md lacks a line")
			}
		}
	}
	require.GreaterOrEqual(t, count, 9)
}

// errorText is the text of a variable that is declared as errors.New of a constant.
func errorText(v *ast.ValueSpec) (string, bool) {
	if len(v.Values) != 1 {
		return "", false
	}
	call, ok := v.Values[0].(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return "", false
	}
	fn, ok := call.Fun.(*ast.SelectorExpr)
	arg, isLit := call.Args[0].(*ast.BasicLit)
	if !ok || !isLit || fn.Sel.Name != "New" {
		return "", false
	}
	return strings.Trim(arg.Value, "\"`"), true
}
