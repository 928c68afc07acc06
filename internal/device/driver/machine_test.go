package driver

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unsafe"

	"github.com/galfft/fft/internal/emulator"
	"github.com/stretchr/testify/require"
)

// Kernels that show how the emulated device treats threads: barriers, shuffles, arguments of several sizes, and threads
// that never come to a barrier.
const machine = `
#include "prelude.cuh"
KERNEL(1024, 1) void diverge(u32 who) {
	if (thread() != who)
		barrier();
}
KERNEL(1024, 1) void warps(u32 *x) {
	u32 v = x[thread()];
	for (u32 m = 1; m < 32; m *= 2)
		v += shuffle_xor(v, m);
	x[thread()] = v;
}
KERNEL(64, 1) void halves(u64 *x) {
	u64 v = x[thread()];
	x[thread()] = shuffle_xor(v, 1);
}
KERNEL(1, 1) void mixed(u64 *x, u32 a, u64 b, u32 c) { *x = a + b * c; }
KERNEL(1, 1) void fresh(u64 *x) { *x = *shared<u64>(); }
`

const machinePTX = `.version 6.3
.target sm_70
.visible .entry diverge() .maxntid 1024, 1, 1 {}
.visible .entry warps() .maxntid 1024, 1, 1 {}
.visible .entry halves() .maxntid 64, 1, 1 {}
.visible .entry mixed() .maxntid 1, 1, 1 {}
.visible .entry fresh() .maxntid 1, 1, 1 {}
`

func TestMachine(t *testing.T) {
	library(t, true)
	sources, err := filepath.Abs("../../../kernels/cuda")
	require.NoError(t, err)
	dir := t.TempDir()
	for _, name := range []string{"prelude.cuh", "emulate"} {
		require.NoError(t, os.Symlink(filepath.Join(sources, name), filepath.Join(dir, name)))
	}
	var ptx bytes.Buffer
	w := gzip.NewWriter(&ptx)
	_, err = w.Write([]byte(machinePTX))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	for name, text := range map[string]string{"machine.cu": machine, "machine.ptx.gz": ptx.String()} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	path, err := emulator.BuildFrom(dir)
	require.NoError(t, err)
	again, err := emulator.BuildFrom(dir)
	require.NoError(t, err)
	require.Equal(t, path, again)
	l, err := open(path, &symbols)
	require.NoError(t, err)

	for range 2 { // also after a loss
		d := opened(t, l, 0)
		s, err := d.NewStream()
		require.NoError(t, err)
		m, err := d.Load(machinePTX)
		require.NoError(t, err)
		launch := func(name string, threads, shared int, args Args) error {
			f, err := m.Function(name)
			require.NoError(t, err)
			return f.Launch(s, [2]int{1, 1}, threads, shared, &args)
		}
		p, err := d.Alloc(8 * 64)
		require.NoError(t, err)
		read := func(to unsafe.Pointer, bytes int) {
			require.NoError(t, s.CopyOut(to, p, bytes, nil))
			require.NoError(t, s.Wait())
		}

		var words [96]uint32
		for i := range words {
			words[i] = 1 << (i / 32)
		}
		require.NoError(t, s.CopyIn(p, unsafe.Pointer(&words), 4*96, nil))
		require.NoError(t, launch("warps", 96, 0, Args{uint64(p)}))
		read(unsafe.Pointer(&words), 4*96)
		require.Equal(t, slices.Concat(slices.Repeat([]uint32{32}, 32), slices.Repeat([]uint32{64}, 32),
			slices.Repeat([]uint32{128}, 32)), words[:])

		var wide [64]uint64
		for i := range wide {
			wide[i] = uint64(i) << 40
		}
		require.NoError(t, s.CopyIn(p, unsafe.Pointer(&wide), 8*64, nil))
		require.NoError(t, launch("halves", 64, 0, Args{uint64(p)}))
		require.ErrorContains(t, launch("halves", 65, 0, Args{uint64(p)}), "CUDA_ERROR_INVALID_VALUE")
		read(unsafe.Pointer(&wide), 8*64)
		for i, v := range wide {
			require.Equal(t, uint64(i^1)<<40, v)
		}

		const high = 7 << 32 // above a number of 32 bits, ignored
		g, err := s.Capture(func() error { return launch("mixed", 1, 0, Args{uint64(p), high | 5, 1 << 40, high | 3}) })
		require.NoError(t, err)
		require.NoError(t, g.Launch(s, nil))
		read(unsafe.Pointer(&wide), 8)
		require.Equal(t, uint64(5+3<<40), wide[0])

		require.NoError(t, launch("fresh", 1, 8, Args{uint64(p)}))
		read(unsafe.Pointer(&wide), 8)
		require.Equal(t, uint64(0xa5a5a5a5a5a5a5a5), wide[0], "shared memory is poisoned")

		require.NoError(t, launch("diverge", 64, 0, Args{64}))
		require.NoError(t, s.Wait())
		require.NoError(t, launch("diverge", 64, 0, Args{17}))
		err = s.Wait()
		require.ErrorIs(t, err, ErrLost)
		require.ErrorContains(t, err, "diverge: threads of a block wait at a barrier")
		require.NoError(t, d.Close())
	}
}
