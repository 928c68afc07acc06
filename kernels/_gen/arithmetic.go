package main

import (
	"github.com/mmcloughlin/avo/operand"
)

// arithmetic is one way to compute modulo p. Wide and narrow values and the meaning of the methods are those of
// field/smallprime, which has each arithmetic in Go: cross is (x + wy, x − wy), crossT is (x + y, (x − y)w), plain
// and plainT are these with w = 1, mul is xw, product is xy, canon makes canonical, canonNarrow does so for narrow
// values. In registers, whose values need not be words, term is the narrow xw, narrow makes wide values narrow, and
// accumulate is the wide x + u of a wide x and a narrow u.
type arithmetic interface {
	begin(m gp)                      // loads constants
	factor(w, q vec, same bool) pair // makes a multiplier of words w and companions q; same in all lanes or not
	cross(x, y vec, t pair) (s, d vec)
	crossT(x, y vec, t pair) (s, d vec)
	plain(x, y vec) (s, d vec)
	plainT(x, y vec) (s, d vec)
	mul(x vec, t pair) vec
	term(x vec, t pair) vec
	narrow(x vec) vec
	accumulate(x, u vec) vec
	product(x, y vec) vec
	canon(x vec) vec
	canonNarrow(x vec) vec
	sum(x, y vec) vec        // of canonical values, canonical
	difference(x, y vec) vec // likewise
}

// pair is a multiplier with its companion, and what the arithmetic derives from both.
type pair struct{ w, q, w2, q2 vec }

func (g *machine) at(m gp, i int) operand.Mem { return operand.Mem{Base: m, Disp: i * g.word} }

// ifma50 serves p < 2^50: products of 52 bits, Shoup's quotient. Wide values are in [0, 4p), narrow ones in [0, 2p).
//
// Products are computed modulo 2^52; the last mask may be left out where the result becomes a factor, because
// factors are read modulo 2^52 as well.
type ifma50 struct {
	*machine
	p, p2, minus, mask vec
	m                  gp
}

func (a *ifma50) begin(m gp) {
	a.m = m
	a.p, a.p2, a.minus = a.broadcast(a.at(m, 0)), a.broadcast(a.at(m, 1)), a.broadcast(a.at(m, 2))
	a.mask = a.constant(1<<52 - 1)
	a.zero = a.constant(0)
	a.note("p", a.p)
	a.note("p2", a.p2)
	a.note("minus", a.minus)
	a.note("mask", a.mask)
	a.note("zero", a.zero)
}

func (a *ifma50) factor(w, q vec, same bool) pair { return pair{w: w, q: q} }

func (a *ifma50) loose(x vec, t pair) vec {
	q, l := a.mov(a.zero), a.mov(a.zero)
	a.VPMADD52HUQ(t.q, x, q)
	a.VPMADD52LUQ(t.w, x, l)
	a.VPMADD52LUQ(a.minus, q, l)
	return l
}

func (a *ifma50) mul(x vec, t pair) vec { return a.and(a.loose(x, t), a.mask) }

func (a *ifma50) cross(x, y vec, t pair) (s, d vec) { return a.lazyCross(x, a.mul(y, t)) }

// crossLoose is cross for results that become factors.
func (a *ifma50) crossLoose(x, y vec, t pair) (s, d vec) { return a.lazyCross(x, a.loose(y, t)) }

func (a *ifma50) lazyCross(x, u vec) (s, d vec) { return lazyCross(a.machine, x, u, a.p2) }

func lazyCross(g *machine, x, u, p2 vec) (s, d vec) {
	x = g.reduce(x, p2)
	return g.add(x, u), g.sub(g.add(x, p2), u)
}

func lazyCrossT(g *machine, x, y, p2 vec) (s, d vec) {
	return g.reduce(g.add(x, y), p2), g.sub(g.add(x, p2), y)
}

func (a *ifma50) crossT(x, y vec, t pair) (s, d vec) {
	s, d = lazyCrossT(a.machine, x, y, a.p2)
	return s, a.mul(d, t)
}

func (a *ifma50) plain(x, y vec) (s, d vec) {
	return lazyCross(a.machine, x, a.reduce(y, a.p2), a.p2)
}

func (a *ifma50) plainT(x, y vec) (s, d vec) {
	s, d = lazyCrossT(a.machine, x, y, a.p2)
	return s, a.reduce(d, a.p2)
}

