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
