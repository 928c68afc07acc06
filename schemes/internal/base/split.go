package base

import (
	"math/bits"
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/core"
)

// split is the four-step inside a cache: DFT_N1 on rows of N2·width elements, a twist, and N1 times DFT_N2. Rows
// stay where they are, so that the result is in bit-reversed order like that of its parts.
type split struct {
	n1, n2         int
	outer, inner   Case
	twist, untwist field.Table
}

func newSplit(p *core.Problem, d core.Domain, cache *Tables) (Case, error) {
	k, b := bits.Len(uint(d.N))-1, bits.Len(uint(p.C.Base))-1
	parts := (k + b - 1) / b
	c := &split{n1: 1 << (k / parts)}
	c.n2 = d.N / c.n1
	s := core.SplitDomain(d, c.n1)
	var err error
	if c.outer, err = New(p, s.Outer, cache); err != nil {
		return nil, err
	}
	if c.inner, err = New(p, s.Inner, cache); err != nil {
		return nil, err
	}
	c.twist, c.untwist, err = twists(p, s, core.SplitDomain(d.Inverse(), c.n1))
	return c, err
}

// twists makes the factors of a split and of its inverse, by rows.
func twists(p *core.Problem, s, inv core.Split) (twist, untwist field.Table, err error) {
	n := float64(s.N1) * float64(s.N2)
	if err := p.Take(2*n, 2*n); err != nil {
		return nil, nil, err
	}
	z, err := s.Matrix(p, 1, s.N2, 1)
	if err != nil {
		return nil, nil, err
	}
	if twist, err = p.F.Table(z); err != nil {
		return nil, nil, err
	}
	if z, err = inv.Matrix(p, 1, s.N2, 1); err != nil {
		return nil, nil, err
	}
	untwist, err = p.F.Table(z)
	return twist, untwist, err
}

func (c *split) Forward(w *core.Watch, v core.View, width int, canonical bool) {
	c.outer.Forward(w, v, c.n2*width, false)
	c.twist.Scale(v, 0, c.n1*c.n2, width, width)
	for i := 0; i < c.n1 && !w.Stopped(); i++ {
		c.inner.Forward(w, c.block(v, i, width), width, canonical)
	}
}

func (c *split) Inverse(w *core.Watch, v core.View, width int, by field.Table, canonical bool) {
	for i := 0; i < c.n1 && !w.Stopped(); i++ {
		c.inner.Inverse(w, c.block(v, i, width), width, nil, false)
	}
	c.untwist.Scale(v, 0, c.n1*c.n2, width, width)
	c.outer.Inverse(w, v, c.n2*width, by, canonical)
}

func (c *split) block(v core.View, i, width int) core.View {
	return v.Slice(i*c.n2*width, (i+1)*c.n2*width)
}

func (c *split) Passes(width int) []string {
	return slices.Concat(c.outer.Passes(c.n2*width), []string{"twiddles"}, c.inner.Passes(width))
}

func (c *split) Sizes() []int { return append(c.outer.Sizes(), c.inner.Sizes()...) }

func (c *split) Bytes() int {
	return c.outer.Bytes() + c.inner.Bytes() + c.twist.Bytes() + c.untwist.Bytes()
}

func (c *split) Scratch(width int) int {
	return max(c.outer.Scratch(c.n2*width), c.inner.Scratch(width))
}
