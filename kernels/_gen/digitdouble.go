package main

import (
	"github.com/mmcloughlin/avo/operand"
)

// The product by doubles takes digits in three limbs of 22 bits, with x0 + x1, x0 + x2 and x1 + x2 beside them:
//
//	xy = Σ c_i·2^(22i)  for
//	c0 = x0·y0,  c1 = (x0 + x1)(y0 + y1) − x0·y0 − x1·y1,  c2 = (x0 + x2)(y0 + y2) − x0·y0 − x2·y2 + x1·y1,
//	c3 = (x1 + x2)(y1 + y2) − x1·y1 − x2·y2,  c4 = x2·y2.
//
// Sums of k products are below k·2^46, and so exact for k ≤ 32: a product of digits takes one instruction for each of
// its six products, with its sign. A coefficient u modulo T^k + 1 is divided by r in three steps, from the top:
//
//	u = q2·r·2^44 + q1·r·2^22 + q0·r + digit,
//
// where a step takes q from Σ c_i·2^(22i) in doubles, rounds it to an integer, and subtracts its products by the
// limbs of r from the c_i, which stay exact. Sums of the upper c_i are integers, exact below 2^53, so that the error
// is at most 2^−50 of what is left of u. After q2 and q1 this is at most (1/2 + 2^−20)·r·2^22. q2 and q1 of the digit
// below, at most kr + 2^22 together, join it for the last step, and so does 2^23·(r − 1), or 2^23·(r + 1) for the
// first digit, which is 2^23·(r^k + 1) = 0 in all. So q0 is between 0 and 2^24. It is rounded down, after 2^−20 is
// taken away, which is more than errors of doubles: what remains is in [0, (1 + 2^−19)r), and below 2^64 for r ≤ 2^64
// − 2^46, so that the words of the c_i tell it modulo 2^64. They are below 2^51 for k ≤ 32, which is what conversions
// of AVX2 take. One more subtraction of r makes a digit. q0 of the digit below is added with a carry, as in the
// product by IFMA.
//
// The last coefficient comes first, because the negatives of its q2 and q1 join the first digit; its limbs wait in
// scratch for the last step.

// Places of the constants, behind those of the product by IFMA.
const (
	doubleR = constUp0 + 2 + iota // three limbs
	_
	_
	doubleInv1  // 1/(r·2^22)
	doubleInv0  // 1/r
	doubleFirst // 2^23·(r + 1) in three limbs
	_
	_
	doubleOther // 2^23·(r − 1)
	_
	_
	doubleLimb    // 2^22
	doubleRound   // 3·2^51
	doubleDown    // −2^−20
	doubleLow     // the word 2^22 − 1
	doubleWord    // 2^52
	doubleResidue // first of what follows
)

const (
	perDouble  = 6 * 64 // bytes of a digit in limbs and their sums
	doubleWait = 8 * 64 // bytes of scratch before limbs: c0 … c4, q2, q1
)

// doubleProduct is the kernel's registers that live throughout.
type doubleProduct struct {
	*digits
	m, scratch, z, kb gp
	y                 gp // limbs of one element, nil for those in scratch
	q0                vec
	carry             mask // lanes with none
}

func (g *digits) doubleProducts() {
	g.doubleProduct("mul", "sets n tiles z to xy. scratch has 12k + 8 vectors.", "y", false)
	g.doubleProduct("mulBy", "sets n tiles z to xy, where y is one of the elements that limbs took, word l of f for "+
		"element l. scratch has 6k + 8 vectors.", "f", true)
	g.function("limbs"+g.suffix(), "sets f, 6k vectors, to the limbs of the digits of the tile y, and their sums. n is 1.",
		"f, y, m *uint64, k, n int")
	p := &doubleProduct{digits: g, m: g.param("m")}
	f, y, kb := g.param("f"), g.param("y"), g.count()
	g.tiles(kb, []gp{y}, func() {
		to := g.GP64()
		g.MOVQ(f, to)
		p.split(y, to, kb)
		g.ADDQ(operand.Imm(32), f) // for the second half
	})
}

func (g *digits) doubleProduct(name, doc, y string, words bool) {
	g.function(name+g.suffix(), doc, "z, x, "+y+", scratch, m *uint64, k, n int")
	if !g.avx512 {
		g.halvesConstants()
	}
	p := &doubleProduct{digits: g, m: g.param("m")}
	g.r, g.one, g.zero = g.broadcast(p.at(constR)), g.constant(1), g.constant(0)
	p.z, p.scratch, p.kb = g.param("z"), g.param("scratch"), g.count()
	x, other := g.param("x"), g.param(y)
	pointers := []gp{p.z, x}
	if words {
		p.y = other
	} else {
		pointers = append(pointers, other)
	}
	g.tiles(p.kb, pointers, func() {
		to := g.GP64()
		g.LEAQ(operand.Mem{Base: p.scratch, Disp: doubleWait}, to)
		p.split(x, to, p.kb)
		if !words {
			p.split(other, to, p.kb) // which split has moved on
		}
		p.coefficients()
	})
}