func (a *ifma50) canonNarrow(x vec) vec { return a.reduce(x, a.p) }

func (a *ifma50) canon(x vec) vec { return a.reduce(a.reduce(x, a.p2), a.p) }

// product multiplies y by 2^52 and then follows Montgomery.
func (a *ifma50) product(x, y vec) vec {
	y = a.mul(y, a.factor(a.broadcast(a.at(a.m, 4)), a.broadcast(a.at(a.m, 5)), true))
	h, l, i, c := a.mov(a.p), a.mov(a.zero), a.mov(a.zero), a.mov(a.zero)
	a.VPMADD52HUQ(y, x, h)
	a.VPMADD52LUQ(y, x, l)
	a.VPMADD52LUQ(a.broadcast(a.at(a.m, 3)), l, i)
	a.VPMADD52HUQ(a.p, i, c)
	return a.reduce(a.sub(h, c), a.p2)
}

// words64 is what arithmetics of 64-bit words have in common.
type words64 struct {
	*machine
	p, p2, ph vec // ph has the high half of p
	m         gp
}

func (a *words64) begin(m gp) {
	a.m = m
	a.p, a.p2 = a.broadcast(a.at(m, 0)), a.broadcast(a.at(m, 1))
	a.ph = a.high(a.p)
	a.note("p", a.p)
	a.note("p2", a.p2)
	a.note("ph", a.ph)
	a.halvesConstants()
}

// hi returns the high words of xw; x2 and w2 are the high halves of x and w.
func (a *words64) hi(x, x2, w, w2 vec) vec {
	t := a.addq(a.halves(x, w2), a.srlq(a.halves(x, w), 32))
	m := a.addq(a.halves(x2, w), a.and(t, a.low))
	return a.addq(a.addq(a.halves(x2, w2), a.srlq(t, 32)), a.srlq(m, 32))
}

// shoupExact is xw − ⌊xq/2^64⌋p in [0, 2p), for every x.
func (a *words64) shoupExact(x vec, t pair) vec {
	x2 := a.high(x)
	return a.lowDifference(x, x2, t.w, t.w2, a.hi(x, x2, t.q, t.q2), a.p, a.ph)
}

func (a *words64) shoupFactor(w, q vec) pair {
	t := pair{w: w, q: q, q2: a.high(q)}
	if !a.avx512 {
		t.w2 = a.high(w)
	}
	return t
}

// montgomery is xy/2^64 mod p in [0, 2p) for factors below 2^64 and one below 2p; in [0, p) where one is below p.
func (a *words64) montgomery(x, y vec) vec {
	h := a.hi(x, a.high(x), y, a.high(y))
	l := a.mullo(a.mullo(x, y), a.broadcast(a.at(a.m, 2)))
	c := a.hi(l, a.high(l), a.p, a.ph)
	return a.addIf(h, c, a.sub(h, c), a.p)
}

// shoup62 serves p < 2^62. Wide values are in [0, 4p), narrow ones in [0, 2p).
type shoup62 struct{ words64 }

func (a *shoup62) factor(w, q vec, same bool) pair { return a.shoupFactor(w, q) }

// mul estimates the quotient without the product of low halves and their carries, so that it is at most 3 too
// small in all; the result in [0, 4p) is reduced once.
func (a *shoup62) mul(x vec, t pair) vec {
	x2 := a.high(x)
	h := a.addq(a.halves(x2, t.q2), a.addq(a.srlq(a.halves(x, t.q2), 32), a.srlq(a.halves(x2, t.q), 32)))
	return a.reduce(a.lowDifference(x, x2, t.w, t.w2, h, a.p, a.ph), a.p2)
}

func (a *shoup62) cross(x, y vec, t pair) (s, d vec) {
	return lazyCross(a.machine, x, a.mul(y, t), a.p2)
}

func (a *shoup62) crossT(x, y vec, t pair) (s, d vec) {
	s, d = lazyCrossT(a.machine, x, y, a.p2)
	return s, a.mul(d, t)
}

func (a *shoup62) plain(x, y vec) (s, d vec) {
	return lazyCross(a.machine, x, a.reduce(y, a.p2), a.p2)
}

func (a *shoup62) plainT(x, y vec) (s, d vec) {
	s, d = lazyCrossT(a.machine, x, y, a.p2)
	return s, a.reduce(d, a.p2)
}

