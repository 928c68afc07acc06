package main

import "github.com/mmcloughlin/avo/operand"

// pair goes from residues modulo two primes to numbers of two words: r₀ + p₀·d, where d = (r₁ − r₀)/p₀ modulo p₁, by
// doubles rounded to the nearest.
//
// p₀·d < 2^100 beside 2^104 is rounded to t, a multiple of 2^52, and what it lacks is within 2^51, so that
// low = p₀·d − t + r₀ + 2^52 is between 2^51 and 2^53. With high = t/2^52 − 1 the number is high·2^52 + low.
func (g *rns) pair() {
	g.function("pairAVX2", "sets 2 rows z to the words of 32 numbers with the residues r[0][from], r[0][from+1], … and "+
		"r[1][from], … modulo two primes below 2^50, the first below four times the second one. c has, as doubles, 1/p₀ "+
		"modulo p₁, between −p₁/2 and p₁/2, that over p₁, p₁ and p₀.", "z *uint64, r *[]uint64, c *[4]uint64, from int")
	z, list, c, from := g.param("z"), g.param("r"), g.param("c"), g.param("from")
	d := &double50{machine: g.machine}
	load := func(i int) vec { return g.broadcast(operand.Mem{Base: c, Disp: 8 * i}) }
	t, p, first := pair{w: load(0), q: load(1)}, load(2), load(3)
	const bitsRound = 0x433<<52 | 1<<51 // of 1.5·2^52
	d.kept[prime], d.kept[round], d.kept[exponent] = p, g.constant(bitsRound), g.constant(bits52)
	base, baseLess := g.constant(bits104), g.constant(bits104+1)
	lowLess := g.constant(bitsRound - 1<<52)
	var r [2]gp
	for i := range r {
		r[i] = g.GP64()
		g.MOVQ(operand.Mem{Base: list, Disp: 24 * i}, r[i])
		g.LEAQ(operand.Mem{Base: r[i], Index: from, Scale: 8}, r[i])
	}
	at := g.GP64()
	g.XORQ(at, at)
	g.Label("vector")
	in := func(p gp, row int) operand.Mem {
		return operand.Mem{Base: p, Index: at, Scale: 1, Disp: row * rowBytes}
	}
	or := g.ctx3(g.VPOR)
	word := g.load(in(r[0], 0))
	x := d.minus(g.op2(or, in(r[1], 0), d.kept[exponent]), g.op2(or, word, d.kept[exponent]))
	digit := d.scaled(x, t)
	g.VBLENDVPD(digit, d.plus(digit, p), digit, digit)
	high := g.mov(base)
	g.VFMADD231PD(first, digit, high)
	g.VFMSUB213PD(d.minus(high, base), first, digit)
	low := g.subq(g.addq(d.plus(digit, d.kept[round]), word), lowLess)
	high = g.subq(high, baseLess)
	g.store(g.addq(low, g.sllq(high, 52)), in(z, 0))
	g.store(g.srlq(g.addq(high, g.srlq(low, 52)), 12), in(z, 1))
	g.ADDQ(operand.Imm(uint64(g.bytes)), at)
	g.CMPQ(at, operand.U32(rowBytes))
	g.JNE(operand.LabelRef("vector"))
	g.end()
}
