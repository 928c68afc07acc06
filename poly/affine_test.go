package poly_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/poly"
)

// A ring over a binary field is one of polynomials modulo x^n − 1: it takes no subspace, neither in silence nor by an
// option.
func TestRingTakesNoSubspace(t *testing.T) {
	f, err := binary.New[uint16](16)
	require.NoError(t, err)
	ring, err := poly.New(f)
	require.NoError(t, err)
	a := []uint16{1, 2, 3, 4}
	_, err = ring.Evaluate(t.Context(), a, 4)
	require.ErrorIs(t, err, field.ErrNoRoot)
	_, err = ring.Interpolate(t.Context(), a)
	require.ErrorIs(t, err, field.ErrNoRoot)
	for _, o := range []fft.Option{fft.WithSubspace[uint16](1, 2), fft.WithCoefficients(fft.LCH)} {
		_, err := poly.New(f, o)
		require.ErrorIs(t, err, field.ErrSpec)
	}
	values, err := ring.Evaluate(t.Context(), a, 5) // 5 divides 2^16 − 1
	require.NoError(t, err)
	back, err := ring.Interpolate(t.Context(), values)
	require.NoError(t, err)
	require.Equal(t, append(a, 0), back)
}

// An extension over subspaces has the values of the polynomial through those given, by Horner's rule, in columns; with
// no shift it begins with them.
func TestLDEOverSubspaces(t *testing.T) {
	const n, blowup, columns = 8, 4, 3
	f, err := binary.New[uint64](64)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(31, 8))
	given := fft.Must(fft.NewPlan(f, n))
	for _, shift := range []uint64{0, 0xabcdef0123456789} {
		for _, order := range []fft.Order{fft.Natural, fft.BitReversed} {
			l, err := poly.NewLDE(f, n, blowup, columns, &shift, fft.WithOrder(order))
			require.NoError(t, err)
			points := fft.Must(fft.NewPlan(f, n*blowup, fft.WithCoset(shift), fft.WithOrder(order)))
			small := fft.Must(fft.NewPlan(f, n, fft.WithOrder(order)))
			a, v := make([]uint64, n*columns), make([]uint64, n*columns)
			for i := range a {
				f.Random(&a[i], r)
			}
			value := func(c int, x uint64) (z uint64) {
				for i := n - 1; i >= 0; i-- {
					f.Mul(&z, &z, &x)
					f.Add(&z, &z, &a[i*columns+c])
				}
				return z
			}
			for i, j := range small.Permutation() {
				for c := range columns {
					var x uint64
					given.Point(&x, j)
					v[i*columns+c] = value(c, x)
				}
			}
			dst := make([]uint64, l.Size())
			require.NoError(t, l.ExtendTo(t.Context(), dst, v))
			for i, j := range points.Permutation() {
				for c := range columns {
					var x uint64
					points.Point(&x, j)
					require.Equal(t, value(c, x), dst[i*columns+c])
				}
			}
			if shift == 0 && order == fft.Natural {
				require.Equal(t, v, dst[:len(v)])
			}
		}
	}
	_, err = poly.NewLDE(f, n, 3, 1, new(uint64))
	require.ErrorIs(t, err, field.ErrNoRoot)
}
