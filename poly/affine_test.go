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
	f, err := binary.New[uint64](64)
	require.NoError(t, err)
	ring, err := poly.New(f)
	require.NoError(t, err)
	a := []uint64{1, 2, 3, 4}
	_, err = ring.Evaluate(t.Context(), a, 4)
	require.ErrorIs(t, err, field.ErrNoRoot)
	_, err = ring.Interpolate(t.Context(), a)
	require.ErrorIs(t, err, field.ErrNoRoot)
	for _, o := range []fft.Option{fft.WithSubspace[uint64](1, 2), fft.WithCoefficients(fft.LCH)} {
		_, err := poly.New(f, o)
		require.ErrorIs(t, err, field.ErrSpec)
	}
	values, err := ring.Evaluate(t.Context(), a, 5) // 5 divides 2^64 − 1
	require.NoError(t, err)
	back, err := ring.Interpolate(t.Context(), values)
	require.NoError(t, err)
	require.Equal(t, append(a, 0), back)
}

// An extension over subspaces has the values of the polynomial through those given, by Horner's rule, in columns; with
// no shift it begins with them. The subspaces are those of the field, or of any basis.
func TestLDEOverSubspaces(t *testing.T) {
	const n, blowup, columns = 8, 4, 3
	f, err := binary.New[uint64](64)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(31, 8))
	var basis [5]uint64
	for i := range basis {
		f.Random(&basis[i], r)
	}
	for _, own := range []bool{true, false} {
		var small, large []fft.Option
		plan := func(shift uint64, o fft.Option) (*poly.LDE[uint64], error) {
			return poly.NewLDE(f, n, blowup, columns, &shift, o)
		}
		if !own {
			small, large = []fft.Option{fft.WithSubspace(basis[:3]...)}, []fft.Option{fft.WithSubspace(basis[:]...)}
			plan = func(shift uint64, o fft.Option) (*poly.LDE[uint64], error) {
				return poly.NewSubspaceLDE(f, basis[:], n, columns, &shift, o)
			}
		}
		for _, shift := range []uint64{0, 0xabcdef0123456789} {
			for _, order := range []fft.Order{fft.Natural, fft.BitReversed} {
				l, err := plan(shift, fft.WithOrder(order))
				require.NoError(t, err)
				given := fft.Must(fft.NewPlan(f, n, append(small, fft.WithOrder(order))...))
				opts := append(large, fft.WithCoset(shift), fft.WithOrder(order))
				points := fft.Must(fft.NewPlan(f, n*blowup, opts...))
				a := make([]uint64, n*columns)
				for i := range a {
					f.Random(&a[i], r)
				}
				v, dst := valuesOf(f, given, a, columns), make([]uint64, l.Size())
				require.NoError(t, l.ExtendTo(t.Context(), dst, v))
				require.Equal(t, valuesOf(f, points, a, columns), dst)
				if shift == 0 && order == fft.Natural {
					require.Equal(t, v, dst[:len(v)])
				}
			}
		}
	}
	_, err = poly.NewLDE(f, n, 3, 1, new(uint64))
	require.ErrorIs(t, err, field.ErrNoRoot)
	for _, n := range []int{0, 3, 64, -8} {
		_, err = poly.NewSubspaceLDE(f, basis[:], n, 1, new(uint64))
		require.ErrorIs(t, err, field.ErrLength, "%d values", n)
	}
	basis[4] = basis[3] ^ basis[0]
	_, err = poly.NewSubspaceLDE(f, basis[:], n, 1, new(uint64))
	require.ErrorIs(t, err, field.ErrSpec)
}

// valuesOf returns the values of polynomials in columns at the points of a plan, in its order.
func valuesOf(f *binary.Field[uint64], p *fft.Plan[uint64], a []uint64, columns int) (v []uint64) {
	for _, j := range p.Permutation() {
		var x uint64
		p.Point(&x, j)
		for c := range columns {
			var z uint64
			for i := len(a)/columns - 1; i >= 0; i-- {
				f.Mul(&z, &z, &x)
				f.Add(&z, &z, &a[i*columns+c])
			}
			v = append(v, z)
		}
	}
	return v
}
