package base

import (
	"slices"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/choice"
	"github.com/galfft/fft/schemes/internal/core"
)

// newMixed makes the case of a length that is no power of two: by its largest odd prime factor q, as DFT_q on rows, a
// twist, and q cases of length N/q, or, where N is q, by what serves a prime.
func newMixed(p *core.Problem, d core.Domain, cache *Tables) (Case, error) {
	q := choice.LargestFactor(d.N)
	if q == d.N {
		return newPrime(p, d, cache)
	}
	f, s := p.F, core.SplitDomain(d, q)
	var err error
	c := &mixed{f: f, n1: q, n2: s.N2, order: core.CaseOrder(s.N2), scratch: cache.scratch(f)}
	if c.outer, err = New(p, s.Outer, cache); err != nil {
		return nil, err
	}
	if c.inner, err = New(p, s.Inner, cache); err != nil {
		return nil, err
	}
	c.twist, c.untwist, err = twists(p, s, core.SplitDomain(d.Inverse(), q))
	return c, err
}

// mixed is the six-step inside a cache, with values sorted into natural order: a reversal of digits would not be its
// own inverse, which copies by the schemes ask of bit reversals. A transpose between the cases brings those of the
// inner one side by side, in long rows, whose values stand in natural order but for that of the rows. Where rows stay
// short, powers of two go before the transpose, block by block: they have passes for that.
type mixed struct {
	f              field.Bulk
	n1, n2         int
	order          []int32 // in which the inner case has its values
	outer, inner   Case
	twist, untwist field.Table
	scratch        *scratch
}

func (c *mixed) Forward(w *core.Watch, v core.View, width int, canonical bool) {
	c.outer.Forward(w, v, c.n2*width, false)
	c.twist.Scale(v, 0, c.n1*c.n2, width, width)
	n := c.n1 * c.n2 * width
	s := c.scratch.get(w, n)
	if s == nil {
		return
	}
	x := s.v.Slice(0, n)
	blocks := c.blocks(width)
	for i := range blocks {
		c.inner.Forward(w, v.Slice(i*c.n2*width, (i+1)*c.n2*width), width, canonical)
	}
	c.transpose(x, v, c.n1, c.n2, width)
	if blocks == 0 {
		c.inner.Forward(w, x, c.n1*width, canonical)
	}
	c.f.Copy(v, x, c.rows(width))
	c.scratch.put(s)
}

func (c *mixed) Inverse(w *core.Watch, v core.View, width int, by field.Table, canonical bool) {
	n := c.n1 * c.n2 * width
	s := c.scratch.get(w, n)
	if s == nil {
		return
	}
	x := s.v.Slice(0, n)
	c.f.Copy(x, v, c.rows(width))
	blocks := c.blocks(width)
	if blocks == 0 {
		c.inner.Inverse(w, x, c.n1*width, nil, false)
	}
	c.transpose(v, x, c.n2, c.n1, width)
	for i := range blocks {
		c.inner.Inverse(w, v.Slice(i*c.n2*width, (i+1)*c.n2*width), width, nil, false)
	}
	c.scratch.put(s)
	c.untwist.Scale(v, 0, c.n1*c.n2, width, width)
	c.outer.Inverse(w, v, c.n2*width, by, canonical)
}

// blocks is the number of inner cases that go one by one, or 0 where all go at once.
func (c *mixed) blocks(width int) int {
	const short = 64
	if c.n2&(c.n2-1) == 0 && c.n1*width < short {
		return c.n1
	}
	return 0
}

// rows moves the rows of the inner case between their order and the natural one, each other's inverse.
func (c *mixed) rows(width int) field.Copy {
	row := c.n1 * width
	return field.Copy{Rows: c.n2, Width: row, Dst: row, Src: row, RowPerm: c.order}
}

// transpose takes a matrix of rows × columns runs of width elements to its transpose.
func (c *mixed) transpose(dst, src core.View, rows, columns, width int) {
	n := rows * columns * width
	if width == 1 {
		c.f.Copy(dst, src, field.Copy{Rows: columns, Width: rows, Dst: rows, Src: columns, Transpose: true})
		return
	}
	for i := range rows {
		row := src.Slice(i*columns*width, (i+1)*columns*width)
		c.f.Copy(dst.Slice(i*width, n), row, field.Copy{Rows: columns, Width: width, Dst: rows * width, Src: width})
	}
}

func (c *mixed) Passes(width int) []string {
	inner := width
	if c.blocks(width) == 0 {
		inner = c.n1 * width
	}
	return slices.Concat(c.outer.Passes(c.n2*width), []string{"twiddles"}, c.inner.Passes(inner),
		[]string{"transpose, in natural order"})
}

func (c *mixed) Sizes() []int { return append(c.outer.Sizes(), c.inner.Sizes()...) }

func (c *mixed) Bytes() int {
	return c.outer.Bytes() + c.inner.Bytes() + c.twist.Bytes() + c.untwist.Bytes() + 4*len(c.order)
}

// Scratch is its own, held while the inner case runs.
func (c *mixed) Scratch(width int) int {
	inner := c.inner.Scratch(width)
	if c.blocks(width) == 0 {
		inner = c.inner.Scratch(c.n1 * width)
	}
	return max(c.outer.Scratch(c.n2*width), c.f.Bytes(c.n1*c.n2*width)+inner)
}

// scratch is vectors for calls, each of the greatest length that one asked for.
type scratch struct {
	pool sync.Pool // *room
	make func(n int) (core.View, error)
}

type room struct{ v core.View }

func newScratch(f field.Bulk) *scratch {
	s := &scratch{make: f.Make}
	s.pool.New = func() any { return new(room) }
	return s
}

// get returns a vector of at least n elements, or nil where w has taken the error.
func (s *scratch) get(w *core.Watch, n int) *room {
	r := s.pool.Get().(*room)
	if r.v.N < n {
		v, err := s.make(n)
		if w.Failed(err) {
			return nil
		}
		r.v = v
	}
	return r
}

func (s *scratch) put(r *room) { s.pool.Put(r) }
