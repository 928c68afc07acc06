package base

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The factor is the square root of a length, or less where that takes fewer base cases.
func TestFirstFactor(t *testing.T) {
	for _, c := range []struct{ n, base, want int }{
		{1 << 20, 1 << 15, 1 << 10}, {1 << 9, 1 << 4, 1 << 4}, {1 << 12, 1 << 5, 1 << 5}, {1 << 12, 1 << 4, 1 << 4}, {1 << 18, 1 << 6, 1 << 6},
		{1 << 5, 1 << 4, 1 << 2}, {4, 2, 2}, {1 << 7, 2, 1 << 3},
	} {
		require.Equal(t, c.want, firstFactor(c.n, c.base, 1), "%d in base cases of %d", c.n, c.base)
	}
}
