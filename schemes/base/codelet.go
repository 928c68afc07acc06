package base

import (
	"math/bits"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/core"
)

// maxCodelet is the longest straight-line base case.
const maxCodelet = 64

// shifter is a field whose roots of the base case are powers of g.
type shifter[E any] interface {
	field.Field[E]
	field.Shifter[E]
}

// codelet runs straight-line code on the elements of each column. Over a coset it multiplies the inputs by
// the powers of the shift first: N−1 products for each column.
type codelet[E any] struct {
	n            int
	f            field.Field[E]
	g            shifter[E] // nil: roots are multiplied by
	roots        [2][]E     // ω^e, e < N/2, in both directions
	shifts       [2][]uint64
	coset        [2]field.Table[[]E] // s^i and s^−i; nil: no shift
	code         [2]func(f field.Field[E], a []E, s int, w []E, t *E)
	shiftCode    [2]func(f shifter[E], a []E, s int, e []uint64, t *E)
	temp         *sync.Pool
	bytesOfCoset int
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
	t := bits.Len(uint(d.N)) - 2
	c.code, c.shiftCode = codelets[E]()[t], shiftCodelets[E]()[t]
	for i, w := range []*E{&d.Root, &inv.Root} {
		table, err := p.F.Table(core.Powers[E](p.F, w, d.N/2))
		if err != nil {
			return nil, err
		}
		e, ok := table.(field.Elementwise[E])
		if !ok {
			return nil, nil
		}
		c.f, c.roots[i] = e.Elements()
	}
	if g, ok := c.f.(shifter[E]); ok {
		c.findShifts(g)
	}
	if !core.IsOne(c.f, &d.Shift) {
		for i, s := range []*E{&d.Shift, &inv.Shift} {
			if c.coset[i], err = (field.Slices[E]{Field: c.f}).Table(core.Powers(c.f, s, d.N)); err != nil {
				return nil, err
			}
			c.bytesOfCoset += c.coset[i].Bytes()
		}
	}
	v, ok := any(c).(Case[V]) // V is []E, because the table says so
	if !ok {
		return nil, nil
	}
	return v, nil
}

// findShifts expresses the roots as powers of g, if they are.
func (c *codelet[E]) findShifts(g shifter[E]) {
	order, n := g.ShiftOrder(), uint64(c.n)
	if order%n != 0 || n < 4 {
		return
	}
	var one, x E
	g.One(&one)
	for u := uint64(1); u < n; u += 2 { // ω = g^(u·order/n) for an odd u
		step := u * (order / n)
		if g.Shift(&x, &one, step); !g.Equal(&x, &c.roots[0][1]) {
			continue
		}
		c.g = g
		for e := range n / 2 {
			s := step * e % order
			c.shifts[0] = append(c.shifts[0], s)
			c.shifts[1] = append(c.shifts[1], (order-s)%order)
		}
		return
	}
}

func (c *codelet[E]) Forward(v []E, width int) {
	if t := c.coset[0]; t != nil {
		t.Scale(v, 0, c.n, width, width)
	}
	c.columns(v, width, 0)
}

func (c *codelet[E]) Inverse(v []E, width int) {
	c.columns(v, width, 1)
	if t := c.coset[1]; t != nil {
		t.Scale(v, 0, c.n, width, width)
	}
}

func (c *codelet[E]) columns(v []E, width, direction int) {
	t := c.temp.Get().(*E)
	for i := range width {
		if c.g != nil {
			c.shiftCode[direction](c.g, v[i:], width, c.shifts[direction], t)
		} else {
			c.code[direction](c.f, v[i:], width, c.roots[direction], t)
		}
	}
	c.temp.Put(t)
}

func (c *codelet[E]) Sizes() []int { return []int{c.n} }

func (c *codelet[E]) Bytes() int {
	return field.Slices[E]{}.VecBytes(2*len(c.roots[0])) + c.bytesOfCoset
}
