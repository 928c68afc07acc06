package gpu

import (
	"errors"
	"slices"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/stretchr/testify/require"
)

// The passes of few transforms leave what those of many do, and a device with too few multiprocessors, or many queues,
// takes the latter.
func TestAlone(t *testing.T) {
	d := alone(t)
	f := smallprime.Goldilocks()
	g := must(Field(f, On(d)))
	const n = choice.MostContiguous
	w := wholeOf(t, g, n).(*wordTransform)
	require.NotEmpty(t, w.few)
	blocks := d.room().Info().Multiprocessors
	tile := 1 << w.few[0].size
	require.Equal(t, w.few, w.of(1<<n, false))
	require.Equal(t, w.few, w.of(blocks*tile, false))
	require.Equal(t, w.passes, w.of((blocks+1)*tile, false))
	require.Equal(t, w.passes, w.of(1<<n, true))
	one := *w
	one.few = nil
	for _, count := range []int{1, 3} {
		x := random(f, count<<n, 5)
		for _, order := range []field.Order{field.BitReversed, field.Natural} {
			for _, inverse := range []bool{false, true} {
				run := func(t2 *wordTransform) []uint64 {
					v := must(g.b.Make(count << n))
					g.b.Pack(v, bulks.ViewOf(x))
					require.NoError(t, t2.Run(t.Context(), v, order, inverse))
					y := make([]uint64, count<<n)
					g.b.Unpack(bulks.ViewOf(y), v)
					require.NoError(t, g.b.Wait(t.Context(), v))
					return y
				}
				require.Equal(t, run(&one), run(w), "%d, %v, %v", count, order, inverse)
			}
		}
	}
}

// Transforms on many queues are the same, before and after these are open, and a queue that closes is none.
func TestCrowded(t *testing.T) {
	d := alone(t)
	f := smallprime.Goldilocks()
	g := must(Field(f, On(d)))
	const n = choice.MostContiguous
	p := must(fft.NewPlan[uint64](g, 1<<n, fft.WithOrder(fft.BitReversed)))
	w := wholeOf(t, g, n).(*wordTransform)
	x := random(f, 1<<n, 6)
	want := must(fft.NewPlan[uint64](f, 1<<n, fft.WithOrder(fft.BitReversed)))
	y, z := slices.Clone(x), make([]uint64, len(x))
	require.NoError(t, want.Forward(y, y))
	first := queue(t, d)
	v := must(first.NewVec(p))
	check := func() {
		t.Helper()
		for range 3 { // the first call, the one that is recorded, and its graph
			require.NoError(t, errors.Join(p.Load(v, x), p.ForwardVec(t.Context(), v), p.Store(z, v)))
			require.Equal(t, y, z)
			require.NoError(t, errors.Join(p.InverseVec(t.Context(), v), p.Store(z, v)))
			require.Equal(t, x, z)
		}
	}
	require.False(t, w.crowded())
	check()
	var others []*Queue
	for !w.crowded() {
		require.Less(t, len(others), 8)
		others = append(others, queue(t, d))
	}
	require.Equal(t, 1+len(others), d.room().Queues())
	check()
	for _, q := range others {
		require.NoError(t, q.Close())
	}
	require.False(t, w.crowded())
	require.Equal(t, 1, d.room().Queues())
	check()
}
