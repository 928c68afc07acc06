package smallprime

// The arithmetics of uint32 vectors work in registers of 64 bits. low maps wide to narrow values; add and
// sub map narrow to wide; mul, by a multiplier and its companion from pair, maps wide to narrow; canon maps
// wide to canonical values. Each pass is built of these.

// shoup31 serves p < 2^31. Wide and narrow values are in [0, 2p).
//
// Products follow Shoup: with q = ⌊w·2^32/p⌋, xw − ⌊xq/2^32⌋p is in [0, 2p) for x < 2^32, w < p.
type shoup31 struct{ p, p2 uint64 }

func newShoup31(p uint64) shoup31 { return shoup31{p, 2 * p} }

func (m shoup31) pair(w uint64) (uint64, uint64) { return w, w << 32 / m.p }
func (m shoup31) low(x uint64) uint64            { return x }
func (m shoup31) canon(x uint64) uint64          { return min(x, x-m.p) }
func (m shoup31) mul(x, w, q uint64) uint64      { return x*w - x*q>>32*m.p }
func (m shoup31) add(x, y uint64) uint64         { return addMod32(x, y, m.p2) }
func (m shoup31) sub(x, y uint64) uint64         { return subMod32(x, y, m.p2) }

// strict32 serves p < 2^32. Wide and narrow values are canonical. Products are those of shoup31 less p
// where that is not negative.
type strict32 struct{ p uint64 }

func newStrict32(p uint64) strict32 { return strict32{p} }

func (m strict32) pair(w uint64) (uint64, uint64) { return w, w << 32 / m.p }
func (m strict32) low(x uint64) uint64            { return x }
func (m strict32) canon(x uint64) uint64          { return x }

func (m strict32) mul(x, w, q uint64) uint64 {
	z := x*w - x*q>>32*m.p
	return min(z, z-m.p)
}

func (m strict32) add(x, y uint64) uint64 { return addMod32(x, y, m.p) }
func (m strict32) sub(x, y uint64) uint64 { return subMod32(x, y, m.p) }

// addMod32 returns x + y mod m for x, y < m ≤ 2^32: the difference wraps where the sum is below m.
func addMod32(x, y, m uint64) uint64 {
	z := x + y
	return min(z, z-m)
}

// subMod32 returns x − y mod m for x, y < m ≤ 2^32.
func subMod32(x, y, m uint64) uint64 {
	z := x - y
	return min(z, z+m)
}
