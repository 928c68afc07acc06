package intmul

import (
	"math/big"
	"math/bits"
)

// wordSteps is steps of words: its entries are below 2^32.
type wordSteps [2][2]uint64

// halveWords is halve of words; it is false where there are no quotients.
func halveWords(x, y uint64) (m wordSteps, some bool) {
	least := half(bits.Len64(x | y))
	m = wordSteps{{1, 0}, {0, 1}}
	for bits.Len64(x) > least && bits.Len64(y) > least {
		column := 0
		large, small := &x, &y
		if x < y {
			large, small, column = &y, &x, 1
		}
		q, r := *large / *small, *large%*small
		if bits.Len64(r) <= least {
			q, r = q-1, r+*small
		}
		if q == 0 {
			break
		}
		*large, some = r, true
		m[0][1-column] += q * m[0][column]
		m[1][1-column] += q * m[1][column]
	}
	return m, some
}

// inverse applies the inverse of m to x and y, which become natural numbers again.
func (m *wordSteps) inverse(x, y *big.Int) {
	u, v := of(x), of(y)
	n := max(len(u), len(v))
	r, s := make([]uint64, n), make([]uint64, n)
	copy(r, u)
	copy(s, v)
	var c, d uint64 // carries, of two's complement
	for i, x := range r {
		y := s[i]
		r[i], c = minusWords(m[1][1], x, m[0][1], y, c)
		s[i], d = minusWords(m[0][0], y, m[1][0], x, d)
	}
	set(x, r, false)
	set(y, s, false)
}

// minusWords returns a·x − b·y + c in two words, of which the upper one and c have a sign. a and b are below 2^32.
func minusWords(a, x, b, y, c uint64) (low, high uint64) {
	h, l := bits.Mul64(a, x)
	g, k := bits.Mul64(b, y)
	l, borrow := bits.Sub64(l, k, 0)
	h, _ = bits.Sub64(h, g, borrow)
	l, carry := bits.Add64(l, c, 0)
	return l, h + uint64(int64(c)>>63) + carry
}

// after sets the row (x, y) of a matrix to that of its product with m.
func (m *wordSteps) after(x, y *big.Int) {
	u, v := of(x), of(y)
	n := max(len(u), len(v))
	r, s := make([]uint64, n+1), make([]uint64, n+1)
	copy(r, u)
	copy(s, v)
	var c, d uint64
	for i, x := range r[:n] {
		y := s[i]
		r[i], c = plusWords(m[0][0], x, m[1][0], y, c)
		s[i], d = plusWords(m[0][1], x, m[1][1], y, d)
	}
	r[n], s[n] = c, d
	set(x, r, false)
	set(y, s, false)
}

// plusWords returns a·x + b·y + c in two words. a and b are below 2^32, and c below 2^33.
func plusWords(a, x, b, y, c uint64) (low, high uint64) {
	h, l := bits.Mul64(a, x)
	g, k := bits.Mul64(b, y)
	l, carry := bits.Add64(l, k, 0)
	h, _ = bits.Add64(h, g, carry)
	l, carry = bits.Add64(l, c, 0)
	return l, h + carry
}
