package driver

import (
	"math"
	"os"
	"testing"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/stretchr/testify/require"
)

// Memory of a stream is there for its work, and goes back behind it; where there is no pool, it is like all other.
func TestPool(t *testing.T) {
	l := library(t, true)
	for _, pools := range []bool{true, false} {
		t.Setenv("EMULATE_POOLS", map[bool]string{true: "1", false: "0"}[pools])
		b := newBench(t, opened(t, l, 0))
		require.Equal(t, pools, b.Pools())
		before, _, err := b.Free()
		require.NoError(t, err)
		p, err := b.stream.Alloc(64)
		require.NoError(t, err)
		require.NoError(t, b.set(p, 7, 8))
		got := b.read(t, p, 8)
		require.Equal(t, uint64(7), got[7])
		t.Setenv("EMULATE_DELAY", "3600000000")
		require.NoError(t, b.set(p, 8, 8))
		require.NoError(t, b.stream.Release(p))
		left, _, err := b.Free()
		require.NoError(t, err)
		require.Equal(t, pools, left < before, "its kernel is to have it")
		t.Setenv("EMULATE_DELAY", "0")
		require.NoError(t, b.stream.Wait())
		left, _, err = b.Free()
		require.NoError(t, err)
		require.Equal(t, before, left)

		_, err = b.stream.Alloc(math.MaxInt)
		require.ErrorIs(t, err, field.ErrMemory)
		require.NoError(t, b.stream.Release(0))
		require.NoError(t, b.stream.Close())
		if pools {
			_, err = b.stream.Alloc(1)
			require.ErrorIs(t, err, ErrClosed)
			require.ErrorIs(t, b.stream.Release(8), ErrClosed)
		}
	}
}

// A wait for the device is one for all streams.
func TestDeviceWait(t *testing.T) {
	b := newBench(t, opened(t, library(t, true), 0))
	p := b.alloc(t, 8)
	other, err := b.NewStream()
	require.NoError(t, err)
	t.Setenv("EMULATE_DELAY", "3600000000")
	require.NoError(t, b.set(p, 9, 8))
	require.NoError(t, b.Wait())
	t.Setenv("EMULATE_DELAY", "0")
	var word uint64
	require.NoError(t, other.CopyOut(unsafe.Pointer(&word), p+56, 8, nil)) // no stream waits for another
	require.NoError(t, other.Wait())
	require.Equal(t, uint64(9), word)
	require.NoError(t, other.Close())
}

// A driver before CUDA 11.2 has no pools.
func TestNoPools(t *testing.T) {
	library(t, true)
	names := symbols
	names[cuMemFreeAsync] = "cuMemOfTomorrow"
	l, err := open(os.Getenv(Variable), &names)
	require.NoError(t, err)
	require.True(t, l.Graphs())
	d := opened(t, l, 0)
	require.False(t, d.Pools())
	s, err := d.NewStream()
	require.NoError(t, err)
	p, err := s.Alloc(8)
	require.NoError(t, err)
	require.NoError(t, s.Release(p))
	require.NoError(t, d.Share(d))
}
