package mixedradix

import (
	"slices"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/cases"
)

// oddFirst is decimation in frequency by the odd prime factors of N, the largest first, until there are blocks of a
// power of two. These stand one after the other, in order of the digits of N's odd part m, and their values in
// bit-reversed order; they are sorted into natural order at the end, by one transpose of the m × 2^k matrix.
type oddFirst struct {
	n      int
	levels []inPlace
	inner  cases.Case // of 2^k points
	order  []int32    // of the values of inner
	blocks []int      // where the block stands that has the values i, i + m, i + 2m, …
	f      bulks.Bulk
	// for each running call
	scratch *cases.Scratch
}

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
	c.order = engine.CaseOrder(d.N)
	var err error
	c.inner, err = b.New(d)
	return c, err
}

// Forward sorts by way of scratch.
func (c *oddFirst) Forward(w *engine.Watch, v engine.View, width int, canonical bool) {
	c.forward(w, v, width, canonical, c.levels)
	s := c.scratch.Get(w, c.n*width)
	if s == nil {
		return
	}
	x := s.V.Slice(0, c.n*width)
	m, two := c.shape()
	if width == 1 {
		c.reorder(v)
		for i, at := range c.blocks {
			c.f.Copy(x.Slice(i*two, (i+1)*two), v.Slice(at*two, (at+1)*two), bulks.Copy{Rows: 1, Width: two})
		}
		c.f.Copy(v, x, bulks.Copy{Rows: two, Width: m, Dst: m, Src: two, Transpose: true})
	} else {
		for i, at := range c.blocks {
			c.f.Copy(x.Slice(i*width, x.N), v.Slice(at*two*width, (at+1)*two*width),
				bulks.Copy{Rows: two, Width: width, Dst: m * width, Src: width, RowPerm: c.order})
		}
		c.f.Copy(v, x, bulks.Copy{Rows: 1, Width: x.N})
	}
	c.scratch.Put(s)
}

// forward does the levels from some on, in the blocks of those before.
func (c *oddFirst) forward(w *engine.Watch, v engine.View, width int, canonical bool, levels []inPlace) {
	if len(levels) == 0 {
		c.inner.Forward(w, v, width, canonical)
		return
	}
	p := &levels[0]
	p.Outer.Forward(w, v, p.N2*width, false)
	p.multiply(p.twiddles, v, width)
	for i := 0; i < p.N1 && !w.Stopped(); i++ {
		c.forward(w, v.Slice(i*p.N2*width, (i+1)*p.N2*width), width, canonical, levels[1:])
	}
}

func (c *oddFirst) Inverse(w *engine.Watch, v engine.View, width int, by bulks.Table, canonical bool) {
	s := c.scratch.Get(w, c.n*width)
	if s == nil {
		return
	}
	x := s.V.Slice(0, c.n*width)
	m, two := c.shape()
	if width == 1 {
		c.f.Copy(x, v, bulks.Copy{Rows: m, Width: two, Dst: two, Src: m, Transpose: true})
		for i, at := range c.blocks {
			c.f.Copy(v.Slice(at*two, (at+1)*two), x.Slice(i*two, (i+1)*two), bulks.Copy{Rows: 1, Width: two})
		}
		c.reorder(v)
	} else {
		c.f.Copy(x, v, bulks.Copy{Rows: 1, Width: x.N})
		for i, at := range c.blocks {
			c.f.Copy(v.Slice(at*two*width, (at+1)*two*width), x.Slice(i*width, x.N),
				bulks.Copy{Rows: two, Width: width, Dst: width, Src: m * width, RowPerm: c.order})
		}
	}
	c.scratch.Put(s)
	c.inverse(w, v, width, by, canonical, c.levels)
}

func (c *oddFirst) inverse(w *engine.Watch, v engine.View, width int, by bulks.Table, canonical bool,
	levels []inPlace) {
	if len(levels) == 0 {
		c.inner.Inverse(w, v, width, by, canonical)
		return
	}
	p := &levels[0]
	for i := 0; i < p.N1 && !w.Stopped(); i++ {
		c.inverse(w, v.Slice(i*p.N2*width, (i+1)*p.N2*width), width, nil, false, levels[1:])
	}
	p.multiply(p.inverseTwiddles, v, width)
	p.Outer.Inverse(w, v, p.N2*width, by, canonical)
}

// shape is the number of blocks and their length.
func (c *oddFirst) shape() (m, two int) { return len(c.blocks), c.n / len(c.blocks) }

// reorder applies the bit reversal to each block.
func (c *oddFirst) reorder(v engine.View) {
	m, two := c.shape()
	for i := range m {
		c.f.Reorder(v.Slice(i*two, (i+1)*two), 1, 0, 1)
	}
}

func (c *oddFirst) Passes(width int) (list []string) {
	for _, p := range c.levels {
		list = append(append(list, p.Outer.Passes(p.N2*width)...), "twiddles")
	}
	return append(append(list, c.inner.Passes(width)...), "transpose, in natural order")
}

func (c *oddFirst) Sizes() (list []int) {
	for _, p := range c.levels {
		list = append(list, p.Outer.Sizes()...)
	}
	return append(list, c.inner.Sizes()...)
}

func (c *oddFirst) Bytes() int {
	bytes := 4*len(c.order) + 8*len(c.blocks) + c.inner.Bytes()
	for _, p := range c.levels {
		bytes += p.Outer.Bytes() + p.twiddles.Bytes() + p.inverseTwiddles.Bytes()
	}
	return bytes
}

// Scratch is that of one part at a time.
func (c *oddFirst) Scratch(width int) int {
	most := max(c.inner.Scratch(width), c.f.Bytes(c.n*width))
	for _, p := range c.levels {
		most = max(most, p.Outer.Scratch(p.N2*width))
	}
	return most
}
