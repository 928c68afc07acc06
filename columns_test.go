package fft_test

import (
	"context"
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testscale"
)

// Columns that fill lines of cache, beside each other or with elements between them, have the values of as many rows:
// in both orders and directions, in place or not, by one worker or several, also where no whole vectors stand in a row.
func TestColumnsBeside(t *testing.T) {
	for _, c := range []struct{ n, count int }{{1, 8}, {2, 8}, {2, 5000}, {4, 17}, {1 << 6, 100}, {1 << 7, 8},
		{1 << 10, 16}, {1 << 10, 13}} {
		columnsBeside[uint64](t, smallprime.P62(), smallprime.P62().Modulus(), c.n, c.count, 3)
	}
	for count := 1; count <= 17; count++ { // those that fill no line are taken apart, here in several blocks
		columnsBeside[uint64](t, smallprime.P50(), smallprime.P50().Modulus(), 1<<9, count, 3)
		columnsBeside[uint32](t, smallprime.P30(), uint64(smallprime.P30().Modulus()), 1<<6, count, 3)
	}
	for _, count := range []int{2, 3, 7, 31} {
		columnsBeside[uint32](t, smallprime.BabyBear(), uint64(smallprime.BabyBear().Modulus()), 1<<15, count, 3)
		columnsBeside[uint64](t, smallprime.P62(), smallprime.P62().Modulus(), 1<<14, count, 3)
	}
	for _, count := range []int{33, 64, 255, 256} {
		columnsBeside[uint64](t, smallprime.Goldilocks(), smallprime.Goldilocks().Modulus(), 1<<8, count, 7)
	}
	columnsBeside[uint32](t, smallprime.BabyBear(), uint64(smallprime.BabyBear().Modulus()), 1<<9, 23, 3)
	columnsBeside[uint64](t, smallprime.P62(), smallprime.P62().Modulus(), 1<<13, 66, 3) // rows change places
}

// Columns too few for a vector, or for whole ones, end by tails of their own, of every arithmetic, in blocks and in
// passes before them.
func TestNarrowColumns(t *testing.T) {
	for _, n := range []int{1 << 3, 1 << 5, 1 << 6, 1 << 7, 1 << 9, 1 << 10, 1 << 13} {
		counts := []int{2, 3, 4, 5, 6, 7, 8, 9, 11, 15, 17, 18, 24, 45}
		if n > 1<<9 { // by the same kernels
			counts = []int{2, 3, 5, 9, 18}
		}
		for _, count := range counts {
			columnsBeside[uint32](t, smallprime.P30(), uint64(smallprime.P30().Modulus()), n, count, 3)
			columnsBeside[uint32](t, smallprime.BabyBear(), uint64(smallprime.BabyBear().Modulus()), n, count, 3)
			columnsBeside[uint32](t, smallprime.P32(), uint64(smallprime.P32().Modulus()), n, count, 3)
			if count > 8 && count != 9 && count != 18 {
				continue
			}
			columnsBeside[uint64](t, smallprime.P50(), smallprime.P50().Modulus(), n, count, 3)
			columnsBeside[uint64](t, smallprime.P62(), smallprime.P62().Modulus(), n, count, 3)
			columnsBeside[uint64](t, smallprime.P63(), smallprime.P63().Modulus(), n, count, 3)
			columnsBeside[uint64](t, smallprime.P64(), smallprime.P64().Modulus(), n, count, 3)
			columnsBeside[uint64](t, smallprime.Goldilocks(), smallprime.Goldilocks().Modulus(), n, count, 7)
		}
	}
}

