package main

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/operand"
)

const ringsParams = "x, y, w, q, m *uint64, off, cnt int, how uint8"

func (g *machine) ringsDoc() string {
	return fmt.Sprintf("sets polynomials of %[1]d coefficients x to %[1]dxy: with t = w[off+i], those of the i-th of cnt "+
		"pairs modulo X^%[1]d − t and X^%[1]d + t. x and y are wide, products are narrow.", g.lanes())
}

// rings writes products of polynomials whose coefficients are the lanes of a vector, modulo x^8 − w and x^8 + w in
// turn. Row i of y is y·x^i: lanes that pass x^8 come from wy. Each meets coefficient i of x, and both halves of the
// products are summed up as they are: hi < 16p for x < 4p and y ≤ 2p. Then Montgomery's reduction divides by 2^52, and
// a product by 8·2^52 follows.
func (g *machine) rings(a *ifma50, name string) {
	g.function(name+"Rings", g.ringsDoc(),
		ringsParams)
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

// ringPairs is the pairs whose rows of y doubleRings keeps.
const ringPairs = 4

// doubleRings is rings for vectors of 4 doubles. Row i of y is y·x^i again. It does a few pairs at a time: all their
// rows of y first, which it keeps in the frame, four coefficients of u before those of v, so that a row is a load; then
// products, both of a pair in lockstep. In one go a vector would be as long a chain of instructions as processors look
// ahead.
//
// A product goes to a sum beside 1.5·2^103, which rounds it to a multiple of 2^51, and what the sum lacks, by a fused
// multiplication, to a sum of rests. x is at most 2p, and rows p/2 before X^4 and 5p/8 from there on. So two products
// are below 2^102, as there is room for; rests are at most 2^50, and four of them 2^52. Both sums together are exact,
// as they are multiples of 2^51 below 2^103. Their quotient by p, at most 4.75·2^50, is rounded to a multiple of 4
// beside 1.5·2^54, and is less than 3 away from it. So what is left is below 3p, and with the rests below 2^53.
func (g *machine) doubleRings(a *double50, name string) {
	g.function(name+"Rings", g.ringsDoc()+" Of how it knows Open and Leave.", ringsParams)
	x, y, w, q, m := g.param("x"), g.param("y"), g.param("w"), g.param("q"), g.param("m")
	off, cnt, how := g.param("off"), g.param("cnt"), g.frame("how")
	a.begin(m)
	g.LEAQ(operand.Mem{Base: w, Index: off, Scale: 8}, w)
	g.LEAQ(operand.Mem{Base: q, Index: off, Scale: 8}, q)
	kept := g.AllocLocal(ringPairs * 128)
	s, n, left, ahead := g.GP64(), g.GP64(), g.GP64(), g.GP64()
	g.MOVQ(x, ahead)
	g.Label("pairs")
	g.MOVQ(operand.U32(ringPairs), n)
	g.CMPQ(cnt, n)
	g.JGE(operand.LabelRef("whole"))
	g.MOVQ(cnt, n)
	g.Label("whole")
	g.MOVQ(n, left)
	g.LEAQ(kept, s)
	at := func(base gp, size, side int) operand.Mem { return operand.Mem{Base: base, Disp: size * side} }
	g.Label("rows")
	for side := range 2 {
		v := g.load(at(y, 32, side))
		unless(g, a, how, howOpen, fmt.Sprint("values", side), false, func(d *double50) {
			g.become(v, d.fromWords(v, d.constant(wide)))
			g.store(d.fromWords(g.load(at(ahead, 32, side)), d.constant(wide)), at(ahead, 32, side))
		})
		v, u := g.ends(a, v, g.pairAt(a, operand.Mem{Base: w}, operand.Mem{Base: q}, 1), side == 1)
		g.store(u, at(s, 64, side))
		g.store(v, at(s, 64, side).Offset(32))
	}
	for _, p := range []gp{y, ahead} {
		g.ADDQ(operand.Imm(64), p)
	}
	for _, p := range []gp{w, q} {
		g.ADDQ(operand.Imm(8), p)
	}
	g.ADDQ(operand.U32(128), s)
	g.DECQ(left)
	g.JNE(operand.LabelRef("rows"))
	g.MOVQ(n, left)
	g.LEAQ(kept, s)
	g.Label("products")
	var c [2]ringSums
	for i := range 4 {
		for side := range c {
			row := g.load(at(s, 64, side).Offset(32 - 8*i))
			c[side].add(g, a, i%2, g.broadcast(at(x, 32, side).Offset(8*i)), row)
		}
	}
	z := []vec{c[0].sum(g, a), c[1].sum(g, a)}
	shut(g, a, z, true, how, "words")
	for side := range c {
		g.store(z[side], at(x, 32, side))
	}
	g.ADDQ(operand.Imm(64), x)
	g.ADDQ(operand.U32(128), s)
	g.DECQ(left)
	g.JNE(operand.LabelRef("products"))
	g.SUBQ(n, cnt)
	g.JNE(operand.LabelRef("pairs"))
	g.end()
}

// ends returns 4y modulo p, and its product by t, or by −t.
func (g *machine) ends(a *double50, y vec, t pair, minus bool) (v, u vec) {
	y = a.plus(y, y)
	y = a.plus(y, y)
	release := hold(a, inverse)
	v = a.least(y)
	release()
	u = a.scaled(g.mov(v), t)
	if minus {
		zero := g.vec()
		g.VPXOR(zero, zero, zero)
		u = a.minus(zero, u)
	}
	return v, u
}

// ringSums are two sums of products, and the sums of what they lack.
type ringSums struct{ sums, rests [2]vec }

// add adds the product of f and row to sum c.
func (s *ringSums) add(g *machine, a *double50, c int, f, row vec) {
	large := ringDatum(ringSum)
	first := s.sums[c] == nil
	var sum, d vec
	if first {
		sum = g.load(large)
	} else {
		sum = g.mov(s.sums[c])
	}
	g.VFMADD231PD(row, f, sum)
	if first {
		d = g.op2(g.ctx3(g.VSUBPD), large, sum)
	} else {
		d = a.minus(sum, s.sums[c])
	}
	g.VFMSUB213PD(d, row, f)
	if s.sums[c] = sum; first {
		s.rests[c] = f
	} else {
		s.rests[c] = a.plus(s.rests[c], f)
	}
}

// sum returns all of it modulo p.
func (s *ringSums) sum(g *machine, a *double50) vec {
	sub, large, four := g.ctx3(g.VSUBPD), ringDatum(ringSum), ringDatum(ringQuotient)
	sum := a.plus(g.op2(sub, large, s.sums[0]), g.op2(sub, large, s.sums[1]))
	defer hold(a, inverse)()
	q := g.load(four)
	g.VFMADD231PD(a.constant(inverse), sum, q)
	g.VFNMADD231PD(a.constant(prime), g.op2(sub, four, q), sum)
	return a.least(a.plus(sum, a.plus(s.rests[0], s.rests[1])))
}

// Names of what doubleRings adds to sums and to their quotients.
const (
	ringSum      = "ringSum"
	ringQuotient = "ringQuotient"
)

// ringData declares them: 1.5·2^103 and 1.5·2^54.
func (g *machine) ringData() {
	g.table(ringSum, slices.Repeat([]int{(1023+103)<<52 | 1<<51}, g.lanes()))
	g.table(ringQuotient, slices.Repeat([]int{(1023+54)<<52 | 1<<51}, g.lanes()))
}

func ringDatum(name string) operand.Mem { return operand.NewDataAddr(operand.NewStaticSymbol(name), 0) }
