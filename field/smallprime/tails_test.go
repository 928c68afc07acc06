package smallprime

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
)

// Transforms that no workers share are one tail, and reports have its passes, unless somebody asks for a radix.
func TestLongTails(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		f := P50()
		w, err := f.bulk().Table(field.ViewOf(make([]uint64, 1)))
		require.NoError(t, err)
		table, ok := w.(*vectorTable[uint64])
		if !ok {
			t.Skip("no kernels on this tier")
		}
		for log := 5; log <= 20; log++ {
			require.Equal(t, 1<<log, table.TailSize(1<<log))
			size := 1 << log
			for layers := table.TailLayers(size); layers > 0; layers = table.TailLayers(size) {
				require.LessOrEqual(t, layers, table.f.k.MaxLayers)
				size >>= layers
			}
			require.Equal(t, table.f.k.Tails[0].Size, size)
		}
		for _, c := range []struct{ n, radix, workers int }{
			{1 << 5, 0, 1}, {1 << 10, 0, 4}, {1 << 16, 0, 1}, {1 << 10, 2, 1},
		} {
			d, err := field.NewCyclic[uint64](f, c.n)
			require.NoError(t, err)
			s := field.Spec{Radix: c.radix, Workers: c.workers, Order: field.BitReversed, Grain: 1 << 10}
			p, err := f.Plan(d, s)
			require.NoError(t, err)
			var radices string
			size := c.n
			for layers := table.TailLayers(size); layers > 0; layers = table.TailLayers(size) {
				if c.radix > 0 {
					layers = 1
				}
				radices += fmt.Sprint(" · ", 1<<layers)
				size >>= layers
			}
			var want []string
			if radices != "" {
				want = append(want, "radix"+radices[len(" ·"):])
			}
			require.Equal(t, append(want, fmt.Sprint("tail of ", size)), p.Report().Passes, "%+v", c)
		}
	})
}
