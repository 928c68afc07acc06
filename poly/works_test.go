package poly_test

import (
	"runtime"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/poly"
	"github.com/stretchr/testify/require"
)

// Products one after the other, in goroutines of their own, have the long vectors of the first, on whatever processor
// they run.
func TestLongWorksStay(t *testing.T) {
	const n = 1 << 17 // of vectors, a megabyte each
	ring, err := poly.New(smallprime.P62(), fft.WithWorkers(2))
	require.NoError(t, err)
	a, z := make([]uint64, n/2), make([]uint64, n-1)
	a[1], a[n/2-1] = 1, 1
	b := append([]uint64(nil), a...)
	product := func() {
		done := make(chan error)
		go func() { done <- ring.MulTo(t.Context(), z, a, b) }()
		require.NoError(t, <-done)
	}
	product()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 40 {
		product()
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8*n))
	require.EqualValues(t, []uint64{1, 2, 1}, []uint64{z[2], z[n/2], z[n-2]})
}
