package smallprime

import "math/bits"

// shoup62 serves p < 2^62. Wide values are in [0, 4p), narrow ones in [0, 2p): sums stay unreduced, as in
// D. Harvey, "Faster arithmetic for number-theoretic transforms", J. Symb. Comput. 60 (2014).
//
// Products follow Shoup: with q = ⌊w·2^64/p⌋, xw − ⌊xq/2^64⌋p is in [0, 2p) for every x and w < p. Here and
// below, min(x, x−m) is x mod m for x < 2m: the difference wraps where x < m.
type shoup62 struct{ p, p2 uint64 }

func newShoup62(p uint64) shoup62 { return shoup62{p, 2 * p} }

func (m shoup62) pair(w uint64) (uint64, uint64) { return w, shoup(w, m.p) }
func (m shoup62) low(x uint64) uint64            { return min(x, x-m.p2) }
func (m shoup62) add(x, y uint64) uint64         { return x + y }
func (m shoup62) sub(x, y uint64) uint64         { return x - y + m.p2 }

func (m shoup62) mul(x, w, q uint64) uint64 {
	h, _ := bits.Mul64(x, q)
	return x*w - h*m.p
}

func (m shoup62) canon(x uint64) uint64 {
	x = min(x, x-m.p2)
	return min(x, x-m.p)
}

// shoup returns ⌊w·2^64/p⌋ for w < p.
func shoup(w, p uint64) uint64 {
	q, _ := bits.Div64(w, 0, p)
	return q
}

// shoup63 serves p < 2^63. Wide and narrow values are in [0, 2p); products are those of shoup62.
type shoup63 struct{ p, p2 uint64 }

func newShoup63(p uint64) shoup63 { return shoup63{p, 2 * p} }

func (m shoup63) pair(w uint64) (uint64, uint64) { return w, shoup(w, m.p) }
func (m shoup63) low(x uint64) uint64            { return x }
func (m shoup63) canon(x uint64) uint64          { return min(x, x-m.p) }

func (m shoup63) mul(x, w, q uint64) uint64 {
	h, _ := bits.Mul64(x, q)
	return x*w - h*m.p
}

func (m shoup63) add(x, y uint64) uint64 { return addMod(x, y, m.p2) }
func (m shoup63) sub(x, y uint64) uint64 { return subMod(x, y, m.p2) }

// mont64 serves p < 2^64. Wide and narrow values are canonical.
//
// Products follow Montgomery with the multiplier's share done beforehand: with w' = w·2^64 mod p and
// q = w'/p mod 2^64, ⌊xw'/2^64⌋ − ⌊(xq mod 2^64)p/2^64⌋ is xw mod p, or that less p, for every x: both
// products have one low half, so that their difference is exactly divisible.
type mont64 struct {
	p uint64
	i uint64 // 1/p mod 2^64
}

// newMont64 finds 1/p by Newton's iteration, which doubles the 3 bits of the first guess.
func newMont64(p uint64) mont64 {
	i := p
	for range 5 {
		i *= 2 - p*i
	}
	return mont64{p, i}
}

func (m mont64) pair(w uint64) (uint64, uint64) {
	_, r := bits.Div64(w, 0, m.p)
	return r, r * m.i
}

func (m mont64) low(x uint64) uint64   { return x }
func (m mont64) canon(x uint64) uint64 { return x }

func (m mont64) mul(x, w, q uint64) uint64 {
	h, _ := bits.Mul64(x, w)
	g, _ := bits.Mul64(x*q, m.p)
	return subMod(h, g, m.p)
}

func (m mont64) add(x, y uint64) uint64 { return addMod(x, y, m.p) }
func (m mont64) sub(x, y uint64) uint64 { return subMod(x, y, m.p) }

// addMod returns x + y mod m for x, y < m, and every m: with a mask of the borrow, as a sum may not fit.
func addMod(x, y, m uint64) uint64 {
	z, b := bits.Sub64(x, m-y, 0)
	return z + m&-b
}

// subMod returns x − y mod m for x, y < m.
func subMod(x, y, m uint64) uint64 {
	z, b := bits.Sub64(x, y, 0)
	return z + m&-b
}
