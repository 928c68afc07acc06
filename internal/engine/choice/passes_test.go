package choice

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field/bulks"
)

// fast has passes as words of package smallprime have.
func fast(radix int) Passes {
	c := Choice{Cache: 1 << 12, Radix: radix}
	return c.Passes(bulks.Traits{
		Passes: bulks.Passes{Layers: 4, By: true, Tails: [][]int{{}, {1}, {2}, {3}, {4}, {4}, {4}, {3, 4}}}})
}

func TestRadices(t *testing.T) {
	for _, c := range []struct {
		radix    int
		first    []int
		n, width int
		want     []int
		tail     int
	}{
		{0, nil, 1, 1, nil, 1},
		{0, nil, 8, 1, nil, 8},
		{0, nil, 1 << 7, 1, []int{8}, 1 << 4},
		{0, nil, 1 << 12, 1, []int{4, 8, 8}, 1 << 4},
		{0, nil, 1 << 16, 1, []int{16, 4, 8, 8}, 1 << 4},
		{0, []int{8, 8}, 1 << 16, 1, []int{8, 8, 8, 8}, 1 << 4},
		{0, nil, 1 << 6, 8, []int{8, 8}, 1},
		{2, nil, 1 << 7, 1, []int{2, 2, 2}, 1 << 4},
	} {
		p := fast(c.radix)
		got, tail := p.Radices(c.first, c.n, c.width)
		require.Equal(t, []any{c.want, c.tail}, []any{got, tail}, "%+v", c)
	}
	var c Choice
	c.Cache = 1 << 12
	p := c.Passes(bulks.Traits{})
	radices, tail := p.Radices(nil, 8, 1)
	require.Equal(t, []any{[]int{2, 2, 2}, 1}, []any{radices, tail}, "passes of one layer")
	for _, c := range []struct {
		rising bool
		n      int
		want   []int
	}{{false, 1 << 8, []int{4, 8, 8}}, {true, 1 << 8, []int{8, 8, 4}},
		{false, 1 << 14, []int{4, 4, 4, 4, 8, 8}}, {true, 1 << 14, []int{8, 8, 8, 8, 4}}} {
		p := Choice{Cache: 1 << 8}
		passes := p.Passes(bulks.Traits{Passes: bulks.Passes{Layers: 3, Rising: c.rising}})
		radices, _ := passes.Radices(nil, c.n, 1)
		require.Equal(t, c.want, radices, "costs that rise: %+v", c)
	}
}

// Blocks that no second-level cache has go by the long pass, unless two layers bring them there, a radix is asked for,
// or too few layers are left.
func TestFar(t *testing.T) {
	traits := bulks.Traits{Passes: bulks.Passes{Layers: 2, Far: 4, Second: 1 << 16, Tails: [][]int{{}, {1}, {2}, {2}}}}
	for _, c := range []struct {
		radix, log int
		want       []int
	}{
		{0, 18, []int{4, 4, 4, 4, 4, 4, 4, 4}},
		{0, 19, []int{16, 4, 4, 2, 4, 4, 4, 4}},
		{0, 22, []int{16, 4, 4, 4, 4, 4, 4, 4, 4}},
		{4, 20, []int{4, 4, 4, 4, 4, 4, 4, 4, 4}},
	} {
		p := (&Choice{Cache: 1 << 11, Radix: c.radix}).Passes(traits)
		got, tail := p.Radices(nil, 1<<c.log, 1)
		require.Equal(t, []any{c.want, 4}, []any{got, tail}, "%+v", c)
		require.Equal(t, c.want[0], p.Top(1<<c.log, 1))
	}
	traits.Passes.Second = 1
	p := (&Choice{Cache: 2}).Passes(traits)
	require.Equal(t, 4, p.Top(1<<5, 1), "three layers are left")
}

