package bulks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Moves of Plain are those of Slices.
func TestPlain(t *testing.T) {
	var f field.Field[uint32]
	plain := &bulks.Plain[uint32]{Slices: bulks.Slices[uint32]{Field: copier{f}}}
	for n := 1; n <= 1<<13; n *= 2 {
		v, w := count(n), count(n)
		plain.Reorder(bulks.ViewOf(v), 1, 0, 1)
		plain.Slices.Reorder(bulks.ViewOf(w), 1, 0, 1)
		require.Equal(t, w, v, "reorder of %d", n)
	}
	perm := []int32{3, 0, 2, 1, 4, 8, 5, 7, 6, 9, 12, 10, 11}
	for _, rows := range []int{1, 3, 8, 13} {
		for _, width := range []int{1, 7, 8, 9, 13} {
			for _, transpose := range []bool{false, true} {
				for i := range 4 {
					c := bulks.Copy{Rows: rows, Width: width, Dst: 14, Src: 15, Transpose: transpose}
					if i&1 != 0 {
						c.RowPerm = perm
					}
					if i&2 != 0 {
						c.ColPerm = perm
					}
					v, w := make([]uint32, 14*14), make([]uint32, 14*14)
					plain.Copy(bulks.ViewOf(v), bulks.ViewOf(count(15*15)), c)
					plain.Slices.Copy(bulks.ViewOf(w), bulks.ViewOf(count(15*15)), c)
					require.Equal(t, w, v, "%+v", c)
				}
			}
		}
	}
}

// Slices puts each element at the reversal of its place, by one part or several.
func TestReorder(t *testing.T) {
	f := &bulks.Slices[uint32]{Field: copier{}}
	for k := range 8 {
		for parts := 1; parts <= 4; parts *= 2 {
			v := count(1 << k)
			for part := range parts {
				f.Reorder(bulks.ViewOf(v), 1, part, parts)
			}
			for i, x := range v {
				require.Equal(t, bulks.Rev(i, k), int(x), "place %d of %d, %d parts", i, len(v), parts)
			}
		}
	}
}

func count(n int) []uint32 {
	v := make([]uint32, n)
	for i := range v {
		v[i] = uint32(i)
	}
	return v
}

// copier is all that moves need of a field.
type copier struct{ field.Field[uint32] }

func (copier) Set(z, x *uint32) { *z = *x }

func BenchmarkReorder(b *testing.B) {
	plain := &bulks.Plain[uint64]{}
	for _, n := range []int{1 << 6, 1 << 10, 1 << 14} {
		v := bulks.ViewOf(make([]uint64, n))
		for name, run := range map[string]func(v bulks.View, width, part, parts int){"plain": plain.Reorder,
			"slices": plain.Slices.Reorder} {
			b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					run(v, 1, 0, 1)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/element")
			})
		}
	}
}
