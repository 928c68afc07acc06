package schemes_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

// A vector of a batch holds all its transforms: products in it are those of single plans.
func TestBatchedVectors(t *testing.T) {
	batchedVectors(t, smallprime.P1(), 64)
	batchedVectors(t, smallprime.Goldilocks(), 1<<10)
	batchedVectors(t, testfields.NewPlain256(), 16)
	batchedVectors(t, gfpf.K4(), 64)
}

func batchedVectors[E any](t *testing.T, f interface {
	field.Rooted[E]
	field.Sampler[E]
}, n int) {
	ctx, r := context.Background(), rand.New(rand.NewPCG(1, uint64(n)))
	d, err := field.NewCyclic[E](f, n)
	require.NoError(t, err)
	single, err := schemes.New(f, d, field.Spec{Order: field.Scheme})
	require.NoError(t, err)
	for _, b := range []field.Batch{{Count: 3}, {Count: 2, Stride: n + 5}, {Count: 9, Columns: true},
		{Count: 2, Columns: true, Stride: 7}} {
		for _, workers := range []int{1, 2} {
			p, err := schemes.New(f, d, field.Spec{Batch: b, Workers: workers, Grain: 1})
			require.NoError(t, err)
			b, size, err := b.Layout(n)
			require.NoError(t, err)
			x, y, got := make([]E, size), make([]E, size), make([]E, size)
			for i := range x {
				f.Random(&x[i], r)
				f.Random(&y[i], r)
			}
			u, v := vecOf(t, p), vecOf(t, p)
			require.Equal(t, b.Count*n, u.Len())
			require.NoError(t, errors.Join(p.Load(u, x), p.Load(v, y), p.ForwardVec(ctx, u), p.ForwardVec(ctx, v),
				p.MulVec(u, u, v),
				p.InverseVec(ctx, u), p.Store(got, u)))
			require.ErrorIs(t, p.Load(u, x[:size-1]), field.ErrLength)
			require.ErrorIs(t, p.Store(got[:n-1], u), field.ErrLength)

			s, w := vecOf(t, single), vecOf(t, single)
			one, other, want := make([]E, n), make([]E, n), make([]E, n)
			for k := range b.Count {
				at := func(i int) int { return k*b.Stride + i }
				if b.Columns {
					at = func(i int) int { return i*b.Stride + k }
				}
				for i := range n {
					one[i], other[i] = x[at(i)], y[at(i)]
				}
				require.NoError(t, errors.Join(single.Load(s, one), single.Load(w, other), single.ForwardVec(ctx, s),
					single.ForwardVec(ctx, w),
					single.MulVec(s, s, w), single.InverseVec(ctx, s), single.Store(want, s)))
				for i := range n {
					require.Equal(t, want[i], got[at(i)], "batch %+v, transform %d, coefficient %d", b, k, i)
				}
			}
		}
	}
}

func vecOf[E any](t *testing.T, p field.Transform[E]) field.Vec {
	t.Helper()
	v, err := p.NewVec()
	require.NoError(t, err)
	return v
}

// scarce is a bulk whose memory ends after so many vectors, and whose operations fail from then on that broken is set.
type scarce struct {
	bulks.Bulk
	left     atomic.Int64
	broken   atomic.Pointer[error]
	released atomic.Int64
}

var errScarce, errBroken = errors.New("no vector is left"), errors.New("the device is lost")

func (b *scarce) Make(n int) (bulks.View, error) {
	if b.left.Add(-1) < 0 {
		return bulks.View{}, errScarce
	}
	return b.Bulk.Make(n)
}

func (b *scarce) Wait(context.Context, bulks.View) error {
	if err := b.broken.Load(); err != nil {
		return *err
	}
	return nil
}

func (b *scarce) Release(bulks.View) error {
	b.released.Add(1)
	return nil
}

func (b *scarce) Rest(bulks.View) {}

func (b *scarce) Wake(bulks.View) bool { return true }

func (b *scarce) Clear(v bulks.View) { b.Pack(v, bulks.ViewOf(make([][4]uint64, v.N))) }

func (b *scarce) Seeks(int) bool { return false }

func (b *scarce) Seek(bulks.View) bool { return false }

func (b *scarce) Found(bulks.View) (bool, error) { return false, nil }

// Memory that cannot be had, and operations that fail, are errors of the call that needed them; a closed vector is
// none.
func TestScarceMemory(t *testing.T) {
	f := testfields.NewPlain256()
	for _, c := range []struct {
		n int
		s field.Spec
	}{
		{64, field.Spec{}}, {64, field.Spec{Algorithm: field.SixStep}},
		{64, field.Spec{Algorithm: field.SixStepMerged, Workers: 2, Grain: 1}},
		{64, field.Spec{Algorithm: field.FourStep}}, {33, field.Spec{}}, {11, field.Spec{}},
		{64, field.Spec{Algorithm: field.Naive}},
		{16, field.Spec{Batch: field.Batch{Count: 3}}}, {16, field.Spec{Batch: field.Batch{Count: 3, Columns: true}}},
	} {
		d, err := field.NewCyclic(f, c.n)
		require.NoError(t, err)
		_, size, err := c.s.Batch.Layout(c.n)
		require.NoError(t, err)
		x, dst := make([][4]uint64, size), make([][4]uint64, size)
		steps := func(b *scarce) error {
			p, err := schemes.Build(f, b, d, c.s)
			if err != nil {
				return err
			}
			if err := errors.Join(p.Forward(t.Context(), dst, x), p.Inverse(t.Context(), dst, x)); err != nil {
				return err
			}
			v, err := p.NewVec()
			if err != nil {
				return err
			}
			return errors.Join(p.Load(v, x), p.ForwardVec(t.Context(), v), p.InverseVec(t.Context(), v),
				p.Store(dst, v))
		}
		const plenty = 1 << 20
		b := &scarce{Bulk: f.Bulk()}
		b.left.Store(plenty)
		require.NoError(t, steps(b))
		for k := range plenty - b.left.Load() {
			b := &scarce{Bulk: f.Bulk()}
			b.left.Store(k)
			require.ErrorIs(t, steps(b), errScarce, "length %d, %+v, %d vectors", c.n, c.s, k)
		}

		p, err := schemes.Build(f, b, d, c.s)
		require.NoError(t, err)
		v := vecOf(t, p)
		b.broken.Store(&errBroken)
		for what, err := range map[string]error{
			"forward": p.Forward(t.Context(), dst, x), "inverse": p.Inverse(t.Context(), dst, x), "load": p.Load(v, x),
			"store":               p.Store(dst, v),
			"forward of a vector": p.ForwardVec(t.Context(), v), "inverse of a vector": p.InverseVec(t.Context(), v),
			"product": p.MulVec(v, v, v),
		} {
			require.ErrorIs(t, err, errBroken, "%s, length %d, %+v", what, c.n, c.s)
		}
		b.broken.Store(nil)
		require.NoError(t, v.Close())
		require.EqualValues(t, 1, b.released.Load())
		require.ErrorIs(t, v.Close(), field.ErrVec)
		require.ErrorIs(t, p.Load(v, x), field.ErrVec)
	}
}
