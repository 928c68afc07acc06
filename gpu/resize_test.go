package gpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/emulator"
	"github.com/stretchr/testify/require"
)

// Values on a subspace, extended in the memory of the device to more points of another coset and truncated to fewer,
// are those that the processor finds: in batches, in both orders, and on a queue.
func TestResizeVec(t *testing.T) {
	t.Run("32", func(t *testing.T) { resized(t, ofGF2[uint32](t, 32)) })
	t.Run("64", func(t *testing.T) { resized(t, ofGF2[uint64](t, 64)) })
	t.Run("128", func(t *testing.T) { resized(t, binary.GHASH()) })
}

func resized[E binary.Elements](t *testing.T, f *binary.Field[E]) {
	emulator.Need(t)
	const k = 4
	g, err := Field(f)
	require.NoError(t, err)
	r, ctx := rand.New(rand.NewPCG(11, 12)), context.Background()
	basis, shift := independent(f, 7, r)
	for i, m := range []int{5, 7, 4, 2} {
		count := 1 + 2*(i%2)
		opts := func(n int) []fft.Option {
			return []fft.Option{fft.WithSubspace(basis[:n]...), fft.WithCoefficients(fft.LCH),
				fft.WithBatch(fft.Batch{Count: count}), fft.WithOrder(fft.Order(i % 2))}
		}
		here, err := fft.NewPlan(f, 1<<m, append(opts(m), fft.WithCoset(shift))...)
		require.NoError(t, err)
		given, err := fft.NewPlan(g, 1<<k, opts(k)...)
		require.NoError(t, err)
		other, err := fft.NewPlan(g, 1<<m, append(opts(m), fft.WithCoset(shift))...)
		require.NoError(t, err)
		x, values := make([]E, count<<k), make([]E, count<<k)
		for j := range x {
			f.Random(&x[j], r)
		}
		require.NoError(t, given.Forward(values, x))
		padded, want := make([]E, count<<m), make([]E, count<<m)
		for j := range count {
			copy(padded[j<<m:(j+1)<<m], x[j<<k:(j+1)<<k])
		}
		require.NoError(t, here.Forward(want, padded))
		q, err := g.Device().NewQueue()
		require.NoError(t, err)
		for _, queued := range []bool{false, true} {
			name := fmt.Sprintf("2^%d to 2^%d, %d, queue %v", k, m, count, queued)
			vec := func(p *fft.Plan[E]) field.Vec {
				if queued {
					return must(q.NewVec(p))
				}
				return must(p.NewVec())
			}
			v, w := vec(given), vec(other)
			noise := make([]E, count<<m)
			for j := range noise {
				f.Random(&noise[j], r)
			}
			got := make([]E, count<<m)
			require.NoError(t, given.Load(v, x), name)
			require.NoError(t, given.ForwardVec(ctx, v), name)
			require.NoError(t, other.Load(w, noise), name)
			require.NoError(t, given.InverseVec(ctx, v), name)
			require.NoError(t, ResizeVec(w, v), name)
			require.NoError(t, other.ForwardVec(ctx, w), name)
			require.NoError(t, other.Store(got, w), name)
			naturally(got, count, here)
			require.True(t, slicesEqual(f, got, want), name)
			same := make([]E, len(x))
			require.NoError(t, given.Store(same, v), name)
			require.True(t, slicesEqual(f, same, x), name)
			require.NoError(t, ResizeVec(v, v), name)
			require.NoError(t, v.Close())
			require.NoError(t, w.Close())
		}
		require.NoError(t, q.Close())
	}
}

// naturally brings values of vectors, which are in natural order, to the order of a plan.
func naturally[E any](x []E, count int, p *fft.Plan[E]) {
	y := append([]E(nil), x...)
	for i, j := range p.Permutation() {
		for k := range count {
			x[k*p.Len()+i] = y[k*p.Len()+j]
		}
	}
}

func TestResizeVecErrors(t *testing.T) {
	emulator.Need(t)
	g, err := Field(ofGF2[uint64](t, 64))
	require.NoError(t, err)
	h, err := Field(ofGF2[uint32](t, 32))
	require.NoError(t, err)
	words, err := Field(smallprime.Goldilocks())
	require.NoError(t, err)
	v := must(must(fft.NewPlan(g, 8)).NewVec())
	batch := must(must(fft.NewPlan(g, 8, fft.WithBatch(fft.Batch{Count: 2}))).NewVec())
	other := must(must(fft.NewPlan(h, 8)).NewVec())
	word := must(must(fft.NewPlan(words, 8)).NewVec())
	closed := must(must(fft.NewPlan(g, 8)).NewVec())
	require.NoError(t, closed.Close())
	for _, x := range []field.Vec{nil, closed, other, word, must(g.NewVec(8))} {
		require.ErrorIs(t, ResizeVec(v, x), field.ErrVec)
		require.ErrorIs(t, ResizeVec(x, v), field.ErrVec)
	}
	require.ErrorIs(t, ResizeVec(word, word), field.ErrVec)
	require.ErrorIs(t, ResizeVec(v, batch), field.ErrLength)
	require.Zero(t, testing.AllocsPerRun(10, func() { err = ResizeVec(v, v) }))
	require.NoError(t, err)
}

// Polynomials of few coefficients need no padding, and of values the first ones may be asked for.
func TestAdditiveShort(t *testing.T) {
	emulator.Need(t)
	f := ofGF2[uint64](t, 64)
	g, err := Field(f)
	require.NoError(t, err)
	basis, shift := independent(f, 8, rand.New(rand.NewPCG(13, 14)))
	for _, of := range []fft.Coefficients{fft.Monomial, fft.LCH} {
		opts := []fft.Option{fft.WithSubspace(basis...), fft.WithCoset(shift), fft.WithCoefficients(of)}
		here, there := must(fft.NewPlan(f, 1<<8, opts...)), must(fft.NewPlan(g, 1<<8, opts...))
		v := must(there.NewVec())
		for _, n := range []int{1, 37, 128, 0} {
			x, want := splitMix(uint64(n), 1<<8), make([]uint64, 1<<8)
			clear(x[n:])
			require.NoError(t, here.Forward(want, x))
			got := make([]uint64, 100)
			require.NoError(t, there.Load(v, x[:n]))
			require.NoError(t, there.ForwardVec(t.Context(), v))
			require.NoError(t, there.Store(got, v))
			require.Equal(t, want[:100], got, "%v of %d coefficients", of, n)
		}
		require.NoError(t, v.Close())
	}
}
