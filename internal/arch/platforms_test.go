package arch

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// Every package and every test has the right types on the platforms that no other test compiles for: 32-bit words,
// other operating systems, all without cgo, one with the build tag gmp, which needs cgo. Types need a fraction of a
// compiler's time, which is why these programs are not compiled.
func TestPlatforms(t *testing.T) {
	if testscale.Of(t) < testscale.Full {
		t.Skip("takes seconds for each platform; from testscale.Full on")
	}
	for platform, tags := range map[string]string{"linux/386": "full", "darwin/arm64": "full", "windows/amd64": "full,gmp"} {
		t.Run(platform, func(t *testing.T) {
			system, processor, _ := strings.Cut(platform, "/")
			for _, err := range typeCheck(t, "../..", system, processor, tags) {
				t.Error(err)
			}
		})
	}
}

// A package as the go command lists it.
type listed struct {
	Dir, ImportPath string
	GoFiles, SFiles []string
	ImportMap       map[string]string
	Module          struct{ Main bool }
}

// typeCheck returns what is wrong in the packages and tests of the module in root.
func typeCheck(t *testing.T, root, system, processor, tags string) []error {
	list := exec.Command("go", "list", "-tags", tags, "-deps", "-test",
		"-json=Dir,ImportPath,GoFiles,SFiles,ImportMap,Module", "./...")
	list.Dir = root
	list.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	text, err := list.Output()
	require.NoError(t, err)

	var wrong []error
	done := map[string]*types.Package{"unsafe": types.Unsafe}
	files := token.NewFileSet()
	for in := json.NewDecoder(strings.NewReader(string(text))); ; {
		var p listed
		if err := in.Decode(&p); errors.Is(err, io.EOF) {
			return wrong
		} else {
			require.NoError(t, err)
		}
		if p.ImportPath == "unsafe" || strings.HasSuffix(p.ImportPath, ".test") { // a main package that is generated
			continue
		}
		var syntax []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			syntax = append(syntax, f)
		}
		config := types.Config{
			Importer:         imported{p.ImportMap, done},
			Sizes:            types.SizesFor("gc", processor),
			IgnoreFuncBodies: !p.Module.Main,
			Error:            func(err error) { wrong = append(wrong, err) },
		}
		path, _, _ := strings.Cut(p.ImportPath, " ") // a package with its tests is "path [path.test]"
		done[p.ImportPath], _ = config.Check(path, files, syntax, nil)
		if p.Module.Main && len(p.SFiles) == 0 {
			wrong = append(wrong, bodiless(files, syntax)...)
		}
	}
}

// bodiless returns the functions that have no body, where no assembly can have it.
func bodiless(files *token.FileSet, syntax []*ast.File) []error {
	var wrong []error
	for _, f := range syntax {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body == nil {
				wrong = append(wrong, fmt.Errorf("%s: function %s has no body", files.Position(d.Pos()), d.Name.Name))
			}
		}
	}
	return wrong
}

// imported finds packages that were checked before. The go command lists them in this order.
type imported struct {
	renamed map[string]string
	done    map[string]*types.Package
}

func (i imported) Import(path string) (*types.Package, error) {
	if to, ok := i.renamed[path]; ok {
		path = to
	}
	if p, ok := i.done[path]; ok {
		return p, nil
	}
	return nil, fmt.Errorf("no package %s was checked before", path)
}
