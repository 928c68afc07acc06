package measuring

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The PTX that is kept was compiled from the sources that are kept; .ci/run compiles them once more.
func TestSources(t *testing.T) {
	sources, err := filepath.Glob("*.cu")
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	headers, err := filepath.Glob("../../kernels/cuda/*.cuh")
	require.NoError(t, err)
	for _, name := range sources {
		h := sha256.New()
		for _, name := range append([]string{name}, headers...) {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			fmt.Fprintf(h, "%s %d\n%s", filepath.Base(name), len(text), text)
		}
		require.Contains(t, Source(strings.TrimSuffix(name, ".cu")), fmt.Sprintf("\n// Sources: %x\n", h.Sum(nil)),
			"%s has changed: go run ./kernels/cuda/_gen", name)
	}
	require.Empty(t, Source("no such module"))
}
