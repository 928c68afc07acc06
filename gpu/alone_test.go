package gpu

import (
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/stretchr/testify/require"
)

// The passes of few transforms leave what those of many do, and a device with too few multiprocessors takes the latter.
func TestAlone(t *testing.T) {
	d := alone(t)
	f := smallprime.Goldilocks()
	g := must(Field(f, On(d)))
	const n = choice.MostContiguous
	w := wholeOf(t, g, n).(*wordTransform)
	require.NotEmpty(t, w.few)
	blocks := d.room().Info().Multiprocessors
	tile := 1 << w.few[0].size
	require.Equal(t, w.few, w.of(1<<n))
	require.Equal(t, w.few, w.of(blocks*tile))
	require.Equal(t, w.passes, w.of((blocks+1)*tile))
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
