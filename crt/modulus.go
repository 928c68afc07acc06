package crt

import "math/bits"

// modulus is an odd prime p < 2⁶³ with what a Montgomery reduction needs.
type modulus struct {
	p   uint64
	inv uint64 // −p⁻¹ mod 2⁶⁴
}

func newModulus(p uint64) modulus {
	inv := p // p·p = 1 mod 8; each step doubles the number of bits
	for range 5 {
		inv *= 2 - p*inv
	}
	return modulus{p, -inv}
}

// reduce returns (c·2¹²⁸ + h·2⁶⁴ + l)·2⁻¹²⁸ mod p, which is below p, for every sum of fewer than 2⁶⁰ products of a
// word and a residue. Each of the two steps adds the multiple of p that clears the lowest word: the first leaves
// at most (2⁶⁰+1)·p, so that its upper word c is below p, and the second at most c + p, below 2p.
func (m modulus) reduce(c, h, l uint64) uint64 {
	q, low := bits.Mul64(l*m.inv, m.p)
	_, carry := bits.Add64(l, low, 0)
	h, carry = bits.Add64(h, q, carry)
	c += carry
	q, low = bits.Mul64(h*m.inv, m.p)
	_, carry = bits.Add64(h, low, 0)
	r := c + q + carry
	if r >= m.p {
		r -= m.p
	}
	return r
}

// mul returns x·y mod p. Like what follows, it is for set-up.
func (m modulus) mul(x, y uint64) uint64 {
	h, l := bits.Mul64(x, y)
	return bits.Rem64(h, l, m.p)
}

// pow returns x^e mod p.
func (m modulus) pow(x, e uint64) uint64 {
	r := uint64(1)
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			r = m.mul(r, x)
		}
		x = m.mul(x, x)
	}
	return r
}

// inverse returns 1/x mod p for x that p does not divide.
func (m modulus) inverse(x uint64) uint64 { return m.pow(x, m.p-2) }

// lift returns x·2¹²⁸ mod p, the form of a constant whose products go through reduce.
func (m modulus) lift(x uint64) uint64 {
	return bits.Rem64(bits.Rem64(x, 0, m.p), 0, m.p)
}
