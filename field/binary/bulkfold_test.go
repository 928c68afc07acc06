package binary

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/kernels/gf2"
	"github.com/galfft/fft/schemes"
)

// Folds that take more than a call of a kernel are done in parts.
func TestLongFolds(t *testing.T) {
	const n = 1 << 15
	eachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 7))
		b := newBulk(GHASH())
		v, err := b.Make(n)
		require.NoError(t, err)
		x := b.tile(v, 0)
		for i := range x {
			x[i] = byte(r.Uint32())
		}
		for _, f := range []bulks.Fold{{Run: n, Shift: 1}, {Run: n / 2, Shift: 32}, {Run: n, Shift: 64},
			{Run: n, Shift: n / 4}} {
			before := bytes.Clone(x)
			b.foldSlow(v, f, false)
			want := bytes.Clone(x)
			copy(x, before)
			b.Fold(v, []bulks.Fold{f}, 1, false)
			require.True(t, bytes.Equal(want, x), "%v", f)
			b.Fold(v, []bulks.Fold{f}, 1, true)
			require.True(t, bytes.Equal(before, x), "%v, back", f)
		}
	})
}

// Folds by whole tiles have a kernel for rows, however few tiles there are.
func TestRows(t *testing.T) {
	b := newBulk(GHASH())
	for run := 4 * lanes; run <= 1<<14; run *= 2 {
		var down, up []bulks.Fold
		for r := run; r > 2; r /= 2 {
			down = append(down, bulks.Fold{Run: r, Shift: r / 4})
		}
		for r := 1 << 14; r >= run; r /= 2 {
			up = append(up, bulks.Fold{Run: r, Shift: r / 4})
		}
		n, rows, _ := b.rows(down, 1, false)
		require.NotZero(t, n, "run %d", run)
		require.Zero(t, run%(rows*lanes), "run %d", run)
		require.False(t, rows > near && b.bytes(run/rows)%same == 0, "run %d: %d rows in the same lines", run, rows)
		n, _, _ = b.rows(up, 1, true)
		require.NotZero(t, n, "run %d, back", run)
	}
}

// Transforms by kernels in assembly allocate nothing.
func TestAllocations(t *testing.T) {
	f := must(New[uint64](64))
	r := rand.New(rand.NewPCG(2, 7))
	eachTier(t, func(t *testing.T) {
		if raceEnabled || gf2.Active() == &gf2.Generic {
			t.Skip("pools drop what they are given, or kernels make functions")
		}
		for _, own := range []bool{true, false} {
			d, err := field.NewAffine(f, 1<<10)
			require.NoError(t, err)
			if !own {
				randomize(f, &d, r)
			}
			plan, err := schemes.Build(f, newBulk(f), d, field.Spec{})
			require.NoError(t, err)
			x := make([]uint64, d.Len())
			least := 100.
			for range 5 { // the garbage collector may empty pools
				least = min(least, testing.AllocsPerRun(3, func() {
					require.NoError(t, plan.Forward(context.Background(), x, x))
					require.NoError(t, plan.Inverse(context.Background(), x, x))
				}))
			}
			require.Zero(t, least, "own subspace %v", own)
		}
	})
}