func (a *shoup62) canonNarrow(x vec) vec { return a.reduce(x, a.p) }

func (a *shoup62) canon(x vec) vec { return a.reduce(a.reduce(x, a.p2), a.p) }

func (a *shoup62) product(x, y vec) vec {
	y = a.mul(y, a.shoupFactor(a.broadcast(a.at(a.m, 3)), a.broadcast(a.at(a.m, 4))))
	return a.montgomery(x, y)
}

// shoup63 serves p < 2^63. All values are in [0, 2p).
type shoup63 struct{ words64 }

func (a *shoup63) factor(w, q vec, same bool) pair { return a.shoupFactor(w, q) }

func (a *shoup63) mul(x vec, t pair) vec { return a.shoupExact(x, t) }

func (a *shoup63) plain(x, y vec) (s, d vec) { return halvedCross(a.machine, x, y, a.p) }

// halvedCross returns x + y and x − y + p in [0, 2p), for x, y < 2p: minima need no masks, and one chain is shorter.
func halvedCross(g *machine, x, y, p vec) (s, d vec) {
	x, y = g.reduce(x, p), g.reduce(y, p)
	return g.add(x, y), g.sub(g.add(x, p), y)
}

// strictCross returns x + y and x − y modulo m, for x, y < m.
func strictCross(g *machine, x, y, m vec) (s, d vec) {
	s = strictSum(g, x, y, m)
	return s, strictDifference(g, x, y, m)
}

func strictSum(g *machine, x, y, m vec) vec {
	c := g.sub(m, y)
	return g.addIf(x, c, g.sub(x, c), m)
}

func strictDifference(g *machine, x, y, m vec) vec { return g.addIf(x, y, g.sub(x, y), m) }

func (a *shoup63) cross(x, y vec, t pair) (s, d vec) {
	return a.plain(x, a.mul(y, t))
}

func (a *shoup63) crossT(x, y vec, t pair) (s, d vec) {
	s, d = a.plain(x, y)
	return s, a.mul(d, t)
}

func (a *shoup63) plainT(x, y vec) (s, d vec) { return a.plain(x, y) }
func (a *shoup63) canonNarrow(x vec) vec      { return a.reduce(x, a.p) }

func (a *shoup63) canon(x vec) vec { return a.reduce(x, a.p) }

func (a *shoup63) product(x, y vec) vec {
	y = a.mul(y, a.shoupFactor(a.broadcast(a.at(a.m, 3)), a.broadcast(a.at(a.m, 4))))
	return a.montgomery(x, y)
}

// mont64 serves p < 2^64. All values are canonical.
type mont64 struct{ words64 }

func (a *mont64) factor(w, q vec, same bool) pair {
	t := pair{w: w, q: q, w2: a.high(w)}
	if !a.avx512 {
		t.q2 = a.high(q)
	}
	return t
}

func (a *mont64) mul(x vec, t pair) vec {
	x2 := a.high(x)
	h := a.hi(x, x2, t.w, t.w2)
	l := a.mulloHalves(x, x2, t.q, t.q2)
	c := a.hi(l, a.high(l), a.p, a.ph)
	return a.addIf(h, c, a.sub(h, c), a.p)
}

func (a *mont64) plain(x, y vec) (s, d vec) { return strictCross(a.machine, x, y, a.p) }

func (a *mont64) cross(x, y vec, t pair) (s, d vec) {
	return strictCross(a.machine, x, a.mul(y, t), a.p)
}

func (a *mont64) crossT(x, y vec, t pair) (s, d vec) {
	s, d = strictCross(a.machine, x, y, a.p)
	return s, a.mul(d, t)
}

func (a *mont64) plainT(x, y vec) (s, d vec) { return a.plain(x, y) }
func (a *mont64) canonNarrow(x vec) vec      { return x }

func (a *mont64) canon(x vec) vec { return x }

func (a *mont64) product(x, y vec) vec {
	w := a.broadcast(a.at(a.m, 3))
	y = a.mul(y, a.factor(w, a.broadcast(a.at(a.m, 4)), true))
	return a.montgomery(x, y)
}

// goldilocks serves p = 2^64 − 2^32 + 1. Wide values are any words, narrow ones are canonical. Multipliers are in
// Montgomery form, as for mont64; their companions are not used.
type goldilocks struct {
	words64
	eps vec // 2^32 − 1 = −p mod 2^64
}

