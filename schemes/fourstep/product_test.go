package fourstep_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
)

// TestConvolve compares products in slices with transforms, products of values and inverses.
func TestConvolve(t *testing.T) {
	f, r, ctx := smallprime.P50(), rand.New(rand.NewPCG(1, 2)), context.Background()
	random := func(n int) []uint64 {
		x := make([]uint64, n)
		for i := range x {
			f.Random(&x[i], r)
		}
		return x
	}
	same := func(want, got []uint64, format, at string) { // require.Equal takes as long as the products
		if !slices.Equal(want, got) {
			require.Equal(t, want, got, format, at)
		}
	}
	for _, n := range []int{4, 32, 1 << 6, 1 << 10, 1 << 15, 1 << 16} {
		for _, s := range []field.Spec{{Algorithm: field.DepthFirst}, {Algorithm: field.FourStep},
			// Tasks take first passes of other radices than one task.
			{Algorithm: field.DepthFirst, Radix: 8, Cache: 1 << 15, Workers: 8, Grain: 1},
			{Algorithm: field.FourStep, Twiddles: field.FullTwiddles, Workers: 3, Grain: 1}} {
			for _, domain := range []func(field.Field[uint64], int) (field.Cyclic[uint64], error){
				field.NewCyclic[uint64], field.NewNegacyclic[uint64]} {
				d, err := domain(f, n)
				require.NoError(t, err)
				s.Order, s.Unchecked = field.Scheme, true
				plan, err := f.Plan(d, s)
				require.NoError(t, err)
				c := plan.(interface {
					Convolve(ctx context.Context, x, y []uint64, a, b int) error
				})
				values := func(x []uint64, count int) []uint64 {
					x = slices.Clone(x)
					clear(x[count:])
					require.NoError(t, plan.Forward(ctx, x, x))
					return x
				}
				want := func(x, y []uint64) []uint64 {
					z := make([]uint64, n)
					f.MulVec(z, x, y)
					require.NoError(t, plan.Inverse(ctx, z, z))
					return z
				}
				for _, a := range []int{0, 1, n/4 + 1, n / 2, n - 1, n} {
					for _, b := range []int{0, 1, n/2 - 1, n/2 + 1, n} {
						at := fmt.Sprintf("%v of %d points, %d by %d", s.Algorithm, n, a, b)
						x, y := random(n), random(n)
						v, w := values(x, a), values(y, b)
						got := slices.Clone(x)
						require.NoError(t, c.Convolve(ctx, got, y, a, b))
						same(want(v, w), got, "%s", at)
						got, y = slices.Clone(x), slices.Clone(w)
						require.NoError(t, c.Convolve(ctx, got, y, a, -1))
						same(want(v, w), got, "%s, the second by its values", at)
						same(w, y, "%s", at)
						require.NoError(t, c.Convolve(ctx, x, x, a, a))
						same(want(v, v), x, "%s, square", at)
					}
				}
				x, y := random(n), random(n)
				ended, cancel := context.WithCancel(ctx)
				cancel()
				require.ErrorIs(t, c.Convolve(ended, x, y, n, n), context.Canceled)
				for _, err := range []error{c.Convolve(ctx, x[1:], y, 0, 0), c.Convolve(ctx, x, y[1:], 0, 0),
					c.Convolve(ctx, x, y, n+1, n), c.Convolve(ctx, x, y, -1, n), c.Convolve(ctx, x, y, n, n+1)} {
					require.ErrorIs(t, err, field.ErrLength)
				}
				if !raceEnabled { // pools forget at random there
					product := func() { _ = c.Convolve(ctx, x, y, n/2, n/2) }
					require.Zero(t, testing.AllocsPerRun(10, product), s.Algorithm)
				}
			}
		}
	}
}
