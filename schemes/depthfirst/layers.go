// Package depthfirst is transforms of powers of two by passes over whole layers, depth first until rows fit in cache,
// and the scheme of all transforms that are one case.
package depthfirst

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/engine"
)

// layers is the transform by passes over whole layers, with the multipliers of [engine.Domain.Heap]. Only the place of
// the root's multiplier differs between kinds of domains.
type layers struct {
	n, first int
	f        field.Bulk
	cache    int
	forward  passes
	inverse  passes
	same     bool // both directions have one table
}

// passes is a table with what it offers.
type passes struct {
	field.Table
	high      field.HighRadix // nil: none
	maxLayers int             // of a pass
	final     field.Final     // nil: none
	tail      field.Tail      // nil: none
	finalTail field.FinalTail // nil: none
	long      field.LongTail  // nil: the tail has no passes
	asked     bool            // for a radix, which long tails choose by themselves
}

func newPasses(of *engine.Problem, w engine.View) (p passes, err error) {
	p.maxLayers = 1
	if p.Table, err = of.Table(w); err != nil {
		return p, err
	}
	if p.high, _ = p.Table.(field.HighRadix); p.high != nil {
		p.maxLayers = p.high.MaxLayers()
		if r := of.C.Radix; r > 0 {
			p.maxLayers, p.asked = min(p.maxLayers, bits.Len(uint(r))-1), true
		}
	}
	p.final, _ = p.Table.(field.Final)
	p.tail, _ = p.Table.(field.Tail)
	p.finalTail, _ = p.Table.(field.FinalTail)
	p.long, _ = p.Table.(field.LongTail)
	return p, nil
}

// Tables holds the tables of both directions by length, for domains whose heaps are the same. The zero value is empty.
type Tables struct {
	pair map[int][2]passes
}

// of returns the tables of d, and the place of the multiplier of the root.
func (t *Tables) of(p *engine.Problem, d engine.Domain) (pair [2]passes, first int, err error) {
	n, shared := float64(d.N), d.Shared()
	if pair, ok := t.pair[d.N]; ok && shared {
		return pair, 0, nil
	}
	multipliers, elements := n, n // of both directions
	if !shared {
		multipliers, elements = 2*n, 4*n
	}
	if err := p.Take(multipliers, elements); err != nil {
		return pair, 0, err
	}
	for i := range pair {
		if i == 1 && d.Subspace != nil {
			pair[1] = pair[0]
			break
		}
		var w engine.View
		if w, first, err = d.Heap(p, i == 1); err != nil {
			return pair, first, err
		}
		if pair[i], err = newPasses(p, w); err != nil {
			return pair, first, err
		}
	}
	if shared {
		if t.pair == nil {
			t.pair = make(map[int][2]passes)
		}
		t.pair[d.N] = pair
	}
	return pair, first, nil
}

// New makes the layers of d, a power of two.
func New(p *engine.Problem, d engine.Domain, cache *Tables) (*layers, error) {
	c := &layers{n: d.N, cache: p.C.Cache, f: p.F, same: d.Subspace != nil}
	pair, first, err := cache.of(p, d)
	c.forward, c.inverse, c.first = pair[0], pair[1], first
	return c, err
}

func (c *layers) Forward(w *engine.Watch, v engine.View, width int, canonical bool) {
	c.down(w, v, c.first, 1, c.n, width, canonical)
}

func (c *layers) Inverse(w *engine.Watch, v engine.View, width int, by field.Table, canonical bool) {
	c.up(w, v, c.first, 1, c.n, width, by, canonical)
}

// Each transforms count vectors, one after the other in v.
func (c *layers) Each(v engine.View, count int, canonical bool) {
	p := &c.forward
	if p.end(c.n, 1) == c.n && c.n > 1 {
		p.tail.Tail(v, field.Blocks{Off: c.first, Size: c.n, Count: count, Same: true}, canonical)
		return
	}
	for i := range count {
		c.Forward(nil, v.Slice(i*c.n, (i+1)*c.n), 1, canonical)
	}
}

// EachInverse is each for the inverse.
func (c *layers) EachInverse(v engine.View, count int, by field.Table, canonical bool) {
	p := &c.inverse
	if p.end(c.n, 1) == c.n && c.n > 1 {
		c.upTail(v, field.Blocks{Off: c.first, Size: c.n, Count: count, Same: true}, by, canonical)
		return
	}
	for i := range count {
		c.Inverse(nil, v.Slice(i*c.n, (i+1)*c.n), 1, by, canonical)
	}
}