func columnsBeside[E uint32 | uint64](t *testing.T, f field.Field[E], p uint64, n, count int, shift E) {
	x := make([]E, n*count)
	for i, w := range randomWords(len(x), p, 5) {
		x[i] = E(w)
	}
	for i := range 8 {
		if raceEnabled && i&4 == 0 {
			continue // one worker shares nothing
		}
		if testscale.Of(t) < testscale.Full && bits.OnesCount(uint(i))%2 != count%2 {
			continue // every two of order, domain and workers meet in the others
		}
		opts := []fft.Option{fft.WithOrder(fft.Natural)}
		if i&1 != 0 {
			opts[0] = fft.WithOrder(fft.BitReversed)
		}
		if i&2 != 0 {
			opts = append(opts, fft.WithCoset(shift))
		}
		one := fft.Must(fft.NewPlan(f, n, opts...))
		if i&4 != 0 {
			opts = append(opts, fft.WithWorkers(3), fft.WithGrain(1))
		}
		plan := fft.Must(fft.NewPlan(f, n, append(opts, fft.WithBatch(fft.Columns(count, 0)))...))
		name := fmt.Sprintf("%d columns of %d, case %d", count, n, i)
		for _, inverse := range []bool{false, true} {
			row, want := make([]E, n), make([]E, len(x))
			single, all := one.Forward, plan.Forward
			if inverse {
				single, all = one.Inverse, plan.Inverse
			}
			for j := range count {
				for k := range row {
					row[k] = x[k*count+j]
				}
				require.NoError(t, single(row, row))
				for k := range row {
					want[k*count+j] = row[k]
				}
			}
			got, kept := make([]E, len(x)), append([]E(nil), x...)
			require.NoError(t, all(got, kept))
			require.True(t, equal(x, kept), "%s: the source is intact", name)
			require.True(t, equal(want, got), name)
			require.NoError(t, all(kept, kept))
			require.True(t, equal(want, kept), "%s: in place", name)
			if !raceEnabled && i&4 == 0 {
				require.Zero(t, testing.AllocsPerRun(5, func() { _ = all(kept, kept) }), name)
			}
		}
	}
}

func equal[E comparable](x, y []E) bool {
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return len(x) == len(y)
}

// Calls look at the context between parts of all columns, and count what is done.
func TestColumnsStop(t *testing.T) {
	f, steps := smallprime.P62(), 0
	const n, count = 1 << 13, 66
	x := randomWords(n*count, f.Modulus(), 7)
	for _, o := range []fft.Order{fft.Natural, fft.BitReversed} {
		p := fft.Must(fft.NewPlan(f, n, fft.WithOrder(o), fft.WithBatch(fft.Columns(count, 0)),
			fft.WithProgress(func(done, total int) {
				steps++
				require.Equal(t, steps, done)
				require.LessOrEqual(t, done, total)
			})))
		for _, call := range []func(ctx context.Context, dst, src []uint64) error{p.ForwardContext, p.InverseContext} {
			ctx := newCountdown(1 << 62)
			steps = 0
			require.NoError(t, call(ctx, x, x))
			require.Less(t, 8, steps)
			asked := ctx.asked.Load()
			require.Less(t, int64(n*count>>17), asked, "looks at the context")
			for _, left := range []int64{0, 1, asked / 2, asked - 2} {
				steps = 0
				y := append([]uint64(nil), x...)
				require.ErrorIs(t, call(newCountdown(left), y, y), context.Canceled)
			}
		}
	}
}

// A call takes the memory that the report says: rows too long for kernels change places by way of it, and there is none
// in the order of the scheme.
func TestColumnsMemory(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools at random, so that calls allocate again")
	}
	f := smallprime.P62()
	x := randomWords(1<<19, f.Modulus(), 9)
	for o, scratch := range map[fft.Order]int{fft.Natural: 1 << 14, fft.BitReversed: 0} {
		p := fft.Must(fft.NewPlan(f, 1<<8, fft.WithOrder(o), fft.WithBatch(fft.Columns(1<<11, 0))))
		require.Equal(t, scratch, p.Report().Scratch)
		called := allocated(func() { require.NoError(t, p.Forward(x, x)) })
		require.LessOrEqual(t, called, scratch+scratch/8+1<<14)
	}
}
