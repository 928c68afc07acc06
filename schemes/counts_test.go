package schemes_test

import (
	"context"
	"math/bits"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

// Transforms of K^e points over Z/(r^k + 1), K = 2k, take as many products in every scheme as there are factors between
// base cases that are no powers of r: the least of a transform by radix K. With two levels of factors, there is up to
// one product more for each element. Sums and differences are those of any transform.
func TestProductCounts(t *testing.T) {
	countProducts(t, gfpf.K4(), map[int]int64{64: 44, 512: 788})
}

func countProducts[E any](t *testing.T, f field.Rooted[E], counts map[int]int64) {
	c := testfields.NewCounting(f)
	for n, want := range counts {
		d, err := field.NewCyclic(c, n)
		require.NoError(t, err)
		x := make([]E, n)
		for i := range x {
			x[i] = d.Root
		}
		for _, a := range []field.Algorithm{field.SixStep, field.SixStepMerged, field.FourStep} {
			for _, w := range []field.Twiddles{field.FullTwiddles, field.TwoLevel} {
				p, err := schemes.New(c.Field(), d, field.Spec{Algorithm: a, Twiddles: w})
				require.NoError(t, err)
				c.Reset()
				require.NoError(t, p.Forward(context.Background(), x, x))
				require.EqualValues(t, n*(bits.Len(uint(n))-1), c.Adds.Load(), "sums, %d points, %v", n, a)
				if got := c.Muls.Load(); w == field.FullTwiddles {
					require.Equal(t, want, got, "%d points, %v", n, a)
				} else {
					require.GreaterOrEqual(t, got, want)
					require.LessOrEqual(t, got, want+int64(n), "%d points, %v, two levels", n, a)
				}
			}
		}
	}
}
