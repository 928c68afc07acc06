package binary

import "math/bits"

// fifth has the bits 0, 5, …, 60, and last 4, 9, …, 59.
const (
	fifth = 0x1084210842108421
	last  = fifth << 4 & (1<<64 - 1)
)

// clmul returns the product of two polynomials over GF(2) of degree below 64. It multiplies integers of which only
// every fifth bit may be set: at most 13 terms meet in a place, which takes four bits, so that no carry reaches the
// next.
func clmul(x, y uint64) (hi, lo uint64) {
	x0, x1, x2, x3, x4 := x&fifth, x&(fifth<<1), x&(fifth<<2), x&(fifth<<3), x&last
	y0, y1, y2, y3, y4 := y&fifth, y&(fifth<<1), y&(fifth<<2), y&(fifth<<3), y&last
	h0, l0 := sum5(x0, y0, x1, y4, x2, y3, x3, y2, x4, y1)
	h1, l1 := sum5(x0, y1, x1, y0, x2, y4, x3, y3, x4, y2)
	h2, l2 := sum5(x0, y2, x1, y1, x2, y0, x3, y4, x4, y3)
	h3, l3 := sum5(x0, y3, x1, y2, x2, y1, x3, y0, x4, y4)
	h4, l4 := sum5(x0, y4, x1, y3, x2, y2, x3, y1, x4, y0)
	// Bit j of the high word is bit 64 + j, of the class j + 4 modulo 5.
	hi = h0&(fifth<<1) | h1&(fifth<<2) | h2&(fifth<<3) | h3&last | h4&fifth
	lo = l0&fifth | l1&(fifth<<1) | l2&(fifth<<2) | l3&(fifth<<3) | l4&last
	return hi, lo
}

// sum5 adds five products of integers over GF(2).
func sum5(a, b, c, d, e, f, g, h, i, j uint64) (hi, lo uint64) {
	h0, l0 := bits.Mul64(a, b)
	h1, l1 := bits.Mul64(c, d)
	h2, l2 := bits.Mul64(e, f)
	h3, l3 := bits.Mul64(g, h)
	h4, l4 := bits.Mul64(i, j)
	return h0 ^ h1 ^ h2 ^ h3 ^ h4, l0 ^ l1 ^ l2 ^ l3 ^ l4
}

// roomOfProduct is the words that product needs beside its result, for operands of up to most words.
const roomOfProduct = 4*most + 32

// product sets z to xy, polynomials over GF(2) of n and n words: 2n words, by Karatsuba's method. z overlaps no other.
func product(z, x, y, room []uint64) {
	n := len(x)
	switch n {
	case 1:
		z[1], z[0] = clmul(x[0], y[0])
		return
	case 3:
		schoolbook(z, x, y)
		return
	}
	h := (n + 1) / 2
	sx, sy, middle, room := room[:h], room[h:2*h], room[2*h:4*h], room[4*h:]
	copy(sx, x)
	copy(sy, y)
	xor(sx, x[h:])
	xor(sy, y[h:])
	product(z[:2*h], x[:h], y[:h], room)
	product(z[2*h:2*n], x[h:], y[h:], room)
	product(middle, sx, sy, room)
	xor(middle, z[:2*h])
	xor(middle, z[2*h:2*n])
	xor(z[h:], middle) // its highest words are 0 where they would be beyond z
}

func schoolbook(z, x, y []uint64) {
	clear(z[:2*len(x)])
	for i, a := range x {
		for j, b := range y {
			hi, lo := clmul(a, b)
			z[i+j] ^= lo
			z[i+j+1] ^= hi
		}
	}
}

// xor adds x to as many words of z.
func xor(z, x []uint64) {
	for i, w := range x[:min(len(x), len(z))] {
		z[i] ^= w
	}
}

// xorShifted adds x·2^s to z; what is beyond z is 0.
func xorShifted(z, x []uint64, s int) {
	z = z[s/64:]
	k := uint(s % 64)
	if k == 0 {
		xor(z, x)
		return
	}
	var carry uint64
	for i, w := range x {
		if i < len(z) {
			z[i] ^= w<<k | carry
		}
		carry = w >> (64 - k)
	}
	if len(x) < len(z) {
		z[len(x)] ^= carry
	}
}

// shiftedDown sets z to ⌊x/2^s⌋, and returns z without the words that x does not reach.
func shiftedDown(z, x []uint64, s int) []uint64 {
	x = x[min(s/64, len(x)):]
	k := uint(s % 64)
	n := min(len(x), len(z))
	for i := range n {
		w := x[i] >> k
		if i+1 < len(x) {
			w |= x[i+1] << (64 - k) // 0 for k = 0
		}
		z[i] = w
	}
	return z[:n]
}

// spread has a 0 between every two bits of the low half of x: its square as a polynomial over GF(2).
func spread(x uint64) uint64 {
	x &= 1<<32 - 1
	x = (x | x<<16) & 0x0000FFFF0000FFFF
	x = (x | x<<8) & 0x00FF00FF00FF00FF
	x = (x | x<<4) & 0x0F0F0F0F0F0F0F0F
	x = (x | x<<2) & 0x3333333333333333
	return (x | x<<1) & 0x5555555555555555
}

// trimmed returns x without words 0 at the top.
func trimmed(x []uint64) []uint64 {
	for len(x) > 0 && x[len(x)-1] == 0 {
		x = x[:len(x)-1]
	}
	return x
}

// degree is that of the polynomial x, and −1 for 0.
func degree(x []uint64) int {
	x = trimmed(x)
	if len(x) == 0 {
		return -1
	}
	return 64*len(x) - 1 - bits.LeadingZeros64(x[len(x)-1])
}
