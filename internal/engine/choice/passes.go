package choice

import (
	"math/bits"

	"github.com/galfft/fft/field/bulks"
)

// Passes says how transforms of powers of two go by passes over layers. Lengths are numbers of rows, rows have width
// elements.
type Passes struct {
	By     bool // passes can end with a product
	most   int  // layers of a pass
	cache  int  // elements
	passes bulks.Passes
	asked  bool // for a radix, which long tails choose by themselves
	// butterfly is about how many ns one takes.
	butterfly float64
	apart     int // rows of a block whose columns are taken apart; 0: none are
	// ends has, for rows of an element, and for narrow rows by their width, the size of the tail of 2^k rows, and the
	// last one of longer ones; none: there is none. wide has those of wide rows.
	ends [][]int
	wide []int
}

// Passes chooses by the passes that tables have.
func (c *Choice) Passes(t bulks.Traits) Passes {
	p := t.Passes
	l := Passes{By: p.By, most: max(1, p.Layers), cache: c.Cache, passes: p, butterfly: t.Butterfly}
	if l.most > 1 && c.Radix > 0 {
		l.most, l.asked = min(l.most, log(c.Radix)), true
	}
	l.ends = make([][]int, max(2, len(p.Narrow)))
	for width := 1; width < len(l.ends); width++ {
		tails := p.Tails
		if width > 1 {
			tails = p.Narrow[width]
		}
		l.ends[width] = l.sizes(tails)
	}
	l.wide = l.sizes(p.Wide)
	return l
}

// sizes are those of tails.
func (p *Passes) sizes(tails [][]int) []int {
	sizes := make([]int, len(tails))
	for k, list := range tails {
		sizes[k] = 1
		for _, layers := range p.taken(list) {
			sizes[k] <<= layers
		}
	}
	return sizes
}

// log is the logarithm of a power of two, or of the one below n.
func log(n int) int { return bits.Len(uint(n)) - 1 }

// tail lists the layers of the passes of the tail that other passes leave of rows.
func (p *Passes) tail(rows, width int) []int {
	return p.taken(p.passes.Tail(rows, width))
}

// taken is what is taken of the passes of a tail.
func (p *Passes) taken(list []int) []int {
	if p.asked && len(list) > 0 {
		return list[len(list)-1:]
	}
	return list
}

// Apart is p for rows of width elements, which fill no vector in the last layers: blocks of rows end column by column,
// by tails, in a copy. Both fit in the second-level cache: with blocks of a quarter of that, passes before them cost
// more than they save (bench columns). It returns p where no tail does so many rows.
func (p Passes) Apart(rows, width int) Passes {
	for rows > 1 && (rows*width > 4*p.cache || !p.Whole(rows)) {
		rows /= 2
	}
	if rows > 1 && rows*width >= leastApart {
		p.apart = rows
	}
	return p
}

// leastApart is the elements of a block whose columns are taken apart, at least: the passes before fill vectors.
const leastApart = 1 << 4

// Blocks is the rows whose columns are taken apart; 0: none are.
func (p *Passes) Blocks() int { return p.apart }

// Tail is the size of its blocks; 1: there is none.
func (p *Passes) Tail(rows, width int) int {
	if width > 1 && p.apart > 0 {
		return min(rows, p.apart)
	}
	var ends []int
	switch {
	case width < len(p.ends):
		ends = p.ends[width]
	case p.passes.IsWide(width):
		ends = p.wide
	}
	if len(ends) == 0 {
		return 1
	}
	return ends[min(bits.Len(uint(rows)), len(ends))-1]
}

// Whole reports whether a tail is all that a transform of n elements takes.
func (p *Passes) Whole(n int) bool { return p.Tail(n, 1) == n }

// Narrow reports whether transforms of so many rows of width elements end by tails of narrow rows.
func (p *Passes) Narrow(rows, width int) bool {
	return width > 1 && p.apart == 0 && p.Tail(rows, width) > 1
}

// Next chooses for blocks of rows: the layers of the first pass, 0 where only a tail is left, and whether its parts are
// taken one by one, so that each comes to fit in cache.
func (p *Passes) Next(rows, width int) (layers int, big bool) {
	left := bits.Len(uint(rows)) - bits.Len(uint(p.Tail(rows, width)))
	if left == 0 {
		return 0, false
	}
	n := rows * width
	return p.next(left, n), p.excess(n) > 0
}

// excess is how many times, as a power of two, so many elements are as large as the cache, at least.
func (p *Passes) excess(n int) int { return bits.Len(uint((n - 1) / p.cache)) }

// next returns the number of layers that the next pass takes of those left, on blocks of n elements. In cache the
// passes share the layers evenly. Above it the rows of a pass are a power of two apart and fall on one set of the
// cache, so that the highest radix does not pay (BenchmarkSchemes), unless it brings the blocks into cache at once, or
// has so few rows as passes of rising costs. Two passes of two layers on blocks that no second-level cache has go by
// strips.
func (p *Passes) next(left, n int) int {
	const far = 4 // times as many elements as that has; what is less comes there by one pass of two layers
	excess := p.excess(n)
	switch {
	case p.passes.Far > 0 && !p.asked && left >= p.passes.Far && n > far*p.passes.Second:
		return p.passes.Far
	case excess == 0:
		return p.share(left)
	case excess == p.most || p.passes.Rising:
		return min(left, p.most)
	}
	return min(left, p.most, max(2, p.most-1))
}

// share returns the layers of the next pass where those left are shared evenly.
func (p *Passes) share(left int) int {
	passes := (left + p.most - 1) / p.most
	if p.passes.Rising {
		return (left + passes - 1) / passes
	}
	return left / passes
}

