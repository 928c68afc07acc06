package base

import (
	"math/bits"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/core"
)

// maxCodelet is the longest straight-line base case.
const maxCodelet = 64

// factors multiplies by the powers of the root of a base case: z = x·ω^e, for 0 < e < N/2.
type factors[E any] interface{ mul(z, x *E, e int) }

// products is factors by a table of ω^e.
type products[E any] struct {
	f field.Field[E]
	w []E
}

func (p *products[E]) mul(z, x *E, e int) { p.f.Mul(z, x, &p.w[e]) }

// shifts is factors where ω^e = g^s[e].
type shifts[E any] struct {
	g field.Shifter[E]
	s []uint64
}

func (p *shifts[E]) mul(z, x *E, e int) { p.g.Shift(z, x, p.s[e]) }

// codelet runs straight-line code on the elements of each column. Over a coset it multiplies the inputs by
// the powers of the shift first: N−1 products for each column.
type codelet[E any] struct {
	n       int
	f       field.Field[E]
	code    [2]func(f field.Field[E], m factors[E], a []E, s int, t *E)
	factors [2]factors[E]
	coset   [2]field.Table[[]E] // s^i and s^−i; nil: no shift
	temp    *sync.Pool
	bytes   int
}

// newCodelet returns nil where there is no straight-line code for the problem: vectors are not plain slices
// of elements, or d.N is 1 or too long.
func newCodelet[E, V any](p *core.Problem[E, V], d field.Domain[E]) (Case[V], error) {
	if d.N < 2 || d.N > maxCodelet {
		return nil, nil
	}
	inv, err := core.InvertDomain[E](p.F, d)
	if err != nil {
		return nil, err
	}
	c := &codelet[E]{n: d.N, temp: &sync.Pool{New: func() any { return new(E) }}}
	c.code = codelets[E]()[bits.Len(uint(d.N))-2]
	for i, w := range []*E{&d.Root, &inv.Root} {
		powers, err := core.Powers[E](p.M, p.F, w, d.N/2)
		if err != nil {
			return nil, err
		}
		table, err := p.F.Table(powers)
		if err != nil {
			return nil, err
		}
		e, ok := table.(field.Elementwise[E])
		if !ok {
			return nil, nil
		}
		m := new(products[E])
		m.f, m.w = e.Elements()
		c.f, c.factors[i] = m.f, m
		c.bytes += table.Bytes()
		if s := newShifts(m.f, w, d.N); s != nil {
			c.factors[i] = s
		}
	}
	if !core.IsOne(c.f, &d.Shift) {
		for i, s := range []*E{&d.Shift, &inv.Shift} {
			powers, err := core.Powers(p.M, c.f, s, d.N)
			if err != nil {
				return nil, err
			}
			if c.coset[i], err = (field.Slices[E]{Field: c.f}).Table(powers); err != nil {
				return nil, err
			}
			c.bytes += c.coset[i].Bytes()
		}
	}
	v, ok := any(c).(Case[V]) // V is []E, because the table says so
	if !ok {
		return nil, nil
	}
	return v, nil
}

// newShifts expresses the root w of order n as a power of the field's g; nil: it is none.
func newShifts[E any](f field.Field[E], w *E, n int) *shifts[E] {
	g, ok := f.(field.Shifter[E])
	if !ok || g.ShiftOrder()%uint64(n) != 0 {
		return nil
	}
	one, order := core.Int(f, 1), g.ShiftOrder()
	var x E
	for u := uint64(1); u < uint64(n); u += 2 { // w = g^(u·order/n) for an odd u
		step := u * (order / uint64(n))
		if g.Shift(&x, &one, step); f.Equal(&x, w) {
			s := make([]uint64, max(1, n/2))
			for e := range s {
				s[e] = step * uint64(e) % order
			}
			return &shifts[E]{g, s}
		}
	}
	return nil
}

func (c *codelet[E]) Forward(_ *core.Watch, v []E, width int, _ bool) {
	if t := c.coset[0]; t != nil {
		t.Scale(v, 0, c.n, width, width)
	}
	c.columns(v, width, 0)
}

func (c *codelet[E]) Inverse(_ *core.Watch, v []E, width int, by field.Table[[]E], _ bool) {
	c.columns(v, width, 1)
	if t := c.coset[1]; t != nil {
		t.Scale(v, 0, c.n, width, width)
	}
	if by != nil {
		by.Scale(v, 0, 1, c.n*width, c.n*width)
	}
}

func (c *codelet[E]) columns(v []E, width, direction int) {
	t := c.temp.Get().(*E)
	for i := range width {
		c.code[direction](c.f, c.factors[direction], v[i:], width, t)
	}
	c.temp.Put(t)
}

func (c *codelet[E]) Sizes() []int { return []int{c.n} }

func (c *codelet[E]) Bytes() int { return c.bytes }

func (c *codelet[E]) Scratch(int) int { return 0 }
