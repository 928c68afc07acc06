package main

import (
	"github.com/mmcloughlin/avo/operand"
)

// The product takes digits in two limbs, x = x0 + x1·2^26, and products of limbs by multiplications of 52 bits:
//
//	xy = l + (m − l − h)·2^26 + h·2^52,  l = x0·y0, h = x1·y1, m = (x0 + x1)(y0 + y1),
//
// where l is below 2^52, so that five instructions make a product of digits. Coefficients u of the product modulo
// T^k + 1 get an offset that makes them positive, and are divided by r in two steps: q1 ≈ u/(r·2^24) and q0 ≈
// (u − q1·r·2^24)/r, both from 52 bits of the dividend and a reciprocal. What remains is computed modulo 2^104, by
// adding multiples of 2^104 − r·2^24 and of 2^104 − r. The part q1 of the quotient below joins the dividend of the
// second step, and q0, which is below r, the remainder, with a carry: nothing but this carry goes from digit to digit
// in turn.
//
// Why that is right, for 2^30 ≤ r < 2^w ≤ 2^64, w the length of r, and k ≤ 128. Of u with its offset 52 bits are above
// 2^e1. q1 is less than the quotient of u by r·2^24, by less than 1 for what is cut off, 1 for the reciprocal's
// rounding, and 1/2 for the bits below 2^e1 (2^53/(r·2^24) where e1 = 53, and 1/8 elsewhere); the last two are never
// both large, so that 2.6·r·2^24 bounds what remains. The q1 of the digit below adds 2kr at most. All is below
// 2^(w+26), of which 52 bits are above 2^e0; q0 is less than the quotient by less than 2.6/4 + 2^−25 < 1, and rounding
// makes 0 or 1 of it. q0 itself is below 2.6·2^24 + 2k + 1 < r, and q1 below 2^49.
//
// Shifts by less than 52 places are multiplications by powers of two where the halves of a product are what is wanted.

// Places of the constants of a product.
const (
	constR      = iota
	constFirst  // four words, the offset of coefficient 0: limbs 0, 1 and 2, negative, and limbs 0 and 1 together
	constOther  = constFirst + 4
	constInv1   = constOther + 4 // 2^(e1+28)/r
	constMinus1 = constInv1 + 1  // 2^104 − r·2^24 in two limbs
	constInv0   = constMinus1 + 2
	constMinus0 = constInv0 + 1   // 2^104 − r in two limbs
	constUp1    = constMinus0 + 2 // u/2^e1 = u2·2^up1 + u1·2^up1/2^52: up1, and behind it 2^up1
	constUp0    = constUp1 + 2    // likewise for the second step
)

const step = 24 // the bits of a quotient's lower part

// product is the kernel's registers that live throughout.
type product struct {
	*digits
	mask52, low, sign, below vec // below is 2^step
	inv0, minus0, minus0h    vec
	q1, q0                   vec  // the last quotient
	carry                    mask // lanes with none
	less                     vec  // r − 1
	words                    bool // limbs of y are words, for all lanes
	m                        gp   // further constants
}

// limbs is the sums of l, of m in two halves, and of h in two.
type limbs [5]vec

const perDigit = 3 * 64 // bytes of a digit in limbs: x0, x1, x0 + x1

// newProduct loads what divisions by r need.
func (g *digits) newProduct() *product {
	p := &product{digits: g, m: g.param("m")}
	c := func(i int) vec { return g.broadcast(p.constAt(i)) }
	g.r, g.one = c(constR), g.constant(1)
	p.zero = p.constant(0)
	p.mask52, p.sign, p.below = g.constant(1<<52-1), g.constant(1<<51), g.constant(1<<step)
	p.inv0, p.minus0, p.minus0h = c(constInv0), c(constMinus0), c(constMinus0+1)
	p.less = p.sub(p.r, p.one)
	return p
}

// products writes the products of two tiles, and of a tile with one element whose limbs are there already.
func (g *digits) products() {
	g.product("mulIFMA", "sets n tiles z to xy. scratch has 6k vectors.", "y", false)
	g.product("mulByIFMA", "sets n tiles z to xy, where y is one of the elements that limbsIFMA took, word l of f for "+
		"element l. scratch has 3k vectors.", "f", true)
	g.function("limbsIFMA", "sets f, 3k vectors, to the limbs of the digits of the tile y.", "f, y *uint64, k int")
	p := &product{digits: g}
	f, y, kb := g.param("f"), g.param("y"), g.count()
	p.split(y, f, kb)
	g.end()
}

