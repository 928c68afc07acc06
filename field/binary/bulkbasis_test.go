package binary

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/kernels/gf2"
	"github.com/galfft/fft/schemes"
)

// Vectors that do not fit in cache change their basis in strips and blocks, without tables of their length. Values are
// those of the definition, and the inverse undoes it.
func TestLongBasis(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		if gf2.Active() == &gf2.Generic && testscale.Of(t) < testscale.Full {
			t.Skip("it takes seconds")
		}
		longBasis(t, GHASH(), 16)
		longBasis(t, must(New[uint64](64)), 18)
		longBasis(t, must(New[uint32](32)), 18)
	})
}

func longBasis[E Elements](t *testing.T, f *Field[E], log int) {
	t.Run(f.Name(), func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 7))
		d, err := field.NewAffine(f, 1<<log)
		require.NoError(t, err)
		randomize(f, &d, r)
		plan, err := schemes.Build(f, newBulk(f), d, field.Spec{})
		require.NoError(t, err)
		require.Less(t, plan.Report().Tables, len(d.Basis)<<16, "bytes")
		ctx, n := context.Background(), d.Len()
		x, y, z := make([]E, n), make([]E, n), make([]E, n)
		for i := range x {
			f.Random(&x[i], r)
		}
		require.NoError(t, plan.Forward(ctx, y, x))
		for range 3 {
			j := r.IntN(n)
			var point, want E
			f.Set(&point, &d.Shift)
			for i := range d.Basis {
				if j>>i&1 == 1 {
					f.Add(&point, &point, &d.Basis[i])
				}
			}
			for i := range x {
				f.Mul(&want, &want, &point)
				f.Add(&want, &want, &x[n-1-i])
			}
			require.Equal(t, want, y[j], "value %d", j)
		}
		require.NoError(t, plan.Inverse(ctx, z, y))
		require.Equal(t, x, z)
	})
}
