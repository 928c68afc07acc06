package binary

import "math/big"

// modulus is a polynomial of degree m over GF(2), by which products are reduced.
type modulus struct {
	m, w int
	exps []int    // the exponents of its terms below x^m, descending
	tail []uint64 // the same as words
	// mu is ⌊x^(2m)/modulus⌋ less its leading term x^m. It is nil where the modulus is 2-gapped with few terms, so that
	// two folds by its terms are faster than two products by Barrett's method.
	mu []uint64
}

// fewTerms is how many terms below x^m are folded one by one.
const fewTerms = 6

// newModulus takes a polynomial of degree at least 2 with words.
func newModulus(p []uint64) *modulus {
	m := degree(p)
	c := &modulus{m: m, w: (m + 63) / 64}
	c.tail = make([]uint64, c.w)
	for i := m - 1; i >= 0; i-- {
		if p[i/64]>>(i%64)&1 == 1 {
			c.exps = append(c.exps, i)
			c.tail[i/64] |= 1 << (i % 64)
		}
	}
	if len(c.exps) == 0 || len(c.exps) > fewTerms || c.exps[0] > m/2 {
		c.setBarrett()
	}
	return c
}

// setBarrett sets mu.
func (c *modulus) setBarrett() {
	square := make([]uint64, 2*c.m/64+1)
	square[2*c.m/64] = 1 << (2 * c.m % 64)
	q, _ := divide(square, c.words())
	c.mu = make([]uint64, c.w)
	copy(c.mu, q)
	if c.m%64 != 0 {
		c.mu[c.m/64] ^= 1 << (c.m % 64)
	}
}

// words returns the polynomial.
func (c *modulus) words() []uint64 {
	p := make([]uint64, c.m/64+1)
	copy(p, c.tail)
	p[c.m/64] |= 1 << (c.m % 64)
	return p
}

// integer returns the polynomial as an integer of m + 1 bits.
func (c *modulus) integer() *big.Int { return setBig(new(big.Int), c.words()) }

// cut clears the bits of x from m on.
func (c *modulus) cut(x []uint64) {
	if k := c.m % 64; k != 0 {
		x[c.m/64] &= 1<<k - 1
		clear(x[c.m/64+1:])
	} else {
		clear(x[c.m/64:])
	}
}

// reduce reduces h, of 2w words and degree at most 2m − 2, in its first w words.
func (c *modulus) reduce(h []uint64) {
	if c.w == 1 {
		h[0], h[1] = c.reduce1(h[1], h[0]), 0
		return
	}
	var room [most]uint64
	high := trimmed(shiftedDown(room[:], h, c.m))
	c.cut(h)
	if c.mu != nil {
		c.barrett(h, room[:c.w])
		return
	}
	for len(high) > 0 {
		for _, e := range c.exps {
			xorShifted(h, high, e)
		}
		high = trimmed(shiftedDown(room[:], h[:2*c.w], c.m))
		c.cut(h)
	}
}

// barrett adds to h, below x^m, what high·x^m is modulo the polynomial: the quotient q is the high half of the product
// by mu, exactly, as polynomials have no carries.
func (c *modulus) barrett(h, high []uint64) {
	var room [roomOfProduct]uint64
	var t [2 * most]uint64
	q := t[:2*c.w]
	product(q, high, c.mu, room[:])
	quotient := high
	var shifted [most]uint64
	shiftedDown(shifted[:c.w], q, c.m)
	xor(quotient, shifted[:c.w])
	product(q, quotient, c.tail, room[:])
	c.cut(q)
	xor(h[:c.w], q)
}

// reduce1 is reduce for one word.
func (c *modulus) reduce1(hi, lo uint64) uint64 {
	s := uint(c.m)
	mask := ^uint64(0) >> (64 - s)
	high := hi<<(64-s) | lo>>s // lo>>64 is 0, hi<<0 is hi
	lo &= mask
	if c.mu != nil {
		hi, q := clmul(high, c.mu[0])
		_, t := clmul(high^hi<<(64-s)^q>>s, c.tail[0])
		return (lo ^ t) & mask
	}
	for high != 0 {
		hi = 0
		for _, e := range c.exps {
			lo ^= high << e
			hi ^= high >> (64 - e) // 0 for e = 0
		}
		high = hi<<(64-s) | lo>>s
		lo &= mask
	}
	return lo
}

func (c *modulus) mul(z, x, y []uint64) {
	if c.w == 1 {
		z[0] = c.mul1(x[0], y[0])
		return
	}
	var t [2 * most]uint64
	var room [roomOfProduct]uint64
	h := t[:2*c.w]
	product(h, x[:c.w], y[:c.w], room[:])
	c.reduce(h)
	copy(z, h[:c.w])
	clear(z[c.w:])
}

func (c *modulus) mul1(x, y uint64) uint64 { return c.reduce1(clmul(x, y)) }

func (c *modulus) square(z, x []uint64) {
	if c.w == 1 {
		z[0] = c.square1(x[0])
		return
	}
	var t [2 * most]uint64
	h := t[:2*c.w]
	for i, a := range x[:c.w] {
		h[2*i], h[2*i+1] = spread(a), spread(a>>32)
	}
	c.reduce(h)
	copy(z, h[:c.w])
	clear(z[c.w:])
}

func (c *modulus) square1(x uint64) uint64 { return c.reduce1(spread(x>>32), spread(x)) }

// trace is the mask of the bits whose basis vectors have trace 1. The traces of the powers of x are the power sums of
// the roots of the modulus, by Newton's identities: s_k is the sum of s_(k−i) over the terms x^(m−i), i < k, and of k
// where x^(m−k) is a term.
func (c *modulus) trace() []uint64 {
	mask := make([]uint64, c.w)
	mask[0] = uint64(c.m & 1)
	for k := 1; k < c.m; k++ {
		var s uint64
		for _, e := range c.exps {
			switch i := c.m - e; {
			case i < k:
				s ^= mask[(k-i)/64] >> ((k - i) % 64)
			case i == k:
				s ^= uint64(k)
			}
		}
		mask[k/64] |= s & 1 << (k % 64)
	}
	return mask
}

// generator is the polynomial x, whose powers are the basis.
func (c *modulus) generator() []uint64 {
	x := make([]uint64, c.w)
	x[0] = 2
	return x
}
