// Package nils tests what a package does with nil, zero and typed-nil arguments and receivers: a table has cases for
// every exported function and method, and one without a case fails the test.
package nils

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Table has the cases of functions, by name, and of methods, as Type.Method.
type Table map[string][]Case

// Case is calls of one outcome.
type Case struct {
	calls  []func() error
	want   error // that errors.Is finds
	panics bool
}

// Is is calls whose errors are want.
func Is(want error, calls ...func() error) Case { return Case{calls: calls, want: want} }

// Quiet is calls that do something documented, and do not panic.
func Quiet(calls ...func()) Case { return Case{calls: wrap(calls)} }

// Panics is calls that panic, as their documentation says.
func Panics(calls ...func()) Case { return Case{calls: wrap(calls), panics: true} }

func wrap(calls []func()) (list []func() error) {
	for _, f := range calls {
		list = append(list, func() error { f(); return nil })
	}
	return list
}

// Run runs the table of the package in the current directory.
func Run(t *testing.T, table Table) {
	t.Helper()
	names, err := exported(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if len(table[name]) == 0 {
			t.Errorf("%s has no case with nil and zero arguments", name)
		}
	}
	for name, cases := range table {
		if !slices.Contains(names, name) {
			t.Errorf("a case is about %s, which is not exported", name)
		}
		for i, c := range cases {
			for j, call := range c.calls {
				switch panicked, err := run(call); {
				case c.panics != (panicked != nil):
					t.Errorf("%s, case %d, call %d: panic %v, want one: %t", name, i, j, panicked, c.panics)
				case !errors.Is(err, c.want):
					t.Errorf("%s, case %d, call %d: error %v, want %v", name, i, j, err, c.want)
				}
			}
		}
	}
}

func run(call func() error) (panicked any, err error) {
	defer func() { panicked = recover() }()
	return nil, call()
}

// exported lists the exported functions of the package in dir, and the exported methods of its exported types, with
// those of the package's own types that they embed.
func exported(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	names, methods, embeds := map[string]bool{}, map[string][]string{}, map[string][]string{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				switch {
				case !d.Name.IsExported():
				case d.Recv == nil:
					names[d.Name.Name] = true
				default:
					of := typeName(d.Recv.List[0].Type)
					methods[of] = append(methods[of], d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						embeds[s.Name.Name] = embedded(s.Type)
					}
				}
			}
		}
	}
	for name := range embeds {
		if ast.IsExported(name) {
			for _, m := range promoted(name, methods, embeds) {
				names[name+"."+m] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names)), nil
}

func promoted(name string, methods, embeds map[string][]string) []string {
	list := methods[name]
	for _, e := range embeds[name] {
		list = slices.Concat(list, promoted(e, methods, embeds))
	}
	return list
}

// embedded lists the types that a struct type embeds.
func embedded(e ast.Expr) (list []string) {
	if s, ok := e.(*ast.StructType); ok {
		for _, f := range s.Fields.List {
			if len(f.Names) == 0 {
				list = append(list, typeName(f.Type))
			}
		}
	}
	return list
}

// typeName is the name of a type, or a pointer to it, without its package and its arguments.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	}
	return "" // of another package
}