func (g *digits) product(name, doc, y string, words bool) {
	g.function(name, doc, "z, x, "+y+", scratch, m *uint64, k, n int")
	p := g.newProduct()
	p.low, p.words = g.constant(1<<26), words

	z, x, ys, kb := g.param("z"), g.param("x"), g.param(y), g.count()
	xs := g.param("scratch") // limbs of x, and of y behind them
	if words {
		g.tiles(kb, []gp{z, x}, func() {
			p.split(x, xs, kb)
			p.coefficients(z, xs, ys, kb)
		})
		return
	}
	at := ys
	ys = g.GP64()
	g.LEAQ(operand.Mem{Base: kb, Index: kb, Scale: 2}, ys)
	g.ADDQ(xs, ys)
	g.tiles(kb, []gp{z, x, at}, func() {
		p.split(x, xs, kb)
		p.split(at, ys, kb)
		p.coefficients(z, xs, ys, kb)
	})
}

func (p *product) constAt(i int) operand.Mem { return operand.Mem{Base: p.m, Disp: 8 * i} }

// split writes the limbs of the digits at x to s.
func (p *product) split(x, s, kb gp) {
	from, to, left := p.GP64(), p.GP64(), p.GP64()
	p.MOVQ(x, from)
	p.MOVQ(s, to)
	p.MOVQ(kb, left)
	l := p.label("split")
	p.Label(l)
	v := p.load(operand.Mem{Base: from})
	high := p.srlq(v, 26)
	low := p.subq(v, p.sllq(high, 26))
	p.store(low, operand.Mem{Base: to})
	p.store(high, operand.Mem{Base: to, Disp: 64})
	p.store(p.addq(low, high), operand.Mem{Base: to, Disp: 128})
	p.ADDQ(operand.Imm(64), from)
	p.ADDQ(operand.U32(perDigit), to)
	p.SUBQ(operand.Imm(64), left)
	p.JNE(operand.LabelRef(l))
}

// clear returns a vector of zeros. It copies one: for avo, an exclusive or of a register with itself reads it.
func (p *product) clear() vec { return p.mov(p.zero) }

// multiply adds the product of the digit with limbs x and that at y to a.
func (p *product) multiply(a limbs, x [3]vec, y gp, disp int) {
	y0, y1, ysum := operand.Mem{Base: y, Disp: disp}, p.yLimb(y, disp+64), p.yLimb(y, disp+128)
	if p.words {
		p.VPMADD52LUQ_BCST(y0, x[0], a[0])
	} else {
		p.VPMADD52LUQ(y0, x[0], a[0])
	}
	p.VPMADD52LUQ(ysum, x[2], a[1])
	p.VPMADD52HUQ(ysum, x[2], a[2])
	p.VPMADD52LUQ(y1, x[1], a[3])
	p.VPMADD52HUQ(y1, x[1], a[4])
}

func (p *product) yLimb(y gp, disp int) vec {
	if m := (operand.Mem{Base: y, Disp: disp}); p.words {
		return p.broadcast(m)
	} else {
		return p.load(m)
	}
}

func (p *product) digit(x gp) (v [3]vec) {
	for i := range v {
		v[i] = p.load(operand.Mem{Base: x, Disp: 64 * i})
	}
	return v
}

// coefficients computes all digits, two coefficients at a time.
func (p *product) coefficients(z, xs, ys, kb gp) {
	p.q1, p.q0, p.carry = p.clear(), p.clear(), p.all()
	offset, to, end := p.GP64(), p.GP64(), p.GP64()
	p.LEAQ(operand.Mem{Base: p.m, Disp: 8 * constFirst}, offset)
	p.MOVQ(z, to)
	p.LEAQ(operand.Mem{Base: z, Index: kb, Scale: 1}, end)
	xn := p.GP64() // x[n+1]
	p.LEAQ(operand.Mem{Base: xs, Disp: perDigit}, xn)
	pair := p.label("pair")
	p.Label(pair)

	a := p.start(offset)
	p.LEAQ(operand.Mem{Base: p.m, Disp: 8 * constOther}, offset)
	b := p.start(offset)
	p.pair(a, b, xs, xn, ys, kb)
	p.reduce(a, b, to)
	p.ADDQ(operand.Imm(128), to)
	p.ADDQ(operand.U32(2*perDigit), xn)
	p.CMPQ(to, end)
	p.JNE(operand.LabelRef(pair))
	p.last(z, kb)
}

