// Package codelet has the base cases DFT_2 … DFT_64 over the methods of elements, without loops over layers.
//
// DFT_2 … DFT_16 are generated straight-line code, DFT_32 and DFT_64 products of these. Their numbers of operations are
// the least of radix 2: 2, 8, 24, 64, 160, 384 sums and differences and 0, 1, 5, 17, 49, 129 products for N = 2, 4, …,
// 64.
//
// Source: the thesis "A Generic Implementation of FFTs for the BPAS Library" (C. Costello, 2020), sections 5 and 6.2,
// for the unrolled base cases and their counts.
package codelet

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// factors multiplies by the powers of the root of a base case: z = x·ω^e, for 0 < e < N. z may be x.
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
			s := make([]uint64, n)
			for e := range s {
				s[e] = step * uint64(e) % order
			}
			return &shifts[E]{g, s}
		}
	}
	return nil
}

// Code is the code of one length for both directions, over the elements of views of []E.
type Code[E any] struct {
	n       int
	f       field.Field[E]
	factors [2]factors[E]
	bytes   int
	temp    *sync.Pool // *E: a local element would escape through the interface
}

// New returns the code of length n, a power of two from 2 to 64, for a root ω of f and its inverse, with the powers ω^0
// … ω^(N−1) of each.
func New[E any](f field.Field[E], n int, powers [2][]E) *Code[E] {
	c := &Code[E]{n: n, f: f, temp: &sync.Pool{New: func() any { return new(E) }}}
	for i, w := range powers {
		c.bytes += n * int(unsafe.Sizeof(w[0]))
		c.factors[i] = &products[E]{f, w}
		if s := newShifts(f, w, n); s != nil {
			c.factors[i] = s
		}
	}
	return c
}

// Bytes is the memory of the factors.
func (c *Code[E]) Bytes() int { return c.bytes }

// Columns transforms the columns of N rows of width elements.
func (c *Code[E]) Columns(v bulks.View, width int, inverse bool) {
	a, m, t := bulks.SliceOf[E](v), c.factors[0], c.temp.Get().(*E)
	if inverse {
		m = c.factors[1]
	}
	for i := range width {
		if c.n <= 16 {
			straight(c.f, m, a[i:], c.n, width, 1, t, inverse)
		} else {
			product(c.f, m, a[i:], c.n, width, t, inverse)
		}
	}
	c.temp.Put(t)
}

// straight is DFT_n for the root ω^c on the elements a[0], a[s], …, for n = 2, 4, 8 or 16.
func straight[E any](f field.Field[E], m factors[E], a []E, n, s, c int, t *E, inverse bool) {
	switch {
	case n == 2:
		dft2(f, m, a, s, c, t)
	case n == 4 && inverse:
		dft4T(f, m, a, s, c, t)
	case n == 4:
		dft4(f, m, a, s, c, t)
	case n == 8 && inverse:
		dft8T(f, m, a, s, c, t)
	case n == 8:
		dft8(f, m, a, s, c, t)
	case inverse:
		dft16T(f, m, a, s, c, t)
	default:
		dft16(f, m, a, s, c, t)
	}
}

// product is DFT_n on the elements a[0], a[s], …, as an n1 × 8 matrix by rows: DFT_n1 on its columns, twiddles, DFT_8
// on its rows, which leaves bit-reversed order. The inverse goes backwards.
func product[E any](f field.Field[E], m factors[E], a []E, n, s int, t *E, inverse bool) {
	const n2 = 8
	n1 := n / n2
	columns := func() {
		for j := range n2 {
			straight(f, m, a[j*s:], n1, n2*s, n2, t, inverse)
		}
	}
	rows := func() {
		for i := range n1 {
			straight(f, m, a[i*n2*s:], n2, s, n1, t, inverse)
		}
	}
	if inverse {
		rows()
	} else {
		columns()
	}
	k := bits.Len(uint(n1)) - 1
	for i := 1; i < n1; i++ {
		value := bulks.Rev(i, k) // of row i
		for j, e := 1, value; j < n2; j, e = j+1, e+value {
			x := &a[(i*n2+j)*s]
			m.mul(x, x, e)
		}
	}
	if inverse {
		columns()
	} else {
		rows()
	}
}
