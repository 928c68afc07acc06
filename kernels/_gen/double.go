package main

import "github.com/mmcloughlin/avo/operand"

// double50 serves p < 2^50 by fused multiplications of doubles. Wide values are words in [0, 4p), narrow ones in
// [0, 2p); in registers, and where a flag says so in memory, they are doubles, less 2p or p: in [−2p, 2p) or [−p, p).
// A multiplier w is in (−p/2, p/2), and its companion is w/p. Doubles are rounded to the nearest.
//
// A product is exact for factors up to 4p: as |xw/p| < 2^51, a sum with 1.5·2^52 rounds it to an integer, which is less
// than 5/8 away from it, and so the product is in (−5p/8, 5p/8). Both parts of xw, its rounded value and the rest, are
// exact by a fused multiplication.
type double50 struct {
	*machine
	m gp
	// AVX2 has registers for p and round; others are loaded where they are used, or held for a while.
	kept [constants]vec
	lazy bool
}

// The places of the constants: p and 2p as words, p, its inverse, 1.5·2^52, 2^52, whose low bits hold an integer, and
// what turns narrow and wide values into doubles, 2^52 + p and 2^52 + 2p.
const (
	single = iota
	twice
	prime
	inverse
	round
	exponent
	narrow
	wide
	constants
)

func (a *double50) begin(m gp) {
	a.m, a.kept = m, [constants]vec{}
	for i, name := range []string{"p", "p2", "pd", "inverse", "round", "exponent", "narrow", "wide"} {
		if a.avx512 || i == prime || i == round {
			a.kept[i] = a.broadcast(a.at(m, i))
			a.note(name, a.kept[i])
		}
	}
}

func (a *double50) constant(i int) vec {
	if a.kept[i] != nil {
		return a.kept[i]
	}
	return a.broadcast(a.at(a.m, i))
}

// hold loads constants for what comes until release.
func hold(a arithmetic, list ...int) (release func()) {
	d, ok := a.(*double50)
	if !ok {
		return func() {}
	}
	before := d.kept
	for _, i := range list {
		d.kept[i] = d.constant(i)
	}
	return func() { d.kept = before }
}

// offset is the place of what turns values in memory into doubles, wide ones or of the transpose T narrow.
func offset(T bool) int {
	if T {
		return narrow
	}
	return wide
}

func (a *double50) factor(w, q vec, same bool) pair { return pair{w: w, q: q} }

// fromWords makes doubles of words, toWords words of doubles.
func (a *double50) fromWords(x, less vec) vec {
	or := a.ctx3(a.VPOR)
	if a.avx512 {
		or = a.ctx3(a.VPORQ)
	}
	return a.op2(a.ctx3(a.VSUBPD), less, a.op2(or, a.constant(exponent), x))
}

func (a *double50) toWords(x, more vec) vec {
	xor := a.ctx3(a.VPXOR)
	if a.avx512 {
		xor = a.ctx3(a.VPXORQ)
	}
	return a.op2(xor, a.constant(exponent), a.plus(x, more))
}

func (a *double50) plus(x, y vec) vec  { return a.op2(a.ctx3(a.VADDPD), y, x) }
func (a *double50) minus(x, y vec) vec { return a.op2(a.ctx3(a.VSUBPD), y, x) }
func (a *double50) times(x, y vec) vec { return a.op2(a.ctx3(a.VMULPD), y, x) }

// nearest returns xy as an integer.
func (a *double50) nearest(x, y vec) vec {
	q := a.mov(a.constant(round))
	a.VFMADD231PD(y, x, q)
	return a.minus(q, a.constant(round))
}

// residue returns xw − qp, in the registers of x and of xw rounded.
func (a *double50) residue(x, w, q, high vec) vec {
	a.VFMSUB213PD(high, w, x)
	a.VFNMADD231PD(a.constant(prime), q, high)
	return a.plus(high, x)
}

// scaled returns xw, in the register of x.
func (a *double50) scaled(x vec, t pair) vec {
	return a.residue(x, t.w, a.nearest(x, t.q), a.times(x, t.w))
}

// least returns x modulo p in [−p/2, p/2], in the register of x.
func (a *double50) least(x vec) vec {
	a.VFNMADD231PD(a.constant(prime), a.nearest(x, a.constant(inverse)), x)
	return x
}

