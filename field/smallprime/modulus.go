package smallprime

import "math/bits"

// modulus divides two-word numbers by p, for any p from 1 to 2^64 − 1, with a reciprocal instead of a
// division: N. Möller, T. Granlund, "Improved division by invariant integers", IEEE Trans. Comput. 60
// (2011), algorithm 4.
type modulus struct {
	p uint64
	d uint64 // p·2^s, at least 2^63
	v uint64 // ⌊(2^128 − 1)/d⌋ − 2^64
	s uint
}

func newModulus(p uint64) modulus {
	m := modulus{p: p, s: uint(bits.LeadingZeros64(p))}
	m.d = p << m.s
	m.v, _ = bits.Div64(^m.d, ^uint64(0), m.d)
	return m
}

// mul returns xy mod p for x < p and every y.
func (m modulus) mul(x, y uint64) uint64 {
	h, l := bits.Mul64(x<<(m.s&63), y)
	return m.rem(h, l) >> (m.s & 63)
}

// rem returns h·2^64 + l mod d for h < d.
func (m modulus) rem(h, l uint64) uint64 {
	q, f := bits.Mul64(m.v, h)
	f, c := bits.Add64(f, l, 0)
	r := l - (q+h+c+1)*m.d
	if r > f {
		r += m.d
	}
	return min(r-m.d, r)
}

// pow returns x^e mod p for x < p; 0^0 = 1, and p > 1.
func (m modulus) pow(x, e uint64) uint64 {
	z := uint64(1)
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			z = m.mul(z, x)
		}
		x = m.mul(x, x)
	}
	return z
}

// inv returns 1/x mod p for 0 < x < p, p prime, by Euclid's algorithm.
func (m modulus) inv(x uint64) uint64 {
	// r0 = ∓t0·x and r1 = ±t1·x mod p, where the sign changes with each step.
	r0, r1, t0, t1 := m.p, x, uint64(0), uint64(1)
	odd := false
	for ; r1 != 0; odd = !odd {
		q := r0 / r1
		r0, r1 = r1, r0-q*r1
		t0, t1 = t1, t0+q*t1
	}
	if odd {
		return t0
	}
	return m.p - t0
}

// modulus32 is modulus for p < 2^32, where products fit one word.
type modulus32 struct {
	p uint64
	v uint64 // ⌊2^64/p⌋
}

func newModulus32(p uint32) modulus32 { return modulus32{uint64(p), ^uint64(0) / uint64(p)} }

// mul returns xy mod p for x, y < 2^32. The estimate of the quotient is at most 1 too small.
func (m modulus32) mul(x, y uint64) uint64 {
	x *= y
	q, _ := bits.Mul64(x, m.v)
	x -= q * m.p
	return min(x, x-m.p)
}

// addMod returns x + y mod m for x, y < m.
func addMod(x, y, m uint64) uint64 {
	z, b := bits.Sub64(x, m-y, 0)
	return z + m&-b
}

// subMod returns x − y mod m for x, y < m.
func subMod(x, y, m uint64) uint64 {
	z, b := bits.Sub64(x, y, 0)
	return z + m&-b
}
