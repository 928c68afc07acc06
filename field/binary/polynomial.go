package binary

import (
	"math/big"
	"math/bits"
	"slices"

	"github.com/galfft/fft/internal/factor"
)

// divide returns quotient and remainder of polynomials over GF(2).
func divide(x, y []uint64) (q, r []uint64) {
	y, r = trimmed(y), slices.Clone(x)
	q = make([]uint64, len(x))
	d := degree(y)
	for e := degree(r) - d; e >= 0; e = degree(r) - d {
		xorShifted(r, y, e)
		q[e/64] |= 1 << (e % 64)
	}
	return q, r
}

// coprime reports whether the greatest common divisor of two polynomials over GF(2) is 1. It overwrites both.
func coprime(x, y []uint64) bool {
	x, y = trimmed(x), trimmed(y)
	dx, dy := degree(x), degree(y)
	for dy >= 0 {
		for dx >= dy {
			xorShifted(x, y, dx-dy)
			x = trimmed(x)
			dx = degree(x)
		}
		x, y, dx, dy = y, x, dy, dx
	}
	return dx == 0
}

// Irreducible reports whether p, an integer whose bit i is the coefficient of x^i, is an irreducible polynomial over
// GF(2) of degree 2 to 2048. It is the test of M. Rabin, "Probabilistic algorithms in finite fields", SIAM J. Comput. 9
// (1980), lemma 1, which takes as many squares modulo p as p has bits. Nil is none.
func Irreducible(p *big.Int) bool {
	if p == nil || p.Sign() < 0 || checkDegree(p.BitLen()-1) != nil {
		return false
	}
	return irreducible(newModulus(setWords(make([]uint64, p.BitLen()/64+1), p)))
}

func irreducible(c *modulus) bool {
	if c.tail[0]&1 == 0 || len(c.exps)%2 == 1 { // 0 is a root, or 1
		return false
	}
	x := c.generator()
	t := slices.Clone(x)
	primes := factor.Primes(uint64(c.m))
	for i := 1; i <= c.m; i++ {
		c.square(t, t)
		if i < c.m && c.m%i == 0 && slices.Contains(primes, uint64(c.m/i)) {
			d := slices.Clone(t)
			xor(d, x)
			if !coprime(c.words(), d) {
				return false
			}
		}
	}
	return slices.Equal(t, x)
}

// setWords sets z to the words of x, which is not negative and fits, and returns it.
func setWords(z []uint64, x *big.Int) []uint64 {
	clear(z)
	for i, w := range x.Bits() {
		z[i*bits.UintSize/64] |= uint64(w) << (i * bits.UintSize % 64)
	}
	return z
}

// setBig sets z to the integer with words x.
func setBig(z *big.Int, x []uint64) *big.Int {
	b := make([]byte, 8*len(x))
	for i := range b {
		b[len(b)-1-i] = byte(x[i/8] >> (i % 8 * 8))
	}
	return z.SetBytes(b)
}
