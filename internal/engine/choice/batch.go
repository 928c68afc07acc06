package choice

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Wrapped reports whether a batch is more than its one transform.
func Wrapped(b field.Batch) bool { return b.Count > 1 || b.Columns && b.Stride > 1 }

// Workers divides the workers: a batch of at least as many steps runs one step in each task, a smaller one its steps
// one after the other, each transform in parallel. Columns are taken line at a time, or all beside each other: then
// the workers share all steps. Where all are gathered as a whole, the workers share the copies, and take a column each
// or each column in parallel.
func Workers(s field.Spec, b field.Batch, line int, beside, whole bool) (inner, outer field.Spec) {
	inner, outer = s, s
	if !Wrapped(b) {
		return inner, outer
	}
	steps := b.Count
	if b.Columns {
		steps = (b.Count + line - 1) / line
	}
	inner.Progress = nil
	switch {
	case beside || steps >= s.Workers || whole && b.Count >= s.Workers:
		inner.Workers = 1
	case !whole:
		outer.Workers = 1
	}
	return inner, outer
}

// Groups is how a batch goes: in Steps of Group transforms. By columns they are taken side by side, on rows of as many
// elements, or Gathered, each as a vector; fewer than Least columns, left over in the last step, are gathered, and over
// affine domains what is left of them behind multiples of Least.
type Groups struct {
	Steps, Group, Least int
	Gathered            bool
	// Rows says that all are gathered at once, as a Whole: their copies go by so many rows at a time.
	Rows int
}

// OfBatch chooses for a batch of transforms of n points, of elements of so many bytes, shared by so many tasks. columns
// says that the scheme takes columns side by side, and now that it takes vectors one after the other at once.
func OfBatch(t bulks.Traits, bytes, n int, b field.Batch, tasks int, columns, now bool) (g Groups) {
	const cache = 1 << 12 // elements that a step takes, at most, where it takes several transforms
	switch {
	case Whole(t, bytes, n, b):
		rows := rowsOfCopy(n, b.Count, tasks)
		return Groups{Steps: (n + rows - 1) / rows, Group: b.Count, Gathered: true, Rows: rows}
	case b.Columns && columns:
		g = SideBySide(t, bytes, n, b.Count, tasks)
	case b.Columns:
		g = Groups{Group: min(Line(t, bytes), b.Count), Gathered: true}
	case now && b.Stride == n:
		g.Group = max(1, min(cache/n, b.Count/tasks))
	default:
		g.Group = 1
	}
	for g.Group > max(1, t.Columns) && late(t, g.Group, n) {
		g.Group /= 2
	}
	g.Least = min(g.Least, g.Group)
	g.Steps = (b.Count + g.Group - 1) / g.Group
	return g
}

// Whole reports whether columns that are not taken beside each other are gathered all at once: so few words that side
// by side they fill no vectors, or just one, and then are long.
func Whole(t bulks.Traits, bytes, n int, b field.Batch) bool {
	line := Line(t, bytes)
	return b.Columns && HighRadix(t) && b.Count <= line && gathered(bytes, n, b.Count, line)
}

// rowsOfCopy is how many of n rows of count elements a step of a copy takes: many enough to pay for the step, and no
// more than a worker does between two looks at a context.
func rowsOfCopy(n, count, tasks int) int {
	const (
		least = 1 << 11 // elements
		most  = 1 << 18
		tile  = 1 << 6 // rows: no tile is cut
	)
	elements := min(most, n*count)
	if tasks > 1 {
		elements = min(elements, max(least, n*count/(perTask*tasks)))
	}
	return min(n, (elements/count+tile-1)&^(tile-1))
}

// Beside reports whether all columns of a batch are transformed at once, where they stand, as rows that touch: no copy
// is needed, whatever the distance between the elements of a column. Such a transform leaves memory as often as one of
// all elements; in natural order rows change places besides, which several workers wait for, so that short batches of
// theirs go by steps that do everything, as do short ones of a few columns and a rest. Columns that do not fill a line
// are taken apart in their last layers; their rows are too short to be moved one by one, but where vectors of several
// change places.
func Beside(t bulks.Traits, bytes, n int, b field.Batch, s field.Spec) bool {
	const (
		long = 1 << 20 // bytes of a batch
		few  = 4       // lines of columns, of which the last one is not full
	)
	if !b.Columns || b.Stride != b.Count || b.Count < 2 || !HighRadix(t) ||
		n < 2 || n&(n-1) != 0 || s.Algorithm != field.Auto && s.Algorithm != field.DepthFirst {
		return false
	}
	if t.Affine {
		return besideAffine(t, n, b.Count, s)
	}
	if !t.InPlace {
		return false
	}
	line, all := Line(t, bytes), n*b.Count*bytes
	if b.Count < line {
		return s.Order != field.Natural && len(t.Passes.Tails) > 0 ||
			Reorders(t, b.Count) && b.Count < len(t.Passes.Narrow) && !splits(bytes, b.Count, s)
	}
	switch {
	case s.Order != field.Natural:
		return all >= few*long || !littleLeft(t, b.Count, line)
	case b.Count%line != 0 && b.Count < few*line && !t.Passes.IsWide(b.Count):
		// The rest fills no vectors in the last layers.
		return all >= few*long
	}
	return Reorders(t, b.Count) || s.Workers < 2 || all >= long
}

