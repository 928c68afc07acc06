package poly

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
)

// Products by all parts of lengths up to 32, for all numbers of coefficients, are those of the definition.
func TestTruncatedEveryLength(t *testing.T) {
	t.Run("word", func(t *testing.T) { truncatedEveryLength(t, smallprime.P62(), 32) })
	t.Run("pointers", func(t *testing.T) {
		f, err := testfields.NewBigInt(smallprime.P62().Characteristic())
		require.NoError(t, err)
		truncatedEveryLength(t, f, 8)
	})
}

func truncatedEveryLength[E any](t *testing.T, f interface {
	field.Field[E]
	field.Sampler[E]
}, most int) {
	ctx := context.Background()
	ring, err := New[E](f)
	require.NoError(t, err)
	g := rand.New(rand.NewPCG(1, 2))
	random := func(n int) []E {
		x := make([]E, n)
		for i := range x {
			f.Random(&x[i], g)
		}
		return x
	}
	for i := most; i > 0; i /= 2 {
		for j := i / 2; j > 0; j /= 2 {
			for k := j / 2; k >= 0; k /= 2 {
				parts, err := ring.core().parts(ctx, [maxParts]int{i, j, k})
				require.NoError(t, err)
				for total := 1; total <= i+j+k; total++ {
					la := 1 + g.IntN(total)
					a, b := random(la), random(total-la+1)
					want, got := make([]E, total), random(total)
					z, x, y := bulks.ViewOf(got), bulks.ViewOf(a), bulks.ViewOf(b)
					require.NoError(t, ring.core().short(ctx, bulks.ViewOf(want), x, y))
					require.NoError(t, parts.times(ctx, z, x, y))
					require.Equal(t, want, got, "%d by %d in parts of %d, %d, %d", la, len(b), i, j, k)
					if la == len(b) {
						require.NoError(t, parts.times(ctx, z, x, x))
						require.NoError(t, ring.core().short(ctx, bulks.ViewOf(want), x, x))
						require.Equal(t, want, got, "square of %d in parts of %d, %d, %d", la, i, j, k)
					}
				}
				if k == 0 {
					break
				}
			}
		}
	}
}

// Lengths are powers of two that go down, cover the product, and cost less than a whole transform.
func TestPartLens(t *testing.T) {
	cost := func(n int) int { return n * (bits.Len(uint(n)) + perPoint) }
	used := 0
	for _, n := range []int{1 << 7, 1 << 12, 1 << 16, 1 << 22} {
		for i := 1; i <= 256; i++ {
			total := n/2 + n/2*i/256
			sum, costs, last := 0, 0, n
			for j, l := range partLens(total, n, perJoint) {
				if l == 0 {
					require.NotEqual(t, 1, j, "one part alone")
					break
				}
				require.Zero(t, l&(l-1))
				require.Less(t, l, last)
				sum, costs, last = sum+l, costs+cost(l), l
			}
			if sum > 0 {
				used++
				require.GreaterOrEqual(t, sum, total)
				require.Less(t, costs, cost(n))
			}
		}
		require.Zero(t, partLens(n, n, perJoint)[0], "a product that fills its transform")
	}
	require.Greater(t, used, 400)
}

// A product a quarter longer than a power of two takes 0.7 of the operations of twice as many coefficients, prepared
// operands included, and has the values that blocks give; one that stops leaves no trace in the next.
func TestTruncatedProducts(t *testing.T) {
	ctx := context.Background()
	c := testfields.NewCounting(field.Field[uint64](smallprime.P62()))
	ring, err := New(c.Field(), fft.WithoutPlanner())
	require.NoError(t, err)
	const n = 1 << 13
	operands := func(total int) (a, b []uint64) {
		g := rand.New(rand.NewPCG(3, uint64(total)))
		a, b = make([]uint64, total/2), make([]uint64, total-total/2+1)
		for _, x := range [][]uint64{a, b} {
			for i := range x {
				smallprime.P62().Random(&x[i], g)
			}
		}
		return a, b
	}
	count := func(do func() error) float64 {
		require.NoError(t, do())
		c.Reset()
		require.NoError(t, do())
		return float64(c.Adds.Load() + c.Muls.Load())
	}
	var costs [2][3]float64
	for i, total := range []int{n + n/4, 2 * n} {
		a, b := operands(total)
		dst, want := make([]uint64, total), make([]uint64, total)
		costs[i][0] = count(func() error { return ring.MulTo(ctx, dst, a, b) })
		for from := 0; from < len(a); from += n / 8 { // short pieces, whose products have no parts
			p, err := ring.Mul(ctx, a[from:min(len(a), from+n/8)], b)
			require.NoError(t, err)
			require.NoError(t, field.AddVec(c.Field(), want[from:][:len(p)], want[from:][:len(p)], p))
		}
		require.Equal(t, want, dst)

		o, err := ring.Prepare(ctx, a, total)
		require.NoError(t, err)
		q, err := ring.Prepare(ctx, b, total)
		require.NoError(t, err)
		require.Equal(t, 2-i, o.operand.t.count)
		clear(dst)
		costs[i][1] = count(func() error { return ring.MulOperandTo(ctx, dst, b, o) })
		require.Equal(t, want, dst)
		clear(dst)
		costs[i][2] = count(func() error { return ring.MulOperandsTo(ctx, dst, o, q) })
		require.Equal(t, want, dst)
		short, err := ring.MulOperand(ctx, b[:3], o)
		require.NoError(t, err)
		require.Len(t, short, len(a)+2)

		ended, cancel := context.WithCancel(ctx)
		cancel()
		require.ErrorIs(t, ring.MulTo(ended, dst, a, b), context.Canceled)
		require.NoError(t, ring.MulTo(ctx, dst, a, b))
		require.Equal(t, want, dst)
	}
	for i := range 3 {
		require.Less(t, costs[0][i], 0.7*costs[1][i])
	}
}
