package schemes_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/schemes"
)

// bare is a Bulk whose copies do not add.
type bare struct{ bulks.Bulk }

func (b bare) Traits() bulks.Traits {
	t := b.Bulk.Traits()
	t.Adds = false
	return t
}

// Bulks whose copies add, and those whose sums are butterflies, have the same values.
func TestAdds(t *testing.T) {
	f, err := binary.New[uint64](64)
	require.NoError(t, err)
	slices := &bulks.Slices[uint64]{Field: f, Affine: true}
	r := rand.New(rand.NewPCG(31, 2))
	for m := range 11 {
		for name, d := range subspaces(t, f, m) {
			a, err := schemes.Build(f, slices, d, field.Spec{})
			require.NoError(t, err)
			b, err := schemes.Build(f, bare{slices}, d, field.Spec{Workers: 2, Grain: 1})
			require.NoError(t, err)
			x := make([]uint64, 1<<m)
			for i := range x {
				f.Random(&x[i], r)
			}
			y, z := make([]uint64, 1<<m), make([]uint64, 1<<m)
			require.NoError(t, a.Forward(context.Background(), y, x))
			require.NoError(t, b.Forward(context.Background(), z, x))
			require.Equal(t, y, z, "%s, 2^%d", name, m)
			require.NoError(t, b.Inverse(context.Background(), y, y))
			require.Equal(t, x, y, "%s, 2^%d", name, m)
			require.NoError(t, a.Inverse(context.Background(), z, z))
			require.Equal(t, x, z, "%s, 2^%d", name, m)
		}
	}
}
