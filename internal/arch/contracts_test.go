package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Each interface of packages field and bulks is one that somebody who brings a field reads. There are no more than
// these: what comes has another one leave, or be part of it (decision 50).
func TestContracts(t *testing.T) {
	const most = 26
	var names []string
	for _, name := range tracked(t) {
		dir := path.Dir(name)
		if dir != "field" && dir != "field/bulks" || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		names = append(names, interfaces(t, source(t, name))...)
	}
	assert.LessOrEqual(t, len(names), most, "%v", names)
	require.Contains(t, names, "Field")
	require.Contains(t, names, "Bulk")
}

// interfaces returns the names of exported interfaces.
func interfaces(t *testing.T, text string) (names []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.TypeSpec); ok && s.Name.IsExported() {
			if _, ok := s.Type.(*ast.InterfaceType); ok {
				names = append(names, s.Name.Name)
			}
		}
		return true
	})
	return names
}

func TestInterfaces(t *testing.T) {
	text := "package p\ntype A interface{ M() }\ntype b interface{}\ntype C struct{}\n" +
		"type (\n\tD[E any] interface{ N(E) }\n)\n"
	require.Equal(t, []string{"A", "D"}, interfaces(t, text))
}
