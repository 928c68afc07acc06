package device

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// in and out copy words to and from a vector, from byte at on.
func in(v *Memory, at uint64, x []uint64) error {
	return v.d.CopyIn(v.At+at, unsafe.Pointer(&x[0]), 8*len(x))
}

func out(v *Memory, at uint64, x []uint64) error {
	return v.d.CopyOut(unsafe.Pointer(&x[0]), v.At+at, 8*len(x))
}

// Copies of all sizes arrive, between the borders of parts and at them.
func TestCopies(t *testing.T) {
	d := spare(t)
	const direct, part = directBytes / 8, mostPart / 8
	for _, n := range []int{1, direct - 1, direct, direct + 1, part - 1, part, part + 1, 2 * part, 2*part + 1,
		3*part - 1, 4 * part, 5*part + 3} {
		v, err := d.Make(8 * (n + 2))
		require.NoError(t, err)
		x, y := make([]uint64, n), make([]uint64, n+2)
		for i := range x {
			x[i] = uint64(i)<<32 | 1
		}
		for range 2 {
			require.NoError(t, in(v, 8, x))
			require.NoError(t, out(v, 0, y))
			require.True(t, slices.Equal(x, y[1:n+1]) && y[0] == 0 && y[n+1] == 0, n)
		}
		require.NoError(t, v.Release())
	}
	require.NoError(t, d.Close())
}

// Goroutines take turns.
func TestCopiesAtOnce(t *testing.T) {
	d := spare(t)
	const n = mostPart/8 + 1000
	var wait sync.WaitGroup
	for k := range 4 {
		wait.Go(func() {
			v, err := d.Make(8 * n)
			if err != nil {
				t.Error(err)
				return
			}
			x, y := make([]uint64, n), make([]uint64, n)
			for i := range 3 {
				for j := range x {
					x[j] = uint64(k)<<48 | uint64(i)<<40 | uint64(j)
				}
				if err := errors.Join(in(v, 0, x), out(v, 0, y)); err != nil || !slices.Equal(x, y) {
					t.Errorf("goroutine %d: %v", k, err)
				}
			}
		})
	}
	wait.Wait()
}

// A copy of nothing does nothing.
func TestEmptyCopies(t *testing.T) {
	d := spare(t)
	v, err := d.Make(8)
	require.NoError(t, err)
	var x uint64
	require.NoError(t, errors.Join(d.CopyIn(v.At, unsafe.Pointer(&x), 0), d.CopyOut(unsafe.Pointer(&x), v.At, 0),
		v.CopyOut(unsafe.Pointer(&x), v.At, 0), v.CopyOut(nil, v.At, 0)))
}

// A copy that fails says so, and the next one is right. Without pinned memory copies go without it.
func TestCopyFaults(t *testing.T) {
	const n = directBytes/4 + 1001
	x := make([]uint64, n)
	for i := range x {
		x[i] = uint64(i) + 1
	}
	for _, function := range []string{"cuStreamCreate", "cuEventCreate", "cuMemHostAlloc", "cuEventRecord",
		"cuStreamWaitEvent", "cuEventSynchronize", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync"} {
		for at, noticed := 1, true; noticed; at++ {
			noticed = false
			for _, c := range codes {
				d := spare(t)
				v, err := d.Make(8 * n)
				require.NoError(t, err)
				y := make([]uint64, n)
				failing(t, function, at, c.code)
				if err = in(v, 0, x); err == nil {
					err = out(v, 0, y)
				}
				err = cmp.Or(err, d.Wait(context.Background(), v))
				failing(t, "", 0, 0)
				name := fmt.Sprintf("%s:%d:%d", function, at, c.code)
				if err == nil {
					require.True(t, slices.Equal(x, y), name)
				} else {
					noticed = true
					want := function + ": "
					if c.is == ErrLost { // a place that cannot be recorded stays owed, and the next call says why
						want = function
					}
					require.ErrorContains(t, err, want)
					if c.is != nil {
						require.ErrorIs(t, err, c.is)
					}
				}
				if c.is != ErrLost || err == nil {
					require.NoError(t, errors.Join(in(v, 0, x), out(v, 0, y), d.Wait(context.Background(), v)), name)
					require.True(t, slices.Equal(x, y), name)
					require.NoError(t, d.Close(), name)
				}
				_ = d.Close()
			}
		}
	}
}

// More short copies at a time than there is pinned memory for are right, and so are those behind one that failed.
func TestShortCopiesAtOnce(t *testing.T) {
	d := spare(t)
	t.Setenv("EMULATE_DELAY", "100")
	const n = 1000
	var wait sync.WaitGroup
	for k := range 2 * mostParts {
		wait.Go(func() {
			v, err := d.Make(8 * n)
			if err != nil {
				t.Error(err)
				return
			}
			x, y := make([]uint64, n), make([]uint64, n)
			for i := range 5 {
				for j := range x {
					x[j] = uint64(k)<<48 | uint64(i)<<40 | uint64(j)
				}
				if err := errors.Join(in(v, 0, x), out(v, 0, y)); err != nil || !slices.Equal(x, y) {
					t.Errorf("goroutine %d: %v", k, err)
				}
			}
		})
	}
	wait.Wait()
	require.LessOrEqual(t, len(d.parts.all), mostParts)
	require.Len(t, d.parts.idle, len(d.parts.all))
	v, err := d.Make(8 * n)
	require.NoError(t, err)
	y := make([]uint64, n)
	t.Setenv("EMULATE_FAIL", "cuMemcpyDtoHAsync:1:801")
	require.ErrorContains(t, out(v, 0, y), "cuMemcpyDtoHAsync")
	require.Len(t, d.parts.idle, len(d.parts.all)-1, "it may be written yet")
	y[0] = 1
	require.NoError(t, out(v, 0, y))
	require.Zero(t, y[0])
}
