package base

import (
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/core"
)

// newMixed makes the case of a length that is no power of two: by its largest odd prime factor q, as DFT_q on rows, a twist, and
// q cases of length N/q, or, where N is q, by what serves a prime.
func newMixed[E, V any](p *core.Problem[E, V], d field.Domain[E], cache *Tables[E, V]) (Case[V], error) {
	q := core.LargestFactor(d.N)
	if q == d.N {
		return newPrime(p, d, cache)
	}
	f, s := p.F, core.SplitDomain[E](p.F, d, q)
	c := &mixed[E, V]{f: f, n1: q, n2: s.N2, order: core.CaseOrder(s.N2), scratch: cache.scratch(f)}
	inv, err := core.InvertDomain[E](f, d)
	if err != nil {
		return nil, err
	}
	if c.outer, err = New(p, s.Outer, cache); err != nil {
		return nil, err
	}
	if c.inner, err = New(p, s.Inner, cache); err != nil {
		return nil, err
	}
	c.twist, c.untwist, err = twists(p, s, core.SplitDomain[E](f, inv, q))
	return c, err
}

// mixed is the six-step inside a cache, with values sorted into natural order: a reversal of digits would not be its own inverse,
// which copies by the schemes ask of bit reversals. A transpose between the cases brings those of the inner one side by side, in
// long rows, whose values stand in natural order but for that of the rows. Where rows stay short, powers of two go before the
// transpose, block by block: they have passes for that.
type mixed[E, V any] struct {
	f              field.Bulk[E, V]
	n1, n2         int
	order          []int32 // in which the inner case has its values
	outer, inner   Case[V]
	twist, untwist field.Table[V]
	scratch        *scratch[V]
}

func (c *mixed[E, V]) Forward(w *core.Watch, v V, width int, canonical bool) {
	c.outer.Forward(w, v, c.n2*width, false)
	c.twist.Scale(v, 0, c.n1*c.n2, width, width)
	n := c.n1 * c.n2 * width
	s := c.scratch.get(n)
	x := c.f.Slice(s.v, 0, n)
	blocks := c.blocks(width)
	for i := range blocks {
		c.inner.Forward(w, c.f.Slice(v, i*c.n2*width, (i+1)*c.n2*width), width, canonical)
	}
	c.transpose(x, v, c.n1, c.n2, width)
	if blocks == 0 {
		c.inner.Forward(w, x, c.n1*width, canonical)
	}
	c.f.Copy(v, x, c.rows(width))
	c.scratch.put(s)
}

func (c *mixed[E, V]) Inverse(w *core.Watch, v V, width int, by field.Table[V], canonical bool) {
	n := c.n1 * c.n2 * width
	s := c.scratch.get(n)
	x := c.f.Slice(s.v, 0, n)
	c.f.Copy(x, v, c.rows(width))
	blocks := c.blocks(width)
	if blocks == 0 {
		c.inner.Inverse(w, x, c.n1*width, nil, false)
	}
	c.transpose(v, x, c.n2, c.n1, width)
	for i := range blocks {
		c.inner.Inverse(w, c.f.Slice(v, i*c.n2*width, (i+1)*c.n2*width), width, nil, false)
	}
	c.scratch.put(s)
	c.untwist.Scale(v, 0, c.n1*c.n2, width, width)
	c.outer.Inverse(w, v, c.n2*width, by, canonical)
}

// blocks is the number of inner cases that go one by one, or 0 where all go at once.
func (c *mixed[E, V]) blocks(width int) int {
	const short = 64
	if c.n2&(c.n2-1) == 0 && c.n1*width < short {
		return c.n1
	}
	return 0
}

// rows moves the rows of the inner case between their order and the natural one, each other's inverse.
func (c *mixed[E, V]) rows(width int) field.Copy {
	row := c.n1 * width
	return field.Copy{Rows: c.n2, Width: row, Dst: row, Src: row, RowPerm: c.order}
}

// transpose takes a matrix of rows × columns runs of width elements to its transpose.
func (c *mixed[E, V]) transpose(dst, src V, rows, columns, width int) {
	n := rows * columns * width
	if width == 1 {
		c.f.Copy(dst, src, field.Copy{Rows: columns, Width: rows, Dst: rows, Src: columns, Transpose: true})
		return
	}
	for i := range rows {
		row := c.f.Slice(src, i*columns*width, (i+1)*columns*width)
		c.f.Copy(c.f.Slice(dst, i*width, n), row, field.Copy{Rows: columns, Width: width, Dst: rows * width, Src: width})
	}
}

func (c *mixed[E, V]) Sizes() []int { return append(c.outer.Sizes(), c.inner.Sizes()...) }

func (c *mixed[E, V]) Bytes() int {
	return c.outer.Bytes() + c.inner.Bytes() + c.twist.Bytes() + c.untwist.Bytes() + 4*len(c.order)
}

// Scratch is its own, held while the inner case runs.
func (c *mixed[E, V]) Scratch(width int) int {
	inner := c.inner.Scratch(width)
	if c.blocks(width) == 0 {
		inner = c.inner.Scratch(c.n1 * width)
	}
	return max(c.outer.Scratch(c.n2*width), c.f.VecBytes(c.n1*c.n2*width)+inner)
}

// scratch is vectors for calls, each of the greatest length that one asked for.
type scratch[V any] struct {
	pool sync.Pool // *room[V]
	make func(n int) V
}

type room[V any] struct {
	v V
	n int
}

func newScratch[E, V any](f field.Bulk[E, V]) *scratch[V] {
	s := &scratch[V]{make: f.Make}
	s.pool.New = func() any { return new(room[V]) }
	return s
}

// get returns a vector of at least n elements.
func (s *scratch[V]) get(n int) *room[V] {
	r := s.pool.Get().(*room[V])
	if r.n < n {
		r.v, r.n = s.make(n), n
	}
	return r
}

func (s *scratch[V]) put(r *room[V]) { s.pool.Put(r) }
