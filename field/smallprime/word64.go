package smallprime

import (
	"math"
	"math/bits"

	"github.com/galfft/fft/internal/arith"
)

// shoup62 serves p < 2^62. Wide values are in [0, 4p), narrow ones in [0, 2p): sums stay unreduced, as in
// D. Harvey, "Faster arithmetic for number-theoretic transforms", J. Symb. Comput. 60 (2014).
//
// Products follow Shoup: with q = ⌊w·2^64/p⌋, xw − ⌊xq/2^64⌋p is in [0, 2p) for every x and w < p.
type shoup62 struct{ p, p2 uint64 }

func newShoup62(p uint64) shoup62 { return shoup62{p, 2 * p} }

func (m shoup62) pair(w uint64) (uint64, uint64) {
	q, _ := bits.Div64(w, 0, m.p)
	return w, q
}

func (m shoup62) mul(x, w, q uint64) uint64 {
	h, _ := bits.Mul64(x, q)
	return x*w - h*m.p
}

func (m shoup62) canon(x uint64) uint64 {
	x = min(x-m.p2, x)
	return min(x-m.p, x)
}

func (m shoup62) cross(x, y, w, q uint64) (s, d uint64) {
	x = min(x, x-m.p2)
	h, _ := bits.Mul64(y, q)
	y = y*w - h*m.p
	return x + y, x - y + m.p2
}

func (m shoup62) crossT(x, y, w, q uint64) (s, d uint64) {
	s, d = x+y, x-y+m.p2
	h, _ := bits.Mul64(d, q)
	return min(s, s-m.p2), d*w - h*m.p
}

func (m shoup62) plain(x, y uint64) (s, d uint64) {
	x, y = min(x, x-m.p2), min(y, y-m.p2)
	return x + y, x - y + m.p2
}

func (m shoup62) plainT(x, y uint64) (s, d uint64) {
	s, d = x+y, x-y+m.p2
	return min(s, s-m.p2), min(d, d-m.p2)
}

// shoup50 is shoup62 for p < 2^50 with companions ⌊w·2^52/p⌋, the products of which vectors of 52-bit products have.
// Factors are below 2^52.
type shoup50 struct {
	shoup62
	inverse uint64 // ⌊2^(52+size)/p⌋
	size    uint   // of p, in bits
}

func newShoup50(p uint64) shoup50 {
	size := uint(bits.Len64(p))
	high, low := uint64(1)<<52>>(64-size), uint64(1)<<52<<size // 2^(52+size)
	inverse, _ := bits.Div64(high, low, p)
	return shoup50{newShoup62(p), inverse, size}
}

// pair estimates the companion, as tables have many of them: w·inverse/2^size is less than w/2^size ≤ 1 below
// w·2^52/p, so that it is the companion or 1 less.
func (m shoup50) pair(w uint64) (uint64, uint64) {
	h, l := bits.Mul64(w, m.inverse)
	q := h<<(64-m.size) | l>>m.size
	if rest := w<<52 - q*m.p; rest >= m.p {
		q++
	}
	return w, q
}

func (m shoup50) mul(x, w, q uint64) uint64 {
	h, _ := bits.Mul64(x<<12, q)
	return x*w - h*m.p
}

func (m shoup50) cross(x, y, w, q uint64) (s, d uint64) {
	x = min(x, x-m.p2)
	h, _ := bits.Mul64(y<<12, q)
	y = y*w - h*m.p
	return x + y, x - y + m.p2
}

func (m shoup50) crossT(x, y, w, q uint64) (s, d uint64) {
	s, d = x+y, x-y+m.p2
	h, _ := bits.Mul64(d<<12, q)
	return min(s, s-m.p2), d*w - h*m.p
}

// double50 is shoup62 for p < 2^50 with multipliers as doubles, between −p/2 and p/2, and their quotients by p, which
// vectors without products of 52 bits have. Factors are below 2^52.
type double50 struct {
	shoup62
	d float64 // p
}

func newDouble50(p uint64) double50 { return double50{newShoup62(p), float64(p)} }

func (m double50) pair(w uint64) (uint64, uint64) {
	x := float64(w)
	if w > m.p/2 {
		x -= m.d
	}
	return math.Float64bits(x), math.Float64bits(x / m.d)
}

// mul takes the quotient less than 1 from xw/p, which is below 2^51: a sum with 1.5·2^52 has no place for its fraction.
// The rest of xw beside its rounded value is exact, and so is the difference of that and a multiple of p.
func (m double50) mul(x, w, q uint64) uint64 {
	const round = 3 << 51
	f, a := math.Float64frombits(w), float64(x)
	k := math.FMA(a, math.Float64frombits(q), round) - round
	high := a * f
	low := math.FMA(a, f, -high)
	return uint64(int64(math.FMA(-k, m.d, high)+low)) + m.p
}

func (m double50) cross(x, y, w, q uint64) (s, d uint64) {
	x, y = min(x, x-m.p2), m.mul(y, w, q)
	return x + y, x - y + m.p2
}

