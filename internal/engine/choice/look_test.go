package choice

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Where a product takes long, steps of passes by columns and of batches are so short that looks at a context come often
// enough; where it does not, they stay as they are.
func TestLook(t *testing.T) {
	long := bulks.Traits{Passes: bulks.Passes{Layers: 4}, InPlace: true, Butterfly: 16386}
	c := Choice{Cache: 1 << 6}
	p := c.Passes(long)
	for k := 7; k <= 16; k++ {
		for _, tasks := range []int{1, 4} {
			for _, l := range p.Cut(1<<k, 1, tasks).Levels {
				require.LessOrEqual(t, l.Width*l.Top*log(l.Top)/2, 64, "butterflies of a step of 2^%d", k)
			}
		}
	}
	words := long
	words.Butterfly = 1
	q := c.Passes(words)
	require.Equal(t, 512, q.Look(16, 512))
	require.Equal(t, 1, p.Look(16, 512))

	for _, columns := range []bool{false, true} {
		b := field.Batch{Count: 256, Stride: 64}
		if columns {
			b.Columns, b.Stride = true, 256
		}
		g := OfBatch(long, 1024, 64, b, 1, columns, true)
		require.LessOrEqual(t, g.Group*64*6/2, 256, "butterflies of a step of a batch")
		require.Equal(t, (256+g.Group-1)/g.Group, g.Steps)
		g = OfBatch(words, 8, 64, b, 1, columns, true)
		require.GreaterOrEqual(t, g.Group, 32)
	}
	require.Equal(t, 64, Between(1e5, 64, 1<<12))
	require.Equal(t, 1<<12, Between(1, 64, 1<<12))
	require.Equal(t, 960, Between(1000, 64, 1<<12))
}
