package main

import (
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// block is the words that loops take at once: all numbers of words that are not unrolled are multiples of it.
const block = 4

// timesLoop writes Montgomery's product of any number of words. The sum is in memory, and moves down by a word with
// each multiple of p: two passes for each word of x.
func (g *mulx) timesLoop() {
	g.function("timesLoop", "sets z to x·y/2^(64k) modulo p for numbers of k words, a multiple of 4. m has p and −1/p "+
		"modulo 2^64; t is room for k + 1 words. z may be x or y.", "z, x, y, m, t *uint64, k int")
	x, m, k := g.param("x"), g.param("m"), g.param("k")
	t := g.GP64()
	g.Load(g.Param("t"), t)
	g.ADDQ(operand.Imm(8), t) // what is dropped goes before it
	blocks, top := g.AllocLocal(8), g.GP64()
	left := g.spill("k")

	zero, at, n := g.GP64(), g.GP64(), g.GP64()
	g.XORQ(zero, zero)
	g.MOVQ(t, at)
	g.MOVQ(k, n)
	g.Label("clear")
	g.MOVQ(zero, words(at, 0))
	g.ADDQ(operand.Imm(8), at)
	g.DECQ(n)
	g.JNE(operand.LabelRef("clear"))
	g.MOVQ(k, n)
	g.SHRQ(operand.Imm(2), n)
	g.MOVQ(n, blocks)
	g.XORQ(top, top)

	inverse := g.AllocLocal(8)
	g.MOVQ(operand.Mem{Base: m, Index: k, Scale: 8}, n)
	g.MOVQ(n, inverse)

	g.Label("word")
	g.MOVQ(words(x, 0), reg.RDX)
	y := g.GP64()
	g.Load(g.Param("y"), y)
	high := g.addProduct("x", t, y, blocks, 0)
	// The word above: its carries are the new top.
	g.ADDQ(high, top)
	carry := g.GP64()
	g.MOVQ(operand.U32(0), carry)
	g.ADCQ(operand.Imm(0), carry)
	p := g.GP64()
	g.MOVQ(inverse, reg.RDX)
	g.IMULQ(words(t, 0), reg.RDX)
	g.MOVQ(m, p)
	high = g.addProduct("p", t, p, blocks, -1)
	g.ADDQ(top, high)
	g.MOVQ(high, operand.Mem{Base: t, Index: k, Scale: 8, Disp: -8})
	g.MOVQ(operand.U32(0), top)
	g.ADCQ(carry, top)
	g.ADDQ(operand.Imm(8), x)
	g.DECQ(left)
	g.JNE(operand.LabelRef("word"))

	// z = t − p, and t again where that is negative.
	z, below := g.GP64(), g.GP64()
	g.Load(g.Param("z"), z)
	from, to := g.GP64(), g.GP64()
	g.MOVQ(t, from)
	g.MOVQ(z, to)
	g.MOVQ(m, p)
	g.XORQ(below, below)
	g.MOVQ(blocks, reg.RCX)
	g.Label("subtract")
	g.ADDQ(below, below)
	for j := range block {
		r := g.GP64()
		g.MOVQ(words(from, j), r)
		g.SBBQ(words(p, j), r)
		g.MOVQ(r, words(to, j))
	}
	g.SBBQ(below, below)
	for _, a := range []gp{from, to, p} {
		g.ADDQ(operand.Imm(8*block), a)
	}
	g.DECQ(reg.RCX)
	g.JNE(operand.LabelRef("subtract"))
	g.ADDQ(below, top) // −1 where t is below p
	g.JPL(operand.LabelRef("done"))
	g.MOVQ(blocks, reg.RCX)
	g.Label("copy")
	for j := range block {
		r := g.GP64()
		g.MOVQ(words(t, j), r)
		g.MOVQ(r, words(z, j))
	}
	g.ADDQ(operand.Imm(8*block), t)
	g.ADDQ(operand.Imm(8*block), z)
	g.DECQ(reg.RCX)
	g.JNE(operand.LabelRef("copy"))
	g.Label("done")
	g.RET()
}

// addProduct adds y times DX to the words at t and stores them shift words up; y moves behind its number. It returns
// the word above. The loop leaves the flags to the two chains.
func (g *mulx) addProduct(name string, t, y gp, blocks operand.Mem, shift int) (high gp) {
	lo, hi := g.GP64(), [2]gp{g.GP64(), g.GP64()}
	at := g.GP64()
	g.MOVQ(t, at)
	g.MOVQ(blocks, reg.RCX)
	g.XORQ(hi[1], hi[1])
	g.Label(name + "block")
	for j := range block {
		g.MULXQ(words(y, j), lo, hi[j%2])
		g.ADCXQ(words(at, j), lo)
		g.ADOXQ(hi[1-j%2], lo)
		g.MOVQ(lo, words(at, j+shift))
	}
	g.LEAQ(words(y, block), y)
	g.LEAQ(words(at, block), at)
	g.LEAQ(operand.Mem{Base: reg.RCX, Disp: -1}, reg.RCX)
	end := operand.LabelRef(name + "end")
	g.Instruction(&ir.Instruction{Opcode: "JCXZQ", Operands: []operand.Op{end}, Inputs: []operand.Op{reg.RCX},
		IsBranch: true, IsConditional: true})
	g.JMP(operand.LabelRef(name + "block"))
	g.Label(name + "end")
	g.MOVQ(operand.U32(0), lo)
	g.ADCXQ(lo, hi[1])
	g.ADOXQ(lo, hi[1])
	return hi[1]
}

// crossLoop writes sums and differences of numbers of any number of words.
func (g *mulx) crossLoop() {
	g.function("crossLoop", "sets x to x + y and y to x − y modulo p, for n numbers of k words, a multiple of 4. "+modulusDoc,
		"x, y, m *uint64, k, n int")
	x, y := g.param("x"), g.param("y")
	k, n := g.spill("k"), g.spill("n")
	blocks := g.GP64()
	g.MOVQ(k, blocks)
	g.SHRQ(operand.Imm(2), blocks)

	g.Label("element")
	carry, below, borrow := g.GP64(), g.GP64(), g.GP64() // all ones, of x + y, of x + y − p, of x − y
	xi, yi, p := g.GP64(), g.GP64(), g.GP64()
	begin := func() {
		g.MOVQ(x, xi)
		g.MOVQ(y, yi)
		g.Load(g.Param("m"), p)
		g.MOVQ(blocks, reg.RCX)
	}
	next := func(label string) {
		for _, a := range []gp{xi, yi, p} {
			g.ADDQ(operand.Imm(8*block), a)
		}
		g.DECQ(reg.RCX)
		g.JNE(operand.LabelRef(label))
	}
	begin()
	for _, r := range []gp{carry, below, borrow} {
		g.XORQ(r, r)
	}
	g.Label("sums")
	s, d := g.registers(block), g.GP64()
	for j := range s {
		g.MOVQ(words(xi, j), s[j])
	}
	g.ADDQ(borrow, borrow)
	for j := range s {
		g.MOVQ(s[j], d)
		g.SBBQ(words(yi, j), d)
		g.MOVQ(words(yi, j), reg.RDX)
		g.MOVQ(d, words(yi, j))
		g.MOVQ(reg.RDX, words(xi, j))
	}
	g.SBBQ(borrow, borrow)
	g.ADDQ(carry, carry)
	for j := range s {
		g.ADCQ(words(xi, j), s[j])
		g.MOVQ(s[j], words(xi, j))
	}
	g.SBBQ(carry, carry)
	g.ADDQ(below, below)
	for j := range s {
		g.SBBQ(words(p, j), s[j])
	}
	g.SBBQ(below, below)
	next("sums")

	g.NOTQ(below)
	g.ORQ(carry, below) // where p is to be taken from the sum
	begin()
	g.MOVQ(below, carry)
	less, more := carry, borrow
	taken, added := g.GP64(), g.GP64()
	mask := g.AllocLocal(8)
	g.MOVQ(more, mask)
	g.XORQ(taken, taken)
	g.XORQ(added, added)
	g.Label("corrections")
	u := g.registers(block)
	for j := range u {
		g.MOVQ(words(p, j), u[j])
		g.ANDQ(less, u[j])
	}
	g.ADDQ(taken, taken)
	for j := range u {
		g.SBBQ(u[j], words(xi, j))
	}
	g.SBBQ(taken, taken)
	for j := range u {
		g.MOVQ(words(p, j), u[j])
		g.ANDQ(mask, u[j])
	}
	g.ADDQ(added, added)
	for j := range u {
		g.ADCQ(u[j], words(yi, j))
	}
	g.SBBQ(added, added)
	next("corrections")
	g.MOVQ(k, xi)
	g.SHLQ(operand.Imm(3), xi)
	g.ADDQ(xi, x)
	g.ADDQ(xi, y)
	g.DECQ(n)
	g.JNE(operand.LabelRef("element"))
	g.RET()
}
