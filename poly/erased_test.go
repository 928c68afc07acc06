package poly_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/poly"
)

// A ring of views does what a Ring of slices does.
func TestNewErased(t *testing.T) {
	t.Run("words", func(t *testing.T) { newErased(t, smallprime.P62()) })
	t.Run("methods", func(t *testing.T) {
		f := smallprime.P62()
		newErased(t, struct {
			field.Rooted[uint64]
			field.Sampler[uint64]
		}{field.ElementsOnly[uint64](f), f})
	})
	numbers, err := bigprime.Open(bigprime.BN254().Order())
	require.NoError(t, err)
	t.Run("pointers", func(t *testing.T) { newErased(t, numbers) })
}

func newErased[E any](t *testing.T, f interface {
	field.Field[E]
	field.Sampler[E]
}) {
	ctx, r := context.Background(), rand.New(rand.NewPCG(1, 2))
	of, err := poly.New(f, fft.WithoutRangeCheck())
	require.NoError(t, err)
	views, err := poly.NewErased(f, fft.WithoutRangeCheck())
	require.NoError(t, err)
	random := func(n int) []E {
		x := make([]E, n)
		for i := range x {
			f.Random(&x[i], r)
		}
		return x
	}
	equal := func(want, got []E) {
		t.Helper()
		require.Len(t, got, len(want))
		for i := range want {
			require.True(t, f.Equal(&want[i], &got[i]), "coefficient %d", i)
		}
	}
	for _, lengths := range [][2]int{{0, 3}, {5, 3}, {200, 60}, {64, 64}} {
		a, b := random(lengths[0]), random(lengths[1])
		x, y := bulks.ViewOf(a), bulks.ViewOf(b)
		want, err := of.Mul(ctx, a, b)
		require.NoError(t, err)
		for _, ring := range []interface {
			Mul(ctx context.Context, x, y bulks.View) (bulks.View, error)
			MulTo(ctx context.Context, z, x, y bulks.View) error
		}{views, views.WithSchoolbook(0), views.WithSchoolbook(1 << 10)} {
			got, err := ring.Mul(ctx, x, y)
			require.NoError(t, err)
			equal(want, bulks.SliceOf[E](got))
			z := make([]E, len(want))
			require.NoError(t, ring.MulTo(ctx, bulks.ViewOf(z), x, y))
			equal(want, z)
			require.ErrorIs(t, ring.MulTo(ctx, bulks.ViewOf(make([]E, len(want)+1)), x, y), field.ErrLength)
		}
		want, err = of.Cyclic(ctx, a, b, 64)
		require.NoError(t, err)
		got, err := views.Cyclic(ctx, x, y, 64)
		require.NoError(t, err)
		equal(want, bulks.SliceOf[E](got))
		want, err = of.Negacyclic(ctx, a, b, 64)
		require.NoError(t, err)
		got, err = views.Negacyclic(ctx, x, y, 64)
		require.NoError(t, err)
		equal(want, bulks.SliceOf[E](got))
		report, err := of.Products(ctx, len(a), len(b))
		require.NoError(t, err)
		same, err := views.Products(ctx, len(a), len(b))
		require.NoError(t, err)
		require.Equal(t, report, same)
	}
}
