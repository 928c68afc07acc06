package gpu

import (
	"testing"

	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/emulator"
	"github.com/stretchr/testify/require"
)

// Copies of elements on the device are those of their definition, with strides, transposed and permuted.
func TestAdditiveCopy(t *testing.T) {
	t.Run("32", func(t *testing.T) { additiveCopy[uint32](t, 32) })
	t.Run("64", func(t *testing.T) { additiveCopy[uint64](t, 64) })
	t.Run("128", func(t *testing.T) { additiveCopy[[2]uint64](t, 128) })
	t.Run("256", func(t *testing.T) { additiveCopy[[4]uint64](t, 256) })
}

func additiveCopy[E interface {
	comparable
	binary.Elements
}](t *testing.T, m int) {
	emulator.Need(t)
	const n = 1 << 7
	f := must(binary.New[E](m))
	g := must(Field(f))
	x, y := random(f, n, 1), random(f, n, 2)
	for _, c := range []bulks.Copy{
		{Rows: 1, Width: n, Dst: n, Src: n},
		{Rows: 7, Width: 5, Dst: 9, Src: 11},
		{Rows: 7, Width: 5, Dst: 9, Src: 11, Transpose: true},
		{Rows: 4, Width: 3, Dst: 3, Src: 8, RowPerm: []int32{2, 3, 0, 1}, ColPerm: []int32{2, 0, 1}},
		{Rows: 0, Width: 5, Dst: 5, Src: 5},
	} {
		src, dst := must(g.b.Make(n)), must(g.b.Make(n))
		g.b.Pack(src, bulks.ViewOf(x))
		g.b.Pack(dst, bulks.ViewOf(y))
		g.b.Copy(dst, src, c)
		got, want := make([]E, n), append([]E(nil), y...)
		g.b.Unpack(bulks.ViewOf(got), dst)
		for i := range c.Rows {
			for j := range c.Width {
				want[i*c.Dst+j] = x[c.From(i, j)]
			}
		}
		require.Equal(t, want, got, "%+v", c)
		require.NoError(t, g.b.Release(src))
		require.NoError(t, g.b.Release(dst))
	}
}
