package main

import (
	"path/filepath"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// writeCLMUL writes the kernel of package clmul.
func writeCLMUL(dir string) error {
	g := newMachine(16, 8, false)
	g.ConstraintExpr("amd64,!purego")
	g.carryless("mulCLMUL")
	asm, stubs, err := g.print("clmul")
	if err != nil {
		return err
	}
	return writeFiles(filepath.Join(dir, "zclmul"), asm, stubs)
}

// carryless writes products of pairs, two pairs in a step.
func (g *machine) carryless(name string) {
	g.function(name, "is Set.Mul: see there.", "z, x, y *uint64, n int")
	z, x, y, n := g.param("z"), g.param("x"), g.param("y"), g.param("n")
	rest, t := g.XMM(), g.GP64()
	g.MOVQ(operand.U32(0x1b), t)
	g.MOVQ(t, rest)
	g.SUBQ(operand.Imm(2), n)
	g.JL(operand.LabelRef("last"))
	g.Label("step")
	a, b, low := g.XMM(), g.XMM(), g.XMM()
	g.MOVOU(operand.Mem{Base: x}, a)
	g.MOVOU(operand.Mem{Base: y}, b)
	g.MOVOU(a, low)
	g.PCLMULQDQ(operand.Imm(0x00), b, low)
	g.PCLMULQDQ(operand.Imm(0x11), b, a)
	g.foldGapped(low, rest)
	g.foldGapped(a, rest)
	g.PUNPCKLQDQ(a, low)
	g.MOVOU(low, operand.Mem{Base: z})
	for _, p := range []gp{x, y, z} {
		g.ADDQ(operand.Imm(16), p)
	}
	g.SUBQ(operand.Imm(2), n)
	g.JGE(operand.LabelRef("step"))
	g.Label("last")
	g.CMPQ(n, operand.I8(-1))
	g.JNE(operand.LabelRef("end"))
	g.MOVQ(operand.Mem{Base: x}, a)
	g.MOVQ(operand.Mem{Base: y}, b)
	g.PCLMULQDQ(operand.Imm(0x00), b, a)
	g.foldGapped(a, rest)
	g.MOVQ(a, operand.Mem{Base: z})
	g.Label("end")
	g.RET()
}

// foldGapped folds bits 96 to 127 of a product, and then bits 64 to 95, into its low half.
func (g *machine) foldGapped(h, rest reg.VecVirtual) {
	t := g.XMM()
	g.MOVOU(h, t)
	g.PSRLDQ(operand.Imm(12), t)
	g.PCLMULQDQ(operand.Imm(0x00), rest, t)
	g.PSLLDQ(operand.Imm(4), t)
	g.PXOR(t, h)
	g.MOVOU(h, t) // its bits 96 to 127 are done
	g.PSLLDQ(operand.Imm(4), t)
	g.PSRLQ(operand.Imm(32), t)
	g.PCLMULQDQ(operand.Imm(0x01), rest, t)
	g.PXOR(t, h)
}
