package residues

import (
	"math/big"
	"math/bits"
)

// Dot returns h·2⁶⁴ + l + Σ x[i]·y[i] in three words, high first, for y at least as long as x. Residues, digits and
// integers are such sums. It stands alone so that little else competes for registers.
//
//go:noinline
func Dot[W uint64 | big.Word](h, l uint64, x []W, y []uint64) (uint64, uint64, uint64) {
	var c, carry uint64
	y = y[:len(x)]
	i := 0
	for ; i+1 < len(x); i += 2 {
		h0, l0 := bits.Mul64(uint64(x[i]), y[i])
		l, carry = bits.Add64(l, l0, 0)
		h, carry = bits.Add64(h, h0, carry)
		c, _ = bits.Add64(c, 0, carry)
		h1, l1 := bits.Mul64(uint64(x[i+1]), y[i+1])
		l, carry = bits.Add64(l, l1, 0)
		h, carry = bits.Add64(h, h1, carry)
		c, _ = bits.Add64(c, 0, carry)
	}
	if i < len(x) {
		h0, l0 := bits.Mul64(uint64(x[i]), y[i])
		l, carry = bits.Add64(l, l0, 0)
		h, carry = bits.Add64(h, h0, carry)
		c, _ = bits.Add64(c, 0, carry)
	}
	return c, h, l
}
