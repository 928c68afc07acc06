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
	first, other [3]uint64
	powers       []*big.Int // r, r², r⁴, …, r^k, for conversions
	p            *big.Int   // r^k + 1
}

func newRing(r uint64, k int) ring {
	// With A = k(r + 2), A(r − 1) ≥ k·r². The offsets A(r − 1) of all coefficients and 2A of the first are
	// A(r^k − 1) + 2A = 0 together.
	a := [3]uint64{}
	a[1], a[0] = bits.Mul64(r, uint64(k))
	var c uint64
	a[0], c = bits.Add64(a[0], 2*uint64(k), 0)
	a[1] += c
	f := ring{r: r, k: k, first: times(a, r, 1), other: times(a, r, -1), p: modulus(r, k)}
	x := new(big.Int).SetUint64(r)
	for n := 1; n <= k; n *= 2 {
		f.powers = append(f.powers, x)
		x = new(big.Int).Mul(x, x)
	}
	return f
}

// times returns a·(r + s) for a < 2^128 and s = 1 or −1.
func times(a [3]uint64, r uint64, s int) (z [3]uint64) {
	h0, l0 := bits.Mul64(a[0], r)
	h1, l1 := bits.Mul64(a[1], r)
	var c uint64
	z[0] = l0
	z[1], c = bits.Add64(h0, l1, 0)
	z[2] = h1 + c
	if s > 0 {
		z[0], c = bits.Add64(z[0], a[0], 0)
		z[1], c = bits.Add64(z[1], a[1], c)
		z[2] += c
	} else {
		z[0], c = bits.Sub64(z[0], a[0], 0)
		z[1], c = bits.Sub64(z[1], a[1], c)
		z[2] -= c
	}
	return z
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
// The coefficients of the product modulo T^k + 1, uₙ = Σ x_i·y_{n−i} − Σ x_i·y_{n+k−i}, are k·r² at most in absolute
// value, as digits are r at most. With the offsets, which are 0 together, they are not negative. Carrying quotients
// by r upwards leaves digits and a last quotient of weight r^k = −1.
func (f *ring) mul(z, x, y []uint64) {
	k := f.k
	z, x, y = z[:k], x[:k], y[:k]
	offset, q1, q0 := &f.first, uint64(0), uint64(0)
	for n := range z {
		// Three words in variables of their own, which stay in registers.
		var c uint64
		u0, u1, u2 := offset[0], offset[1], offset[2]
		u0, c = bits.Add64(u0, q0, 0)
		u1, c = bits.Add64(u1, q1, c)
		u2 += c
		for i, v := range x[:n+1] {
			h, l := bits.Mul64(v, y[n-i])
			u0, c = bits.Add64(u0, l, 0)
			u1, c = bits.Add64(u1, h, c)
			u2 += c
		}
		for i, v := range x[n+1:] {
			h, l := bits.Mul64(v, y[k-1-i])
			u0, c = bits.Sub64(u0, l, 0)
			u1, c = bits.Sub64(u1, h, c)
			u2 -= c
		}
		q1, q0 = bits.Div64(u2, u1, f.r)
		q0, z[n] = bits.Div64(q0, u0, f.r)
		offset = &f.other
	}
	t1, t0 := bits.Div64(q1, q0, f.r)
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
