package readme

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"github.com/galfft/fft/internal/cpu"
)

//go:embed README.md.tmpl
var text string

// generator makes README.md of the tree in root. Commands run in root where they begin with go, so that a reader
// can paste them, and in dir otherwise, with galfft in their path.
type generator struct{ root, dir string }

func (g *generator) generate() ([]byte, error) {
	if out, err := g.in(g.root, "go build -buildvcs=false -ldflags=-w -o "+filepath.Join(g.dir,
		"galfft")+" ./cmd/galfft"); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	t, err := template.New("README.md").Funcs(template.FuncMap{
		"code": g.code, "body": g.body, "sh": sh, "output": g.output, "console": g.console, "fails": g.fails,
		"fields": g.fields, "forms": g.forms, "schemes": schemes, "options": g.options, "goVersion": g.goVersion,
		"speed":       func() (string, error) { return speed(filepath.Join(g.root, "bench", "results")) },
		"butterflies": func() (string, error) { return butterflies(g.root) },
		"comparisons": func() (string, error) { return comparisons(filepath.Join(g.root, "bench", "results")) },
	}).Parse(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, nil)
	return b.Bytes(), err
}

func fence(language, s string) string {
	return "```" + language + "\n" + strings.TrimSpace(s) + "\n```"
}

// code is a whole file, from its package clause on.
func (g *generator) code(name string) (string, error) {
	src, err := os.ReadFile(filepath.Join(g.root, name))
	if err != nil {
		return "", err
	}
	_, after, ok := bytes.Cut(src, []byte("\npackage "))
	if !ok {
		return "", fmt.Errorf("readme: %s has no package clause", name)
	}
	return fence("go", "package "+string(after)), nil
}

// body is what stands in the braces of a function, without the Output comment of an example.
func (g *generator) body(name, function string) (string, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, filepath.Join(g.root, name), nil, parser.ParseComments)
	if err != nil {
		return "", err
	}
	src, err := os.ReadFile(filepath.Join(g.root, name))
	if err != nil {
		return "", err
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name != function {
			continue
		}
		inside := src[fset.Position(fn.Body.Lbrace).Offset+1 : fset.Position(fn.Body.Rbrace).Offset]
		inside, _, _ = bytes.Cut(inside, []byte("\t// Output:"))
		return fence("go", strings.ReplaceAll(string(inside), "\n\t", "\n")), nil
	}
	return "", fmt.Errorf("readme: %s has no function %s", name, function)
}

// sh shows a command to be pasted.
func sh(command string) string { return fence("sh", command) }

// output runs a command and shows what it prints.
func (g *generator) output(command string) (string, error) {
	out, err := g.run(command, 0)
	return fence("text", out), err
}

// console shows commands with what they print.
func (g *generator) console(commands ...string) (string, error) {
	var b strings.Builder
	for _, c := range commands {
		out, err := g.run(c, 0)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "$ %s\n%s", c, out)
	}
	return fence("console", b.String()), nil
}

// fails is console for one command that ends with the given exit code.
func (g *generator) fails(code int, command string) (string, error) {
	out, err := g.run(command, code)
	return fence("console", "$ "+command+"\n"+out), err
}

func (g *generator) run(command string, code int) (string, error) {
	dir := g.dir
	if strings.Contains(command, "go run ") {
		dir = g.root
	}
	out, err := g.in(dir, command)
	got := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got, err = exit.ExitCode(), nil
	}
	if err != nil || got != code {
		return "", fmt.Errorf("readme: %s: exit code %d, want %d, error %v\n%s", command, got, code, err, out)
	}
	return mask(string(out)), nil
}

func (g *generator) in(dir, command string) ([]byte, error) {
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+g.dir+string(filepath.ListSeparator)+os.Getenv("PATH"), "TMPDIR="+g.dir,
		"LC_ALL=C", cpu.Variable+"=generic", "GALFFT_TUNE=off")
	return cmd.CombinedOutput()
}

// masks are what differs from run to run and from machine to machine.
var masks = []struct {
	find    *regexp.Regexp
	replace string
}{
	{regexp.MustCompile(`(?m) [0-9.e+]+ (s|ms|µs|ns)$`), " …"},
	{regexp.MustCompile(`"(ns|ns_min|ns_median|reps)":[0-9.e+]+`), `"$1":…`},
	{regexp.MustCompile(`"(go|cpu|features|caches|commit|date)":"[^"]*"`), `"$1":"…"`},
}

func mask(s string) string {
	for _, m := range masks {
		s = m.find.ReplaceAllString(s, m.replace)
	}
	return s
}

// options is a table of the options in options.go, each with the first sentence of its comment.
func (g *generator) options() (string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(g.root, "options.go"), nil, parser.ParseComments)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| option | |\n| --- | --- |\n")
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || !strings.HasPrefix(fn.Name.Name, "With") {
			continue
		}
		if fn.Doc == nil {
			return "", fmt.Errorf("readme: %s has no comment", fn.Name.Name)
		}
		about := new(doc.Package).Synopsis(fn.Doc.Text())
		fmt.Fprintf(&b, "| `%s` | %s |\n", fn.Name.Name, strings.TrimPrefix(about, fn.Name.Name+" "))
	}
	return b.String(), nil
}

// goVersion is the oldest Go that go.mod allows, as in 1.26.
func (g *generator) goVersion() (string, error) {
	mod, err := os.ReadFile(filepath.Join(g.root, "go.mod"))
	if err != nil {
		return "", err
	}
	m := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(mod)
	if m == nil {
		return "", errors.New("readme: go.mod has no go line")
	}
	return string(m[1]), nil
}
