package main

import (
	"github.com/mmcloughlin/avo/operand"
)

// rings writes products of polynomials whose coefficients are the lanes of a vector, modulo x^8 − w and x^8 + w in
// turn. Row i of y is y·x^i: lanes that pass x^8 come from wy. Each meets coefficient i of x, and both halves of the
// products are summed up as they are: hi < 16p for x < 4p and y ≤ 2p. Then Montgomery's reduction divides by 2^52, and
// a product by 8·2^52 follows.
func (g *machine) rings(a *ifma50, name string) {
	g.function(name+"Rings", "sets polynomials of 8 coefficients x to 8xy: with t = w[off+i], those of the i-th of cnt "+
		"pairs modulo X^8 − t and X^8 + t. x and y are wide, products are narrow.",
		"x, y, w, q, m *"+g.goWord()+", off, cnt int")
	x, y, w, q, m := g.param("x"), g.param("y"), g.param("w"), g.param("q"), g.param("m")
	off, cnt := g.param("off"), g.param("cnt")
	a.begin(m)
	p4 := g.add(a.p2, a.p2)
	p8 := g.add(p4, p4)
	inverse := a.broadcast(a.at(m, 3))
	word := a.factor(a.broadcast(a.at(m, 6)), a.broadcast(a.at(m, 7)), true)
	g.LEAQ(operand.Mem{Base: w, Index: off, Scale: 8}, w)
	g.LEAQ(operand.Mem{Base: q, Index: off, Scale: 8}, q)

	g.Label("pair")
	t := g.pairAt(a, operand.Mem{Base: w}, operand.Mem{Base: q}, 1)
	for side := range 2 {
		at := func(base gp, i int) operand.Mem { return operand.Mem{Base: base, Disp: 64*side + 8*i} }
		v := g.load(at(y, 0))
		u := a.mul(v, t)
		if side == 1 {
			u = g.sub(a.p2, u)
		}
		v = g.reduce(v, a.p2)
		hi, lo := g.mov(a.zero), g.mov(a.zero)
		for i := range 8 {
			row := v
			if i > 0 {
				row = g.vec()
				g.VALIGNQ(operand.Imm(uint64(8-i)), u, v, row)
			}
			g.VPMADD52HUQ_BCST(at(x, i), row, hi)
			g.VPMADD52LUQ_BCST(at(x, i), row, lo)
		}
		hi = g.add(hi, g.srlq(lo, 52))
		hi = g.reduce(g.reduce(hi, p8), p4)
		n, c := g.mov(a.zero), g.mov(a.zero)
		g.VPMADD52LUQ(inverse, lo, n)
		g.VPMADD52HUQ(a.p, n, c)
		hi = g.sub(hi, c) // above −p
		g.store(a.mul(g.lesser(hi, g.add(hi, p4)), word), at(x, 0))
	}
	for _, p := range []gp{x, y} {
		g.ADDQ(operand.U32(128), p)
	}
	for _, p := range []gp{w, q} {
		g.ADDQ(operand.Imm(8), p)
	}
	g.DECQ(cnt)
	g.JNE(operand.LabelRef("pair"))
	g.end()
}
