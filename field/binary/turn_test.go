package binary

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/kernels/gf2"
)

// Elements go between columns and rows as they lie in memory, on every tier and for all numbers of columns, and
// nothing beside them is written.
func TestTurn(t *testing.T) {
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(t, err)
		t.Run(tier.String(), func(t *testing.T) {
			testTurn[uint16](t, newBulk(Leopard16()))
			f32, err := New[uint32](32)
			require.NoError(t, err)
			testTurn[uint32](t, newBulk(f32))
			f64, err := New[uint64](64)
			require.NoError(t, err)
			testTurn[uint64](t, newBulk(f64))
			testTurn[[2]uint64](t, newBulk(GHASH()))
			if set := gf2.ActiveWords(); set != nil {
				testTurn[uint64](t, wordsOver(f64, set))
				testTurn[[2]uint64](t, wordsOver(GHASH(), set))
			}
		})
		undo()
	}
}

func testTurn[E Elements](t *testing.T, b bulks.Bulk) {
	r := rand.New(rand.NewPCG(31, 2))
	for _, columns := range []int{0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 20, 32} {
		for _, n := range []int{0, 1, 7, 16, 33, 64, 130} {
			between, apart := columns+r.IntN(2)*3, n+r.IntN(2)*5
			matrix, rows := make([]E, n*between+1), make([]E, columns*apart+1)
			for i := range matrix {
				matrix[i] = nth[E](i)
			}
			want := append([]E{}, rows...)
			for i := range columns {
				for j := range n {
					want[i*apart+j] = matrix[j*between+i]
				}
			}
			name := fmt.Sprintf("%T, %d columns of %d, %d and %d apart", want, columns, n, between, apart)
			b.Copy(bulks.ViewOf(rows), bulks.ViewOf(matrix), bulks.Copy{Rows: columns, Width: n, Dst: apart,
				Src: between, Transpose: true, Elements: true})
			require.Equal(t, want, rows, name)
			back, kept := make([]E, len(matrix)), make([]E, len(matrix))
			for j := range n {
				copy(kept[j*between:][:columns], matrix[j*between:])
			}
			b.Copy(bulks.ViewOf(back), bulks.ViewOf(rows), bulks.Copy{Rows: n, Width: columns, Dst: between,
				Src: apart, Transpose: true, Elements: true})
			require.Equal(t, kept, back, name+", back")
		}
	}
}

// nth returns an element that no other number has.
func nth[E Elements](i int) (e E) {
	switch e := any(&e).(type) {
	case *uint16:
		*e = uint16(i + 1)
	case *uint32:
		*e = uint32(i + 1)
	case *uint64:
		*e = uint64(i + 1)
	case *[2]uint64:
		*e = [2]uint64{uint64(i + 1), ^uint64(i)}
	}
	return e
}
