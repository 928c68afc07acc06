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

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/pointer"
)

// kind is a field with the type of its elements. Code computes with pointers to these, so that it is compiled once.
type kind[P any] struct {
	pointer.Type[P]
	f pointer.Field[P]
}

// factors multiplies by the powers of the root of a base case: z = x·ω^e, for 0 < e < N. z may be x.
type factors[P any] = func(z, x P, e int)

// products is factors by a table of ω^e.
func products[P any](k *kind[P], w P) factors[P] {
	f, size, first := k.f, k.Size, pointer.Raw(w)
	return func(z, x P, e int) {
		y := unsafe.Add(first, e*size)
		f.Mul(z, x, *(*P)(unsafe.Pointer(&y)))
	}
}

// shifts is factors where ω^e is a power of the field's g, for the root of order n whose powers are w; nil: it is none.
func shifts[P any](k *kind[P], w P, n int) factors[P] {
	g, ok := k.f.(pointer.Shifter[P])
	if !ok || n < 4 || g.ShiftOrder()%uint64(n) != 0 {
		return nil
	}
	one, x := k.Make(1), k.Make(1)
	k.f.One(one)
	order := g.ShiftOrder()
	for u := uint64(1); u < uint64(n); u += 2 { // w = g^(u·order/n) for an odd u
		step := u * (order / uint64(n))
		if g.Shift(x, one, step); k.f.Equal(x, pointer.At(w, k.Size)) {
			s := make([]uint64, n)
			for e := range s {
				s[e] = step * uint64(e) % order
			}
			return func(z, x P, e int) { g.Shift(z, x, s[e]) }
		}
	}
	return nil
}

// Code is the code of one length for both directions, over the elements of views of slices.
type Code struct {
	bytes   int
	columns func(v bulks.View, width int, inverse bool)
}

// New returns the code of length n, a power of two from 2 to 64, for a root ω of f and its inverse, with the powers ω^0
// … ω^(N−1) of each. P points to elements, whose type is t.
func New[P any](f pointer.Field[P], t pointer.Type[P], n int, powers [2]bulks.View) *Code {
	k := &kind[P]{t, f}
	var m [2]factors[P]
	for i, w := range powers {
		first := at(k, w)
		if m[i] = shifts(k, first, n); m[i] == nil {
			m[i] = products(k, first)
		}
	}
	temp := &sync.Pool{New: func() any { return t.Make(1) }} // a local element would escape through the interface
	return &Code{2 * n * t.Size, func(v bulks.View, width int, inverse bool) {
		a, by, t := pointer.Raw(at(k, v)), m[0], temp.Get().(P)
		if inverse {
			by = m[1]
		}
		for i := range width {
			if x := unsafe.Add(a, i*k.Size); n <= 16 {
				straight(k, by, x, n, width*k.Size, 1, t, inverse)
			} else {
				product(k, by, x, n, width*k.Size, t, inverse)
			}
		}
		temp.Put(t)
	}}
}

// at is the first element of v.
func at[P any](k *kind[P], v bulks.View) P { return pointer.At(v.Buf.(P), v.Off*k.Size) }

// Bytes is the memory of the factors.
func (c *Code) Bytes() int { return c.bytes }

// Columns transforms the columns of N rows of width elements.
func (c *Code) Columns(v bulks.View, width int, inverse bool) { c.columns(v, width, inverse) }

// straight is DFT_n for the root ω^c on the elements at a, a + s, …, for n = 2, 4, 8 or 16 and s bytes.
func straight[P any](k *kind[P], m factors[P], a unsafe.Pointer, n, s, c int, t P, inverse bool) {
	switch {
	case n == 2:
		dft2(k, m, a, s, c, t)
	case n == 4 && inverse:
		dft4T(k, m, a, s, c, t)
	case n == 4:
		dft4(k, m, a, s, c, t)
	case n == 8 && inverse:
		dft8T(k, m, a, s, c, t)
	case n == 8:
		dft8(k, m, a, s, c, t)
	case inverse:
		dft16T(k, m, a, s, c, t)
	default:
		dft16(k, m, a, s, c, t)
	}
}

// product is DFT_n on the elements at a, a + s, …, as an n1 × 8 matrix by rows: DFT_n1 on its columns, twiddles, DFT_8
// on its rows, which leaves bit-reversed order. The inverse goes backwards.
func product[P any](f *kind[P], m factors[P], a unsafe.Pointer, n, s int, t P, inverse bool) {
	const n2 = 8
	n1 := n / n2
	columns := func() {
		for j := range n2 {
			straight(f, m, unsafe.Add(a, j*s), n1, n2*s, n2, t, inverse)
		}
	}
	rows := func() {
		for i := range n1 {
			straight(f, m, unsafe.Add(a, i*n2*s), n2, s, n1, t, inverse)
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
			x := unsafe.Add(a, (i*n2+j)*s)
			m(*(*P)(unsafe.Pointer(&x)), *(*P)(unsafe.Pointer(&x)), e)
		}
	}
	if inverse {
		columns()
	} else {
		rows()
	}
}
