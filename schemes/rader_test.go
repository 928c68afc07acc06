package schemes_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/schemes"
	"github.com/galfft/fft/schemes/naive"
	"github.com/stretchr/testify/require"
)

// Fermat primes go by Rader's algorithm, alone, on rows and over cosets, forward and back, with any workers.
func TestRader(t *testing.T) {
	f := smallprime.Goldilocks()
	r := rand.New(rand.NewPCG(3, 257))
	for _, c := range []struct {
		n, convolutions int
		shifted         bool
	}{{257, 1, false}, {257, 1, true}, {2 * 257, 1, true}, {3 * 257, 1, false}, {17 * 257, 2, true}} {
		d, err := field.NewCyclic[uint64](f, c.n)
		require.NoError(t, err)
		if c.shifted {
			f.Random(&d.Shift, r)
		}
		x, want, got := make([]uint64, c.n), make([]uint64, c.n), make([]uint64, c.n)
		for k := range x {
			f.Random(&x[k], r)
		}
		judge, err := naive.Over(f, d, field.Spec{Workers: 2})
		require.NoError(t, err)
		require.NoError(t, judge.Forward(context.Background(), want, x))
		eachTier(t, func(t *testing.T, tier cpu.Tier) {
			convolutions := c.convolutions
			if tier == cpu.AVX512 || tier == cpu.IFMA { // passes of 17 rows
				convolutions = 1
			}
			for _, s := range []field.Spec{{Workers: 1}, {Workers: 3, Grain: 1}, {Workers: 1, Cache: 16}} {
				p, err := schemes.New(f, d, s)
				require.NoError(t, err)
				require.Equal(t, convolutions, strings.Count(strings.Join(p.Report().Passes, ", "), "Rader"))
				copy(got, x)
				for range 2 {
					require.NoError(t, p.Forward(context.Background(), got, got))
					require.Equal(t, want, got, "n %d, %+v", c.n, s)
					require.NoError(t, p.Inverse(context.Background(), got, got))
					require.Equal(t, x, got, "inverse, n %d, %+v", c.n, s)
				}
			}
		})
	}
}