func (a *goldilocks) begin(m gp) {
	a.m = m
	a.p = a.broadcast(a.at(m, 0))
	a.one, a.eps = a.constant(1), a.constant(1<<32-1)
	a.note("p", a.p)
	a.note("one", a.one)
	a.note("eps", a.eps)
	a.halvesConstants()
	if a.avx512 {
		a.part = a.mask(0xaaaa)
		a.note("part", a.part)
	}
}

func (a *goldilocks) factor(w, q vec, same bool) pair { return pair{w: w, w2: a.high(w)} }

// mul returns xw/2^64. With l the low word of xw, l(1 + 2^32) is l/p mod 2^64, and that times p has the high word
// b, at most one borrow away from a − a/2^32.
func (a *goldilocks) mul(x vec, t pair) vec {
	x2 := a.high(x)
	ll := a.halves(x, t.w)
	c := a.addq(a.halves(x, t.w2), a.srlq(ll, 32))
	m := a.addq(a.halves(x2, t.w), a.and(c, a.low))
	h := a.addq(a.addq(a.halves(x2, t.w2), a.srlq(c, 32)), a.srlq(m, 32))
	lo := a.lowHalves(ll, m)
	b := a.addq(lo, a.sllq(ll, 32))
	b = a.subOne(b, lo)
	return a.subIf(h, b, a.subq(h, b), a.eps)
}

// lowHalves returns the low half of l below the low half of h.
func (a *goldilocks) lowHalves(l, h vec) vec {
	if a.avx512 {
		a.VMOVSLDUP(h, a.part, l)
		return l
	}
	z := a.vec()
	a.VPSLLQ(operand.Imm(32), h, z)
	a.VPBLENDD(operand.Imm(0xaa), z, l, z)
	return z
}

// subOne returns b − b/2^32, less 1 where b < l.
func (a *goldilocks) subOne(b, l vec) vec {
	z := a.subq(b, a.srlq(b, 32))
	if a.avx512 {
		k := a.less(b, l)
		return a.subWhere(k, z, a.one)
	}
	return a.addq(z, a.lessMask(b, l)) // the mask is −1
}

// wideSum and wideDifference are those of any word and a canonical value.
func (a *goldilocks) wideSum(x, u vec) vec {
	s := a.addq(x, u)
	return a.addIf(s, u, s, a.eps)
}

func (a *goldilocks) wideDifference(x, u vec) vec { return a.subIf(x, u, a.subq(x, u), a.eps) }

func (a *goldilocks) cross(x, y vec, t pair) (s, d vec) {
	u := a.mul(y, t)
	return a.wideSum(x, u), a.wideDifference(x, u)
}

func (a *goldilocks) crossT(x, y vec, t pair) (s, d vec) {
	s, d = strictCross(a.machine, x, y, a.p)
	return s, a.mul(d, t)
}

func (a *goldilocks) plain(x, y vec) (s, d vec) {
	u := a.canon(y)
	return a.wideSum(x, u), a.wideDifference(x, u)
}

func (a *goldilocks) plainT(x, y vec) (s, d vec) { return strictCross(a.machine, x, y, a.p) }

func (a *goldilocks) canonNarrow(x vec) vec { return x }

func (a *goldilocks) canon(x vec) vec {
	if a.avx512 {
		return a.reduce(x, a.p)
	}
	return a.addq(x, a.andNotLess(x))
}

// andNotLess returns −p where x ≥ p, and 0 elsewhere.
func (a *goldilocks) andNotLess(x vec) vec {
	z := a.vec()
	a.VPANDN(a.eps, a.lessMask(x, a.p), z)
	return z
}

func (a *goldilocks) product(x, y vec) vec {
	w := a.broadcast(a.at(a.m, 3))
	y = a.mul(y, a.factor(w, nil, true))
	return a.mul(x, a.factor(y, nil, false))
}

// shoup31 serves p < 2^31, shoup30 p < 2^30, in words of 32 bits: products of even and of odd words apart.
// For shoup31 all values are in [0, 2p); for shoup30 wide ones are in [0, 4p), narrow ones in [0, 2p).
type shoup31 struct {
	*machine
	p, p2 vec
	m     gp
}

func (a *shoup31) begin(m gp) {
	a.m = m
	a.p, a.p2 = a.broadcast(a.at(m, 0)), a.broadcast(a.at(m, 1))
	a.note("p", a.p)
	a.note("p2", a.p2)
	if a.avx512 {
		a.part = a.mask(0x5555)
		a.note("part", a.part)
	}
}

