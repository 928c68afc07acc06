// Package arch keeps the shape of the module: which package may import which, what comes from outside and where,
// and that every package says what it is. Its test runs over the tree; the rules are tables in rules.go.
package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Package is what the rules look at.
type Package struct {
	Path        string   // below the module; "." is its root
	Name        string   // as in the package clause
	Imports     []string // of all files but tests, whatever their build tags, sorted
	TestImports []string // of test files, sorted
	Doc         bool     // it has a package comment, which starts as godoc wants it
	Example     bool     // a test file has an Example
}

// Load reads all packages of the module whose go.mod is in dir, and the module's path. Nested modules, testdata
// and directories that the go command ignores are left out.
func Load(dir string) (module string, pkgs []Package, err error) {
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return "", nil, err
	}
	for line := range strings.Lines(string(mod)) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "module" {
			module = f[1]
		}
	}
	if module == "" {
		return "", nil, fmt.Errorf("arch: %s has no module line", filepath.Join(dir, "go.mod"))
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if name != dir && ignored(name) {
			return fs.SkipDir
		}
		p, err := load(name)
		if err != nil || p.Name == "" {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		p.Path = filepath.ToSlash(rel)
		pkgs = append(pkgs, p)
		return err
	})
	return module, pkgs, err
}

func ignored(dir string) bool {
	base := filepath.Base(dir)
	if base == "testdata" || base == "vendor" || base[0] == '.' || base[0] == '_' {
		return true
	}
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// load reads the Go files of one directory. A directory without any has no name.
func load(dir string) (p Package, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return p, err
	}
	imports, testImports := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return p, err
		}
		test := strings.HasSuffix(name, "_test.go")
		to := imports
		if test {
			to = testImports
			p.Example = p.Example || hasExample(f)
		}
		for _, spec := range f.Imports {
			to[must(strconv.Unquote(spec.Path.Value))] = true
		}
		if p.Name == "" || !test {
			p.Name = strings.TrimSuffix(f.Name.Name, "_test")
		}
		if text := f.Doc.Text(); !test && text != "" {
			p.Doc = p.Doc || p.Name == "main" || strings.HasPrefix(text, "Package "+p.Name+" ")
		}
	}
	p.Imports, p.TestImports = slices.Sorted(maps.Keys(imports)), slices.Sorted(maps.Keys(testImports))
	return p, nil
}

// must returns s: the parser has unquoted the path before.
func must(s string, err error) string {
	if err != nil {
		panic(err)
	}
	return s
}

func hasExample(f *ast.File) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		f, ok := d.(*ast.FuncDecl)
		return ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Example")
	})
}

// Check returns what the packages of a module break of the rules.
func Check(module string, pkgs []Package) (broken []error) {
	for _, p := range pkgs {
		fail := func(format string, args ...any) {
			broken = append(broken, fmt.Errorf("%s: "+format, append([]any{p.Path}, args...)...))
		}
		if !p.Doc {
			fail("no package comment, want one in a file that is no test")
		}
		switch _, excepted := noExample[p.Path]; {
		case p.Example && excepted:
			fail("it has an Example and stands in noExample")
		case !p.Example && !excepted && importable(p):
			fail("no Example in a test file, want one, or its reason in noExample")
		}
		inside, ok := find(ours, p.Path)
		if !ok {
			fail("no rule covers the package, want one in rules.go")
			continue
		}
		for i, list := range [][]string{p.Imports, p.TestImports} {
			test := i == 1
			for _, name := range list {
				below, isOurs := strings.CutPrefix(name+"/", module+"/")
				below = path.Clean("./" + below)
				switch {
				case isOurs && test:
				case isOurs && covers(testOnly, below):
					fail("imports %s, which is for test files", below)
				case isOurs && !welcome(below, p.Path):
					fail("imports %s, which is for few", below)
				case isOurs && !covers(inside.may, below):
					fail("imports %s, may import %q of this module", below, inside.may)
				case isOurs || standard(name):
				default:
					r, ok := find(outside, name)
					if !ok {
						fail("imports %s, which no rule in rules.go allows anybody", name)
					} else if !(test && r.tests) && !covers(r.may, p.Path) {
						fail("imports %s, which is for %q, and for tests: %t", name, r.may, r.tests)
					}
				}
			}
		}
	}
	return broken
}

// welcome reports whether a package may import another one as far as that one is concerned.
func welcome(imported, by string) bool {
	r, ok := find(rooms, imported)
	return !ok || covers(r.may, by)
}

func importable(p Package) bool {
	return p.Name != "main" && !covers([]string{"internal/..."}, p.Path) && !strings.Contains(p.Path, "/internal/")
}

// standard reports whether a package is of the standard library. "C", which is cgo, is not.
func standard(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	return name != "C" && !strings.Contains(first, ".")
}

func find(rules []rule, name string) (rule, bool) {
	i := slices.IndexFunc(rules, func(r rule) bool { return covers([]string{r.of}, name) })
	if i < 0 {
		return rule{}, false
	}
	return rules[i], true
}

// covers reports whether one of the patterns is name, or is x/... where name is x or below it.
func covers(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		above, tree := strings.CutSuffix(p, "/...")
		return name == above || tree && strings.HasPrefix(name, above+"/")
	})
}
