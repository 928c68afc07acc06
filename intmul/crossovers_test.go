package intmul

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Long factors go by transforms from shorter ones on than equal factors do.
func TestLess(t *testing.T) {
	for _, c := range []struct {
		x, y int
		want bool
	}{{0, 0, true}, {1000, 99, true}, {99, math.MaxInt, true}, {100, 399, true}, {100, 400, false}, {400, 100, false},
		{100, math.MaxInt, false}, {199, 199, true}, {199, 200, true}, {199, 201, false}, {200, 200, false}} {
		require.Equal(t, c.want, less(c.x, c.y, 200), "%v", c)
	}
}
