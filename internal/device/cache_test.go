package device

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"

	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/kernels/cuda"
	"github.com/stretchr/testify/require"
)

// loadSum loads a kernel on a new device.
func loadSum(t *testing.T) error {
	t.Helper()
	d := spare(t)
	err := d.Function("words", "sum64", 0).Load()
	if closed := d.Close(); err == nil {
		require.NoError(t, closed)
	}
	return err
}

// Kernels that were compiled once are not compiled again, and files that are no more what was written are.
func TestCache(t *testing.T) {
	emulator.Need(t)
	dir := filepath.Join(t.TempDir(), "a", "b")
	t.Setenv(CacheVariable, dir)
	// compiled reports whether a load compiles, as it then takes the failure that is set.
	compiled := func() bool {
		failing(t, "cuLinkComplete", 1, 1)
		err := loadSum(t)
		failing(t, "", 0, 0)
		return err != nil
	}
	require.True(t, compiled())
	require.Empty(t, must(filepath.Glob(filepath.Join(dir, "*"))))
	require.NoError(t, loadSum(t))
	files := must(filepath.Glob(filepath.Join(dir, "*")))
	require.Len(t, files, 1)
	right := must(os.ReadFile(files[0]))
	require.False(t, compiled())

	other := []byte(cuda.Open("words").Kernel("product64")) // well, and no such kernel in it
	wrong := func(image []byte) []byte {
		sum := sha256.Sum256(image)
		return append(sum[:], image...)
	}
	for name, data := range map[string][]byte{"empty": nil, "short": right[:8], "cut": right[:len(right)-1],
		"changed": append(bytes.Clone(right[:len(right)-1]), '!'), "no kernel": wrong([]byte("no kernel"))} {
		require.NoError(t, os.WriteFile(files[0], data, 0o600))
		require.NoError(t, loadSum(t), name)
		require.Equal(t, right, must(os.ReadFile(files[0])), name)
	}
	require.NoError(t, os.WriteFile(files[0], wrong(other), 0o600))
	require.ErrorIs(t, loadSum(t), ErrModule, "what it says it is, is believed")

	for _, function := range []string{"cuLinkCreate", "cuLinkAddData", "cuLinkComplete", "cuLinkDestroy"} {
		require.NoError(t, os.Remove(files[0]))
		failing(t, function, 1, 1)
		require.ErrorContains(t, loadSum(t), function)
		require.Empty(t, must(filepath.Glob(filepath.Join(dir, "*"))), function)
		failing(t, function, 1, 700)
		require.ErrorIs(t, loadSum(t), ErrLost, function)
		failing(t, "", 0, 0)
		require.NoError(t, loadSum(t), function)
	}
	t.Setenv(CacheVariable, filepath.Join(files[0], "c")) // no directory
	require.NoError(t, loadSum(t))
	t.Setenv(CacheVariable, "off")
	require.True(t, compiled())
	require.Len(t, must(filepath.Glob(filepath.Join(dir, "*"))), 1)
}

// Where the driver has no cache, the user's directory of caches has one.
func TestCacheOf(t *testing.T) {
	home := t.TempDir()
	for _, c := range []struct{ own, disabled, path, home, want string }{
		{home: home},
		{path: home},
		{own: "/x", home: home, want: "/x"},
		{own: "off", disabled: "1", home: home},
		{disabled: "1", home: home, want: "/y/galfft/cuda"},
		{want: "/y/galfft/cuda"},
		{disabled: "0", home: home},
	} {
		t.Setenv(CacheVariable, c.own)
		t.Setenv("CUDA_CACHE_DISABLE", c.disabled)
		t.Setenv("CUDA_CACHE_PATH", c.path)
		t.Setenv("HOME", c.home)
		t.Setenv("XDG_CACHE_HOME", "/y")
		require.Equal(t, c.want, cacheOf(Info{}).dir, "%+v", c)
	}
	a := cacheOf(Info{Driver: "13.0", Major: 9})
	require.NotEqual(t, a.of, cacheOf(Info{Driver: "13.1", Major: 9}).of)
	require.NotEqual(t, a.of, cacheOf(Info{Driver: "13.0", Major: 9, Minor: 1}).of)
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}
