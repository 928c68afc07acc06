package gpu

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
)

// Vectors are computed as words of the host are, in place and on a queue, for products of every kind.
func TestIntegerVectors(t *testing.T) {
	g := integersOn(t)
	ctx := t.Context()
	q, err := (*Device)(g.d).NewQueue()
	require.NoError(t, err)
	defer func() { require.NoError(t, q.Close()) }()
	r := rand.New(rand.NewPCG(9, 33))
	for _, c := range [][2]int{{3, 7}, {16, 33}, {33, 5}, {64, 5}, {257, 2}, {1536, 1}, {8195, 1}} {
		m, n := c[0], c[1]
		a, b := integerWords(r, n, m, 0), integerWords(r, n, m, 1)
		for _, ahead := range []bool{false, true} {
			if m > 2000 && (ahead || testing.Short()) {
				continue // products take long
			}
			fresh := func(words []uint32, factor int) field.Vec {
				get := g.NewVec
				if ahead {
					get = func(n int) (field.Vec, error) { return g.NewVecIn(q, n) }
				}
				v, err := get(len(words) * factor)
				require.NoError(t, err)
				require.Equal(t, len(words)*factor, v.Len())
				if factor == 1 {
					require.NoError(t, g.LoadVec(v, words))
				}
				t.Cleanup(func() { require.NoError(t, v.Close()) })
				return v
			}
			x, y := fresh(a, 1), fresh(b, 1)
			for op := integersAdd; op <= integersMul; op++ {
				if m > 2000 && op != integersMul {
					continue
				}
				for factor := 1; factor <= 2 && (factor == 1 || op == integersMul && m < 2000); factor++ {
					want, got := append([]uint32(nil), a...), append([]uint32(nil), a...)
					if factor == 2 {
						want, got = append(want, a...), append(got, a...)
					}
					require.NoError(t, g.Compute(ctx, op, want, a, b, 32*m))
					z := fresh(a, factor)
					require.NoError(t, g.ComputeVec(ctx, op, z, x, y, 32*m))
					require.NoError(t, g.StoreVec(got, z))
					require.Equal(t, want, got, "operation %d of %d words", op, m)
					if factor == 1 {
						own := fresh(a, 1)
						require.NoError(t, g.ComputeVec(ctx, op, own, own, y, 32*m))
						require.NoError(t, g.StoreVec(got, own))
						require.Equal(t, want, got, "operation %d of %d words in place", op, m)
					}
				}
			}
		}
	}
}

// Vectors of others, closed ones and those of other lengths are errors, and nothing is written.
func TestIntegerVectorsErrors(t *testing.T) {
	g := integersOn(t)
	ctx := t.Context()
	other, err := (*Device)(g.d).Integers()
	require.NoError(t, err)
	vec := func(of *Integers, words int) field.Vec {
		v, err := of.NewVec(words)
		require.NoError(t, err)
		return v
	}
	x, z, foreign, short := vec(g, 6), vec(g, 6), vec(other, 6), vec(g, 3)
	words := []uint32{1, 2, 3, 4, 5, 6}
	require.NoError(t, g.LoadVec(z, words))
	for _, v := range []field.Vec{nil, foreign, (*integerVector)(nil)} {
		require.ErrorIs(t, g.ComputeVec(ctx, 0, z, x, v, 96), field.ErrVec)
		require.ErrorIs(t, g.ComputeVec(ctx, 0, v, x, x, 96), field.ErrVec)
		require.ErrorIs(t, g.LoadVec(v, words), field.ErrVec)
		require.ErrorIs(t, g.StoreVec(words, v), field.ErrVec)
	}
	require.ErrorIs(t, g.ComputeVec(ctx, 0, z, x, short, 96), field.ErrLength)
	require.ErrorIs(t, g.ComputeVec(ctx, 0, short, x, x, 96), field.ErrLength)
	require.ErrorIs(t, g.ComputeVec(ctx, 0, z, x, x, 128), field.ErrLength)
	require.ErrorIs(t, g.ComputeVec(ctx, 0, z, x, x, 33), field.ErrSpec)
	require.ErrorIs(t, g.ComputeVec(ctx, 6, z, x, x, 96), field.ErrSpec)
	require.ErrorIs(t, g.LoadVec(z, words[:2]), field.ErrLength)
	require.ErrorIs(t, g.StoreVec(words[:2], z), field.ErrLength)
	stopped, stop := context.WithCancel(ctx)
	stop()
	require.ErrorIs(t, g.ComputeVec(stopped, 0, z, x, x, 96), context.Canceled)
	got := make([]uint32, 6)
	require.NoError(t, g.StoreVec(got, z))
	require.Equal(t, words, got)
	var none *Integers
	_, err = none.NewVec(1)
	require.ErrorIs(t, err, field.ErrSpec)
	_, err = none.NewVecIn(nil, 1)
	require.ErrorIs(t, err, field.ErrSpec)
	require.ErrorIs(t, none.LoadVec(z, words), field.ErrSpec)
	_, err = g.NewVec(-1)
	require.ErrorIs(t, err, field.ErrLength)
	empty := vec(g, 0)
	require.NoError(t, g.ComputeVec(ctx, 0, empty, empty, empty, 96))
	require.NoError(t, x.Close())
	require.ErrorIs(t, x.Close(), field.ErrVec)
	require.ErrorIs(t, g.ComputeVec(ctx, 0, z, x, z, 96), field.ErrVec)
}