func (p *doubleProduct) at(i int) operand.Mem { return operand.Mem{Base: p.m, Disp: 8 * i} }

func (p *doubleProduct) wait(i int) operand.Mem { return operand.Mem{Base: p.scratch, Disp: 64 * i} }

// split writes the limbs of the digits at x, and their sums, to a place that moves on.
func (p *doubleProduct) split(x, to, kb gp) {
	low, word := p.broadcast(p.at(doubleLow)), p.broadcast(p.at(doubleWord))
	i, l := p.zeroGP(), p.label("split")
	p.Label(l)
	v := p.load(p.digits.at(x, i))
	limbs := []vec{p.and(v, low), p.and(p.srlq(v, 22), low), p.srlq(v, 44)}
	for j, w := range limbs {
		if p.avx512 {
			p.VCVTQQ2PD(w, w)
		} else {
			p.VPOR(word, w, w)
			p.VSUBPD(word, w, w)
		}
		p.store(w, operand.Mem{Base: to, Disp: 64 * j})
	}
	for j, pair := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
		p.store(p.plus(limbs[pair[0]], limbs[pair[1]]), operand.Mem{Base: to, Disp: 64 * (3 + j)})
	}
	p.ADDQ(operand.U32(perDouble), to)
	p.ADDQ(operand.Imm(64), i)
	p.CMPQ(i, kb)
	p.JNE(operand.LabelRef(l))
}

func (p *doubleProduct) plus(a, b vec) vec { return p.op2(p.ctx3(p.VADDPD), b, a) }

// addTo, takeFrom change a.
func (p *doubleProduct) addTo(a vec, b operand.Op)    { p.VADDPD(b, a, a) }
func (p *doubleProduct) takeFrom(a vec, b operand.Op) { p.VSUBPD(b, a, a) }

// times adds x and a constant's product to a, or subtracts it.
func (p *doubleProduct) times(constant int, x, a vec, negative bool) {
	c := p.broadcast(p.at(constant))
	if negative {
		p.VFNMADD231PD(c, x, a)
	} else {
		p.VFMADD231PD(c, x, a)
	}
}

// coefficients computes all digits.
func (p *doubleProduct) coefficients() {
	to := p.GP64()
	p.LEAQ(operand.Mem{Base: p.z, Index: p.kb, Scale: 1, Disp: -64}, to)
	c := p.sums(to)
	q2, q1 := p.upper(c)
	for i, v := range append(c, p.sub2(p.zero, q2), p.sub2(p.zero, q1)) {
		p.store(v, p.wait(i))
	}
	p.q0, p.carry = p.mov(p.zero), p.all()
	p.MOVQ(p.z, to)
	next := p.label("coefficient")
	p.Label(next)
	c = p.sums(to)
	q2, q1 = p.upper(c)
	p.addTo(c[2], p.wait(5))
	p.addTo(c[1], p.wait(6))
	p.store(q2, p.wait(5))
	p.store(q1, p.wait(6))
	p.lower(c, to)
	p.ADDQ(operand.Imm(64), to)
	last := p.GP64()
	p.LEAQ(operand.Mem{Base: p.z, Index: p.kb, Scale: 1, Disp: -64}, last)
	p.CMPQ(to, last)
	p.JNE(operand.LabelRef(next))
	for i := range c {
		c[i] = p.load(p.wait(i))
	}
	p.addTo(c[2], p.wait(5))
	p.addTo(c[1], p.wait(6))
	p.lower(c, to)
	p.wrap()
}

func (p *doubleProduct) sub2(a, b vec) vec { return p.op2(p.ctx3(p.VSUBPD), b, a) }

// sums returns c0 … c4 of coefficient n, whose digit goes to a place: x[i]·y[n−i] for i ≤ n, and −x[i]·y[n+k−i] above.
func (p *doubleProduct) sums(to gp) []vec {
	a := make([]vec, 6)
	for l := range a {
		a[l] = p.mov(p.zero)
	}
	xi, yi, end, size := p.GP64(), p.GP64(), p.GP64(), p.GP64()
	three := func(x gp) { p.LEAQ(operand.Mem{Base: x, Index: x, Scale: 2}, size) } // digits have six times the bytes
	p.LEAQ(operand.Mem{Base: p.scratch, Disp: doubleWait}, xi)
	three(p.kb)
	if p.y != nil {
		p.MOVQ(p.y, yi)
	} else {
		p.LEAQ(operand.Mem{Base: xi, Index: size, Scale: 2}, yi)
	}
	p.MOVQ(to, end)
	p.SUBQ(p.z, end)
	three(end)
	p.LEAQ(operand.Mem{Base: yi, Index: size, Scale: 2}, yi)
	p.LEAQ(operand.Mem{Base: xi, Index: size, Scale: 2, Disp: perDouble}, end)
	p.terms(a, xi, yi, end, false)
	above := p.label("above")
	three(p.kb)
	p.LEAQ(operand.Mem{Base: p.scratch, Index: size, Scale: 2, Disp: doubleWait}, end)
	if p.y != nil {
		p.LEAQ(operand.Mem{Base: p.y, Index: size, Scale: 2, Disp: -perDouble}, yi)
	} else {
		p.LEAQ(operand.Mem{Base: end, Index: size, Scale: 2, Disp: -perDouble}, yi)
	}
	p.CMPQ(xi, end)
	p.JEQ(operand.LabelRef(above))
	p.terms(a, xi, yi, end, true)
	p.Label(above)
	p.takeFrom(a[3], p.plus(a[0], a[1]))
	p.takeFrom(a[4], p.plus(a[0], a[2]))
	p.addTo(a[4], a[1])
	p.takeFrom(a[5], p.plus(a[1], a[2]))
	return []vec{a[0], a[3], a[4], a[5], a[2]}
}

