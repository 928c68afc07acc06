package bigprime

import (
	"math/bits"

	"github.com/galfft/fft/kernels/mulx"
)

// Operations on rows of packed elements, by kernels or one by one. Multipliers are in Montgomery's form, so that each
// takes one product.

// row is n elements with one multiplier, and pairs are n with one each.
func row(n int) mulx.Rows   { return mulx.Rows{N: n, Count: 1, Step: n} }
func pairs(n int) mulx.Rows { return mulx.Rows{N: 1, Count: n, Step: 1, Factor: 1} }

// times sets z = xw; z may be x, or w where every element has a multiplier of its own.
func (f *modulus) times(z, x, w []uint64, r mulx.Rows) {
	if r.N == 0 {
		return
	}
	if f.kernels != nil {
		f.kernels.Times(z, x, w, r)
		return
	}
	for i := range r.Count {
		for j := range r.N {
			at := (i*r.Step + j) * f.w
			f.mont(z[at:], x[at:], w[i*r.Factor*f.w:])
		}
	}
}

// cross sets (x, y) = (x + y, x − y).
func (f *modulus) cross(x, y []uint64, r mulx.Rows) {
	if r.N == 0 {
		return
	}
	if f.kernels != nil {
		f.kernels.Cross(x, y, r)
		return
	}
	for i := range r.Count {
		for j := range r.N {
			at := (i*r.Step + j) * f.w
			f.addSub(x[at:], y[at:])
		}
	}
}

// down sets (x, y) = (x + yw, x − yw).
func (f *modulus) down(x, y, w []uint64, r mulx.Rows) {
	if r.N == 0 {
		return
	}
	if f.kernels != nil {
		f.kernels.Butterflies(x, y, w, r)
		return
	}
	for i := range r.Count {
		for j := range r.N {
			at := (i*r.Step + j) * f.w
			f.mont(y[at:], y[at:], w[i*r.Factor*f.w:])
			f.addSub(x[at:], y[at:])
		}
	}
}

// up sets (x, y) = (x + y, (x − y)w).
func (f *modulus) up(x, y, w []uint64, r mulx.Rows) {
	if r.N == 0 {
		return
	}
	if f.kernels != nil {
		f.kernels.ButterfliesT(x, y, w, r)
		return
	}
	for i := range r.Count {
		for j := range r.N {
			at := (i*r.Step + j) * f.w
			f.addSub(x[at:], y[at:])
			f.mont(y[at:], y[at:], w[i*r.Factor*f.w:])
		}
	}
}

// addSub sets (x, y) = (x + y, x − y).
func (f *modulus) addSub(x, y []uint64) {
	p := f.p
	x, y = x[:len(p)], y[:len(p)]
	var carry, below, borrow uint64 // of x + y, of x + y − p, of x − y
	for i, d := range p {
		a, b := x[i], y[i]
		x[i], carry = bits.Add64(a, b, carry)
		_, below = bits.Sub64(x[i], d, below)
		y[i], borrow = bits.Sub64(a, b, borrow)
	}
	less, more := -(carry | (1 - below)), -borrow
	below, carry = 0, 0
	for i, d := range p {
		x[i], below = bits.Sub64(x[i], d&less, below)
		y[i], carry = bits.Add64(y[i], d&more, carry)
	}
}
