package additive

import "testing"

// Shrink makes caches small until the test ends.
func Shrink(t *testing.T) {
	size, bytes := strip, blocks
	t.Cleanup(func() { strip, blocks = size, bytes })
	strip, blocks = 1<<13, []int{1 << 12, 1 << 10}
}