// Steps are all of a transform, each once, and enough of them for the tasks.
func TestCut(t *testing.T) {
	for _, radix := range []int{0, 2, 4} {
		p := fast(radix)
		for log := range 25 {
			for _, tasks := range []int{1, 2, 5, 16, 64} {
				n := 1 << log
				c := p.Cut(n, 1, tasks)
				require.Equal(t, c, p.Cut(n, 1, tasks), "the same call")
				parts := 1
				for _, l := range c.Levels {
					require.Equal(t, []int{parts, n / parts, l.Part}, []int{l.Parts, l.Part, l.Top * l.Row})
					require.Zero(t, l.Row%l.Width)
					require.Less(t, 1, l.Top)
					parts *= l.Top
				}
				require.Equal(t, parts, c.Parts)
				require.LessOrEqual(t, c.Parts, c.Shares)
				require.Zero(t, c.Shares&(c.Shares-1))
				require.Equal(t, n > 1<<12, len(c.Levels) > 0, "what fits in cache is one step")
				if tasks > 1 && n >= 1<<20 {
					require.LessOrEqual(t, perTask*tasks, c.Parts)
				}
			}
		}
	}
}

// Rows of several elements are cut into parts of whole rows, and passes by columns take all of them.
func TestCutRows(t *testing.T) {
	p := fast(0)
	for log := range 20 {
		for _, width := range []int{2, 8, 100, 1 << 12, 5000} {
			for _, tasks := range []int{1, 2, 16} {
				rows, parts := 1<<log, 1
				c := p.Cut(rows, width, tasks)
				for _, l := range c.Levels {
					require.Equal(t, []int{parts, rows * width / parts, l.Part}, []int{l.Parts, l.Part, l.Top * l.Row})
					require.Zero(t, l.Row%width)
					require.LessOrEqual(t, l.Row, l.Each()*l.Width)
					require.Less(t, (l.Each()-1)*l.Width, l.Row)
					parts *= l.Top
				}
				require.Equal(t, parts, c.Parts)
				require.LessOrEqual(t, c.Parts, rows)
			}
		}
	}
}

// Factors are split until they fit, and the first layers of what is half zeros are copies.
func TestProductPasses(t *testing.T) {
	p := fast(0)
	for rows, want := range map[int]int{1: 0, leaf: 0, 2 * leaf: 1, 16 * leaf: 4, 32 * leaf: 2} {
		require.Equal(t, want, p.Product(rows), "%d rows", rows)
	}
	for n, want := range map[int]int{1 << 4: -2, 1 << 5: 1, 1 << 6: 2, 1 << 7: 1, 1 << 13: 3} {
		require.Equal(t, want, p.Copied(n), "%d rows", n)
	}
}

// Columns that fill no vector are taken apart in blocks that a tail does, four times as large as the first-level cache
// at most; the passes before them stop there.
func TestApart(t *testing.T) {
	tails := make([][]int, 17)
	for k := 4; k <= 16; k++ {
		tails[k] = []int{k}
	}
	c := Choice{Cache: 1 << 12}
	p := c.Passes(bulks.Traits{Passes: bulks.Passes{Layers: 3, Tails: tails}})
	for _, w := range []struct{ rows, width, want int }{{1 << 20, 2, 1 << 13}, {1 << 20, 3, 1 << 12},
		{1 << 10, 2, 1 << 10}, {1 << 4, 7, 1 << 4}, {1 << 3, 2, 0}} {
		q := p.Apart(w.rows, w.width)
		require.Equal(t, w.want, q.Blocks(), "%+v", w)
		product := 1
		radices, tail := q.Radices(nil, w.rows, w.width)
		for _, r := range radices {
			product *= r
		}
		require.Equal(t, w.rows, product*max(1, w.want), "%+v: %v, %d", w, radices, tail)
	}
	q := p.Apart(1<<14, 2)
	require.Equal(t, 2, q.Top(1<<14, 2), "a pass before blocks of 2^13 rows")
	require.Zero(t, p.Blocks(), "p stays")
}
