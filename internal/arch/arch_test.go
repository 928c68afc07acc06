package arch

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTree(t *testing.T) {
	module, pkgs, err := Load("../..")
	require.NoError(t, err)
	require.Equal(t, "github.com/galfft/fft", module)
	for _, err := range Check(module, pkgs) {
		t.Error(err)
	}
	for _, name := range []string{".", "field", "field/smallprime", "internal/engine", "cmd/galfft",
		"internal/arch"} {
		require.True(t, slices.ContainsFunc(pkgs, func(p Package) bool { return p.Path == name }),
			"the tree has no %s", name)
	}
}

// A rule about a package that is not there any more says nothing.
func TestRulesCoverSomething(t *testing.T) {
	_, pkgs, err := Load("../..")
	require.NoError(t, err)
	for _, r := range ours {
		require.True(t, slices.ContainsFunc(pkgs, func(p Package) bool {
			found, _ := find(ours, p.Path)
			return found.of == r.of
		}), "no package is covered by the rule of %s", r.of)
	}
	for name, reason := range noExample {
		require.NotEmpty(t, reason)
		require.True(t, slices.ContainsFunc(pkgs, func(p Package) bool { return p.Path == name }), "there is no %s",
			name)
	}
}

// Each break of a rule is found, and what keeps it is not.
func TestCheck(t *testing.T) {
	const module = "example.org/m"
	for _, c := range []struct {
		path, imports, testImports string // "~" stands for the module
		want                       string // "" is none
	}{
		{"field", "fmt math/big", "~/schemes github.com/stretchr/testify/require", ""},
		{"field", "~/internal/par", "", "imports internal/par"},
		{"field", "~/schemes", "", "imports schemes"},
		{"field", "~/field/smallprime", "", "imports field/smallprime"},
		{"field/fieldtest", "~/field testing", "", ""},
		{"field/fieldtest", "~/field/smallprime", "~/field/smallprime", "imports field/smallprime"},
		{"field/smallprime", "~/field ~/schemes", "~/field/fieldtest", ""},
		{"field/smallprime", "~/field/fieldtest", "", "for test files"},
		{"field/smallprime", "~", "", "imports ."},
		{"schemes", "~/field ~/schemes/naive ~/internal/engine/front", "~/field/smallprime ~/internal/testfields", ""},
		{"schemes/sixstep", "~/field ~/schemes/internal/base ~/internal/engine", "", ""},
		{"schemes/sixstep", "~/field/smallprime", "", "imports field/smallprime"},
		{"schemes/internal/base", "~/kernels/word", "", "imports kernels/word"},
		{"internal/engine", "~", "", "imports ."},
		{"internal/engine/front", "~/internal/engine ~/internal/engine/codelet ~/internal/memory", "", ""},
		{"internal/engine/front", "~/schemes/sixstep", "", "imports schemes/sixstep"},
		{"internal/engine", "~/internal/names", "", "imports internal/names"},
		{"schemes/fourstep", "~/poly", "", "imports poly"},
		{"schemes/fourstep", "~/internal/testfields", "", "for test files"},
		{".", "~/field ~/schemes runtime", "~/field/smallprime ~/schemes/schemetest", ""},
		{".", "~/field/smallprime", "", "imports field/smallprime"},
		{".", "~/poly", "", "imports poly"},
		{"internal/par", "sync", "", ""},
		{"internal/memory", "~", "", "imports ."},
		{"internal/par", "~/field", "", "imports field"},
		{"dist", "~ ~/field ~/schemes ~/schemes/fourstep ~/internal/engine", "~/field/smallprime", ""},
		{"dist", "github.com/ebitengine/purego", "", "imports github.com/ebitengine/purego"},
		{"dist/mpi", "~/dist ~/field ~/field/bulks github.com/ebitengine/purego", "~ ~/field/smallprime", ""},
		{"dist/nccl", "~/dist ~/field ~/field/bulks ~/gpu ~/internal/device github.com/ebitengine/purego", "~ ~/field/gfpf", ""},
		{"dist", "~/dist/mpi", "", "imports dist/mpi"},
		{"dist", "~/dist/nccl", "", "imports dist/nccl"},
		{"gpu", "~/dist/nccl", "", "imports dist/nccl"},
		{".", "~/dist", "", "imports dist"},
		{"poly", "~/dist", "", "imports dist"},
		{"gpu", "~/dist", "", "imports dist"},
		{"tune", "~/dist", "", "imports dist"},
		{"schemes/fourstep", "~/dist", "", "imports dist"},
		{"poly", "~ ~/field", "~/field/smallprime", ""},
		{"poly", "~/crt", "", "imports crt"},
		{"crt", "~ ~/poly ~/field/smallprime", "", ""},
		{"crt", "~/cmd/galfft", "", "imports cmd/galfft"},
		{"cmd/galfft", "~/internal/names github.com/spf13/cobra golang.org/x/term", "", ""},
		{"cmd/galfft", "~/internal/testfields", "~/internal/testfields", "for test files"},
		{"gpu", "~/field ~/schemes ~/internal/device ~/internal/arith", "~/internal/emulator ~/internal/device/driver", ""},
		{"gpu", "~/internal/device/driver", "", "imports internal/device/driver, may import"},
		{"gpu", "github.com/ebitengine/purego", "", "imports github.com/ebitengine/purego"},
		{"gpu", "~", "~", "imports ."},
		{"gpu", "~/field/gfpf", "~/field/gfpf", "imports field/gfpf"},
		{"gpu", "~/kernels/word", "", "imports kernels/word"},
		{"internal/device", "~/field ~/kernels/cuda ~/internal/device/driver ~/internal/par", "~/internal/emulator", ""},
		{"internal/device", "~/schemes", "", "imports schemes"},
		{"internal/device", "~/gpu", "", "imports gpu"},
		{"internal/device/driver", "~/field github.com/ebitengine/purego", "", ""},
		{"internal/device/driver", "~/internal/emulator", "~/internal/emulator", "for test files"},
		{"kernels/cuda", "embed", "~/internal/emulator", ""},
		{"kernels/cuda", "~/internal/cpu", "", "imports internal/cpu"},
		{"kernels/word", "~/kernels/cuda", "", "imports kernels/cuda"},
		{"cmd/galfft", "~/gpu", "", ""},
		{"cmd/galfft", "~/internal/device", "", "imports internal/device, which is for few"},
		{"internal/verbs", "~/internal/device", "", "imports internal/device, which is for few"},
		{"internal/devices", "~/gpu ~/field", "~/field/smallprime ~/internal/emulator", ""},
		{"internal/names", "~/gpu", "", "imports gpu"},
		{"internal/verbs", "~/gpu", "", ""},
		{"examples/gpu", "~/gpu", "", ""},
		{".", "~/gpu", "", "imports gpu"},
		{"field/smallprime", "~/gpu", "", "imports gpu"},
		{"schemes/fourstep", "~/internal/device", "", "imports internal/device"},
		{"poly", "~/gpu", "", "imports gpu"},
		{"crt", "~/gpu", "", "imports gpu"},
		{"internal/readme", "~/gpu", "", "imports gpu"},
		{"cmd/galfft", "github.com/ebitengine/purego", "", "imports github.com/ebitengine/purego"},
		{"poly", "github.com/spf13/cobra", "", "imports github.com/spf13/cobra"},
		{"poly", "github.com/stretchr/testify/require", "", "imports github.com/stretchr/testify/require"},
		{"poly", "pgregory.net/rapid", "pgregory.net/rapid", "imports pgregory.net/rapid"},
		{"schemes/internal/base", "github.com/ebitengine/purego", "", "imports github.com/ebitengine/purego"},
		{"field/smallprime", "", "github.com/ebitengine/purego", "imports github.com/ebitengine/purego"},
		{"field/smallprime", "C", "", "imports C"},
		{"field/bigprime/gmp", "C ~/field ~/field/bigprime ~/field/gfpf", "", ""},
		{"field/bigprime/gmp", "github.com/ncw/gmp", "", "imports github.com/ncw/gmp"},
		{"field/literal", "~/field github.com/ncw/gmp", "~/field/bigprime", ""},
		{"field/bigprime", "~/field/bigprime/gmp", "", "imports field/bigprime/gmp"},
		{"field/gfpf", "~/field/bigprime/gmp", "", "imports field/bigprime/gmp"},
		{"field/smallprime", "example.com/other", "", "no rule in rules.go allows"},
		{"field/smallprime", "example.org/module", "", "no rule in rules.go allows"},
		{"cellar", "", "", "no rule covers"},
	} {
		list := func(s string) []string { return strings.Fields(strings.ReplaceAll(s, "~", module)) }
		p := Package{c.path, "p", list(c.imports), list(c.testImports), true, true}
		if c.path == "cmd/galfft" {
			p.Name, p.Example = "main", false
		}
		err := errors.Join(Check(module, []Package{p})...)
		if c.want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, c.want, "%s with %q", c.path, c.imports)
		require.Equal(t, 1, strings.Count(err.Error(), "\n")+1, "%v", err)
	}
}

