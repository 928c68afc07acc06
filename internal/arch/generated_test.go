package arch

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "run the generators, and note their sources and files")

// generators are the directories of programs that write the files named z*, with the directory that they write into
// and the packages in it.
var generators = []struct {
	dir, out string
	packages []string
}{
	{"kernels/_gen", "kernels", []string{"word", "digits", "rns", "limb", "mulx", "rate", "gf2", "linear", "clmul", "batch"}},
	{"kernels/cuda/_sliced", "kernels/cuda", []string{"."}},
	{"field/smallprime/_gen", "field/smallprime", []string{"."}},
	{"internal/engine/codelet/_gen", "internal/engine/codelet", []string{"."}},
}

// Sources of generators and files that they wrote are those that were noted when the generators ran last. From
// testscale.Full on the generators run and write the same again.
func TestGenerated(t *testing.T) {
	const root, noted = "../..", "testdata/generated.sha256"
	full := testscale.Of(t) >= testscale.Full
	var sums bytes.Buffer
	for _, g := range generators {
		from := filepath.Join(root, g.dir)
		out := filepath.Join(root, g.out)
		if *update {
			generate(t, from, out)
		}
		for _, pattern := range []string{"go.mod", "go.sum", "*.go", "*.tmpl"} {
			sum(t, &sums, filepath.Join(from, pattern))
		}
		fresh := t.TempDir()
		if full {
			generate(t, from, fresh)
		}
		for _, p := range g.packages {
			files := sum(t, &sums, filepath.Join(out, p, "z*"))
			if !full {
				continue
			}
			written, err := filepath.Glob(filepath.Join(fresh, p, "z*"))
			require.NoError(t, err)
			require.Len(t, written, len(files), "files of %s in %s", g.dir, p)
			for i := range files {
				same := bytes.Equal(read(t, files[i]), read(t, written[i]))
				require.True(t, same, "%s is not what %s writes", files[i], g.dir)
			}
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(noted, sums.Bytes(), 0o666))
	}
	require.Equal(t, string(read(t, noted)), sums.String(),
		"generators or their files have changed: go test ./internal/arch -run TestGenerated -update")
}

func generate(t *testing.T, from, out string) {
	out, err := filepath.Abs(out)
	require.NoError(t, err)
	text, err := exec.Command("go", "run", "-C", from, ".", "-o", out).CombinedOutput()
	require.NoError(t, err, "%s", text)
}

// sum writes the SHA-256 of files, and returns their names.
func sum(t *testing.T, w *bytes.Buffer, pattern string) []string {
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	for _, name := range files {
		fmt.Fprintf(w, "%x  %s\n", sha256.Sum256(read(t, name)), filepath.ToSlash(name))
	}
	return files
}

func read(t *testing.T, name string) []byte {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return text
}
