// Package codelet has the straight-line base cases DFT_2 … DFT_64 over the methods of elements.
//
// They are generated as code over pointers, whose type alone depends on the elements, so that they are compiled once for
// all. Their numbers of operations are the least of any radix: 2, 8, 24, 64, 160, 384 sums and differences and 0, 1, 5, 17,
// 49, 129 products for N = 2, 4, …, 64.
//
// Source: the thesis "A Generic Implementation of FFTs for the BPAS Library" (C. Costello, 2020), sections 5 and 6.2, for
// the unrolled base cases and their counts.
package codelet

import (
	"math/bits"
	"sync"

	"github.com/galfft/fft/field"
)

// Most is the longest straight-line base case.
const Most = 64

// ops is the part of field.Field[E] that codelets use, for P = *E.
type ops[P any] interface {
	Set(z, x P)
	Add(z, x, y P)
	Sub(z, x, y P)
}

// factors multiplies by the powers of the root of a base case: z = x·ω^e, for 0 < e < N/2.
type factors[P any] interface{ mul(z, x P, e int) }

// Code is the code of one length for both directions, over the elements of views of []E.
type Code[E any] struct {
	n       int
	f       field.Field[E]
	code    [2]func(f ops[*E], m factors[*E], x []*E)
	factors [2]factors[*E]
	bytes   int
	temp    *sync.Pool // *state[E]
}

// state is what a call needs: the element that is free, and the places of all.
type state[E any] struct {
	free E
	x    [Most + 1]*E
}

// New returns the code of length n, a power of two from 2 to Most, for a root ω and its inverse, whose powers below N/2 are in two tables
// of the field f.
func New[E any](n int, roots [2]field.Elementwise[E], bytes int) *Code[E] {
	c := &Code[E]{n: n, bytes: bytes, code: codes[*E]()[bits.Len(uint(n))-2]}
	c.temp = &sync.Pool{New: func() any { return new(state[E]) }}
	for i, t := range roots {
		m := new(products[E])
		m.f, m.w = t.Elements()
		c.f, c.factors[i] = m.f, m
		if s := newShifts(m.f, m.w, n); s != nil {
			c.factors[i] = s
		}
	}
	return c
}

// Columns transforms the columns of N rows of width elements.
func (c *Code[E]) Columns(v field.View, width int, inverse bool) {
	a, direction := field.SliceOf[E](v), 0
	if inverse {
		direction = 1
	}
	s := c.temp.Get().(*state[E])
	x := s.x[:c.n+1]
	for i := range width {
		for r := range c.n {
			x[r] = &a[r*width+i]
		}
		x[c.n] = &s.free
		c.code[direction](c.f, c.factors[direction], x)
	}
	clear(x)
	c.temp.Put(s)
}

// Bytes is the memory of the factors.
func (c *Code[E]) Bytes() int { return c.bytes }

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

// newShifts expresses the root whose powers are w, of order n, as a power of the field's g; nil: it is none.
func newShifts[E any](f field.Field[E], w []E, n int) *shifts[E] {
	g, ok := f.(field.Shifter[E])
	if !ok || n < 4 || g.ShiftOrder()%uint64(n) != 0 {
		return nil
	}
	var one, x E
	f.One(&one)
	order := g.ShiftOrder()
	for u := uint64(1); u < uint64(n); u += 2 { // w = g^(u·order/n) for an odd u
		step := u * (order / uint64(n))
		if g.Shift(&x, &one, step); f.Equal(&x, &w[1]) {
			s := make([]uint64, n/2)
			for e := range s {
				s[e] = step * uint64(e) % order
			}
			return &shifts[E]{g, s}
		}
	}
	return nil
}
