package smallprime

import "github.com/galfft/fft/internal/arith"

// An arithmetic of vectors has wide and narrow values and these methods, which passes are built of:
//
//	pair       a multiplier w < p and its companion, the form in which the methods take it
//	mul        xw of wide x: narrow
//	cross      (x + wy, x − wy) of wide x, y: wide
//	crossT     (x + y, (x − y)w) of narrow x, y: narrow
//	plain      cross with w = 1
//	plainT     crossT with w = 1, where plain does not serve
//	canon      x mod p of wide x, where values are not always canonical
//
// They compile to straight code without branches, inlined into the loops. Here they work on uint32 in
// registers of 64 bits, and min(x, x−m) is x mod m for x < 2m: the difference wraps where x < m. Likewise,
// min(x, x+m) is x mod m for −m ≤ x < m.

// shoup31 serves p < 2^31. Wide and narrow values are in [0, 2p).
//
// Products follow Shoup: with q = ⌊w·2^32/p⌋, xw − ⌊xq/2^32⌋p is in [0, 2p) for x < 2^32, w < p.
type shoup31 struct{ p, p2 uint64 }

func newShoup31(p uint64) shoup31 { return shoup31{p, 2 * p} }

func (m shoup31) pair(w uint64) (uint64, uint64) { return w, w << 32 / m.p }
func (m shoup31) mul(x, w, q uint64) uint64      { return x*w - x*q>>32*m.p }
func (m shoup31) canon(x uint64) uint64          { return min(x-m.p, x) }

func (m shoup31) cross(x, y, w, q uint64) (s, d uint64) {
	y = y*w - y*q>>32*m.p
	s, d = x+y, x-y
	return min(s, s-m.p2), min(d, d+m.p2)
}

func (m shoup31) crossT(x, y, w, q uint64) (s, d uint64) {
	s, d = x+y, x-y
	d = min(d, d+m.p2)
	return min(s, s-m.p2), d*w - d*q>>32*m.p
}

func (m shoup31) plain(x, y uint64) (s, d uint64) {
	s, d = x+y, x-y
	return min(s, s-m.p2), min(d, d+m.p2)
}

// shoup30 serves p < 2^30, with products of shoup31. Wide values are in [0, 4p), narrow ones in [0, 2p): sums stay
// unreduced, as in shoup62.
type shoup30 struct{ shoup31 }

func newShoup30(p uint64) shoup30 { return shoup30{newShoup31(p)} }

func (m shoup30) canon(x uint64) uint64 {
	x = min(x-m.p2, x)
	return min(x-m.p, x)
}

func (m shoup30) cross(x, y, w, q uint64) (s, d uint64) {
	x = min(x, x-m.p2)
	y = y*w - y*q>>32*m.p
	return x + y, x - y + m.p2
}

func (m shoup30) crossT(x, y, w, q uint64) (s, d uint64) {
	s, d = x+y, x-y+m.p2
	return min(s, s-m.p2), d*w - d*q>>32*m.p
}

func (m shoup30) plain(x, y uint64) (s, d uint64) {
	x, y = min(x, x-m.p2), min(y, y-m.p2)
	return x + y, x - y + m.p2
}

func (m shoup30) plainT(x, y uint64) (s, d uint64) {
	s, d = x+y, x-y+m.p2
	return min(s, s-m.p2), min(d, d-m.p2)
}

// strict32 serves p < 2^32 where there are no kernels. All values are canonical. Products are those of shoup31, made
// canonical.
type strict32 struct{ p uint64 }

func newStrict32(p uint64) strict32 { return strict32{p} }

func (m strict32) pair(w uint64) (uint64, uint64) { return w, w << 32 / m.p }

func (m strict32) mul(x, w, q uint64) uint64 {
	x = x*w - x*q>>32*m.p
	return min(x, x-m.p)
}

func (m strict32) cross(x, y, w, q uint64) (s, d uint64) {
	y = y*w - y*q>>32*m.p
	y = min(y, y-m.p)
	s, d = x+y, x-y
	return min(s, s-m.p), min(d, d+m.p)
}

func (m strict32) crossT(x, y, w, q uint64) (s, d uint64) {
	s, d = x+y, x-y
	d = min(d, d+m.p)
	d = d*w - d*q>>32*m.p
	return min(s, s-m.p), min(d, d-m.p)
}

func (m strict32) plain(x, y uint64) (s, d uint64) {
	s, d = x+y, x-y
	return min(s, s-m.p), min(d, d+m.p)
}

// mont32 serves p < 2^32 where there are kernels; in Go, strict32 is faster. All values are canonical.
//
// Products follow Montgomery as those of mont64, with half the word: the pair of w is (w', q), where
// w' = w·2^32 mod p and q = w'/p mod 2^32.
type mont32 struct {
	p uint64
	i uint32 // 1/p mod 2^32
}

func newMont32(p uint64) mont32 { return mont32{p, uint32(arith.Newton(p))} }

func (m mont32) pair(w uint64) (uint64, uint64) {
	w = w << 32 % m.p
	return w, uint64(uint32(w) * m.i)
}

func (m mont32) mul(x, w, q uint64) uint64 {
	x = x*w>>32 - uint64(uint32(x)*uint32(q))*m.p>>32
	return min(x, x+m.p)
}

func (m mont32) cross(x, y, w, q uint64) (s, d uint64) {
	y = y*w>>32 - uint64(uint32(y)*uint32(q))*m.p>>32
	y = min(y, y+m.p)
	s, d = x+y, x-y
	return min(s, s-m.p), min(d, d+m.p)
}

func (m mont32) crossT(x, y, w, q uint64) (s, d uint64) {
	s, d = x+y, x-y
	d = min(d, d+m.p)
	d = d*w>>32 - uint64(uint32(d)*uint32(q))*m.p>>32
	return min(s, s-m.p), min(d, d+m.p)
}

func (m mont32) plain(x, y uint64) (s, d uint64) {
	s, d = x+y, x-y
	return min(s, s-m.p), min(d, d+m.p)
}
