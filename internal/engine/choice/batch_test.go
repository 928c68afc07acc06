package choice

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Columns of words fill vectors of the processor, or are gathered: passes on narrow rows go element by element.
func TestSideBySide(t *testing.T) {
	words := bulks.Traits{InPlace: true, Passes: bulks.Passes{Layers: 4}}
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
	for _, other := range []bulks.Traits{{InPlace: true, Single: true},
		{InPlace: true, Columns: 8, Passes: bulks.Passes{Layers: 3}}} {
		s := SideBySide(other, 64, 1<<16, 20, 1)
		require.Equal(t, Groups{Group: 8}, s)
	}
}

// Rows are taken several at once where they are short and touch, and columns side by side where the scheme can.
func TestOfBatch(t *testing.T) {
	words := bulks.Traits{InPlace: true, Passes: bulks.Passes{Layers: 4}}
	rows, columns := field.Batch{Count: 100, Stride: 8}, field.Batch{Count: 100, Stride: 100, Columns: true}
	few := field.Batch{Count: 3, Stride: 3, Columns: true}
	for _, c := range []struct {
		b            field.Batch
		n, tasks     int
		columns, now bool
		want         Groups
	}{
		{rows, 8, 1, true, true, Groups{Steps: 1, Group: 100}},
		{rows, 8, 3, true, true, Groups{Steps: 4, Group: 33}},
		{rows, 8, 3, true, false, Groups{Steps: 100, Group: 1}},
		{rows, 7, 3, true, true, Groups{Steps: 100, Group: 1}},
		{field.Batch{Count: 100, Stride: 1 << 10}, 1 << 10, 1, true, true, Groups{Steps: 25, Group: 4}},
		{field.Batch{Count: 100, Stride: 1 << 13}, 1 << 13, 1, true, true, Groups{Steps: 100, Group: 1}},
		{columns, 8, 1, true, false, Groups{Steps: 4, Group: 32, Least: 8}},
		{columns, 8, 1, false, true, Groups{Steps: 13, Group: 8, Gathered: true}},
		{few, 8, 1, false, true, Groups{Steps: 1, Group: 3, Gathered: true, Rows: 8}},
		{few, 1 << 14, 1, false, true, Groups{Steps: 1, Group: 3, Gathered: true, Rows: 1 << 14}},
		{few, 1 << 18, 1, false, true, Groups{Steps: 3, Group: 3, Gathered: true, Rows: 87424}},
		{few, 1 << 8, 2, false, true, Groups{Steps: 1, Group: 3, Gathered: true, Rows: 1 << 8}},
		{few, 1 << 14, 2, false, true, Groups{Steps: 8, Group: 3, Gathered: true, Rows: 2048}},
	} {
		require.Equal(t, c.want, OfBatch(words, 8, c.n, c.b, c.tasks, c.columns, c.now), "%+v", c)
	}
}

// Workers share the steps of a batch where there are enough, and else each transform.
func TestWorkers(t *testing.T) {
	s := field.Spec{Workers: 4, Progress: func(int, int) {}}
	for _, c := range []struct {
		b            field.Batch
		inner, outer int
		inside       bool // the transforms tell of progress
		whole        bool
	}{
		{field.Batch{Count: 1, Stride: 8}, 4, 4, true, false},
		{field.Batch{Count: 1, Stride: 2, Columns: true}, 4, 1, false, false},
		{field.Batch{Count: 3, Stride: 8}, 4, 1, false, false},
		{field.Batch{Count: 4, Stride: 8}, 1, 4, false, false},
		{field.Batch{Count: 24, Stride: 24, Columns: true}, 4, 1, false, false},
		{field.Batch{Count: 25, Stride: 25, Columns: true}, 1, 4, false, false},
		{field.Batch{Count: 3, Stride: 3, Columns: true}, 4, 4, false, true},
		{field.Batch{Count: 4, Stride: 4, Columns: true}, 1, 4, false, true},
	} {
		inner, outer := Workers(s, c.b, 8, false, c.whole)
		require.Equal(t, []int{c.inner, c.outer}, []int{inner.Workers, outer.Workers}, "%+v", c.b)
		require.Equal(t, c.inside, inner.Progress != nil, "%+v", c.b)
		require.NotNil(t, outer.Progress)
	}
}

// Words side by side that fill no vector are gathered as a whole, and a full vector of long columns.
func TestWhole(t *testing.T) {
	words := bulks.Traits{InPlace: true, Passes: bulks.Passes{Layers: 4}}
	for _, c := range []struct {
		t                bulks.Traits
		n, count, stride int
		want             bool
	}{
		{words, 8, 7, 7, true}, {words, 8, 7, 9, true}, {words, 8, 8, 9, false}, {words, 1 << 15, 8, 9, true},
		{words, 1 << 15, 9, 9, false}, {bulks.Traits{InPlace: true, Single: true}, 8, 7, 7, false},
	} {
		b := field.Batch{Count: c.count, Stride: c.stride, Columns: true}
		require.Equal(t, c.want, Whole(c.t, 8, c.n, b), "%+v", c)
	}
	require.False(t, Whole(words, 8, 8, field.Batch{Count: 7, Stride: 8}), "rows")
}

