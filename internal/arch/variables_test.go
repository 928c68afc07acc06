package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Tests set no variable of the code they test: what differs in them is an argument, or a field of a value.
func TestVariables(t *testing.T) {
	module, pkgs, err := Load("../..")
	require.NoError(t, err)
	set, err := variables("../..", module, pkgs)
	require.NoError(t, err)
	require.Empty(t, set)
}

func TestVariablesFound(t *testing.T) {
	set, err := variables("testdata/variables", "example.org/m", []Package{{Path: "."}, {Path: "other"}})
	require.NoError(t, err)
	require.Equal(t, []string{"own_test.go:9: table", "own_test.go:10: other.Shown"}, set)
}

// variables returns the assignments of test files to variables of packages, as file:line: name.
func variables(dir, module string, pkgs []Package) (set []string, err error) {
	type name struct{ pkg, variable string }
	known, tests, files := map[name]bool{}, map[string][]*ast.File{}, token.NewFileSet()
	for _, p := range pkgs {
		names, err := filepath.Glob(filepath.Join(dir, p.Path, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range names {
			f, err := parser.ParseFile(files, file, nil, 0)
			if err != nil {
				return nil, err
			}
			if strings.HasSuffix(file, "_test.go") {
				tests[p.Path] = append(tests[p.Path], f)
				continue
			}
			for variable, o := range f.Scope.Objects {
				known[name{p.Path, variable}] = o.Kind == ast.Var
			}
		}
	}
	for _, p := range pkgs {
		for _, f := range tests[p.Path] {
			imports := map[string]string{}
			for _, spec := range f.Imports {
				full := must(strconv.Unquote(spec.Path.Value))
				below, ours := strings.CutPrefix(full, module+"/")
				as := path.Base(full)
				if spec.Name != nil {
					as = spec.Name.Name
				}
				if ours {
					imports[as] = below
				} else if full == module {
					imports[as] = "."
				}
			}
			note := func(e ast.Expr) {
				var of name
				for done := false; !done; {
					switch x := e.(type) {
					case *ast.IndexExpr:
						e = x.X
					case *ast.ParenExpr:
						e = x.X
					case *ast.StarExpr:
						e = x.X
					case *ast.SelectorExpr:
						if id, ok := x.X.(*ast.Ident); ok && id.Obj == nil {
							of = name{imports[id.Name], x.Sel.Name}
						}
						e = x.X
					case *ast.Ident:
						if done = true; x.Obj == nil && !known[of] {
							of = name{p.Path, x.Name}
						}
					default:
						done = true
					}
				}
				if known[of] {
					at := files.Position(e.Pos())
					shown := of.variable
					if of.pkg != p.Path {
						shown = path.Base(of.pkg) + "." + shown
					}
					set = append(set, path.Base(at.Filename)+":"+strconv.Itoa(at.Line)+": "+shown)
				}
			}
			ast.Inspect(f, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.AssignStmt:
					for _, e := range n.Lhs {
						note(e)
					}
				case *ast.IncDecStmt:
					note(n.X)
				}
				return true
			})
		}
	}
	return set, nil
}