func (a *shoup31) factor(w, q vec, same bool) pair {
	if same {
		return pair{w: w, q: q, q2: q}
	}
	return pair{w: w, q: q, q2: a.high(q)}
}

// mul returns xw − ⌊xq/2^32⌋p in [0, 2p), for every x.
func (a *shoup31) mul(x vec, t pair) vec {
	h := a.merge(a.halves(x, t.q), a.halves(a.high(x), t.q2))
	return a.sub(a.mullo(x, t.w), a.mullo(h, a.p))
}

func (a *shoup31) plain(x, y vec) (s, d vec) { return halvedCross(a.machine, x, y, a.p) }

func (a *shoup31) cross(x, y vec, t pair) (s, d vec) { return a.plain(x, a.mul(y, t)) }

func (a *shoup31) crossT(x, y vec, t pair) (s, d vec) {
	s, d = a.plain(x, y)
	return s, a.mul(d, t)
}

func (a *shoup31) plainT(x, y vec) (s, d vec) { return a.plain(x, y) }
func (a *shoup31) canonNarrow(x vec) vec      { return a.reduce(x, a.p) }

func (a *shoup31) canon(x vec) vec { return a.reduce(x, a.p) }

// product multiplies y by 2^32 and then follows Montgomery.
func (a *shoup31) product(x, y vec) vec {
	y = a.mul(y, a.factor(a.broadcast(a.at(a.m, 3)), a.broadcast(a.at(a.m, 4)), true))
	x = a.reduce(x, a.p) // the difference below stays in (−p, p), or in (−p, 2p) for shoup30
	i := a.broadcast(a.at(a.m, 2))
	half := func(x, y vec) vec { // the high half is the difference of two numbers below p, or 2p
		h := a.halves(x, y)
		return a.subq(h, a.halves(a.halves(h, i), a.p))
	}
	z := a.merge(half(x, y), half(a.high(x), a.high(y)))
	return a.lesser(z, a.add(z, a.p))
}

type shoup30 struct{ shoup31 }

func (a *shoup30) cross(x, y vec, t pair) (s, d vec) {
	return lazyCross(a.machine, x, a.mul(y, t), a.p2)
}

func (a *shoup30) crossT(x, y vec, t pair) (s, d vec) {
	s, d = lazyCrossT(a.machine, x, y, a.p2)
	return s, a.mul(d, t)
}

func (a *shoup30) plain(x, y vec) (s, d vec) {
	return lazyCross(a.machine, x, a.reduce(y, a.p2), a.p2)
}

func (a *shoup30) plainT(x, y vec) (s, d vec) {
	s, d = lazyCrossT(a.machine, x, y, a.p2)
	return s, a.reduce(d, a.p2)
}

func (a *shoup30) canon(x vec) vec { return a.reduce(a.reduce(x, a.p2), a.p) }

// mont32 serves p < 2^32, in words of 32 bits: products of even and of odd words apart. All values are canonical.
type mont32 struct {
	*machine
	p vec
	m gp
}

func (a *mont32) begin(m gp) {
	a.m = m
	a.p = a.broadcast(a.at(m, 0))
	a.note("p", a.p)
	if a.avx512 {
		a.part = a.mask(0x5555)
		a.note("part", a.part)
	}
}

func (a *mont32) factor(w, q vec, same bool) pair {
	if same {
		return pair{w: w, q: q, w2: w, q2: q}
	}
	return pair{w: w, q: q, w2: a.high(w), q2: a.high(q)}
}

func (a *mont32) mul(x vec, t pair) vec {
	x2 := a.high(x)
	return a.reduced(a.halves(x, t.w), a.halves(x2, t.w2), a.halves(x, t.q), a.halves(x2, t.q2))
}

// reduced returns the high words of even and odd products, less those of il·p and ol·p, whose low words are the same:
// il and ol are the low words of the products by 1/p, in low halves.
func (a *mont32) reduced(even, odd, il, ol vec) vec {
	h, c := a.merge(even, odd), a.merge(a.halves(il, a.p), a.halves(ol, a.p))
	return a.addIf(h, c, a.sub(h, c), a.p)
}

func (a *mont32) plain(x, y vec) (s, d vec) { return strictCross(a.machine, x, y, a.p) }

