package cuda

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The PTX that is kept was compiled from the sources that are kept; .ci/run compiles them once more.
func TestSources(t *testing.T) {
	sources, err := filepath.Glob("*.cu")
	require.NoError(t, err)
	headers, err := filepath.Glob("*.cuh")
	require.NoError(t, err)
	var names []string
	for _, name := range sources {
		module := strings.TrimSuffix(name, ".cu")
		names = append(names, module)
		h := sha256.New()
		for _, name := range append([]string{name}, headers...) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
		}
		require.Contains(t, Source(module), fmt.Sprintf("\n// Sources: %x\n", h.Sum(nil)),
			"%s has changed: go run ./kernels/cuda/_gen", name)
	}
	require.Equal(t, names, Modules())
	require.Empty(t, Source("no such module"))
}

// Nothing in a module tells where it was compiled, and it runs on every device from Volta on, that of tensor cores from
// Ampere on.
func TestModules(t *testing.T) {
	for _, name := range Modules() {
		text := Source(name)
		head := "\n.version 6.3\n.target sm_70\n.address_size 64\n"
		if name == "midtensor" {
			head = "\n.version 7.0\n.target sm_80\n.address_size 64\n"
		}
		require.Contains(t, text, head, name)
		for _, place := range []string{".file", ".loc", "/home", "/tmp", "/usr"} {
			require.NotContains(t, text, place, name)
		}
		require.NotRegexp(t, regexp.MustCompile(`\.cuh?\b`), text, name)
		require.Contains(t, text, ".visible .entry ", name)
	}
}

// The kernels of a module, each alone, are the module.
func TestKernels(t *testing.T) {
	for _, name := range Modules() {
		m := Open(name)
		text, names := m.head, m.Kernels()
		require.Len(t, names, strings.Count(Source(name), ".entry "), name)
		require.NotContains(t, m.head, ".entry")
		for _, kernel := range names {
			one := m.Kernel(kernel)
			require.Equal(t, 1, strings.Count(one, ".entry "), kernel)
			require.Contains(t, one, ".entry "+kernel+"(")
			text += strings.TrimPrefix(one, m.head)
		}
		lines := func(text string) []string {
			l := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
			slices.Sort(l)
			return l
		}
		require.True(t, slices.Equal(lines(Source(name)), lines(text)), name)
	}
	require.Empty(t, Open("no such module").Kernels())
	require.Empty(t, Open("words").Kernel("no such kernel"))
}
