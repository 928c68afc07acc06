package smallprime

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	kernels "github.com/galfft/fft/kernels/word"
)

// Transforms by doubles are one tail, unless workers are to share them or somebody asks for a radix.
func TestLongTails(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		if k := kernels.Double50(); k == nil || !k.Opens || kernels.IFMA50() != nil {
			t.Skip("no doubles on this tier")
		}
		f := P50()
		for _, c := range []struct {
			n, radix, workers int
			first             string
		}{
			{1 << 5, 0, 1, "tail of 32"}, {1 << 10, 0, 4, "tail of 1024"}, {1 << 16, 0, 1, "tail of 65536"},
			{1 << 10, 4, 1, "radix 4 · 4 · 4"}, {1 << 13, 0, 4, "radix"}, {1 << 20, 0, 1, "radix"},
		} {
			d, err := field.Cyclic[uint64](f, c.n)
			require.NoError(t, err)
			s := field.Spec{Radix: c.radix, Workers: c.workers, Order: field.BitReversed, Grain: 1 << 10}
			p, err := f.Plan(d, s)
			require.NoError(t, err)
			require.Contains(t, p.Report().Passes[0], c.first, "%+v", c)
		}
	})
}