func TestDocuments(t *testing.T) {
	for _, c := range []struct {
		path, name   string
		doc, example bool
		want         string
	}{
		{"poly", "poly", true, true, ""},
		{"poly", "poly", false, true, "no package comment"},
		{"poly", "poly", true, false, "no Example"},
		{"internal/par", "par", true, false, ""},
		{"internal/par", "par", false, false, "no package comment"},
		{"internal/engine", "engine", true, false, ""},
		{"cmd/galfft", "main", true, false, ""},
	} {
		err := errors.Join(Check("m", []Package{{c.path, c.name, nil, nil, c.doc, c.example}})...)
		if c.want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, c.want)
		}
	}
}

// Files behind build tags count, nested modules and ignored directories do not.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":              "module m\n\ngo 1.26\n",
		"a/a.go":              "// Package a is a.\npackage a\n\nimport _ \"fmt\"\n",
		"a/a_cgo.go":          "//go:build gmp\n\npackage a\n\nimport \"C\"\n",
		"a/a_test.go":         "package a_test\n\nimport _ \"testing\"\n\nfunc ExampleA() {}\n",
		"b/b.go":              "// Here is b.\npackage b\n",
		"b/testdata/x.go":     "package x\n",
		"b/_gen/main.go":      "package main\n",
		"bench/go.mod":        "module m/bench\n",
		"bench/bench.go":      "package bench\n",
		"c/c_test.go":         "package c_test\n",
		"docs/text.md":        "no Go\n",
		"vendor/v/v.go":       "package v\n",
		".hidden/hidden.go":   "package hidden\n",
		"cmd/tool/main.go":    "// Tool is one.\npackage main\n",
		"cmd/tool/doc.go":     "package main\n",
		"cmd/tool/zz_test.go": "package main\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	}
	module, pkgs, err := Load(dir)
	require.NoError(t, err)
	require.Equal(t, "m", module)
	require.Equal(t, []Package{
		{"a", "a", []string{"C", "fmt"}, []string{"testing"}, true, true},
		{"b", "b", nil, nil, false, false},
		{"c", "c", nil, nil, false, false},
		{"cmd/tool", "main", nil, nil, true, false},
	}, pkgs)

	_, _, err = Load(filepath.Join(dir, "a"))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b", "bad.go"), []byte("package"), 0o666))
	_, _, err = Load(dir)
	require.ErrorContains(t, err, "bad.go")
}
