package fft_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/poly"
)

// The examples over Z/17 of the slides on generalized Fermat primes: transforms of 8 points with the root 2, the cyclic
// product by them, and products of 16 points, which do not wrap around.
func TestSlides(t *testing.T) {
	f, err := smallprime.New32(17)
	require.NoError(t, err)
	plan, err := fft.NewPlan(f, 8, fft.WithRoot[uint32](2))
	require.NoError(t, err)
	a, b := []uint32{1, 2, 3, 4, 5, 6, 7, 8}, []uint32{8, 7, 6, 5, 4, 3, 2, 1}
	for _, c := range []struct{ x, values []uint32 }{
		{[]uint32{1, 2, 1, 2, 1, 2, 1, 2}, []uint32{12, 0, 0, 0, 13, 0, 0, 0}},
		{a, []uint32{2, 8, 14, 6, 13, 3, 12, 1}},
		{b, []uint32{2, 9, 3, 11, 4, 14, 5, 16}},
	} {
		got := make([]uint32, 8)
		require.NoError(t, plan.Forward(got, c.x))
		require.Equal(t, c.values, got)
		require.NoError(t, plan.Inverse(got, got))
		require.Equal(t, c.x, got)
	}
	x, y := make([]uint32, 8), make([]uint32, 8)
	require.NoError(t, plan.Forward(x, a))
	require.NoError(t, plan.Forward(y, b))
	f.MulVec(x, x, y)
	require.Equal(t, []uint32{4, 4, 8, 15, 1, 8, 9, 16}, x)
	require.NoError(t, plan.Inverse(x, x))
	cyclic := []uint32{6, 3, 8, 4, 8, 3, 6, 0}
	require.Equal(t, cyclic, x)

	// Roots of order 16 are 3, 5, 6, 7, 10, 11, 12, 14; the product of 15 coefficients has room.
	product, err := poly.Mul(f, a, b)
	require.NoError(t, err)
	for _, root := range []uint32{3, 5, 6, 7, 10, 11, 12, 14} {
		plan, err := fft.NewPlan(f, 16, fft.WithRoot(root))
		require.NoError(t, err)
		x, y := make([]uint32, 16), make([]uint32, 16)
		copy(x, a)
		copy(y, b)
		require.NoError(t, plan.Forward(x, x))
		require.NoError(t, plan.Forward(y, y))
		f.MulVec(x, x, y)
		require.NoError(t, plan.Inverse(x, x))
		require.Equal(t, append(append([]uint32(nil), product...), 0), x, "root %d", root)
		for i, want := range cyclic {
			require.EqualValues(t, want, (x[i]+x[i+8])%17)
		}
	}
	_, err = fft.NewPlan(f, 16, fft.WithRoot[uint32](2))
	require.ErrorIs(t, err, fft.ErrNoRoot, "2 has order 8")
}
