package base

import (
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/core"
)

// split is the four-step inside a cache: DFT_N1 on rows of N2·width elements, a twist, and N1 times DFT_N2. Rows
// stay where they are, so that the result is in bit-reversed order like that of its parts.
type split[V any] struct {
	n1, n2         int
	outer, inner   Case[V]
	twist, untwist field.Table[V]
	slice          func(v V, i, j int) V
}

func newSplit[E, V any](p *core.Problem[E, V], d field.Domain[E], cache *Tables[E, V]) (Case[V], error) {
	f, k, b := p.F, bits.Len(uint(d.N))-1, bits.Len(uint(p.S.Base))-1
	parts := (k + b - 1) / b
	c := &split[V]{n1: 1 << (k / parts), slice: f.Slice}
	c.n2 = d.N / c.n1
	inv, err := core.InvertDomain[E](f, d)
	if err != nil {
		return nil, err
	}
	s := core.SplitDomain[E](f, d, c.n1)
	if c.outer, err = New(p, s.Outer, cache); err != nil {
		return nil, err
	}
	if c.inner, err = New(p, s.Inner, cache); err != nil {
		return nil, err
	}
	c.twist, c.untwist, err = twists(p, s, core.SplitDomain[E](f, inv, c.n1))
	return c, err
}

// twists makes the factors of a split and of its inverse, by rows.
func twists[E, V any](p *core.Problem[E, V], s, inv core.Split[E]) (twist, untwist field.Table[V], err error) {
	n := float64(s.N1) * float64(s.N2)
	if err := p.Take(2*n, 2*n); err != nil {
		return nil, nil, err
	}
	z, err := s.Table(p.M, p.F)
	if err != nil {
		return nil, nil, err
	}
	if twist, err = p.F.Table(z); err != nil {
		return nil, nil, err
	}
	if z, err = inv.Table(p.M, p.F); err != nil {
		return nil, nil, err
	}
	untwist, err = p.F.Table(z)
	return twist, untwist, err
}

func (c *split[V]) Forward(w *core.Watch, v V, width int, canonical bool) {
	c.outer.Forward(w, v, c.n2*width, false)
	c.twist.Scale(v, 0, c.n1*c.n2, width, width)
	for i := 0; i < c.n1 && !w.Stopped(); i++ {
		c.inner.Forward(w, c.block(v, i, width), width, canonical)
	}
}

func (c *split[V]) Inverse(w *core.Watch, v V, width int, by field.Table[V], canonical bool) {
	for i := 0; i < c.n1 && !w.Stopped(); i++ {
		c.inner.Inverse(w, c.block(v, i, width), width, nil, false)
	}
	c.untwist.Scale(v, 0, c.n1*c.n2, width, width)
	c.outer.Inverse(w, v, c.n2*width, by, canonical)
}

func (c *split[V]) block(v V, i, width int) V {
	return c.slice(v, i*c.n2*width, (i+1)*c.n2*width)
}

func (c *split[V]) Sizes() []int { return append(c.outer.Sizes(), c.inner.Sizes()...) }

func (c *split[V]) Bytes() int {
	return c.outer.Bytes() + c.inner.Bytes() + c.twist.Bytes() + c.untwist.Bytes()
}

func (c *split[V]) Scratch(width int) int {
	return max(c.outer.Scratch(c.n2*width), c.inner.Scratch(width))
}
