package smallprime

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field/bulks"
)

// Transposing copies between columns and rows move every word to its place, and nothing else.
func TestColumns(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		testColumns[uint32](t, BabyBear().bulk())
		testColumns[uint64](t, P50().bulk())
	})
}

func testColumns[W word](t *testing.T, b bulks.Bulk) {
	for _, count := range []int{1, 2, 3, 4, 8, 12, 16, 32} {
		for _, n := range []int{1, 4, 8, 16, 67, 1 << 10, 20001} {
			if n*count > 1<<17 {
				continue
			}
			for _, more := range []int{0, 3} { // words between columns
				rows, between := n+more, count+more
				columns := make([]W, (n-1)*between+count)
				for i := range columns {
					columns[i] = W(i + 1)
				}
				got, want := make([]W, (count-1)*rows+n), make([]W, (count-1)*rows+n)
				back, again := make([]W, len(columns)), make([]W, len(columns))
				for i := range n {
					for j := range count {
						want[j*rows+i] = columns[i*between+j]
						again[i*between+j] = columns[i*between+j]
					}
				}
				b.Copy(bulks.ViewOf(got), bulks.ViewOf(columns), bulks.Copy{Rows: count, Width: n, Dst: rows,
					Src: between, Transpose: true})
				require.Equal(t, want, got, "%d columns of %d, %d apart", count, n, between)
				b.Copy(bulks.ViewOf(back), bulks.ViewOf(got), bulks.Copy{Rows: n, Width: count, Dst: between,
					Src: rows, Transpose: true})
				require.Equal(t, again, back, "%d rows of %d, %d apart", count, n, rows)
			}
		}
	}
}

// A list that is used again is that of its shape: of tiles of two tiers, rows of two widths, or two lengths.
func TestSwapLists(t *testing.T) {
	var l swaps
	for _, of := range [][3]int{{4, 2, 64}, {8, 2, 64}, {8, 4, 64}, {8, 4, 256}, {8, 4, 256}, {4, 2, 64}} {
		var want swaps
		want.list(of[0], of[1], of[2])
		l.list(of[0], of[1], of[2])
		require.Equal(t, want.owned, l.owned, "%v", of)
		require.Equal(t, [2]int{want.middle, want.top}, [2]int{l.middle, l.top}, "%v", of)
		require.Equal(t, want.own[:want.owned], l.own[:l.owned], "%v", of)
		require.Equal(t, want.all[:1<<(2*want.top)], l.all[:1<<(2*l.top)], "%v", of)
	}
}
