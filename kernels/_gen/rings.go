package main

import (
	"fmt"

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

// doubleRings is rings for doubles. Row i of y is y·x^i again. A product goes to t, a sum as large as multiples of a
// high power of two, which rounds it, and what t lacks, by a fused multiplication, to a sum of rests.
//
// Vectors of 4: with x ≤ 2p, rows are at most p/2 before x^4 and 5p/8 from there on, so that two products are below
// 2.5·2^100. Beside 1.5·2^103 they are rounded to 2^51, and rests are at most 2^50, four of them 2^52. Vectors of 8 have
// x ≤ p/2, so that four products are below 1.25·2^100: beside 1.5·2^102 rests are at most 2^49, eight of them 2^52.
// Both sums together are exact, as they are multiples of 2^50 below 2^103. Their quotient by p is at most 4.75·2^50. It
// is rounded to an even number at worst, and is less than 2 away from it. So what is left is below 2p, and with the rests
// below 2^53.
func (g *machine) doubleRings(a *double50, name string) {
	n := g.lanes()
	g.function(name+"Rings", g.ringsDoc()+" Of how it knows Open and Leave.", ringsParams)
	x, y, w, q, m := g.param("x"), g.param("y"), g.param("w"), g.param("q"), g.param("m")
	off, cnt, how := g.param("off"), g.param("cnt"), g.frame("how")
	a.begin(m)
	g.LEAQ(operand.Mem{Base: w, Index: off, Scale: 8}, w)
	g.LEAQ(operand.Mem{Base: q, Index: off, Scale: 8}, q)
	large := operand.NewDataAddr(operand.NewStaticSymbol(g.largeName()), 0)
	fma := func(by, x, to vec) { g.VFMADD231PD(by, x, to) }

	g.Label("pair")
	for side := range 2 {
		at := func(base gp, i int) operand.Mem { return operand.Mem{Base: base, Disp: g.bytes*side + 8*i} }
		label := func(what string) string { return fmt.Sprint(what, side) }
		v, first := g.load(at(y, 0)), g.load(at(x, 0))
		unless(g, a, how, howOpen, label("values"), false, func(d *double50) {
			g.become(v, d.fromWords(v, d.constant(wide)))
			d2 := d.fromWords(first, d.constant(wide))
			g.become(first, d2)
			if n == 4 {
				g.store(d2, at(x, 0))
			}
		})
		if n == 8 {
			g.store(a.least(first), at(x, 0))
		}
		for k := 1; k < n; k *= 2 {
			v = a.plus(v, v)
		}
		release := hold(a, inverse)
		v = a.least(v)
		release()
		u := a.scaled(g.mov(v), g.pairAt(a, operand.Mem{Base: w}, operand.Mem{Base: q}, 1))
		if side == 1 {
			u = a.minus(g.zeroVec(), u)
		}
		var sums, rests [2]vec
		for i, row := range g.shifted(v, u) {
			c := i % 2
			f, sum := g.broadcast(at(x, i)), vec(nil)
			if sums[c] == nil {
				sum = g.load(large)
				fma(f, row, sum)
				d := g.op2(g.ctx3(g.VSUBPD), large, sum)
				g.VFMSUB213PD(d, row, f)
				rests[c] = f
			} else {
				sum = g.mov(sums[c])
				fma(f, row, sum)
				g.VFMSUB213PD(a.minus(sum, sums[c]), row, f)
				rests[c] = a.plus(rests[c], f)
			}
			sums[c] = sum
		}
		sum := g.op2(g.ctx3(g.VSUBPD), large, sums[0])
		sum = a.plus(sum, g.op2(g.ctx3(g.VSUBPD), large, sums[1]))
		release = hold(a, inverse)
		z := a.least(a.plus(a.least(sum), a.plus(rests[0], rests[1])))
		release()
		shut(g, a, []vec{z}, true, how, label("words"))
		g.store(z, at(x, 0))
	}
	for _, p := range []gp{x, y} {
		g.ADDQ(operand.U32(2*g.bytes), p)
	}
	for _, p := range []gp{w, q} {
		g.ADDQ(operand.Imm(8), p)
	}
	g.DECQ(cnt)
	g.JNE(operand.LabelRef("pair"))
	g.end()
}

func (g *machine) largeName() string { return fmt.Sprintf("large%d", g.lanes()) }

// large declares what sums of doubleRings begin with.
func (g *machine) large() {
	exponent := map[int]int{4: 103, 8: 102}[g.lanes()]
	list := make([]int, g.lanes())
	for i := range list {
		list[i] = (1023+exponent)<<52 | 1<<51
	}
	g.table(g.largeName(), list)
}

func (g *machine) zeroVec() vec {
	z := g.vec()
	if g.avx512 {
		g.VPXORQ(z, z, z)
	} else {
		g.VPXOR(z, z, z)
	}
	return z
}

// shifted returns v·x^i, where lanes that pass the last come from u.
func (g *machine) shifted(v, u vec) []vec {
	rows := []vec{v}
	if g.lanes() == 8 {
		for i := 1; i < 8; i++ {
			row := g.vec()
			g.VALIGNQ(operand.Imm(uint64(8-i)), u, v, row)
			rows = append(rows, row)
		}
		return rows
	}
	one, two, three := g.vec(), g.vec(), g.vec()
	g.VPERM2I128(operand.Imm(0x21), v, u, two) // u2 u3 v0 v1
	g.VSHUFPD(operand.Imm(0x5), v, two, one)   // u3 v0 v1 v2
	g.VSHUFPD(operand.Imm(0x5), two, u, three) // u1 u2 u3 v0
	return append(rows, one, two, three)
}
