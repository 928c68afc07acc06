package mixedradix

import (
	"slices"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/cases"
)

// oddFirst is decimation in frequency by the odd prime factors of N, the largest first, until there are blocks of a
// power of two. These stand one after the other, in order of the digits of N's odd part m, and their values in
// bit-reversed order; they are sorted into natural order at the end, by one transpose of the m × 2^k matrix. Twiddle
// factors of the last level are in the multipliers of the blocks, which are transforms over cosets, so that no pass
// multiplies by them.
type oddFirst struct {
	n      int
	levels []inPlace
	inner  []cases.Case // of 2^k points, for the rows of the last level, or one for all
	order  []int32      // of the values of inner
	blocks []int        // where the block stands that has the values i, i + m, i + 2m, …
	places []int        // its inverse
	f      bulks.Bulk
	sorts  bool // the transpose sorts the values of blocks of single elements as well
	// for each running call
	scratch *cases.Scratch
}

// line is the bytes of rows that a transpose takes as fast in any order.
const line = 64

func newOddFirst(b *cases.Build, d engine.Domain) (cases.Case, error) {
	c := &oddFirst{n: d.N, blocks: []int{0}, f: b.F, scratch: b.Scratch}
	for d.N&(d.N-1) != 0 {
		p, err := newLevel(b, d)
		if err != nil {
			return nil, err
		}
		c.levels = append(c.levels, p)
		d = p.Split.Inner
	}
	for _, p := range slices.Backward(c.levels) { // digit i of this level comes before those that are there
		var list []int
		for _, at := range c.blocks {
			for i := range p.N1 {
				list = append(list, i*len(c.blocks)+at)
			}
		}
		c.blocks = list
	}
	c.places = make([]int, len(c.blocks))
	for i, at := range c.blocks {
		c.places[at] = i
	}
	c.order = engine.CaseOrder(d.N)
	c.sorts = b.F.Traits().InPlace && b.F.Bytes(len(c.blocks)) >= line
	last := &c.levels[len(c.levels)-1]
	if !last.cosets(b) {
		inner, err := b.New(d)
		c.inner = []cases.Case{inner}
		return c, err
	}
	for i := range last.N1 {
		inner, err := b.New(last.Split.Coset(i))
		if err != nil {
			return nil, err
		}
		c.inner = append(c.inner, inner)
	}
	return c, nil
}

// of is the case of block at.
func (c *oddFirst) of(at int) cases.Case { return c.inner[at%len(c.inner)] }

// Forward sorts by way of scratch. Blocks of single elements go there while they are in cache.
func (c *oddFirst) Forward(w *engine.Watch, v engine.View, width int, canonical bool) {
	s := c.scratch.Get(w, c.n*width)
	if s == nil {
		return
	}
	x := s.V.Slice(0, c.n*width)
	m, two := c.shape()
	c.forward(w, v, x, 0, width, canonical, c.levels)
	if width == 1 {
		c.f.Copy(v, x, bulks.Copy{Rows: two, Width: m, Dst: m, Src: two, Transpose: true, RowPerm: c.sorted()})
	} else {
		for i, at := range c.blocks {
			c.f.Copy(x.Slice(i*width, x.N), v.Slice(at*two*width, (at+1)*two*width),
				bulks.Copy{Rows: two, Width: width, Dst: m * width, Src: width, RowPerm: c.order})
		}
		c.f.Copy(v, x, bulks.Copy{Rows: 1, Width: x.N})
	}
	c.scratch.Put(s)
}

// sorted is the order of values for the transpose, or nil.
func (c *oddFirst) sorted() []int32 {
	if c.sorts {
		return c.order
	}
	return nil
}

// reorder sorts a block of single elements, where the transpose does not.
func (c *oddFirst) reorder(v engine.View) {
	if !c.sorts {
		c.f.Reorder(v, 1, 0, 1)
	}
}

// into is a case that may leave its operand as it is.
type into interface {
	Into(dst, src engine.View, canonical bool) bool
}

