package driver

import (
	"os"
	"testing"
	"unsafe"

	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/kernels/cuda"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { os.Exit(emulator.Main(m)) }

// device opens the first device with a stream and the kernels of probe.cu.
func device(t *testing.T) (*Device, *Stream, *Module) {
	t.Helper()
	emulator.Need(t)
	l, err := Open()
	require.NoError(t, err)
	d, err := l.Device(0)
	require.NoError(t, err)
	s, err := d.NewStream()
	require.NoError(t, err)
	m, err := d.Load(cuda.Source("probe"))
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, m.Close())
		require.NoError(t, s.Close())
		require.NoError(t, d.Close())
	})
	return d, s, m
}

func TestLaunch(t *testing.T) {
	d, s, m := device(t)
	const n = 1000
	p, err := d.Alloc(8 * n)
	require.NoError(t, err)
	f, err := m.Function("fill64")
	require.NoError(t, err)
	require.NoError(t, f.Launch(s, [2]int{3, 1}, 64, 0, &Args{uint64(p), 17, n}))
	got := make([]uint64, n)
	require.NoError(t, s.CopyOut(unsafe.Pointer(&got[0]), p, 8*n))
	require.NoError(t, s.Wait())
	for _, v := range got {
		require.Equal(t, uint64(17), v)
	}
	require.NoError(t, d.Release(p))
}
