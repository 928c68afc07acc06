package rate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/internal/cpu"
)

// The loops of all tiers make as many products as they say, and allocate nothing.
func TestLoops(t *testing.T) {
	widths := map[cpu.Tier]int{cpu.AVX2: 53, cpu.AVX512: 53, cpu.IFMA: 52}
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		for _, l := range []Loop{Active(), Words()} {
			require.True(t, l.Run(), tier)
			require.Positive(t, l.Products)
		}
		if want, ok := widths[tier]; ok {
			require.Equal(t, want, Active().Bits, tier)
		} else {
			require.Equal(t, 64, Active().Bits, tier)
		}
		undo()
	}
	for steps := range 3 {
		require.EqualValues(t, steps*36, sum(&[8]uint64{1, 2, 3, 4, 5, 6, 7, 8}, steps))
	}
}

func BenchmarkLoops(b *testing.B) {
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(b, err)
		l := Active()
		b.Run(tier.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l.Run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*l.Products), "ns/product")
		})
		undo()
	}
}
