package gfpf

import (
	"math/big"
	"math/bits"
	"slices"
)

// ring is the arithmetic of Z/(r^k + 1) on slices of k digits, canonical in and out; p need not be prime.
type ring struct {
	r uint64
	k int
	// Offsets of the coefficients of a product, which keep them from being negative: see mul.
	first, other wide
	powers       []*big.Int // r, r², r⁴, …, r^k, for conversions
	p            *big.Int   // r^k + 1
	integers     *kronecker // nil: products are of digits
}

func newRing(r uint64, k int) ring {
	// Coefficients are n·r² at most in absolute value. With A = n(r + 2), A(r − 1) ≥ n·r². The offsets A(r − 1) of all
	// of them and 2A of the first are A(r^k − 1) + 2A = 0 together.
	n := uint64(k)
	if r >= leastSplitRadix {
		n *= 8 // see karatsuba
	}
	a := wide{}.plus(n, r).plus(n, 2)
	h, l := bits.Mul64(a.w1, r)
	b := wide{0, l, h}.plus(a.w0, r) // A·r
	f := ring{r: r, k: k, first: b.add(a), other: b.sub(a), p: modulus(r, k)}
	x := new(big.Int).SetUint64(r)
	for n := 1; n <= k; n *= 2 {
		f.powers = append(f.powers, x)
		x = new(big.Int).Mul(x, x)
	}
	return f
}

// add sets z = x + y; z may be x or y. The digit r of −1 is one more that has a carry.
func (f *ring) add(z, x, y []uint64) {
	z, x, y = z[:f.k], x[:f.k], y[:f.k]
	var c uint64
	for i := range z {
		s, over := bits.Add64(x[i], y[i], c)
		d, below := bits.Sub64(s, f.r, 0)
		if over == 0 && below == 1 {
			z[i], c = s, 0
		} else {
			z[i], c = d, 1
		}
	}
	if c == 1 {
		f.dec(z)
	}
}

// sub sets z = x − y; z may be x or y.
func (f *ring) sub(z, x, y []uint64) {
	z, x, y = z[:f.k], x[:f.k], y[:f.k]
	var b uint64
	for i := range z {
		var d uint64
		d, b = bits.Sub64(x[i], y[i], b)
		z[i] = d + f.r&-b
	}
	if b == 1 {
		f.inc(z)
	}
}

var zeros [most]uint64

func (f *ring) neg(z, x []uint64) { f.sub(z, zeros[:], x) }

// dec subtracts 1 from the digits z, as a carry r^k = −1 asks. The last digit may be r.
func (f *ring) dec(z []uint64) {
	for i := range z {
		if z[i] != 0 {
			z[i]--
			return
		}
		z[i] = f.r - 1
	}
	f.minusOne(z)
}

// inc adds 1 to the digits z, all below r, as a borrow from r^k asks.
func (f *ring) inc(z []uint64) {
	for i := range z {
		if z[i]++; z[i] < f.r {
			return
		}
		z[i] = 0
	}
	f.minusOne(z)
}

// minusOne sets z = −1.
func (f *ring) minusOne(z []uint64) {
	clear(z)
	z[f.k-1] = f.r
}

func (f *ring) isMinusOne(x []uint64) bool { return x[f.k-1] == f.r }

// power returns the s with 0 ≤ s < 2k for which x = r^s, and −1 where there is none.
func (f *ring) power(x []uint64) int {
	x = x[:f.k]
	if f.isMinusOne(x) {
		return f.k
	}
	nonzero := func(d uint64) bool { return d != 0 }
	i := slices.IndexFunc(x, nonzero)
	switch {
	case i < 0:
		return -1
	case x[i] == 1 && isZero(x[i+1:]):
		return i
	case x[0] != 1: // −r^i = 1 + (r − 1)(r^i + … + r^(k−1))
		return -1
	}
	i = 1 + slices.IndexFunc(x[1:], nonzero)
	if slices.ContainsFunc(x[i:], func(d uint64) bool { return d != f.r-1 }) {
		return -1
	}
	return f.k + i
}

func isZero(x []uint64) bool {
	for _, d := range x {
		if d != 0 {
			return false
		}
	}
	return true
}

// inv sets z = 1/x for x ≠ 0 by Euclid's algorithm; z may be x.
func (f *ring) inv(z, x []uint64) {
	var t big.Int
	f.fromBig(z, t.ModInverse(f.toBig(&t, x), f.p))
}