// pair adds coefficients n and n + 1 to the negatives of a and b, which have
//
//	−x[n+1]·y[k−1] and, for i ≥ n+2, −x[i]·y[n+k−i] and −x[i]·y[n+1+k−i],
//	x[i]·y[n−i] and x[i]·y[n+1−i] for i ≤ n, and x[n+1]·y[0].
//
// xn is the place of x[n+1].
func (p *product) pair(a, b limbs, xs, xn, ys, kb gp) {
	xi, yi, size, end := p.GP64(), p.GP64(), p.GP64(), p.GP64()
	p.LEAQ(operand.Mem{Base: kb, Index: kb, Scale: 2}, size)
	p.LEAQ(operand.Mem{Base: xs, Index: size, Scale: 1}, end)
	p.LEAQ(operand.Mem{Base: ys, Index: size, Scale: 1, Disp: -perDigit}, yi)
	p.multiply(a, p.digit(xn), yi, 0)
	p.LEAQ(operand.Mem{Base: xn, Disp: perDigit}, xi)
	p.terms(a, b, xi, yi, end)
	for i := range a {
		a[i], b[i] = p.negate(a[i]), p.negate(b[i])
	}
	p.MOVQ(xs, xi)
	p.MOVQ(ys, yi) // y[n+1]: as far from ys as x[n+1] from xs
	p.ADDQ(xn, yi)
	p.SUBQ(xs, yi)
	p.terms(a, b, xi, yi, xn)
	p.multiply(b, p.digit(xn), ys, 0)
}

// start returns the negative offset as sums.
func (p *product) start(offset gp) limbs {
	word := func(i int) vec { return p.broadcast(operand.Mem{Base: offset, Disp: 8 * i}) }
	l, h, hh, m := word(0), word(1), word(2), word(3)
	return limbs{l, m, p.mov(hh), h, hh}
}

// terms adds x[i]·y[j−1] to a and x[i]·y[j] to b, while i rises from xi to its end and j falls from yi.
func (p *product) terms(a, b limbs, xi, yi, end gp) {
	next, done := p.label("term"), p.label("terms")
	p.CMPQ(xi, end)
	p.JEQ(operand.LabelRef(done))
	p.Label(next)
	x := p.digit(xi)
	p.multiply(b, x, yi, 0)
	p.multiply(a, x, yi, -perDigit)
	p.ADDQ(operand.U32(perDigit), xi)
	p.SUBQ(operand.U32(perDigit), yi)
	p.CMPQ(xi, end)
	p.JNE(operand.LabelRef(next))
	p.Label(done)
}

func (p *product) negate(a vec) vec {
	p.VPSUBQ(a, p.zero, a)
	return a
}

func (p *product) sra(a vec, n uint64) vec {
	z := p.vec()
	p.VPSRAQ(operand.Imm(n), a, z)
	return z
}

// reduce divides the coefficients a and b by r, and leaves digits at to.
func (p *product) reduce(a, b limbs, to gp) {
	t := make([][3]vec, 2)
	for i, c := range []limbs{a, b} {
		p.VPSUBQ(c[0], c[1], c[1]) // m − l − h
		p.VPSUBQ(c[3], c[1], c[1])
		p.VPSUBQ(c[4], c[2], c[2])
		p.VPMADD52LUQ(p.low, c[1], c[0])
		t[i][0] = c[0]
		t[i][1] = p.addq(p.addq(p.sra(c[1], 26), p.sllq(c[2], 26)), c[3])
		t[i][2] = c[4]
	}
	p.divide(t, to)
}

