package binary

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes"
)

// Hot calls of columns allocate nothing, however many are left over, for elements of every width: by planes and words,
// of slices and of vectors.
func TestColumnsAllocateNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector drops what pools keep")
	}
	eachTier(t, func(t *testing.T) {
		columnsAllocateNothing(t, AES())
		columnsAllocateNothing(t, Leopard16())
		columnsAllocateNothing(t, GHASH())
		columnsAllocateNothing(t, must(New[uint32](32)))
		columnsAllocateNothing(t, must(New[uint64](64)))
		columnsAllocateNothing(t, must(New[[2]uint64](95)))
		columnsAllocateNothing(t, must(NewTower[[2]uint64](128)))
		columnsAllocateNothing(t, must(New[[4]uint64](256)))
	})
}

func columnsAllocateNothing[E Elements](t *testing.T, f *Field[E]) {
	const n = 1 << 6
	for i, count := range []int{3, 13, 31, 45, 3, 13, 31, 45} {
		d, err := field.NewAffine(f, n)
		require.NoError(t, err)
		if i >= 4 {
			slices.Reverse(d.Basis) // there words take the place of planes
		}
		s := field.Spec{Workers: 1, Coefficients: field.Coefficients(i % 2),
			Batch: field.Batch{Count: count, Stride: count, Columns: true}}
		p, err := schemes.New(f, d, s)
		require.NoError(t, err)
		v, err := p.NewVec()
		require.NoError(t, err)
		x, ctx := make([]E, n*count), t.Context()
		calls := func() error {
			return errors.Join(p.Forward(ctx, x, x), p.Inverse(ctx, x, x), p.Load(v, x), p.ForwardVec(ctx, v),
				p.MulVec(v, v, v), p.InverseVec(ctx, v), p.Store(x, v))
		}
		least := 100.0 // a collection may take what a call keeps for the next one
		for tries := 0; tries < 5 && least > 0; tries++ {
			least = min(least, testing.AllocsPerRun(1, func() { err = calls() }))
			require.NoError(t, err)
		}
		require.Zero(t, least, "%s, %d columns, case %d", f.Name(), count, i)
	}
}