// finish multiplies rows by the one multiplier of by, which may be nil, and makes them canonical or not.
func (c *layers) finish(v engine.View, rows, width, stride int, by field.Table, canonical bool) {
	if by == nil && !canonical {
		return
	}
	for i := range rows {
		row := v.Slice(i*stride, i*stride+width)
		if by != nil {
			by.Scale(row, 0, 1, width, width)
		}
		if canonical {
			c.f.Reduce(row)
		}
	}
}

// Whole reports whether a tail is all that the transform of a vector takes.
func (c *layers) Whole() bool { return c.forward.end(c.n, 1) == c.n }

// Top returns the number of parts into which the first pass over elements splits one of so many parts of the
// transform, where that does not fit in cache; 1: it does. The pass goes by columns of one element in each part, and
// the parts are transforms of their own.
func (c *layers) Top(parts int) int {
	rows := c.n / parts
	if rows <= c.cache {
		return 1
	}
	left := bits.Len(uint(rows)) - bits.Len(uint(c.forward.shortEnd(rows))) // a long tail has nothing to share
	return 1 << c.forward.next(left, c.excess(rows))
}

// Columns is the first pass of the forward transform of part i, which v is, on its columns from to to.
func (c *layers) Columns(v engine.View, i, parts, from, to int) {
	v, l, layers := c.columns(v, i, parts, from, to)
	c.forward.pass(v, l, layers)
}

// ColumnsInverse is the last pass of its inverse.
func (c *layers) ColumnsInverse(v engine.View, i, parts, from, to int, by field.Table, canonical bool) {
	v, l, layers := c.columns(v, i, parts, from, to)
	c.join(v, l, layers, by, canonical)
}

func (c *layers) columns(v engine.View, i, parts, from, to int) (engine.View, field.Layer, int) {
	top := c.Top(parts)
	row := v.N / top
	return v.Slice(from, v.N-row+to), field.NewLayer(c.first*parts+i, 1, 1, to-from, row), bits.Len(uint(top)) - 1
}

// Part is the forward transform of part i, which v is.
func (c *layers) Part(w *engine.Watch, v engine.View, i, parts int, canonical bool) {
	c.down(w, v, c.first*parts+i, 1, c.n/parts, 1, canonical)
}

// PartInverse is its inverse, without the factor 1/N.
func (c *layers) PartInverse(w *engine.Watch, v engine.View, i, parts int) {
	c.up(w, v, c.first*parts+i, 1, c.n/parts, 1, nil, false)
}

func (c *layers) Passes(width int) []string { return c.PassesAfter(nil, width) }

// PassesAfter is Passes where the first ones leave so many parts each, as Top says.
func (c *layers) PassesAfter(tops []int, width int) []string {
	var list, radices []string
	rows := c.n
	for {
		radix := 0
		if n := len(radices); n < len(tops) {
			radix = tops[n]
		} else if layers, _ := c.plan(&c.forward, rows, width); layers > 0 {
			radix = 1 << layers
		} else {
			break
		}
		radices = append(radices, fmt.Sprint(radix))
		rows /= radix
	}
	size := c.forward.end(rows, width)
	for layers := c.forward.tailLayers(size); layers > 0; layers = c.forward.tailLayers(size) {
		radices = append(radices, fmt.Sprint(1<<layers))
		size >>= layers
	}
	if radices != nil {
		list = append(list, "radix "+strings.Join(radices, " · "))
	}
	if size > 1 {
		list = append(list, fmt.Sprintf("tail of %d", size))
	}
	return list
}

func (c *layers) Sizes() []int { return []int{c.n} }

func (c *layers) Bytes() int {
	if c.same {
		return c.forward.Bytes()
	}
	return c.forward.Bytes() + c.inverse.Bytes()
}

func (c *layers) Scratch(int) int { return 0 }

// longest is how many elements a tail has at most, after which a context may stop the transform.
const longest = 1 << 16

// end is the size of the blocks that layers leave to the tail.
func (p *passes) end(rows, width int) int {
	if width > 1 || p.tail == nil {
		return 1
	}
	if p.asked {
		return p.shortEnd(rows)
	}
	return p.tail.TailSize(min(rows, longest))
}

// shortEnd is end for rows of one element without long tails.
func (p *passes) shortEnd(rows int) int {
	if p.tail == nil {
		return 1
	}
	size := p.tail.TailSize(rows)
	for layers := p.tailLayers(size); layers > 0; layers = p.tailLayers(size) {
		size >>= layers
	}
	return size
}

// tailLayers returns the layers of the first pass of a tail, 0 where it has none.
func (p *passes) tailLayers(size int) int {
	if p.long == nil || size <= 1 {
		return 0
	}
	return p.long.TailLayers(size)
}

