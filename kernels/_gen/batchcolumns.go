package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// columns is product by products of 32 bits, which are whole words: there is no high half to join the next column. With
// 32 bytes a vector has four integers, and both halves of the tile go through all rows, one after the other; limbs of
// x come from memory then, as there are 16 registers.
func (g *batch) columns(name string) {
	g.kernel(name, "adds rows of limbs of x times y, below 2^32, whose sums of columns fit a word: of each row rows has "+
		"the limbs of x, those of y that the first turn of the loop leaves out, and the turns; 0 ends it.",
		"z, x, y, rows *uint64")
	begin, mark := "KXORQ K1, K1, K1", "KXNORQ K1, K1, K1" // nothing stands where the first row comes
	if g.parts() == 2 {
		begin, mark = "VPXOR Y15, Y15, Y15", "VPCMPEQD Y15, Y15, Y15"
		for i, r := range []string{"AX", "CX", "BX"} {
			g.use("MOVQ %s, R%d", r, 13+i)
		}
		g.use("MOVQ $2, DI")
		g.Label("half")
	}
	g.use("%s", begin)
	g.row()
	if g.parts() == 2 {
		g.use("DECQ DI")
		g.jump(g.JEQ, "end")
		g.use("LEAQ 32(R13), AX")
		g.use("LEAQ 32(R14), CX")
		g.use("ADDQ $32, DX")
		g.use("MOVQ R15, BX")
		g.jump(g.JMP, "half")
		g.Label("end")
	}
	g.end()
	for h := mostRows; h > 0; h-- {
		g.columnRows(h)
	}
	g.next(mark)
}

func (g *batch) columnRows(h int) {
	y, free := 24, 25
	factor := func(a int) string { return g.v(16 + a) }
	if g.parts() == 2 {
		y, free = 8, 9
		factor = func(a int) string { return fmt.Sprintf("%d(CX)", 64*a) }
	}
	move := g.whole("VMOVDQU")
	g.Label(fmt.Sprintf("rows%d", h))
	for a := range h {
		if g.parts() == 1 {
			g.use("VMOVDQU64 %d(CX), %s", 64*a, factor(a))
		}
		g.clear(a)
	}
	g.steps(h)
	for s := range h {
		g.Label(fmt.Sprintf("rows%dstep%d", h, s))
		g.use("%s %d(SI), %s", move, 64*s, g.v(y))
		for a := range h {
			product, sum := g.v(free+a%5), g.v((s+a)%h)
			g.use("VPMULUDQ %s, %s, %s", factor(a), g.v(y), product)
			g.use("VPADDQ %s, %s, %[2]s", product, sum)
		}
		if g.parts() == 1 {
			g.use("VPADDQ %d(R12), Z%d, K1, Z%[2]d", 64*s, s)
		} else {
			g.use("VPAND %d(R12), Y15, Y14", 64*s)
			g.use("VPADDQ Y14, Y%d, Y%[1]d", s)
		}
		g.use("%s %s, %d(R12)", move, g.v(s), 64*s)
		g.clear(s)
	}
	g.turn(h)
	for a := range h { // columns that no row before has come to, and the one above
		g.use("%s %s, %d(R12)", move, g.v(a), 64*a)
	}
	g.jump(g.JMP, "next")
}

// loadAVX2 takes each limb of all integers at once, from eight bytes of each.
func (g *batch) loadAVX2() {
	g.kernel("loadAVX2", "sets n > 0 limbs z, of at most 57 bits, to those of eight integers at x, stride bytes apart, "+
		"of which eight bytes from the first of each limb on are read.", "z, x *uint64, bits, stride, n int")
	g.use("MOVQ CX, SI")
	g.use("MOVQ DX, CX")
	g.masks()
	g.places()
	g.use("XORQ R12, R12") // the bit
	g.Label("limb")
	g.use("MOVQ R12, R13")
	g.use("SHRQ $3, R13")
	g.use("ADDQ SI, R13")
	g.use("MOVQ R12, CX")
	g.use("ANDQ $7, CX")
	g.use("VMOVQ CX, X15")
	for i := range 2 {
		for k := range 2 {
			g.use("VMOVQ %s, X%d", g.at("R13", 4*i+2*k), 2*i+k)
			g.use("VPINSRQ $1, %s, X%d, X%[2]d", g.at("R13", 4*i+2*k+1), 2*i+k)
		}
		g.use("VINSERTI128 $1, X%d, Y%d, Y%[2]d", 2*i+1, 2*i)
		g.use("VPSRLQ X15, Y%d, Y%[1]d", 2*i)
		g.use("VPAND Y14, Y%d, Y%[1]d", 2*i)
		g.use("VMOVDQU Y%d, %d(AX)", 2*i, 32*i)
	}
	g.use("ADDQ DX, R12")
	g.use("ADDQ $64, AX")
	g.use("DECQ DI")
	g.jump(g.JNE, "limb")
	g.end()
}

// storeAVX2 shifts limbs in above those that are held, and takes 32 bits from below when there are so many.
func (g *batch) storeAVX2() {
	g.kernel("storeAVX2", "sets so many words > 0 of each of eight integers at z, stride bytes apart, to the limbs x of "+
		"at most 32 bits.", "z, x *uint64, bits, stride, words int")
	g.use("MOVQ CX, SI")
	g.use("MOVQ DX, CX")
	g.masks()
	g.places()
	g.use("XORQ R12, R12") // the bits that are held, in Y0 and Y1; what comes is in Y2 and Y3
	for i := range 4 {
		g.use("VPXOR Y%d, Y%[1]d, Y%[1]d", i)
	}
	g.Label("limb")
	g.use("VMOVQ R12, X12")
	for i := range 2 {
		g.use("VPADDQ %d(SI), Y%d, Y4", 32*i, 2+i)
		g.shift(4, 2+i)
		g.use("VPAND Y14, Y4, Y4")
		g.use("VPSLLQ X12, Y4, Y4")
		g.use("VPOR Y4, Y%d, Y%[1]d", i)
	}
	g.use("ADDQ $64, SI")
	g.use("ADDQ DX, R12")
	g.CMPQ(reg.R12, operand.Imm(32))
	g.jump(g.JLT, "limb")
	for i := range 2 {
		g.use("VEXTRACTI128 $1, Y%d, X5", i)
		g.use("VMOVD X%d, %s", i, g.at("AX", 4*i))
		g.use("VPEXTRD $2, X%d, %s", i, g.at("AX", 4*i+1))
		g.use("VMOVD X5, %s", g.at("AX", 4*i+2))
		g.use("VPEXTRD $2, X5, %s", g.at("AX", 4*i+3))
		g.use("VPSRLQ $32, Y%d, Y%[1]d", i)
	}
	g.use("SUBQ $32, R12")
	g.use("ADDQ $4, AX")
	g.use("DECQ DI")
	g.jump(g.JNE, "limb")
	g.end()
}
