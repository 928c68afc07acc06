package choice

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
)

// Columns of words fill vectors of the processor, or are gathered: passes on narrow rows go element by element.
func TestSideBySide(t *testing.T) {
	words := field.Traits{InPlace: true, Passes: field.Passes{Layers: 4}}
	require.True(t, HighRadix(words))
	for _, bytes := range []int{4, 8} {
		line := 64 / bytes
		for n := 1; n <= 1<<20; n *= 2 {
			for count := 1; count <= 300; count++ {
				for _, tasks := range []int{1, 2, 16} {
					s := SideBySide(words, bytes, n, count, tasks)
					require.Positive(t, s.Group)
					require.LessOrEqual(t, s.Group, count)
					if !s.Gathered {
						require.Zero(t, s.Group%line, "%d columns of %d points", count, n)
						require.Equal(t, line, s.Least)
					}
					require.True(t, s.Group == min(line, count) || s.Group*tasks <= count, "work for all tasks")
				}
			}
		}
	}
	for _, other := range []field.Traits{{InPlace: true, Single: true},
		{InPlace: true, Columns: 8, Passes: field.Passes{Layers: 3}}} {
		s := SideBySide(other, 64, 1<<16, 20, 1)
		require.Equal(t, Side{Group: 8}, s)
	}
}
