package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// columns is product by products of 32 bits, which are whole words: there is no high half to join the next column. With
// 32 bytes a vector has four integers, and both halves of the tile go through all rows, one after the other; limbs of
// x come from memory then, as there are 16 registers.
func (g *batch) columns(name string, bytes int) {
	g.kernel(name, "adds rows of limbs of x times y, below 2^32, whose sums of columns fit a word: of each row rows has "+
		"the limbs of x, those of y that the first turn of the loop leaves out, and the turns; 0 ends it.",
		"z, x, y, rows *uint64")
	if bytes == 32 {
		for i, r := range []string{"AX", "CX", "BX"} {
			g.use("MOVQ %s, R%d", r, 13+i)
		}
		g.use("MOVQ $2, DI")
		g.Label("half")
		g.use("VPXOR Y15, Y15, Y15") // nothing stands where the first row comes
	} else {
		g.use("KXORQ K1, K1, K1")
	}
	g.Label("row")
	for _, r := range []string{"(BX), R9", "8(BX), R10", "16(BX), R8"} {
		g.use("MOVQ %s", r)
	}
	g.use("MOVQ R10, R11")
	g.use("SHLQ $6, R11")
	g.use("MOVQ DX, SI")
	g.use("SUBQ R11, SI")
	g.use("MOVQ AX, R12")
	g.use("SUBQ R11, R12")
	for h := mostRows; h > 0; h-- {
		g.CMPQ(reg.R9, operand.Imm(uint64(h)))
		g.jump(g.JEQ, fmt.Sprintf("rows%d", h))
	}
	if bytes == 32 {
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
		g.columnRows(h, bytes)
	}
	g.Label("next")
	if bytes == 32 {
		g.use("VPCMPEQD Y15, Y15, Y15")
	} else {
		g.use("KXNORQ K1, K1, K1")
	}
	g.use("SHLQ $6, R9")
	g.use("ADDQ R9, CX")
	g.use("ADDQ R9, AX")
	g.use("ADDQ $24, BX")
	g.jump(g.JMP, "row")
}

