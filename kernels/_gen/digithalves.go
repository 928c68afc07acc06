package main

import (
	"github.com/mmcloughlin/avo/operand"
)

// Products of many digits take Karatsuba's identity once over them. With x = x0(T²) + T·x1(T²) and U = T²,
//
//	xy = x0·y0 + U·x1·y1 + T·((x0 + x1)(y0 + y1) − x0·y0 − x1·y1)
//
// modulo U^(k/2) + 1: three products of half the digits, those at even places and those at odd ones. Digits are split at 25
// bits, so that the low limbs of sums are below 2^26. The parts are kernels of their own, of one tile each:
//
//	split    the limbs of the even digits, of the odd ones and of their sums
//	sums     the coefficients of one product, as sums of products of limbs
//	combine  the coefficients of xy, and digits

const perSum = 5 * 64 // bytes of a coefficient

func (g *digits) halves() {
	g.splitHalves("splitHalvesIFMA", "sets s to the limbs of halves of the k digits of the tile x, 9k/2 vectors.", false)
	g.splitHalves("splitHalvesByIFMA", "does so for all lanes of one element x of k words.", true)
	g.sums()
	g.combine()
}

func (g *digits) splitHalves(name, doc string, words bool) {
	g.function(name, name+" "+doc, "s, x *uint64, k int")
	p := &product{digits: g}
	to, x, left := g.param("s"), g.param("x"), g.param("k")
	half := g.GP64() // bytes of one product's limbs
	g.IMUL3Q(operand.U32(perDigit/2), left, half)
	g.Label("pair")
	var limbs [2][2]vec
	for i := range limbs {
		var v vec
		if words {
			v = p.broadcast(operand.Mem{Base: x, Disp: 8 * i})
		} else {
			v = p.load(operand.Mem{Base: x, Disp: 64 * i})
		}
		high := p.srlq(v, 25)
		limbs[i] = [2]vec{p.subq(v, p.sllq(high, 25)), high}
	}
	sum := [2]vec{p.addq(limbs[0][0], limbs[1][0]), p.addq(limbs[0][1], limbs[1][1])}
	at := g.GP64()
	g.MOVQ(to, at)
	for _, l := range [][2]vec{limbs[0], limbs[1], sum} {
		p.store(l[0], operand.Mem{Base: at})
		p.store(l[1], operand.Mem{Base: at, Disp: 64})
		p.store(p.addq(l[0], l[1]), operand.Mem{Base: at, Disp: 128})
		g.ADDQ(half, at)
	}
	if words {
		g.ADDQ(operand.Imm(16), x)
	} else {
		g.ADDQ(operand.Imm(128), x)
	}
	g.ADDQ(operand.U32(perDigit), to)
	g.SUBQ(operand.Imm(2), left)
	g.JNE(operand.LabelRef("pair"))
	g.end()
}

func (g *digits) sums() {
	g.function("sumsIFMA", "sumsIFMA sets s to the k coefficients of the product of the limbs x and y modulo U^k + 1, 5k vectors.", "s, x, y *uint64, k int")
	p := &product{digits: g}
	p.zero = p.constant(0)
	to, xs, ys, size := g.param("s"), g.param("x"), g.param("y"), g.param("k")
	g.IMUL3Q(operand.U32(perDigit), size, size)
	xn, end := g.GP64(), g.GP64()
	g.LEAQ(operand.Mem{Base: xs, Index: size, Scale: 1}, end)
	g.LEAQ(operand.Mem{Base: xs, Disp: perDigit}, xn)
	g.Label("pair")
	var c [2]limbs
	for i := range c {
		for j := range c[i] {
			c[i][j] = p.clear()
		}
	}
	p.pair(c[0], c[1], xs, xn, ys, size, end)
	for i := range c {
		for j := range c[i] {
			p.store(c[i][j], operand.Mem{Base: to, Disp: i*perSum + 64*j})
		}
	}
	g.ADDQ(operand.U32(2*perSum), to)
	g.ADDQ(operand.U32(2*perDigit), xn)
	g.CMPQ(xn, end)
	g.JLT(operand.LabelRef("pair"))
	g.end()
}

// combine has the sums of the three products one after the other, with room for one more behind the first: there the last
// coefficient of the second one goes, with its sign changed, as U^(k/2) = −1.
func (g *digits) combine() {
	g.function("combineIFMA", "combineIFMA sets the tile z to the digits of the product that has the sums s. m is what Constants returns.", "z, s, m *uint64, k int")
	p := g.newProduct()
	low, high := p.constant(1<<25), p.constant(1<<50)
	z, s0, kb := g.param("z"), g.param("s"), g.count()
	size := g.GP64() // of the sums of one product, 5·kb/2
	g.LEAQ(operand.Mem{Base: kb, Index: kb, Scale: 4}, size)
	g.SHRQ(operand.Imm(1), size)
	s1, s2 := g.GP64(), g.GP64()
	g.LEAQ(operand.Mem{Base: s0, Index: size, Scale: 1, Disp: perSum}, s1)
	g.LEAQ(operand.Mem{Base: s1, Index: size, Scale: 1}, s2)
	for j := range 5 {
		v := p.load(operand.Mem{Base: s2, Disp: 64*j - perSum})
		p.store(p.negate(v), operand.Mem{Base: s1, Disp: 64*j - perSum})
	}
	p.q1, p.q0, p.carry = p.clear(), p.clear(), p.all()
	offset, to, end := g.GP64(), g.GP64(), g.GP64()
	g.LEAQ(operand.Mem{Base: p.m, Disp: 8 * constFirst}, offset)
	g.MOVQ(z, to)
	g.LEAQ(operand.Mem{Base: z, Index: kb, Scale: 1}, end)
	g.Label("pair")
	var c [2]limbs
	for j := range c[0] {
		first, second := p.load(operand.Mem{Base: s0, Disp: 64 * j}), p.load(operand.Mem{Base: s1, Disp: 64 * j})
		c[1][j] = p.subq(p.subq(p.load(operand.Mem{Base: s2, Disp: 64 * j}), first), second)
		p.VPADDQ(operand.Mem{Base: s1, Disp: 64*j - perSum}, first, first)
		c[0][j] = first
	}
	t := make([][3]vec, 2)
	for i, c := range c {
		p.VPSUBQ(c[0], c[1], c[1]) // m − l − h
		p.VPSUBQ(c[3], c[1], c[1])
		p.VPSUBQ(c[4], c[2], c[2])
		// l + m·2^25 + h·2^50, and the halves above them, less the negative offset
		p.VPMADD52LUQ(low, c[1], c[0])
		p.VPMADD52LUQ(high, c[3], c[0])
		t1 := p.addq(p.addq(p.sra(c[1], 27), p.sllq(c[2], 25)), p.sra(c[3], 2))
		p.VPMADD52LUQ(high, c[4], t1)
		t[i] = [3]vec{c[0], t1, p.sra(c[4], 2)}
		for j := range t[i] {
			p.VPSUBQ_BCST(operand.Mem{Base: offset, Disp: 8 * j}, t[i][j], t[i][j])
		}
		g.LEAQ(operand.Mem{Base: p.m, Disp: 8 * constOther}, offset)
	}
	p.divide(t, to)
	for _, s := range []gp{s0, s1, s2} {
		g.ADDQ(operand.U32(perSum), s)
	}
	g.ADDQ(operand.Imm(128), to)
	g.CMPQ(to, end)
	g.JNE(operand.LabelRef("pair"))
	p.last(z, kb)
	g.end()
}