// shift sets z = x·r^s; z is not x.
func (f *ring) shift(z, x []uint64, s uint64) {
	k := f.k
	n := int(s % uint64(2*k))
	if f.isMinusOne(x) { // r^(s+k)
		clear(z)
		if n = (n + k) % (2 * k); n < k {
			z[n] = 1
		} else {
			z[n-k] = 1
			f.neg(z, z)
		}
		return
	}
	// The last digits go to the first places, and change their sign, as r^k = −1. From r^k on all change it once more.
	up, down := n, n
	if n >= k {
		up, down = n-k, n-k
	}
	low, high := x[k-down:k], x[:k-up]
	var b uint64
	if n < k {
		b = f.negative(z[:down], low, 0)
		b = f.positive(z[up:k], high, b)
	} else {
		b = f.positive(z[:down], low, 0)
		b = f.negative(z[up:k], high, b)
	}
	if b == 1 {
		f.inc(z)
	}
}

// positive sets z to the digits of x less a borrow, and returns the next one.
func (f *ring) positive(z, x []uint64, b uint64) uint64 {
	for i := range z {
		var d uint64
		d, b = bits.Sub64(x[i], 0, b)
		z[i] = d + f.r&-b
	}
	return b
}

// negative sets z to those of −x less a borrow.
func (f *ring) negative(z, x []uint64, b uint64) uint64 {
	for i := range z {
		var d uint64
		d, b = bits.Sub64(0, x[i], b)
		z[i] = d + f.r&-b
	}
	return b
}

// mul sets z = xy; z is neither x nor y.
//
// Polynomials for x and y have a product modulo T^k + 1 whose coefficients, with the offsets, which are 0 together, are
// not negative. Carrying quotients by r upwards leaves digits and a last quotient of weight r^k = −1.
func (f *ring) mul(z, x, y []uint64) {
	switch {
	case f.integers != nil:
		f.byIntegers(z, x, y)
	case f.k == 2:
		f.two(z, x, y)
	case f.k < leastSplit || f.r < leastSplitRadix:
		f.schoolbook(z, x, y)
	default:
		f.karatsuba(z, x, y)
	}
}

// two is schoolbook for k = 2.
func (f *ring) two(z, x, y []uint64) {
	var q wide
	z[0], q = f.quoRem(f.first.plus(x[0], y[0]).minus(x[1], y[1]))
	z[1], q = f.quoRem(f.other.plus(x[0], y[1]).plus(x[1], y[0]).add(q))
	f.end(z[:2], q)
}

// schoolbook sets z = xy by all products of digits; z is neither x nor y.
func (f *ring) schoolbook(z, x, y []uint64) {
	if f.k <= 8 { // clearing more words takes a noticeable part of the time
		var w [8]uint64
		f.columns(z, x, y, w[:f.k])
	} else {
		var w [most]uint64
		f.columns(z, x, y, w[:f.k])
	}
}

// columns is schoolbook with room for the digits of y from the last to the first, as they are read.
func (f *ring) columns(z, x, y, w []uint64) {
	z, x, y = z[:len(w)], x[:len(w)], y[:len(w)]
	for i, d := range y {
		w[len(w)-1-i] = d
	}
	offset, q := f.first, wide{}
	for n := range z {
		z[n], q = f.quoRem(coefficient(x, w, n).add(offset).add(q))
		offset = f.other
	}
	f.end(z, q)
}

// coefficient returns Σ x_i·y_{n−i} − Σ x_i·y_{n+k−i}, k·r² at most in absolute value, as digits are r at most. In a
// function of its own the sum stays in registers.
func coefficient(x, w []uint64, n int) (u wide) {
	a, b := x[:n+1], w[len(w)-1-n:]
	b = b[:len(a)]
	for i, v := range a {
		u = u.plus(v, b[i])
	}
	a = x[n+1:]
	b = w[:len(a)]
	for i, v := range a {
		u = u.minus(v, b[i])
	}
	return u
}

// quoRem returns the digit u mod r and the quotient.
func (f *ring) quoRem(u wide) (d uint64, q wide) {
	q.w1, d = bits.Div64(u.w2, u.w1, f.r)
	q.w0, d = bits.Div64(d, u.w0, f.r)
	return d, q
}

// end subtracts the last quotient from the digits z. It is about 2nr, for the n of newRing, and below r².
func (f *ring) end(z []uint64, q wide) {
	t1, t0 := bits.Div64(q.w1, q.w0, f.r)
	f.subTwo(z, t0, t1)
}

// subTwo subtracts t0 + t1·r, in digits, from z.
func (f *ring) subTwo(z []uint64, t0, t1 uint64) {
	d, b := bits.Sub64(z[0], t0, 0)
	z[0] = d + f.r&-b
	d, b = bits.Sub64(z[1], t1, b)
	z[1] = d + f.r&-b
	for i := 2; b == 1 && i < len(z); i++ {
		d, b = bits.Sub64(z[i], 0, b)
		z[i] = d + f.r&-b
	}
	if b == 1 {
		f.inc(z)
	}
}
