package gpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/emulator"
	"github.com/stretchr/testify/require"
)

// inverseProducts compares InverseMulVec with the inverse of the products on the processor, for all ways in which the
// vectors may be one.
func inverseProducts[E any](t *testing.T, f field.Rooted[E], logs ...int) {
	emulator.Need(t)
	g, err := Field(f)
	require.NoError(t, err)
	r, ctx := rand.New(rand.NewPCG(3, 7)), t.Context()
	for _, n := range logs {
		for what, opts := range map[string][]fft.Option{"cyclic": nil, "negacyclic": {fft.WithNegacyclic()},
			"batch": {fft.WithBatch(fft.Batch{Count: 3})}} {
			name := fmt.Sprintf("2^%d, %s", n, what)
			p, err := fft.NewPlan[E](g, 1<<n, opts...)
			require.NoError(t, err, name)
			here, err := fft.NewPlan(f, 1<<n, append(opts, fft.WithOrder(fft.BitReversed))...)
			require.NoError(t, err, name)
			count := 1 << n
			if what == "batch" {
				count *= 3
			}
			x, y := operands(f, r, count)
			product := func(x, y []E) []E {
				a, b := make([]E, count), make([]E, count)
				require.NoError(t, here.Forward(a, x), name)
				require.NoError(t, here.Forward(b, y), name)
				for i := range a {
					f.Mul(&a[i], &a[i], &b[i])
				}
				require.NoError(t, here.Inverse(a, a), name)
				return a
			}
			both, square := product(x, y), product(x, x)
			for _, c := range []struct {
				z, x, y int // of the vectors x, y and z
				want    []E
			}{{2, 0, 1, both}, {0, 0, 1, both}, {1, 0, 1, both}, {2, 0, 0, square}, {0, 0, 0, square}} {
				var v [3]field.Vec
				for i, a := range [][]E{x, y, y} {
					v[i], err = p.NewVec()
					require.NoError(t, err, name)
					require.NoError(t, p.Load(v[i], a), name)
					require.NoError(t, p.ForwardVec(ctx, v[i]), name)
				}
				require.NoError(t, InverseMulVec(ctx, v[c.z], v[c.x], v[c.y]), name)
				got := make([]E, count)
				require.NoError(t, p.Store(got, v[c.z]), name)
				require.True(t, slicesEqual(f, got, c.want), "%s: %d of %d and %d", name, c.z, c.x, c.y)
				for i, a := range [][]E{x, y} { // operands stay as they are
					if i != c.z {
						require.NoError(t, p.InverseVec(ctx, v[i]), name)
						require.NoError(t, p.Store(got, v[i]), name)
						require.True(t, slicesEqual(f, got, a), "%s: operand %d", name, i)
					}
				}
			}
		}
	}
}

func TestInverseMulVec(t *testing.T) {
	t.Run("goldilocks", func(t *testing.T) {
		inverseProducts[uint64](t, smallprime.Goldilocks(), 1, 3, 9, 10, 12, 13, 14)
	})
	t.Run("p62", func(t *testing.T) { inverseProducts(t, smallprime.P62(), 2, 10, 13) })
	t.Run("p64", func(t *testing.T) { inverseProducts(t, smallprime.P64(), 2, 10, 13) })
	t.Run("p30", func(t *testing.T) { inverseProducts(t, smallprime.P30(), 2, 10, 13) })
	t.Run("babybear", func(t *testing.T) { inverseProducts(t, smallprime.BabyBear(), 2, 10, 13) })
	t.Run("P2", func(t *testing.T) { inverseProducts(t, gfpf.P2(), 2, 6) })
}

// Vectors that do not fit, and contexts that have ended, are errors.
func TestInverseMulVecErrors(t *testing.T) {
	emulator.Need(t)
	g, err := Field[uint64](smallprime.Goldilocks())
	require.NoError(t, err)
	vecOf := func(p *fft.Plan[uint64]) field.Vec {
		v, err := p.NewVec()
		require.NoError(t, err)
		return v
	}
	planOf := func(f field.Rooted[uint64]) *fft.Plan[uint64] {
		p, err := fft.NewPlan[uint64](f, 8)
		require.NoError(t, err)
		return p
	}
	p, ctx := planOf(g), t.Context()
	v, closed := vecOf(p), vecOf(p)
	require.NoError(t, closed.Close())
	x := []uint64{1, 2, 3, 4, 5, 6, 7, 8}
	require.NoError(t, p.Load(v, x))
	for _, bad := range []field.Vec{nil, strange{}, closed, vecOf(planOf(g)), elementsOf(t, g, x)} {
		for _, o := range [][3]field.Vec{{v, bad, v}, {v, v, bad}, {bad, v, v}} {
			require.ErrorIs(t, InverseMulVec(ctx, o[0], o[1], o[2]), field.ErrVec)
		}
	}
	host := vecOf(planOf(smallprime.Goldilocks()))
	require.ErrorIs(t, InverseMulVec(ctx, host, host, host), field.ErrVec)
	var none context.Context
	require.ErrorIs(t, InverseMulVec(none, v, v, v), field.ErrSpec)
	got := make([]uint64, 8)
	require.NoError(t, p.Store(got, v))
	require.Equal(t, x, got)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, InverseMulVec(ended, v, v, v), context.Canceled)
	require.NoError(t, p.Load(v, x))
	c, err := fft.NewConvolution[uint64](ctx, g, 8, fft.WithProducts(fft.CRTProducts))
	require.NoError(t, err)
	a, err := c.NewVec()
	require.NoError(t, err)
	require.ErrorIs(t, InverseMulVec(ctx, a, v, a), field.ErrVec)
	require.NoError(t, c.Load(a, []uint64{1, 2}))
	require.NoError(t, c.ForwardVec(ctx, a))
	require.ErrorIs(t, InverseMulVec(ended, a, a, a), context.Canceled)
	require.NoError(t, c.Load(a, []uint64{1, 2}))
	require.NoError(t, c.ForwardVec(ctx, a))
	require.NoError(t, InverseMulVec(ctx, a, a, a))
	require.NoError(t, c.Store(got[:3], a))
	require.Equal(t, []uint64{1, 4, 4}, got[:3])
}
