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
	if c.twist, err = f.Table(s.Table(f)); err != nil {
		return nil, err
	}
	si := core.SplitDomain[E](f, inv, q)
	c.untwist, err = f.Table(si.Table(f))
	return c, err
}

// mixed is the four-step inside a cache (Cooley and Tukey), with values sorted into natural order: a reversal of digits would
// not be its own inverse, which copies by the schemes ask of bit reversals.
type mixed[E, V any] struct {
	f              field.Bulk[E, V]
	n1, n2         int
	order          []int32 // in which the inner case has its values
	outer, inner   Case[V]
	twist, untwist field.Table[V]
	scratch        *scratch[V]
}

func (c *mixed[E, V]) Forward(v V, width int, canonical bool) {
	c.outer.Forward(v, c.n2*width, false)
	c.twist.Scale(v, 0, c.n1*c.n2, width, width)
	n := c.n1 * c.n2 * width
	s := c.scratch.get(n)
	for k1 := range c.n1 {
		x := c.block(v, k1, width)
		c.inner.Forward(x, width, canonical)
		c.f.Copy(c.f.Slice(s.v, k1*width, n), x, field.Copy{Rows: c.n2, Width: width, Dst: c.n1 * width, Src: width, RowPerm: c.order})
	}
	c.f.Copy(v, s.v, field.Copy{Rows: 1, Width: n})
	c.scratch.put(s)
}

func (c *mixed[E, V]) Inverse(v V, width int, by field.Table[V], canonical bool) {
	n := c.n1 * c.n2 * width
	s := c.scratch.get(n)
	c.f.Copy(s.v, v, field.Copy{Rows: 1, Width: n})
	for k1 := range c.n1 {
		x := c.block(v, k1, width)
		c.f.Copy(x, c.f.Slice(s.v, k1*width, n), field.Copy{Rows: c.n2, Width: width, Dst: width, Src: c.n1 * width, RowPerm: c.order})
		c.inner.Inverse(x, width, nil, false)
	}
	c.scratch.put(s)
	c.untwist.Scale(v, 0, c.n1*c.n2, width, width)
	c.outer.Inverse(v, c.n2*width, by, canonical)
}

func (c *mixed[E, V]) block(v V, i, width int) V {
	return c.f.Slice(v, i*c.n2*width, (i+1)*c.n2*width)
}

func (c *mixed[E, V]) Sizes() []int { return append(c.outer.Sizes(), c.inner.Sizes()...) }

func (c *mixed[E, V]) Bytes() int {
	return c.outer.Bytes() + c.inner.Bytes() + c.twist.Bytes() + c.untwist.Bytes()
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
