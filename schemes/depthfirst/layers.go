// Package depthfirst is transforms of powers of two by passes over whole layers, depth first until rows fit in cache,
// and the scheme of all transforms that are one case.
package depthfirst

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/choice"
)

// layers is the transform by passes over whole layers, with the multipliers of [engine.Domain.Heap]. Only the place of
// the root's multiplier differs between kinds of domains.
type layers struct {
	n, first int
	f        bulks.Bulk
	passes   choice.Passes
	ring     int // of bulks.Into.MulRings
	forward  bulks.Table
	inverse  bulks.Table
	same     bool        // both directions have one table
	whole    bool        // a tail is all that a vector takes
	room     engine.View // of a block whose columns are taken apart
}

// Tables holds the tables of both directions by length, for domains whose heaps are the same. The zero value is empty.
type Tables struct {
	pair map[int][2]bulks.Table
}

// of returns the tables of d, and the place of the multiplier of the root.
func (t *Tables) of(p *engine.Problem, d engine.Domain) (pair [2]bulks.Table, first int, err error) {
	if s, ok := p.F.(bulks.Spanner); ok && d.Subspace != nil {
		g, err := d.Generators()
		if err != nil {
			return pair, 0, err
		}
		pair[0], err = s.Span(g, bits.Len(uint(d.N))-1)
		return [2]bulks.Table{pair[0], pair[0]}, 1, err
	}
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
		if pair[i], err = p.Table(w); err != nil {
			return pair, first, err
		}
	}
	if shared {
		if t.pair == nil {
			t.pair = make(map[int][2]bulks.Table)
		}
		t.pair[d.N] = pair
	}
	return pair, first, nil
}

// New makes the layers of d, a power of two.
func New(p *engine.Problem, d engine.Domain, cache *Tables) (*layers, error) {
	c := &layers{n: d.N, f: p.F, passes: p.C.Passes(p.T), ring: p.T.Passes.Ring, same: d.Subspace != nil}
	c.whole = c.n > 1 && c.passes.Whole(c.n)
	pair, first, err := cache.of(p, d)
	c.forward, c.inverse, c.first = pair[0], pair[1], first
	return c, err
}

func (c *layers) Forward(w *engine.Watch, v engine.View, width int, canonical bool) {
	c.down(w, v, c.first, 1, c.n, width, canonical)
}

func (c *layers) Inverse(w *engine.Watch, v engine.View, width int, by bulks.Table, canonical bool) {
	c.up(w, v, c.first, 1, c.n, width, by, canonical)
}

// Each transforms count vectors, one after the other in v.
func (c *layers) Each(v engine.View, count int, canonical bool) {
	if c.whole {
		c.tails(v, bulks.Pass{Off: c.first, How: bulks.Same}, count, c.n, 1, canonical)
		return
	}
	for i := range count {
		c.Forward(nil, v.Slice(i*c.n, (i+1)*c.n), 1, canonical)
	}
}

// Into is Forward of src into dst, which is spared a copy where it reports true: else nothing is done.
func (c *layers) Into(dst, src engine.View, canonical bool) bool {
	t, ok := c.forward.(bulks.Into)
	if !ok || !c.whole {
		return false
	}
	p := bulks.Pass{Off: c.first, Layers: log(c.n)}
	if canonical {
		p.How = bulks.Reduced
	}
	return t.PassInto(dst, src, p)
}

// EachInverse is each for the inverse.
func (c *layers) EachInverse(v engine.View, count int, by bulks.Table, canonical bool) {
	if c.whole {
		c.tailsUp(v, bulks.Pass{Off: c.first, How: bulks.Same}, count, c.n, 1, by, canonical)
		return
	}
	for i := range count {
		c.Inverse(nil, v.Slice(i*c.n, (i+1)*c.n), 1, by, canonical)
	}
}