func (g *batch) columnRows(h, bytes int) {
	v, y, free := "Z", 24, 25
	if bytes == 32 {
		v, y, free = "Y", 8, 9
	}
	clearing := map[string]string{"Z": "VPXORQ", "Y": "VPXOR"}[v]
	move := map[string]string{"Z": "VMOVDQU64", "Y": "VMOVDQU"}[v]
	factor := func(a int) string {
		if v == "Y" {
			return fmt.Sprintf("%d(CX)", 64*a)
		}
		return fmt.Sprintf("Z%d", 16+a)
	}
	g.Label(fmt.Sprintf("rows%d", h))
	for a := range h {
		if v == "Z" {
			g.use("VMOVDQU64 %d(CX), Z%d", 64*a, 16+a)
		}
		g.use("%s %s%d, %[2]s%[3]d, %[2]s%[3]d", clearing, v, a)
	}
	for s := 1; s < h; s++ {
		g.CMPQ(reg.R10, operand.Imm(uint64(s)))
		g.jump(g.JEQ, fmt.Sprintf("rows%dstep%d", h, s))
	}
	for s := range h {
		g.Label(fmt.Sprintf("rows%dstep%d", h, s))
		g.use("%s %d(SI), %s%d", move, 64*s, v, y)
		for a := range h {
			product := free + a%5
			g.use("VPMULUDQ %s, %s%d, %[2]s%[4]d", factor(a), v, y, product)
			g.use("VPADDQ %s%d, %[1]s%[3]d, %[1]s%[3]d", v, product, (s+a)%h)
		}
		if v == "Z" {
			g.use("VPADDQ %d(R12), Z%d, K1, Z%[2]d", 64*s, s)
		} else {
			g.use("VPAND %d(R12), Y15, Y14", 64*s)
			g.use("VPADDQ Y14, Y%d, Y%[1]d", s)
		}
		g.use("%s %s%d, %d(R12)", move, v, s, 64*s)
		g.use("%s %s%d, %[2]s%[3]d, %[2]s%[3]d", clearing, v, s)
	}
	g.use("ADDQ $%d, SI", 64*h)
	g.use("ADDQ $%d, R12", 64*h)
	g.use("DECQ R8")
	g.jump(g.JNE, fmt.Sprintf("rows%dstep0", h))
	for a := range h { // columns that no row before has come to, and the one above
		g.use("%s %s%d, %d(R12)", move, v, a, 64*a)
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
		g.shiftAVX2(4, 2+i)
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

// masks sets Y14 to 2^b − 1, Y13 to 2^(63 − b) and X15 to b, for b in CX.
func (g *batch) masks() {
	g.use("VMOVQ CX, X15")
	g.use("MOVQ $1, R8")
	g.use("SHLQ CX, R8")
	g.use("DECQ R8")
	g.use("VMOVQ R8, X14")
	g.use("VPBROADCASTQ X14, Y14")
	g.use("MOVQ $1, R8")
	g.use("SHLQ $63, R8")
	g.use("SHRQ CX, R8")
	g.use("VMOVQ R8, X13")
	g.use("VPBROADCASTQ X13, Y13")
}

// shiftAVX2 shifts signed words by b, without an instruction for that: a logical shift, an exclusive or with 2^(63 − b)
// and a difference.
func (g *batch) shiftAVX2(from, to int) {
	g.use("VPSRLQ X15, Y%d, Y%d", from, to)
	g.use("VPXOR Y13, Y%d, Y%[1]d", to)
	g.use("VPSUBQ Y13, Y%d, Y%[1]d", to)
}

// carriesAVX2 is settle, or carry. Limbs are two vectors.
func (g *batch) carriesAVX2(name, doc string, through bool) {
	g.kernel(name, doc, "z *uint64, bits, n int")
	g.masks()
	g.use("VPXOR Y0, Y0, Y0")
	g.use("VPXOR Y1, Y1, Y1") // what comes
	g.use("DECQ DX")
	g.jump(g.JEQ, "last")
	g.Label("limb")
	for i := range 2 {
		g.use("VMOVDQU %d(AX), Y%d", 32*i, 2+i)
		if through {
			g.use("VPADDQ Y%d, Y%d, Y%[2]d", i, 2+i)
		}
		g.use("VPAND Y14, Y%d, Y%d", 2+i, 4+i)
		if !through {
			g.use("VPADDQ Y%d, Y%d, Y%[2]d", i, 4+i)
		}
		g.use("VMOVDQU Y%d, %d(AX)", 4+i, 32*i)
		g.shiftAVX2(2+i, i)
	}
	g.use("ADDQ $64, AX")
	g.use("DECQ DX")
	g.jump(g.JNE, "limb")
	g.Label("last")
	for i := range 2 {
		g.use("VPADDQ %d(AX), Y%d, Y%[2]d", 32*i, i)
		g.use("VMOVDQU Y%d, %d(AX)", i, 32*i)
	}
	g.end()
}

func (g *batch) addAVX2() {
	g.kernel("addAVX2", "sets n > 0 limbs z to x + y.", "z, x, y *uint64, n int")
	g.Label("limb")
	for i := range 2 {
		g.use("VMOVDQU %d(CX), Y%d", 32*i, i)
		g.use("VPADDQ %d(DX), Y%d, Y%[2]d", 32*i, i)
		g.use("VMOVDQU Y%d, %d(AX)", i, 32*i)
	}
	for _, r := range []string{"AX", "CX", "DX"} {
		g.use("ADDQ $64, %s", r)
	}
	g.use("DECQ BX")
	g.jump(g.JNE, "limb")
	g.end()
}

// joinAVX2 is join by halves of limbs.
func (g *batch) joinAVX2() {
	g.kernel("joinAVX2", "adds t − z0 − z1, of 2h > 0 limbs each, to the limbs of z from h on, where z0 and z1 are the "+
		"4h limbs of z.", "z, t *uint64, h int")
	g.use("MOVQ DX, BX")
	g.use("SHLQ $6, BX")
	g.use("LEAQ (BX)(BX*2), R9")
	g.use("ADDQ DX, DX")
	g.Label("half")
	g.use("VMOVDQU (AX)(BX*1), Y0")
	g.use("VPSUBQ (AX)(BX*2), Y0, Y2")
	g.use("VPADDQ (CX), Y2, Y3")
	g.use("VPSUBQ (AX), Y3, Y3")
	g.use("VMOVDQU (CX)(BX*1), Y4")
	g.use("VPSUBQ Y2, Y4, Y4")
	g.use("VPSUBQ (AX)(R9*1), Y4, Y4")
	g.use("VMOVDQU Y3, (AX)(BX*1)")
	g.use("VMOVDQU Y4, (AX)(BX*2)")
	g.use("ADDQ $32, AX")
	g.use("ADDQ $32, CX")
	g.use("DECQ DX")
	g.jump(g.JNE, "half")
	g.end()
}