// besideAffine is Beside over affine domains: of coefficients in which layers compute, where a kernel has the tails of
// rows of width elements, which serves all of them. Rows change places in no kernel.
func besideAffine(t bulks.Traits, n, width int, s field.Spec) bool {
	rows := t.Passes.Tail(n, width)
	return width < len(t.Passes.Narrow) && len(rows) > 0 && n >= 1<<(len(t.Passes.Narrow[width])-1) &&
		s.Order != field.BitReversed && s.Coefficients == field.LCH
}

// splits reports whether workers in natural order take so few columns as rows, where one takes them where they stand:
// five of half words fill 5/8 of vectors in the last layers, and lines of cache go between workers besides.
func splits(bytes, count int, s field.Spec) bool {
	return bytes == 4 && count == 5 && s.Workers > 1 && s.Order == field.Natural
}

// littleLeft reports whether so few columns stand behind those that fill lines that to gather them costs less than
// their last layers, which no kernel has: butterflies one by one take many times as long as cheap ones in vectors.
func littleLeft(t bulks.Traits, count, line int) bool {
	const (
		few   = 4 // lines of columns, as in Beside
		cheap = 0.9
	)
	rest := count % line
	return t.Rows > 0 && len(t.Passes.Wide) == 0 && t.Butterfly < cheap &&
		count < few*line && rest > 0 && 4*rest <= line
}

// Reorders reports whether rows of width elements change places where they stand: in tiles of vectors where they are a
// power of two, or one by one, where to gather columns costs less than to move rows of three.
func Reorders(t bulks.Traits, width int) bool {
	const least = 5
	return width <= t.Rows && (width >= least || width > 1 && width&(width-1) == 0)
}

// Shares is in how many steps so many tasks reorder rows of so many elements: none is long, and several tasks want
// several steps each.
func Shares(elements, tasks int) int {
	const (
		least = 1 << 11
		most  = 1 << 16
	)
	shares := 1
	for elements/shares > most || tasks > 1 && shares < perTask*tasks && elements/shares > least {
		shares *= 2
	}
	return shares
}

// Run is how many rows, of so many bytes, a bit reversal of n rows reads and writes in one run: a power of two whose
// square is at most n. Runs have 1 KiB, and more rows where those are short; tiles, of as many runs as one has rows,
// fit in the first-level cache.
func Run(n, bytes int) int {
	const (
		run  = 1 << 10
		tile = 1 << 15
	)
	side := 1
	for 4*side*side <= n && (side*bytes < run || side < 4) && 4*side*side*bytes <= tile {
		side *= 2
	}
	return side
}

// TilesAtOnce is how many of count tiles, a power of two, of so many elements a step of so many tasks moves. Tiles that
// meet an earlier one have nothing to do, so that several tasks want several steps each.
func TilesAtOnce(elements, count, tasks int) int {
	const step = 1 << 13
	some := 1
	for some < count && 2*some*elements <= step && (tasks == 1 || 4*perTask*tasks*some <= count) {
		some *= 2
	}
	return some
}

// Line is how many columns a step takes at least: their elements in one row fill a line of cache, and a vector of the
// processor.
func Line(t bulks.Traits, bytes int) int {
	const least, line = 8, 64 // a tile; bytes
	if HighRadix(t) {
		return max(least, line/max(1, bytes))
	}
	return least
}

// SideBySide chooses groups for count columns of n points, of elements of so many bytes, shared by so many tasks. bench
// columns has the times.
func SideBySide(t bulks.Traits, bytes, n, count, tasks int) Groups {
	const (
		elements = 1 << 15 // of a step, with element methods and on tiles
		second   = 1 << 19 // bytes of a step of words
	)
	line := Line(t, bytes)
	s, limit, wide := Groups{Group: min(line, count)}, elements, 8*line
	if HighRadix(t) {
		s.Least = line
		if gathered(bytes, n, count, line) {
			s.Gathered = true
			return s
		}
		limit, wide = second/bytes, 4*line
	}
	for 2*s.Group*n <= limit && s.Group < wide && 2*s.Group*tasks <= count {
		s.Group *= 2
	}
	return s
}

// gathered reports whether columns of words are taken as rows, and not side by side.
func gathered(bytes, n, count, line int) bool {
	const most = 1 << 20 // bytes above which passes over columns leave the second-level cache: copies take less
	return count < line || line*n*bytes > most
}
