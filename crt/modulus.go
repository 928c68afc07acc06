package crt

import (
	"math/bits"

	"github.com/galfft/fft/internal/arith"
)

// modulus is an odd prime p < 2⁶³ with what a Montgomery reduction needs.
type modulus struct {
	p   uint64
	inv uint64 // −p⁻¹ mod 2⁶⁴
}

func newModulus(p uint64) modulus {
	return modulus{p, -arith.Newton(p)}
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

// mul returns x·y mod p, and inverse 1/x: for set-up.
func (m modulus) mul(x, y uint64) uint64 { return arith.Mul(x, y, m.p) }

func (m modulus) inverse(x uint64) uint64 { return arith.Inverse(x, m.p) }

// lift returns x·2¹²⁸ mod p, the form of a constant whose products go through reduce.
func (m modulus) lift(x uint64) uint64 {
	return bits.Rem64(bits.Rem64(x, 0, m.p), 0, m.p)
}