// Columns that touch stand where they are, fewer than fill a line only with tails, and not in natural order, in which
// several workers take short batches by steps.
func TestBeside(t *testing.T) {
	words := bulks.Traits{InPlace: true, Passes: bulks.Passes{Layers: 4}}
	columns := func(count, stride int) field.Batch { return field.Batch{Count: count, Stride: stride, Columns: true} }
	reversed := field.Spec{Order: field.BitReversed}
	ends := words
	ends.Passes.Tails = [][]int{{}, {1}}
	swaps := words
	swaps.Passes.Narrow, swaps.Rows = make([][][]int, 8), 8
	both := swaps
	both.Passes.Wide, both.Rows = [][]int{{}, {1}}, 16
	cheap, dear := swaps, swaps
	cheap.Butterfly, dear.Butterfly = .75, 1
	wide := words
	wide.Passes.Narrow, wide.Passes.Wide = make([][][]int, 8), [][]int{{}, {1}}
	for _, c := range []struct {
		t    bulks.Traits
		n    int
		b    field.Batch
		s    field.Spec
		want bool
	}{
		{words, 8, columns(8, 8), reversed, true},
		{words, 8, columns(7, 7), reversed, false},
		{ends, 8, columns(7, 7), reversed, true},
		{ends, 8, columns(1, 1), reversed, false},
		{ends, 8, columns(7, 7), field.Spec{}, false},
		{words, 8, columns(8, 9), reversed, false},
		{words, 12, columns(8, 8), reversed, false},
		{words, 1, columns(8, 8), reversed, false},
		{words, 8, field.Batch{Count: 8, Stride: 8}, reversed, false},
		{words, 8, columns(8, 8), field.Spec{Order: field.BitReversed, Algorithm: field.SixStep}, false},
		{words, 8, columns(8, 8), field.Spec{Order: field.BitReversed, Algorithm: field.DepthFirst}, true},
		{bulks.Traits{Passes: bulks.Passes{Layers: 4}}, 8, columns(8, 8), reversed, false},
		{bulks.Traits{InPlace: true}, 8, columns(8, 8), reversed, false},
		{words, 1 << 13, columns(64, 64), field.Spec{}, true},
		{words, 8, columns(8, 8), field.Spec{Workers: 1}, true},
		{words, 8, columns(9, 9), field.Spec{}, false},
		{words, 8, columns(9, 9), reversed, true},
		{wide, 8, columns(9, 9), field.Spec{}, true},
		{swaps, 8, columns(2, 2), field.Spec{}, true},
		{swaps, 8, columns(4, 4), field.Spec{Workers: 2}, true},
		{swaps, 8, columns(3, 3), field.Spec{}, false},
		{swaps, 8, columns(5, 5), field.Spec{}, true},
		{swaps, 8, columns(9, 9), field.Spec{}, false},
		{both, 8, columns(9, 9), field.Spec{Workers: 2}, true},
		{words, 8, columns(33, 33), field.Spec{}, true},
		{words, 1 << 16, columns(9, 9), field.Spec{}, true},
		{words, 1 << 11, columns(64, 64), field.Spec{Workers: 2}, true},
		{words, 1 << 11, columns(63, 63), field.Spec{Workers: 2}, false},
		{cheap, 8, columns(10, 10), reversed, false}, // two are gathered
		{cheap, 8, columns(11, 11), reversed, true},
		{cheap, 8, columns(16, 16), reversed, true},
		{cheap, 8, columns(33, 33), reversed, true},
		{cheap, 1 << 16, columns(9, 9), reversed, true},
		{dear, 8, columns(9, 9), reversed, true},
		{words, 8, columns(9, 9), reversed, true},
		{both, 8, columns(9, 9), reversed, true},
	} {
		require.Equal(t, c.want, Beside(c.t, 8, c.n, c.b, c.s), "%+v", c)
	}
	for _, c := range []struct {
		bytes, count int
		s            field.Spec
		want         bool
	}{
		{4, 5, field.Spec{Workers: 2}, false}, // gathered
		{4, 5, field.Spec{Workers: 1}, true},
		{4, 6, field.Spec{Workers: 2}, true},
		{8, 5, field.Spec{Workers: 2}, true},
	} {
		require.Equal(t, c.want, Beside(swaps, c.bytes, 1<<10, columns(c.count, c.count), c.s), "%+v", c)
	}
	require.True(t, Beside(ends, 4, 1<<10, columns(5, 5), field.Spec{Order: field.BitReversed, Workers: 2}))
	s := field.Spec{Workers: 4}
	inner, outer := Workers(s, columns(8, 8), 8, true, false)
	require.Equal(t, []int{1, 4}, []int{inner.Workers, outer.Workers})
}

// Tiles of a bit reversal have as many rows as runs, and no more than there are.
func TestRun(t *testing.T) {
	for _, c := range []struct{ n, bytes, want int }{{2, 64, 1}, {4, 64, 2}, {1 << 5, 64, 4}, {1 << 18, 64, 16},
		{1 << 18, 400, 4}, {1 << 18, 2048, 4}, {1 << 18, 1 << 14, 1}} {
		require.Equal(t, c.want, Run(c.n, c.bytes), "%+v", c)
	}
	for _, c := range []struct{ elements, tasks, want int }{{1 << 12, 1, 1}, {1 << 17, 1, 2}, {1 << 12, 2, 2},
		{1 << 20, 2, 16}} {
		require.Equal(t, c.want, Shares(c.elements, c.tasks), "%+v", c)
	}
	for _, c := range []struct{ elements, count, tasks, want int }{{1 << 14, 8, 1, 1}, {1 << 10, 64, 1, 8},
		{1 << 10, 2, 1, 2}, {1 << 10, 64, 2, 4}, {1 << 10, 1 << 10, 2, 8}} {
		require.Equal(t, c.want, TilesAtOnce(c.elements, c.count, c.tasks), "%+v", c)
	}
}
