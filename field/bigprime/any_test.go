package bigprime

import (
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/stretchr/testify/require"
)

// Elements of both types have the same roots and values, by both paths.
func TestAnyAgrees(t *testing.T) {
	for _, kernels := range []bool{true, false} {
		f, g := BN254(), newAny(BN254().Characteristic(), 4)
		if !kernels {
			f.prime.kernels, g.prime.kernels = nil, nil
		}
		r := rand.New(rand.NewPCG(3, 4))
		for _, n := range []int{1, 2, 8, 64, 256, 3 << 6, 13} {
			x, y := make([][4]uint64, n), make([]Number, n)
			for i := range x {
				f.Random(&x[i], r)
				y[i] = append(Number(nil), words(&x[i])...)
			}
			equal := func() {
				for i := range x {
					require.Equal(t, words(&x[i]), []uint64(y[i]))
				}
			}
			for _, order := range []fft.Order{fft.Natural, fft.Scheme} {
				o := fft.WithOrder(order)
				p, q := fft.Must(fft.NewPlan(f, n, o)), fft.Must(fft.NewPlan(g, n, o))
				require.Equal(t, p.Report().Form, q.Report().Form)
				require.NoError(t, p.Forward(x, x))
				require.NoError(t, q.Forward(y, y))
				equal()
			}
			p, q := fft.Must(fft.NewPlan(f, n, fft.WithCoset(x[0]))), fft.Must(fft.NewPlan(g, n, fft.WithCoset(y[0])))
			require.NoError(t, p.Inverse(x, x))
			require.NoError(t, q.Inverse(y, y))
			equal()
		}
	}
}

// Numbers of another size are found where elements are checked.
func TestAnyWords(t *testing.T) {
	f := newAny(BN254().Characteristic(), 4)
	for _, x := range []Number{{1}, make(Number, 3), make(Number, 8), Number(f.prime.p)} {
		require.False(t, field.Canonical(f, &x))
		_, err := fft.NewPlan(f, 64, fft.WithCoset(x))
		require.ErrorIs(t, err, field.ErrRange)
		require.Zero(t, f.FirstInvalid([]Number{x}))
	}
	var x Number
	require.True(t, field.Canonical(f, &x))
}