// finish multiplies rows by the one multiplier of by, which may be nil, and makes them canonical or not.
func (c *layers) finish(v engine.View, rows, width, stride int, by bulks.Table, canonical bool) {
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

// Columns is the first pass of the forward transform of part i, which v is, on its columns from to to. It leaves top
// parts.
func (c *layers) Columns(v engine.View, top, i, parts, from, to int) {
	v, p, r := c.columns(v, top, i, parts, from, to)
	c.forward.Pass(v, p, r)
}

// ColumnsInverse is the last pass of its inverse.
func (c *layers) ColumnsInverse(v engine.View, top, i, parts, from, to int, by bulks.Table, canonical bool) {
	v, p, r := c.columns(v, top, i, parts, from, to)
	c.join(v, p, r, by, canonical)
}

func (c *layers) columns(v engine.View, top, i, parts, from, to int) (engine.View, bulks.Pass, bulks.Rows) {
	row := v.N / top
	p := bulks.Pass{Off: c.first*parts + i, Layers: log(top)}
	return v.Slice(from, v.N-row+to), p, bulks.NewRows(1, 1, to-from, row)
}

// Part is the forward transform of part i, which v is, of rows of width elements.
func (c *layers) Part(w *engine.Watch, v engine.View, i, parts, width int, canonical bool) {
	c.down(w, v, c.first*parts+i, 1, c.n/parts, width, canonical)
}

// PartInverse is its inverse, without the factor 1/N, but for that of by, which may be nil.
func (c *layers) PartInverse(w *engine.Watch, v engine.View, i, parts, width int, by bulks.Table, canonical bool) {
	c.up(w, v, c.first*parts+i, 1, c.n/parts, width, by, canonical)
}

func (c *layers) Passes(width int) []string { return c.PassesAfter(nil, width) }

// PassesAfter is Passes where the first ones have so many rows each.
func (c *layers) PassesAfter(tops []int, width int) (list []string) {
	radices, tail := c.passes.Radices(tops, c.n, width)
	if radices != nil {
		list = append(list, "radix "+strings.Trim(strings.ReplaceAll(fmt.Sprint(radices), " ", " · "), "[]"))
	}
	if tail > 1 {
		list = append(list, fmt.Sprintf("tail of %d", tail))
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

// down runs the layers of blocks of rows, the first of which has its factor at place at. Big blocks come alone.
func (c *layers) down(w *engine.Watch, v engine.View, at, blocks, rows, width int, canonical bool) {
	layers, big := c.passes.Next(rows, width)
	if layers == 0 {
		switch size := c.passes.Tail(rows, width); {
		case size > 1:
			n := rows / size
			if c.passes.Blocks() > 0 && width > 1 {
				c.apart(v, at*n, blocks*n, size, width, func(x engine.View, p bulks.Pass) {
					c.tails(x, p, width, size, 1, canonical)
				})
				return
			}
			c.tails(v, bulks.Pass{Off: at * n}, blocks*n, size, width, canonical)
		case canonical:
			c.f.Reduce(v)
		}
		return
	}
	part := rows >> layers
	if !big {
		c.forward.Pass(v, bulks.Pass{Off: at, Layers: int32(layers)}, bulks.NewRows(blocks, part, width, width))
		c.down(w, v, at<<layers, blocks<<layers, part, width, canonical)
		return
	}
	c.each(w, v, at, layers, part, width, func(v engine.View, p bulks.Pass, r bulks.Rows) { c.forward.Pass(v, p, r) })
	for i := 0; i < 1<<layers && !w.Stopped(); i++ {
		c.down(w, v.Slice(i*part*width, (i+1)*part*width), at<<layers+i, 1, part, width, canonical)
	}
}

// each calls do for the pass of the block v, whose factor is at place at, or where that takes long for some of its
// columns at a time, until w stops it.
func (c *layers) each(w *engine.Watch, v engine.View, at, layers, part, width int,
	do func(v engine.View, p bulks.Pass, r bulks.Rows)) {
	p, row := bulks.Pass{Off: at, Layers: int32(layers)}, part*width
	step := c.passes.Look(1<<layers, row)
	if step == row {
		do(v, p, bulks.NewRows(1, part, width, width))
		return
	}
	for i := 0; i < row && !w.Stopped(); i += step {
		n := min(step, row-i)
		do(v.Slice(i, v.N-row+i+n), p, bulks.NewRows(1, 1, n, row))
	}
}

// apart calls do for the columns of each of count blocks of size rows, as vectors one behind the other, and for the
// place of the block, where all of them stand.
func (c *layers) apart(v engine.View, at, count, size, width int, do func(x engine.View, p bulks.Pass)) {
	n := size * width
	x := c.room.Slice(0, n)
	in := bulks.Copy{Rows: width, Width: size, Dst: size, Src: width, Transpose: true}
	out := bulks.Copy{Rows: size, Width: width, Dst: width, Src: size, Transpose: true}
	for i := range count {
		block := v.Slice(i*n, (i+1)*n)
		c.f.Copy(x, block, in)
		do(x, bulks.Pass{Off: at + i, How: bulks.Same})
		c.f.Copy(block, x, out)
	}
}

// tails does every layer inside count blocks of size rows of width elements.
func (c *layers) tails(v engine.View, p bulks.Pass, count, size, width int, canonical bool) {
	if p.Layers = log(size); canonical {
		p.How |= bulks.Reduced
	}
	c.forward.Pass(v, p, bulks.NewRows(count, 1, width, width))
}

// tailsUp is its transpose, and what finish does.
func (c *layers) tailsUp(v engine.View, p bulks.Pass, count, size, width int, by bulks.Table, canonical bool) {
	p.Layers = log(size)
	c.join(v, p, bulks.NewRows(count, 1, width, width), by, canonical)
}

// log is the layers of a size.
func log(size int) int32 { return int32(bits.Len(uint(size)) - 1) }

// up is the transpose of down, then the product by the one multiplier of by, which may be nil.
func (c *layers) up(w *engine.Watch, v engine.View, at, blocks, rows, width int, by bulks.Table, canonical bool) {
	layers, big := c.passes.Next(rows, width)
	if layers == 0 {
		if size := c.passes.Tail(rows, width); size > 1 {
			n := rows / size
			if c.passes.Blocks() > 0 && width > 1 {
				c.apart(v, at*n, blocks*n, size, width, func(x engine.View, p bulks.Pass) {
					c.tailsUp(x, p, width, size, 1, by, canonical)
				})
				return
			}
			c.tailsUp(v, bulks.Pass{Off: at * n}, blocks*n, size, width, by, canonical)
		} else {
			c.finish(v, 1, blocks*rows*width, 0, by, canonical)
		}
		return
	}
	part := rows >> layers
	if !big {
		c.up(w, v, at<<layers, blocks<<layers, part, width, nil, false)
		c.join(v, bulks.Pass{Off: at, Layers: int32(layers)}, bulks.NewRows(blocks, part, width, width), by, canonical)
		return
	}
	for i := 0; i < 1<<layers && !w.Stopped(); i++ {
		c.up(w, v.Slice(i*part*width, (i+1)*part*width), at<<layers+i, 1, part, width, nil, false)
	}
	c.each(w, v, at, layers, part, width, func(v engine.View, p bulks.Pass, r bulks.Rows) {
		c.join(v, p, r, by, canonical)
	})
}

// join is the transpose of a pass, and what finish does.
func (c *layers) join(v engine.View, p bulks.Pass, r bulks.Rows, by bulks.Table, canonical bool) {
	p.How |= bulks.Transposed
	if by != nil && c.passes.By {
		p.By = by
		c.inverse.Pass(v, p, r)
		return
	}
	c.inverse.Pass(v, p, r)
	rows, width := r.Blocks*r.Half<<p.Layers, r.Width
	if r.Width == r.Stride { // they touch
		rows, width = 1, rows*width
	}
	c.finish(v, rows, width, r.Stride, by, canonical)
}
