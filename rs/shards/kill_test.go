//go:build linux

package shards

import (
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// encoding names the directory that a process of TestKilled makes.
const encoding = "GALFFT_TEST_ENCODE"

// Killed at any moment, a process leaves the whole directory or none, and what else it leaves begins with a point.
func TestKilled(t *testing.T) {
	if dir := os.Getenv(encoding); dir != "" {
		require.NoError(t, Encode(ctx, io.LimitReader(rand.NewChaCha8([32]byte{}), 1<<26), dir, 20, 4))
		return
	}
	for n := range 4 * testscale.Of(t) {
		parent := t.TempDir()
		dir := filepath.Join(parent, "set")
		c := exec.Command(os.Args[0], "-test.run=^TestKilled$")
		c.Env = append(os.Environ(), encoding+"="+dir)
		require.NoError(t, c.Start())
		time.Sleep(time.Duration(50*n) * time.Millisecond)
		_ = c.Process.Signal(syscall.SIGKILL)
		_ = c.Wait()
		entries, err := os.ReadDir(parent)
		require.NoError(t, err)
		for _, e := range entries {
			if e.Name() == "set" {
				require.Equal(t, Intact, check(t, open(t, dir)).State)
			} else {
				require.True(t, strings.HasPrefix(e.Name(), ".set."), e.Name())
			}
		}
	}
}