func (m double50) crossT(x, y, w, q uint64) (s, d uint64) {
	s = x + y
	return min(s, s-m.p2), m.mul(x-y+m.p2, w, q)
}

// shoup63 serves p < 2^63. Wide and narrow values are in [0, 2p); products are those of shoup62. A sum may
// not fit a word, so that masks of the borrow reduce.
type shoup63 struct{ p, p2 uint64 }

func newShoup63(p uint64) shoup63 { return shoup63{p, 2 * p} }

func (m shoup63) pair(w uint64) (uint64, uint64) {
	q, _ := bits.Div64(w, 0, m.p)
	return w, q
}

func (m shoup63) mul(x, w, q uint64) uint64 {
	h, _ := bits.Mul64(x, q)
	return x*w - h*m.p
}

func (m shoup63) canon(x uint64) uint64 { return min(x-m.p, x) }

func (m shoup63) cross(x, y, w, q uint64) (s, d uint64) {
	h, _ := bits.Mul64(y, q)
	y = y*w - h*m.p
	s, b := bits.Sub64(x, m.p2-y, 0)
	d, c := bits.Sub64(x, y, 0)
	return s + m.p2&-b, d + m.p2&-c
}

func (m shoup63) crossT(x, y, w, q uint64) (s, d uint64) {
	s, b := bits.Sub64(x, m.p2-y, 0)
	d, c := bits.Sub64(x, y, 0)
	d += m.p2 & -c
	h, _ := bits.Mul64(d, q)
	return s + m.p2&-b, d*w - h*m.p
}

func (m shoup63) plain(x, y uint64) (s, d uint64) {
	s, b := bits.Sub64(x, m.p2-y, 0)
	d, c := bits.Sub64(x, y, 0)
	return s + m.p2&-b, d + m.p2&-c
}

// mont64 serves p < 2^64. All values are canonical.
//
// Products follow Montgomery with the multiplier's share done beforehand: with w' = w·2^64 mod p and
// q = w'/p mod 2^64, ⌊xw'/2^64⌋ − ⌊(xq mod 2^64)p/2^64⌋ is xw mod p, or that less p, for every x: both
// products have one low half, so that their difference is exactly divisible. The pair is (w', q).
type mont64 struct {
	p uint64
	i uint64 // 1/p mod 2^64
}

func newMont64(p uint64) mont64 { return mont64{p, arith.Newton(p)} }

func (m mont64) pair(w uint64) (uint64, uint64) {
	_, r := bits.Div64(w, 0, m.p)
	return r, r * m.i
}

func (m mont64) mul(x, w, q uint64) uint64 {
	h, _ := bits.Mul64(x, w)
	g, _ := bits.Mul64(x*q, m.p)
	x, b := bits.Sub64(h, g, 0)
	return x + m.p&-b
}

func (m mont64) cross(x, y, w, q uint64) (s, d uint64) {
	h, _ := bits.Mul64(y, w)
	g, _ := bits.Mul64(y*q, m.p)
	y, a := bits.Sub64(h, g, 0)
	y += m.p & -a
	s, b := bits.Sub64(x, m.p-y, 0)
	d, c := bits.Sub64(x, y, 0)
	return s + m.p&-b, d + m.p&-c
}

func (m mont64) crossT(x, y, w, q uint64) (s, d uint64) {
	s, b := bits.Sub64(x, m.p-y, 0)
	d, c := bits.Sub64(x, y, 0)
	d += m.p & -c
	h, _ := bits.Mul64(d, w)
	g, _ := bits.Mul64(d*q, m.p)
	d, a := bits.Sub64(h, g, 0)
	return s + m.p&-b, d + m.p&-a
}

func (m mont64) plain(x, y uint64) (s, d uint64) {
	s, b := bits.Sub64(x, m.p-y, 0)
	d, c := bits.Sub64(x, y, 0)
	return s + m.p&-b, d + m.p&-c
}

// solinas64 serves p = 2^64 − 2^32 + 1 with products of mont64. Wide values are any words, narrow ones are canonical:
// a wide value and a canonical one have a sum and a difference that fit a word after one correction by 2^64 − p.
type solinas64 struct{ mont64 }

func newSolinas64(p uint64) solinas64 { return solinas64{newMont64(p)} }

func (m solinas64) canon(x uint64) uint64 { return min(x-m.p, x) }

func (m solinas64) cross(x, y, w, q uint64) (s, d uint64) {
	h, _ := bits.Mul64(y, w)
	g, _ := bits.Mul64(y*q, m.p)
	y, a := bits.Sub64(h, g, 0)
	y += m.p & -a
	s, b := bits.Add64(x, y, 0)
	d, c := bits.Sub64(x, y, 0)
	return s - m.p&-b, d + m.p&-c
}

func (m solinas64) plain(x, y uint64) (s, d uint64) {
	y = min(y-m.p, y)
	s, b := bits.Add64(x, y, 0)
	d, c := bits.Sub64(x, y, 0)
	return s - m.p&-b, d + m.p&-c
}

func (m solinas64) plainT(x, y uint64) (s, d uint64) { return m.mont64.plain(x, y) }
