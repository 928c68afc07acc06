package bigprime

import "math/bits"

// run is operations on rows of packed elements: n elements in each of count rows, whose starts are step elements apart.
// Row i takes multiplier i·wstep. Multipliers are in Montgomery's form, so that each takes one product.
type run struct{ n, count, step, wstep int }

// each calls do for the places of the elements of all rows, in words, and of their multipliers.
func (r run) each(w int, do func(at, by int)) {
	for i := range r.count {
		for j := range r.n {
			do((i*r.step+j)*w, i*r.wstep*w)
		}
	}
}

// times sets z = xw; z may be x.
func (f *modulus) times(z, x, w []uint64, r run) {
	r.each(f.w, func(at, by int) { f.mont(z[at:], x[at:], w[by:]) })
}

// cross sets (x, y) = (x + y, x − y).
func (f *modulus) cross(x, y []uint64, r run) {
	r.each(f.w, func(at, _ int) { f.addSub(x[at:], y[at:]) })
}

// down sets (x, y) = (x + yw, x − yw).
func (f *modulus) down(x, y, w []uint64, r run) {
	r.each(f.w, func(at, by int) {
		f.mont(y[at:], y[at:], w[by:])
		f.addSub(x[at:], y[at:])
	})
}

// up sets (x, y) = (x + y, (x − y)w).
func (f *modulus) up(x, y, w []uint64, r run) {
	r.each(f.w, func(at, by int) {
		f.addSub(x[at:], y[at:])
		f.mont(y[at:], y[at:], w[by:])
	})
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