// Passes of two layers and more take the least values of rows alone that the last two layers do not multiply, one in
// four, in the first of the two: up to there sums are below 2.6p and 3.2p, which products take, then those rows have
// 1.1p and 1.8p, and the others 3.9p at most before the last layer multiplies them.
//
// sums says that a layer may leave sums that are not reduced, because others follow in registers: those after a layer
// of [−2p, 2p) are below 2.6p, 3.2p and 3.8p, and differences of the transpose up to 4p are products.
func sums(a arithmetic, lazy bool) (release func()) {
	if d, ok := a.(*double50); ok {
		d.lazy = lazy
	}
	if lazy {
		return func() {}
	}
	return hold(a, inverse)
}

func (a *double50) join(x, u vec) (s, d vec) {
	if !a.lazy {
		x = a.least(x)
	}
	return a.plus(x, u), a.minus(x, u)
}

func (a *double50) cross(x, y vec, t pair) (s, d vec) { return a.join(x, a.scaled(y, t)) }
func (a *double50) plain(x, y vec) (s, d vec)         { return a.join(x, a.least(y)) }

func (a *double50) joinT(x, y vec) (s, d vec) {
	s, d = a.plus(x, y), a.minus(x, y)
	if !a.lazy {
		s = a.least(s)
	}
	return s, d
}

func (a *double50) crossT(x, y vec, t pair) (s, d vec) {
	s, d = a.joinT(x, y)
	return s, a.scaled(d, t)
}

func (a *double50) plainT(x, y vec) (s, d vec) {
	s, d = a.joinT(x, y)
	return s, a.least(d)
}

func (a *double50) mul(x vec, t pair) vec {
	return a.toWords(a.scaled(a.fromWords(x, a.constant(wide)), t), a.constant(narrow))
}

func (a *double50) term(x vec, t pair) vec  { return a.scaled(x, t) }
func (a *double50) narrow(x vec) vec        { return a.least(x) }
func (a *double50) accumulate(x, u vec) vec { return a.plus(a.least(x), u) }

// product takes a quotient below 2^50 from the rounded product.
func (a *double50) product(x, y vec) vec {
	x, y = a.least(a.fromWords(x, a.constant(wide))), a.fromWords(y, a.constant(wide))
	high := a.times(x, y)
	return a.toWords(a.residue(x, y, a.nearest(high, a.constant(inverse)), high), a.constant(narrow))
}

func (a *double50) canonNarrow(x vec) vec { return a.machine.reduce(x, a.constant(single)) }

func (a *double50) canon(x vec) vec {
	return a.machine.reduce(a.machine.reduce(x, a.constant(twice)), a.constant(single))
}

func (a *double50) sum(x, y vec) vec { return leastSum(a.machine, x, y, a.constant(single)) }
func (a *double50) difference(x, y vec) vec {
	return leastDifference(a.machine, x, y, a.constant(single))
}

// fromMemory and toMemory make what registers hold from wide words, and back.
func fromMemory(a arithmetic, x vec) vec {
	if d, ok := a.(*double50); ok {
		return d.fromWords(x, d.constant(wide))
	}
	return x
}

func toMemory(a arithmetic, x vec) vec {
	if d, ok := a.(*double50); ok {
		return d.toWords(x, d.constant(wide))
	}
	return x
}

// open makes of what a pass found in memory what registers hold, unless how says that it is open.
func open(g *machine, a arithmetic, x []vec, T bool, how operand.Mem, label string) {
	unless(g, a, how, howOpen, label, T, func(d *double50) {
		for _, x := range x {
			g.become(x, d.fromWords(x, d.constant(offset(T))))
		}
	})
}

// shut makes words of what registers hold, unless how says to leave it.
func shut(g *machine, a arithmetic, x []vec, T bool, how operand.Mem, label string) {
	unless(g, a, how, howLeave, label, T, func(d *double50) {
		for _, x := range x {
			g.become(x, d.toWords(x, d.constant(offset(T))))
		}
	})
}

// unless runs f for doubles, with the constants that turn words into them and back held, where how lacks the bit.
func unless(g *machine, a arithmetic, how operand.Mem, bit uint64, label string, T bool, f func(d *double50)) {
	d, ok := a.(*double50)
	if !ok {
		return
	}
	g.TESTB(operand.Imm(bit), how)
	g.JNE(operand.LabelRef(label))
	release := hold(a, exponent, offset(T))
	f(d)
	release()
	g.Label(label)
}

// last returns the words of the canonical product xw at the end of a pass.
func last(a arithmetic, x vec, t pair) vec {
	if d, ok := a.(*double50); ok {
		return d.canonNarrow(d.toWords(d.scaled(x, t), d.constant(narrow)))
	}
	return a.canonNarrow(a.mul(x, t))
}