// next returns the number of layers that the next pass takes of those left, on blocks that are 2^excess times as large
// as the cache, or fit in it. In cache the passes share the layers evenly. Above it the rows of a pass are a power of
// two apart and fall on one set of the cache, so that the highest radix does not pay (BenchmarkSchemes), unless it
// brings the blocks into cache at once.
func (p *passes) next(left, excess int) int {
	switch {
	case excess == 0:
		return p.share(left)
	case excess == p.maxLayers:
		return min(left, p.maxLayers)
	}
	return min(left, p.maxLayers, max(2, p.maxLayers-1))
}

// share returns the layers of the next pass where those left are shared evenly.
func (p *passes) share(left int) int { return left / ((left + p.maxLayers - 1) / p.maxLayers) }

// plan returns, for a subtree of rows, the layers of the first pass, 0 where only a tail is left, and whether its parts
// are to be taken one by one, so that each comes to fit in cache.
func (c *layers) plan(p *passes, rows, width int) (layers int, big bool) {
	left := bits.Len(uint(rows)) - bits.Len(uint(p.end(rows, width)))
	if left == 0 {
		return 0, false
	}
	excess := c.excess(rows * width)
	return p.next(left, excess), excess > 0
}

// excess is how many times, as a power of two, so many elements are as large as the cache, at least.
func (c *layers) excess(n int) int { return bits.Len(uint((n - 1) / c.cache)) }

// down runs the layers of blocks of rows, the first of which has its factor at place at. Big blocks come alone.
func (c *layers) down(w *engine.Watch, v engine.View, at, blocks, rows, width int, canonical bool) {
	p := &c.forward
	layers, big := c.plan(p, rows, width)
	if layers == 0 {
		switch size := p.end(rows, width); {
		case size > 1:
			n := rows / size
			p.tail.Tail(v, field.Blocks{Off: at * n, Size: size, Count: blocks * n}, canonical)
		case canonical:
			c.f.Reduce(v)
		}
		return
	}
	part := rows >> layers
	l := field.NewLayer(at, blocks, part, width, width)
	p.pass(v, l, layers)
	if !big {
		c.down(w, v, at<<layers, blocks<<layers, part, width, canonical)
		return
	}
	for i := 0; i < 1<<layers && !w.Stopped(); i++ {
		c.down(w, v.Slice(i*part*width, (i+1)*part*width), at<<layers+i, 1, part, width, canonical)
	}
}

func (p *passes) pass(v engine.View, l field.Layer, layers int) {
	if layers == 1 {
		p.Radix2(v, l)
	} else {
		p.high.Layers(v, l, layers)
	}
}

// up is the transpose of down, then the product by the one multiplier of by, which may be nil.
func (c *layers) up(w *engine.Watch, v engine.View, at, blocks, rows, width int, by field.Table, canonical bool) {
	p := &c.inverse
	layers, big := c.plan(p, rows, width)
	if layers == 0 {
		if size := p.end(rows, width); size > 1 {
			n := rows / size
			c.upTail(v, field.Blocks{Off: at * n, Size: size, Count: blocks * n}, by, canonical)
		} else {
			c.finish(v, 1, blocks*rows*width, 0, by, canonical)
		}
		return
	}
	part := rows >> layers
	if big {
		for i := 0; i < 1<<layers && !w.Stopped(); i++ {
			c.up(w, v.Slice(i*part*width, (i+1)*part*width), at<<layers+i, 1, part, width, nil, false)
		}
	} else {
		c.up(w, v, at<<layers, blocks<<layers, part, width, nil, false)
	}
	c.join(v, field.NewLayer(at, blocks, part, width, width), layers, by, canonical)
}

// upTail is the tails of the inverse, and what finish does.
func (c *layers) upTail(v engine.View, b field.Blocks, by field.Table, canonical bool) {
	p := &c.inverse
	if by != nil && p.finalTail != nil {
		p.finalTail.FinalTail(v, b, by)
		return
	}
	p.tail.TailT(v, b)
	c.finish(v, 1, b.Count*b.Size, 0, by, canonical)
}

// join is a pass of the inverse, and what finish does.
func (c *layers) join(v engine.View, l field.Layer, layers int, by field.Table, canonical bool) {
	p := &c.inverse
	switch {
	case by != nil && p.final != nil:
		p.final.Final(v, l, layers, by)
		return
	case layers == 1:
		p.Radix2T(v, l)
	default:
		p.high.LayersT(v, l, layers)
	}
	c.finish(v, l.Blocks*l.Half<<layers, l.Width, l.Stride, by, canonical)
}
