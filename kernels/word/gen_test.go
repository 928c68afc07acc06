package word

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGenerated runs the generator and compares with the files of all packages of kernels.
func TestGenerated(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the generator runs by the go command: ", err)
	}
	dir := t.TempDir()
	out, err := exec.Command("go", "run", "-C", "../_gen", ".", "-o", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, pkg := range []string{"word", "digits", "rns"} {
		files, err := filepath.Glob(filepath.Join("..", pkg, "z*"))
		require.NoError(t, err)
		require.NotEmpty(t, files)
		fresh, err := filepath.Glob(filepath.Join(dir, pkg, "z*"))
		require.NoError(t, err)
		require.Len(t, fresh, len(files))
		for _, name := range files {
			want, err := os.ReadFile(name)
			require.NoError(t, err)
			got, err := os.ReadFile(filepath.Join(dir, pkg, filepath.Base(name)))
			require.NoError(t, err)
			require.True(t, string(want) == string(got), "%s is stale: go run -C kernels/_gen .", name)
		}
	}
}