// terms adds products while xi rises to its end and yi falls, or subtracts them.
func (p *doubleProduct) terms(a []vec, xi, yi, end gp, negative bool) {
	l := p.label("term")
	p.Label(l)
	for i := range a {
		x, y := operand.Mem{Base: xi, Disp: 64 * i}, operand.Mem{Base: yi, Disp: 64 * i}
		var w operand.Op = y
		if p.y != nil {
			w = p.broadcast(y)
		}
		if negative {
			p.VFNMADD231PD(w, p.load(x), a[i])
		} else {
			p.VFMADD231PD(w, p.load(x), a[i])
		}
	}
	p.ADDQ(operand.U32(perDouble), xi)
	p.SUBQ(operand.U32(perDouble), yi)
	p.CMPQ(xi, end)
	p.JNE(operand.LabelRef(l))
}

// value returns Σ c_i·2^(22i), divided by the power of c[0].
func (p *doubleProduct) value(c []vec) vec {
	limb, z := p.broadcast(p.at(doubleLimb)), p.mov(c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		p.VFMADD213PD(c[i], limb, z)
	}
	return z
}

// upper takes q2 and q1 away.
func (p *doubleProduct) upper(c []vec) (q2, q1 vec) {
	q := make([]vec, 2)
	for i, shift := range []int{2, 1} {
		top, round := p.value(c[shift-1:]), p.broadcast(p.at(doubleRound))
		z := p.mov(round)
		p.times(doubleInv1, top, z, false)
		q[i] = p.sub2(z, round)
		p.takeProduct(c[shift:], q[i])
	}
	return q[0], q[1]
}

func (p *doubleProduct) takeProduct(c []vec, q vec) {
	for j := range 3 {
		p.times(doubleR+j, q, c[j], true)
	}
}

// lower takes q0 away and leaves a digit at to, with q0 of the digit below and the carry.
func (p *doubleProduct) lower(c []vec, to gp) {
	offset, first := p.GP64(), p.GP64()
	p.LEAQ(p.at(doubleOther), offset)
	p.LEAQ(p.at(doubleFirst), first)
	p.CMPQ(to, p.z)
	p.CMOVQEQ(first, offset)
	for i := range 3 {
		p.addTo(c[i], p.broadcast(operand.Mem{Base: offset, Disp: 8 * i}))
	}
	q := p.broadcast(p.at(doubleDown))
	p.times(doubleInv0, p.value(c), q, false)
	if p.avx512 {
		p.VRNDSCALEPD(operand.Imm(9), q, q)
	} else {
		p.VROUNDPD(operand.Imm(9), q, q)
	}
	p.takeProduct(c, q)
	digit, q0 := p.word(c[0]), p.word(q)
	digit = p.addq(digit, p.sllq(p.word(c[1]), 22))
	digit = p.addq(digit, p.sllq(p.word(c[2]), 44))
	below := p.newMask()
	p.isLess(below, digit, p.r)
	digit = p.addIn(below, p.sub(digit, p.r), p.r)
	q0 = p.addq(q0, p.one)
	p.subOne(below, q0)
	p.store(p.sum(digit, p.q0, p.sub(p.r, p.one), p.carry), operand.Mem{Base: to})
	p.set(p.q0, q0)
}

// word returns the integers x, below 2^51, as words.
func (p *doubleProduct) word(x vec) vec {
	if p.avx512 {
		z := p.vec()
		p.VCVTPD2QQ(x, z)
		return z
	}
	round := p.broadcast(p.at(doubleRound))
	return p.sub(p.plus(x, round), round)
}

// wrap subtracts the last quotient and the carry, of weight r^k = −1, from the digits.
func (p *doubleProduct) wrap() {
	p.not(p.carry)
	p.addOne(p.carry, p.q0)
	b := p.none()
	p.store(p.difference(p.load(operand.Mem{Base: p.z}), p.q0, b), operand.Mem{Base: p.z})
	p.borrow(p.z, p.kb, b, 64)
}
