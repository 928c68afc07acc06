package residues

import (
	"math/bits"

	"github.com/galfft/fft/internal/arith"
)

// Modulus is an odd prime P < 2⁶³ with what a Montgomery reduction needs.
type Modulus struct {
	P   uint64
	inv uint64 // −1/P mod 2⁶⁴
}

// NewModulus returns that of p.
func NewModulus(p uint64) Modulus {
	return Modulus{p, -arith.Newton(p)}
}

// Reduce returns (c·2¹²⁸ + h·2⁶⁴ + l)·2⁻¹²⁸ mod P, which is below P, for every sum of fewer than 2⁶⁰ products of a
// word and a residue. Each of the two steps adds the multiple of P that clears the lowest word: the first leaves
// at most (2⁶⁰+1)·P, so that its upper word c is below P, and the second at most c + P, below 2P.
func (m Modulus) Reduce(c, h, l uint64) uint64 {
	q, low := bits.Mul64(l*m.inv, m.P)
	_, carry := bits.Add64(l, low, 0)
	h, carry = bits.Add64(h, q, carry)
	c += carry
	q, low = bits.Mul64(h*m.inv, m.P)
	_, carry = bits.Add64(h, low, 0)
	r := c + q + carry
	if r >= m.P {
		r -= m.P
	}
	return r
}

// Mul returns x·y mod P, and Inverse 1/x: for set-up.
func (m Modulus) Mul(x, y uint64) uint64 { return arith.Mul(x, y, m.P) }

// Inverse returns 1/x mod P.
func (m Modulus) Inverse(x uint64) uint64 { return arith.Inverse(x, m.P) }

// Lift returns x·2¹²⁸ mod P, the form of a constant whose products go through Reduce.
func (m Modulus) Lift(x uint64) uint64 {
	return bits.Rem64(bits.Rem64(x, 0, m.P), 0, m.P)
}
