package gfpf

import (
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/stretchr/testify/require"
)

func TestAny(t *testing.T) {
	for _, p := range []Preset{presets[0], presets[2], presets[9], {"", 10, 2}} {
		f, err := p.Open()
		require.NoError(t, err)
		t.Run(f.Name(), func(t *testing.T) {
			fieldtest.Run(t, f, fieldtest.Config[Number]{RootOrders: []uint64{1, 2, f.ShiftOrder()}})
		})
	}
}

// Elements of both forms have the same sums, products, roots and values, with tiles and without.
func TestAnyAgrees(t *testing.T) {
	agrees(t, P1())
	agrees(t, P3())
	agrees(t, K16())
}

func agrees[E Digits](t *testing.T, f *Field[E]) {
	g, err := Open(f.Radix(), f.prime.k)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 8, 64, 256} {
		x, y := make([]E, n), make([]Number, n)
		for i := range x {
			f.Random(&x[i], r)
			y[i] = append(Number(nil), words(&x[i])...)
		}
		equal := func() {
			for i := range x {
				require.Equal(t, words(&x[i]), []uint64(y[i]))
			}
		}
		for _, order := range []fft.Order{fft.Natural, fft.BitReversed} {
			p, q := fft.Must(fft.NewPlan(f, n, fft.WithOrder(order))), fft.Must(fft.NewPlan(g, n, fft.WithOrder(order)))
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

// Numbers of another field are found where elements are checked.
func TestAnyDigits(t *testing.T) {
	f, err := Open(1<<63+1<<34, 8)
	require.NoError(t, err)
	for _, x := range []Number{{1}, make(Number, 7), make(Number, 16), {0, 0, 0, 0, 0, 0, 0, 1, 1}} {
		require.False(t, field.Canonical(f, &x))
		_, err := fft.NewPlan(f, 64, fft.WithCoset(x))
		require.ErrorIs(t, err, field.ErrRange)
		_, err = fft.NewPlan(f, 8, fft.WithRoot(x))
		require.ErrorIs(t, err, field.ErrRange)
	}
	var x Number
	require.True(t, field.Canonical(f, &x))
}