func (a *mont32) cross(x, y vec, t pair) (s, d vec) { return a.plain(x, a.mul(y, t)) }

func (a *mont32) crossT(x, y vec, t pair) (s, d vec) {
	s, d = a.plain(x, y)
	return s, a.mul(d, t)
}

func (a *mont32) plainT(x, y vec) (s, d vec) { return a.plain(x, y) }
func (a *mont32) canonNarrow(x vec) vec      { return x }

func (a *mont32) canon(x vec) vec { return x }

// product multiplies y by 2^32 and then follows Montgomery.
func (a *mont32) product(x, y vec) vec {
	y = a.mul(y, a.factor(a.broadcast(a.at(a.m, 2)), a.broadcast(a.at(a.m, 3)), true))
	i := a.broadcast(a.at(a.m, 1))
	even, odd := a.halves(x, y), a.halves(a.high(x), a.high(y))
	return a.reduced(even, odd, a.halves(even, i), a.halves(odd, i))
}

// Sums and differences of canonical values: the lesser of both candidates, modulo a word, where 2p fits it, and by
// the carry elsewhere.

func (a *ifma50) sum(x, y vec) vec        { return leastSum(a.machine, x, y, a.p) }
func (a *ifma50) difference(x, y vec) vec { return leastDifference(a.machine, x, y, a.p) }
func (a *shoup31) sum(x, y vec) vec       { return leastSum(a.machine, x, y, a.p) }

func (a *shoup31) difference(x, y vec) vec { return leastDifference(a.machine, x, y, a.p) }

func leastSum(g *machine, x, y, p vec) vec { return g.reduce(g.add(x, y), p) }

func leastDifference(g *machine, x, y, p vec) vec {
	d := g.sub(x, y)
	return g.lesser(g.add(d, p), d)
}

func (a *words64) sum(x, y vec) vec        { return strictSum(a.machine, x, y, a.p) }
func (a *words64) difference(x, y vec) vec { return strictDifference(a.machine, x, y, a.p) }
func (a *mont32) sum(x, y vec) vec         { return strictSum(a.machine, x, y, a.p) }
func (a *mont32) difference(x, y vec) vec  { return strictDifference(a.machine, x, y, a.p) }

// Terms of sums. Most arithmetics have in registers what they have in memory.

func (a *ifma50) term(x vec, t pair) vec     { return a.mul(x, t) }
func (a *shoup62) term(x vec, t pair) vec    { return a.mul(x, t) }
func (a *shoup63) term(x vec, t pair) vec    { return a.mul(x, t) }
func (a *mont64) term(x vec, t pair) vec     { return a.mul(x, t) }
func (a *goldilocks) term(x vec, t pair) vec { return a.mul(x, t) }
func (a *shoup31) term(x vec, t pair) vec    { return a.mul(x, t) }
func (a *mont32) term(x vec, t pair) vec     { return a.mul(x, t) }

func (a *ifma50) narrow(x vec) vec     { return a.reduce(x, a.p2) }
func (a *shoup62) narrow(x vec) vec    { return a.reduce(x, a.p2) }
func (a *shoup63) narrow(x vec) vec    { return x }
func (a *mont64) narrow(x vec) vec     { return x }
func (a *goldilocks) narrow(x vec) vec { return a.canon(x) }
func (a *shoup31) narrow(x vec) vec    { return x }
func (a *shoup30) narrow(x vec) vec    { return a.reduce(x, a.p2) }
func (a *mont32) narrow(x vec) vec     { return x }

func (a *ifma50) accumulate(x, u vec) vec     { return a.add(a.reduce(x, a.p2), u) }
func (a *shoup62) accumulate(x, u vec) vec    { return a.add(a.reduce(x, a.p2), u) }
func (a *shoup63) accumulate(x, u vec) vec    { return strictSum(a.machine, x, u, a.p2) }
func (a *mont64) accumulate(x, u vec) vec     { return strictSum(a.machine, x, u, a.p) }
func (a *goldilocks) accumulate(x, u vec) vec { return a.wideSum(x, u) }
func (a *shoup31) accumulate(x, u vec) vec    { return a.add(a.reduce(x, a.p), a.reduce(u, a.p)) }
func (a *shoup30) accumulate(x, u vec) vec    { return a.add(a.reduce(x, a.p2), u) }
func (a *mont32) accumulate(x, u vec) vec     { return strictSum(a.machine, x, u, a.p) }