// divide takes two numbers of three limbs. Every step is done for both, so that none waits.
func (p *product) divide(t [][3]vec, to gp) {
	q1, q0 := make([]vec, 2), make([]vec, 2)
	for i := range t {
		t[i][1] = p.addq(t[i][1], p.sra(t[i][0], 52))
		t[i][0] = p.and(t[i][0], p.mask52)
		t[i][2] = p.addq(t[i][2], p.sra(t[i][1], 52))
		t[i][1] = p.and(t[i][1], p.mask52)
	}
	for i := range t {
		u := p.window(t[i][2], t[i][1], constUp1)
		q1[i] = p.clear()
		p.VPMADD52HUQ_BCST(p.constAt(constInv1), u, q1[i])
	}
	for i, last := range []vec{p.q1, q1[0]} {
		p.VPMADD52LUQ(p.below, last, t[i][0])
		p.VPMADD52HUQ(p.below, last, t[i][1])
	}
	for i := range t {
		p.VPMADD52LUQ_BCST(p.constAt(constMinus1), q1[i], t[i][0])
		p.VPMADD52HUQ_BCST(p.constAt(constMinus1), q1[i], t[i][1])
		p.VPMADD52LUQ_BCST(p.constAt(constMinus1+1), q1[i], t[i][1])
	}
	for i := range t {
		t[i][1] = p.and(p.addq(t[i][1], p.srlq(t[i][0], 52)), p.mask52)
		t[i][0] = p.and(t[i][0], p.mask52)
	}
	digit := p.remainders([][2]vec{{t[0][0], t[0][1]}, {t[1][0], t[1][1]}}, q0)
	for i, last := range []vec{p.q0, q0[0]} {
		p.store(p.sum(digit[i], last, p.less, p.carry), operand.Mem{Base: to, Disp: 64 * i})
	}
	p.VMOVDQA64(q1[1], p.q1)
	p.VMOVDQA64(q0[1], p.q0)
}

// window returns 52 bits of a number of two limbs, the low one below 2^52.
func (p *product) window(high, low vec, up int) vec {
	a := p.vec()
	p.VPSLLVQ_BCST(p.constAt(up), high, a)
	p.VPMADD52HUQ_BCST(p.constAt(up+1), low, a)
	return a
}

// remainders sets q to the quotients of t0 + t1·2^52 by r and returns the remainders. The estimate is right or too
// small by one: with one more the remainder is negative, or it is not.
func (p *product) remainders(t [][2]vec, q []vec) []vec {
	z := make([]vec, len(t))
	for i := range t {
		u := p.window(t[i][1], t[i][0], constUp0)
		q[i] = p.mov(p.one)
		p.VPMADD52HUQ(p.inv0, u, q[i])
	}
	for i := range t {
		p.VPMADD52LUQ(p.minus0, q[i], t[i][0])
		p.VPMADD52HUQ(p.minus0, q[i], t[i][1])
		p.VPMADD52LUQ(p.minus0h, q[i], t[i][1])
	}
	for i := range t {
		negative := p.K()
		p.VPTESTMQ(p.addq(t[i][1], p.srlq(t[i][0], 52)), p.sign, negative)
		p.subWhere(negative, q[i], p.one)
		z[i] = p.addWhere(negative, p.addq(t[i][0], p.sllq(t[i][1], 52)), p.r)
	}
	return z
}

// last subtracts the last quotient and the carry, of weight r^k = −1, from the digits: as two digits.
func (p *product) last(z, kb gp) {
	p.not(p.carry)
	p.addOne(p.carry, p.q0)
	t1 := p.clear()
	p.VPMADD52LUQ(p.below, p.q1, p.q0)
	p.VPMADD52HUQ(p.below, p.q1, t1)
	t1 = p.addq(t1, p.srlq(p.q0, 52))
	q := make([]vec, 1)
	t0 := p.remainders([][2]vec{{p.and(p.q0, p.mask52), t1}}, q)[0]
	p.q0 = q[0]
	b := p.none()
	p.store(p.difference(p.load(operand.Mem{Base: z}), t0, b), operand.Mem{Base: z})
	p.store(p.difference(p.load(operand.Mem{Base: z, Disp: 64}), p.q0, b), operand.Mem{Base: z, Disp: 64})
	p.borrow(z, kb, b, 128)
}

// borrow takes a borrow from the digits from a place on, and adds it to the element if none is left.
func (g *digits) borrow(z, kb gp, b mask, from uint32) {
	done, next := g.label("done"), g.label("borrow")
	i := g.GP64()
	g.MOVQ(operand.U32(from), i)
	g.Label(next)
	g.jumpNone(b, done)
	above := g.label("above")
	g.CMPQ(i, kb)
	g.JEQ(operand.LabelRef(above))
	g.store(g.difference(g.load(g.at(z, i)), g.zero, b), g.at(z, i))
	g.ADDQ(operand.Imm(64), i)
	g.JMP(operand.LabelRef(next))
	g.Label(above)
	g.inc(z, kb, b)
	g.Label(done)
}
