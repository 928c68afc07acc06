package residues

import (
	"math/big"
	"math/bits"
)

// group is the number of words of an integer that are summed between two reductions.
const group = 32

// Powers holds the place values of the words of an integer modulo a prime, β^i for i ≤ group where β is the base of
// the words, lifted.
type Powers [group + 1]uint64

// NewPowers returns those of words of so many bits, 32 or 64.
func (m Modulus) NewPowers(size int) (t Powers) {
	base := bits.Rem64(1, 0, m.P) // 2⁶⁴
	if size == 32 {
		base = 1 << 32 % m.P
	}
	t[0] = m.Lift(1)
	for i := range group {
		t[i+1] = m.Mul(t[i], base)
	}
	return t
}

// Residue returns the integer of words x modulo m by Horner's rule over groups of words; r is the residue of the groups
// above.
func Residue[W uint64 | big.Word](m Modulus, t *Powers, x []W) uint64 {
	if len(x) == 0 {
		return 0
	}
	k := (len(x) - 1) / group * group
	r := m.Reduce(Dot(0, 0, x[k:], t[:group]))
	for k > 0 {
		x, k = x[:k], k-group
		h, l := bits.Mul64(r, t[group])
		r = m.Reduce(Dot(h, l, x[k:], t[:group]))
	}
	return r
}