// forward does the levels from some on, in block v of those before, which is block at. Blocks of single elements go to
// their places in x, in natural order.
func (c *oddFirst) forward(w *engine.Watch, v, x engine.View, at, width int, canonical bool, levels []inPlace) {
	if len(levels) == 0 {
		inner := c.of(at)
		if width > 1 {
			inner.Forward(w, v, width, canonical)
			return
		}
		to := c.place(x, at)
		if i, ok := inner.(into); ok && i.Into(to, v, canonical) {
			c.reorder(to)
			return
		}
		inner.Forward(w, v, width, canonical)
		c.reorder(v)
		c.f.Copy(to, v, bulks.Copy{Rows: 1, Width: v.N})
		return
	}
	p := &levels[0]
	p.Outer.Forward(w, v, p.N2*width, false)
	for i := 0; i < p.N1 && !w.Stopped(); i++ {
		block := v.Slice(i*p.N2*width, (i+1)*p.N2*width)
		p.multiplyRow(p.twiddles, block, i, width)
		c.forward(w, block, x, at*p.N1+i, width, canonical, levels[1:])
	}
}

// place is where block at goes for sorting.
func (c *oddFirst) place(x engine.View, at int) engine.View {
	_, two := c.shape()
	return x.Slice(c.places[at]*two, (c.places[at]+1)*two)
}

func (c *oddFirst) Inverse(w *engine.Watch, v engine.View, width int, by bulks.Table, canonical bool) {
	s := c.scratch.Get(w, c.n*width)
	if s == nil {
		return
	}
	x := s.V.Slice(0, c.n*width)
	m, two := c.shape()
	if width == 1 {
		c.f.Copy(x, v, bulks.Copy{Rows: m, Width: two, Dst: two, Src: m, Transpose: true, ColPerm: c.sorted()})
	} else {
		c.f.Copy(x, v, bulks.Copy{Rows: 1, Width: x.N})
		for i, at := range c.blocks {
			c.f.Copy(v.Slice(at*two*width, (at+1)*two*width), x.Slice(i*width, x.N),
				bulks.Copy{Rows: two, Width: width, Dst: width, Src: m * width, RowPerm: c.order})
		}
	}
	c.inverse(w, v, x, 0, width, by, canonical, c.levels)
	c.scratch.Put(s)
}

func (c *oddFirst) inverse(w *engine.Watch, v, x engine.View, at, width int, by bulks.Table, canonical bool,
	levels []inPlace) {
	if len(levels) == 0 {
		if width == 1 {
			c.f.Copy(v, c.place(x, at), bulks.Copy{Rows: 1, Width: v.N})
			c.reorder(v)
		}
		c.of(at).Inverse(w, v, width, by, canonical)
		return
	}
	p := &levels[0]
	for i := 0; i < p.N1 && !w.Stopped(); i++ {
		block := v.Slice(i*p.N2*width, (i+1)*p.N2*width)
		c.inverse(w, block, x, at*p.N1+i, width, nil, false, levels[1:])
		p.multiplyRow(p.inverseTwiddles, block, i, width)
	}
	p.Outer.Inverse(w, v, p.N2*width, by, canonical)
}

// shape is the number of blocks and their length.
func (c *oddFirst) shape() (m, two int) { return len(c.blocks), c.n / len(c.blocks) }

func (c *oddFirst) Passes(width int) (list []string) {
	for _, p := range c.levels {
		if list = append(list, p.Outer.Passes(p.N2*width)...); p.twiddles != nil {
			list = append(list, "twiddles")
		}
	}
	return append(append(list, c.inner[0].Passes(width)...), "transpose, in natural order")
}

func (c *oddFirst) Sizes() (list []int) {
	for _, p := range c.levels {
		list = append(list, p.Outer.Sizes()...)
	}
	return append(list, c.inner[0].Sizes()...)
}

func (c *oddFirst) Bytes() int {
	bytes := 4*len(c.order) + 16*len(c.blocks)
	for _, inner := range c.inner {
		bytes += inner.Bytes()
	}
	for _, p := range c.levels {
		bytes += p.Outer.Bytes() + p.factors()
	}
	return bytes
}

// Scratch is its own, held while the parts run one at a time.
func (c *oddFirst) Scratch(width int) int {
	most := c.inner[0].Scratch(width)
	for _, p := range c.levels {
		most = max(most, p.Outer.Scratch(p.N2*width))
	}
	return c.f.Bytes(c.n*width) + most
}