// Share is the layers of the first pass over so many rows that fit in cache and end without a tail.
func (p *Passes) Share(rows int) int { return p.share(log(rows)) }

// Top returns the number of parts into which a first pass by columns of one element splits rows of width elements that
// do not fit in cache; 1: they do, or are one. The parts are transforms of their own.
func (p *Passes) Top(rows, width int) int {
	if rows*width <= p.cache {
		return 1
	}
	short := 1 // a long tail has nothing to share
	if list := p.passes.Tail(rows, width); len(list) > 0 {
		short = 1 << list[len(list)-1]
	}
	if p.apart > 0 && width > 1 {
		short = p.apart
	}
	return 1 << p.next(log(rows)-log(short), rows*width)
}

// Radices lists the radices of all passes of n rows, the first ones as given, and the size of the tail at the end; 1:
// there is none.
func (p *Passes) Radices(first []int, n, width int) (radices []int, tail int) {
	radices = append(radices, first...)
	for _, r := range first {
		n /= r
	}
	for {
		layers, _ := p.Next(n, width)
		if layers == 0 {
			break
		}
		radices = append(radices, 1<<layers)
		n >>= layers
	}
	tail = 1
	for i, layers := range p.tail(n, width) {
		if i > 0 {
			radices = append(radices, tail)
		}
		tail = 1 << layers
	}
	return radices, tail
}

// leaf is the rows of factors that are not split on their way to the product. Parts of both and their multipliers then
// fit in a second-level cache of 1 MB. With 2^13, 2^14 or 2^16 rows products of 2^18 coefficients took 1.01 to 1.06 of
// the time.
const leaf = 1 << 15

// Product chooses the layers of the pass that splits both factors of a product of so many rows; 0: they are transformed
// as they are.
func (p *Passes) Product(rows int) int {
	if rows <= leaf {
		return 0
	}
	return p.share(log(rows / leaf))
}

// Copied returns the most layers of the transform of a polynomial of n rows that are copies where the second rows of
// all butterflies are 0.
func (p *Passes) Copied(n int) int {
	const least = 1 << 6 // rows of a tail that copies of layers do not make shorter
	layers, _ := p.Next(n, 1)
	if layers == 0 && n <= p.cache { // a tail takes its blocks, if they are not too short
		layers = log(n) - log(least)
	}
	return layers
}

// Heads returns the rows of the shortest head of transforms of n rows of width elements: a tail does whole blocks.
func (p *Passes) Heads(n, width int) int {
	const least = 1 << 6 // fewer layers are not worth a copy
	return min(n, max(least, p.Tail(n, width)))
}

// Together returns how many blocks of so many elements go through passes together, as they fit in cache: a power of
// two up to most.
func (p *Passes) Together(elements, most int) int {
	n := 1
	for 2*n <= most && 2*n*elements <= p.cache {
		n *= 2
	}
	return n
}

// Level is a pass by columns over so many parts.
type Level struct {
	Parts, Part int // how many, and elements of one
	Top, Row    int // parts that it leaves of one, and their elements
	Width       int // columns of a step, but for the last one, which may have less
}

// Steps is how many there are.
func (l *Level) Steps() int { return l.Parts * l.Each() }

// Each is how many a part has.
func (l *Level) Each() int { return (l.Row + l.Width - 1) / l.Width }

// Cut is the steps of a transform of vectors: Levels by columns, the first one over the whole, then the Parts that they
// leave, one step each. Without levels it is one step. A bit reversal goes in Shares.
type Cut struct {
	Levels        []Level
	Parts, Shares int
}

// Cut cuts a transform of rows of width elements for so many tasks, and to stop between steps: the first pass by
// columns of one element, where the transform does not fit in cache, then each part. Where that are not parts enough,
// the first passes of all parts go by columns as well.
func (p *Passes) Cut(rows, width, tasks int) Cut { return p.CutParts(1, rows, width, tasks) }

// CutParts is Cut where so many parts have been cut before, which the workers share.
func (p *Passes) CutParts(parts, rows, width, tasks int) Cut {
	const (
		least  = 64      // columns, for long runs of memory
		fewest = 16      // columns, of which two tasks do not share a line of cache
		strip  = 1 << 15 // elements of all rows of a step at most, which stay in cache between what it does to them
		shared = 1 << 13 // elements that workers share the passes of
		tiles  = 1 << 11 // elements that a share of a bit reversal moves at least
		step   = 1 << 16 // elements that one worker takes in one step where a tail is all
	)
	c, n, want := Cut{Parts: parts, Shares: 1}, rows*width, perTask*tasks
	if tasks > 1 && p.cache > shared { // workers want parts more than long blocks
		q := *p
		q.cache = max(shared, min(p.cache, n/want))
		p = &q
	}
	if tasks < 2 {
		want = 1
		if parts == 1 && n <= step && p.Tail(rows, width) == rows && p.apart == 0 {
			return c
		}
	}
	for top := p.Top(rows/parts, width); top > 1 && (c.Parts == 1 || c.Parts < want); top = p.Top(rows/c.Parts, width) {
		v := Level{Parts: c.Parts, Part: n / c.Parts, Top: top, Row: n / c.Parts / top}
		v.Width = p.Look(top, min(v.Row, 1<<log(max(least, min(2*p.cache, strip)/top))))
		for v.Width > fewest && v.Steps() < want {
			v.Width /= 2
		}
		c.Levels, c.Parts = append(c.Levels, v), c.Parts*top
	}
	c.Shares = c.Parts
	for c.Shares < want && n/c.Shares > tiles {
		c.Shares *= 2
	}
	return c
}
