package bulks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field/bulks"
)

// The memory of a vector is its own, and none where elements hold pointers.
func TestMemory(t *testing.T) {
	x := [][2]uint32{{1, 2}, {3, 4}, {5, 6}}
	b, ok := new(bulks.Plain[[2]uint32]).Memory(bulks.ViewOf(x).Slice(1, 3))
	require.True(t, ok)
	require.Len(t, b, 16)
	b[0]++
	require.NotEqual(t, uint32(3), x[1][0])
	for _, memory := range []func(v bulks.View) ([]byte, bool){
		new(bulks.Slices[struct{ a, b uint8 }]).Memory, new(bulks.Slices[uint64]).Memory,
		new(bulks.Slices[[0]byte]).Memory,
	} {
		_, ok := memory(bulks.View{})
		require.True(t, ok)
	}
	for _, memory := range []func(v bulks.View) ([]byte, bool){new(bulks.Slices[[]uint64]).Memory,
		new(bulks.Slices[struct{ a *int }]).Memory, new(bulks.Slices[[2]string]).Memory} {
		_, ok := memory(bulks.View{})
		require.False(t, ok)
	}
}
