package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// batch writes the kernels of package batch: tiles of eight integers in limbs of at most 52 bits. Registers are fixed:
//
//	AX CX DX BX DI SI   parameters, in their order
//	Z0 … Z7, Z8 … Z15   low and high halves of the sums of columns
//	Z16 … Z23           limbs of x
//	Z24 … Z31           what a kernel says
//
// Kernels of vectors of 32 bytes have two for a limb, and say which registers they use.
type batch struct{ *machine }

// mostRows is the most limbs of x that are multiplied at once: their columns fill the registers.
const mostRows = 8

// writeBatch writes the files of package batch.
func writeBatch(dir string) error {
	for _, file := range []struct {
		name  string
		bytes int
		write func(g *batch)
	}{
		{"zifma", 64, func(g *batch) {
			g.product()
			g.load("load", "VPERMB")
			g.store("store", "VPERMB")
		}},
		{"zavx512", 64, func(g *batch) {
			g.columns("columns")
			g.load("loadPairs", "VPERMW")
			g.store("storePairs", "VPERMW")
			g.carries("settle", false)
			g.carries("carry", true)
			g.add("add")
			g.join("join")
			g.sums("plus", "x + y", false)
			g.sums("minus", "x − y", true)
		}},
		{"zavx2", 32, func(g *batch) {
			g.columns("columnsAVX2")
			g.loadAVX2()
			g.storeAVX2()
			g.carries("carryAVX2", true)
			g.add("addAVX2")
			g.join("joinAVX2")
		}},
	} {
		m := &machine{instructions: newInstructions(), bytes: file.bytes, word: 8, avx512: file.bytes == 64}
		m.ConstraintExpr("amd64,!purego")
		file.write(&batch{m})
		asm, stubs, err := m.print("batch")
		if err != nil {
			return err
		}
		if err := writeFiles(filepath.Join(dir, file.name), asm, stubs); err != nil {
			return err
		}
	}
	return nil
}

// use writes a line of assembly.
func (g *batch) use(format string, args ...any) {
	g.Instruction(&ir.Instruction{Opcode: fmt.Sprintf(format, args...)})
}

var batchRegisters = []reg.GPPhysical{reg.RAX, reg.RCX, reg.RDX, reg.RBX, reg.RDI, reg.RSI}

// kernel begins a function, and loads its parameters.
func (g *batch) kernel(name, doc, params string) {
	g.function(name, doc, params)
	i := 0
	for _, p := range strings.FieldsFunc(params, func(r rune) bool { return strings.ContainsRune(", *", r) }) {
		if p != "uint64" && p != "int" && p != "uint32" {
			g.Load(g.Param(p), batchRegisters[i])
			i++
		}
	}
}

// v is the name of a vector register.
func (g *batch) v(i int) string { return fmt.Sprintf("%c%d", "YZ"[g.bytes/64], i) }

// whole is the name that an instruction on whole vectors has.
func (g *batch) whole(opcode string) string {
	if g.bytes == 64 {
		return map[string]string{"VMOVDQU": "VMOVDQU64", "VPXOR": "VPXORQ", "VPAND": "VPANDQ"}[opcode]
	}
	return opcode
}

func (g *batch) clear(i int) { g.use("%s %s, %[2]s, %[2]s", g.whole("VPXOR"), g.v(i)) }

// parts is the vectors of a limb.
func (g *batch) parts() int { return 64 / g.bytes }

func (g *batch) jump(condition func(operand.Op), label string) { condition(operand.LabelRef(label)) }

// product adds rows of limbs of x, times y. A row of h limbs has h columns at once in registers: with each limb of y
// the lowest is whole, goes to z with the high half of the one below it, and becomes the highest. So registers turn,
// and the loop has h limbs of y; the first time it begins behind those that are too many.
func (g *batch) product() {
	g.kernel("product", "adds rows of limbs of x times y: of each row rows has the limbs of x, those of y that the "+
		"first turn of the loop leaves out, and the turns; 0 ends it. The high half of a product counts 2^shift limbs.",
		"z, x, y, rows *uint64, shift int")
	g.use("VPBROADCASTQ DI, Z26")
	g.use("KXORQ K1, K1, K1") // nothing stands where the first row comes
	g.row("VPXORQ Z25, Z25, Z25")
	g.end()
	for h := mostRows; h > 0; h-- {
		g.rows(h)
	}
	g.next("KXNORQ K1, K1, K1")
}

// row begins a row: its limbs of x in R9, what the first turn leaves out in R10, turns in R8, and in SI and R12 where y
// and z begin, by so many before. It goes to the loop of so many limbs, or on where rows end.
func (g *batch) row(lines ...string) {
	g.Label("row")
	for _, line := range append([]string{"MOVQ (BX), R9", "MOVQ 8(BX), R10", "MOVQ 16(BX), R8", "MOVQ R10, R11",
		"SHLQ $6, R11", "MOVQ DX, SI", "SUBQ R11, SI", "MOVQ AX, R12", "SUBQ R11, R12"}, lines...) {
		g.use("%s", line)
	}
	for h := mostRows; h > 0; h-- {
		g.CMPQ(reg.R9, operand.Imm(uint64(h)))
		g.jump(g.JEQ, fmt.Sprintf("rows%d", h))
	}
}

// next goes on to the next row; mark has sums of columns add to what z has.
func (g *batch) next(mark string) {
	g.Label("next")
	for _, line := range []string{mark, "SHLQ $6, R9", "ADDQ R9, CX", "ADDQ R9, AX", "ADDQ $24, BX"} {
		g.use("%s", line)
	}
	g.jump(g.JMP, "row")
}

// steps goes to the first step of a loop of h limbs that a row takes.
func (g *batch) steps(h int) {
	for s := 1; s < h; s++ {
		g.CMPQ(reg.R10, operand.Imm(uint64(s)))
		g.jump(g.JEQ, fmt.Sprintf("rows%dstep%d", h, s))
	}
}

// turn ends a loop of h limbs.
func (g *batch) turn(h int) {
	g.use("ADDQ $%d, SI", 64*h)
	g.use("ADDQ $%d, R12", 64*h)
	g.use("DECQ R8")
	g.jump(g.JNE, fmt.Sprintf("rows%dstep0", h))
}

func (g *batch) rows(h int) {
	g.Label(fmt.Sprintf("rows%d", h))
	for a := range h {
		g.use("VMOVDQU64 %d(CX), Z%d", 64*a, 16+a)
		g.use("VPXORQ Z%d, Z%[1]d, Z%[1]d", a)
		g.use("VPXORQ Z%d, Z%[1]d, Z%[1]d", 8+a)
	}
	g.steps(h)
	for s := range h {
		g.Label(fmt.Sprintf("rows%dstep%d", h, s))
		g.use("VMOVDQU64 %d(SI), Z24", 64*s)
		for a := range h {
			g.use("VPMADD52LUQ Z24, Z%d, Z%d", 16+a, (s+a)%h)
			g.use("VPMADD52HUQ Z24, Z%d, Z%d", 16+a, 8+(s+a)%h)
		}
		g.use("VPADDQ Z25, Z%d, Z27", s)
		g.use("VPADDQ %d(R12), Z27, K1, Z27", 64*s)
		g.use("VMOVDQU64 Z27, %d(R12)", 64*s)
		g.use("VPSLLVQ Z26, Z%d, Z25", 8+s)
		g.use("VPXORQ Z%d, Z%[1]d, Z%[1]d", s)
		g.use("VPXORQ Z%d, Z%[1]d, Z%[1]d", 8+s)
	}
	g.turn(h)
	for a := range h - 1 { // columns that no row before has come to
		g.use("VPADDQ Z25, Z%d, Z27", a)
		g.use("VMOVDQU64 Z27, %d(R12)", 64*a)
		g.use("VPSLLVQ Z26, Z%d, Z25", 8+a)
	}
	g.use("VMOVDQU64 Z25, %d(R12)", 64*(h-1))
	g.jump(g.JMP, "next")
}

// places sets R9, R10 and R11 to 3, 5 and 7 times the stride in BX; at is the place of row i behind a register.
func (g *batch) places() {
	g.use("LEAQ (BX)(BX*2), R9")
	g.use("LEAQ (BX)(BX*4), R10")
	g.use("LEAQ (R9)(BX*4), R11")
}

func (g *batch) at(base string, i int) string {
	return "(" + base + ")" + []string{"", "(BX*1)", "(BX*2)", "(R9*1)", "(BX*4)", "(R10*1)", "(R9*2)", "(R11*1)"}[i]
}

// mask sets K1 to as many bytes as DI has left, from 0 to those in R13.
func (g *batch) mask() {
	g.use("MOVQ DI, R12")
	g.use("CMPQ R12, R13")
	g.use("CMOVQGT R13, R12")
	g.use("XORQ R14, R14")
	g.use("TESTQ R12, R12")
	g.use("CMOVQLT R14, R12")
	g.use("MOVQ $-1, R14")
	g.use("BZHIQ R12, R14, R14")
	g.use("KMOVQ R14, K1")
}

// transpose exchanges rows and columns of Z0 … Z7; it returns the registers that have them then.
func (g *batch) transpose() []int {
	for i := 0; i < 8; i += 2 {
		g.use("VPUNPCKLQDQ Z%d, Z%d, Z%d", i+1, i, 8+i)
		g.use("VPUNPCKHQDQ Z%d, Z%d, Z%d", i+1, i, 9+i)
	}
	for odd := range 2 {
		for half := range 2 {
			a, b := 8+4*half+odd, 10+4*half+odd
			g.use("VSHUFI64X2 $0x88, Z%d, Z%d, Z%d", b, a, 16+4*odd+2*half)
			g.use("VSHUFI64X2 $0xdd, Z%d, Z%d, Z%d", b, a, 17+4*odd+2*half)
		}
		for k := range 2 {
			a, b := 16+4*odd+k, 18+4*odd+k
			g.use("VSHUFI64X2 $0x88, Z%d, Z%d, Z%d", b, a, odd+2*k)
			g.use("VSHUFI64X2 $0xdd, Z%d, Z%d, Z%d", b, a, odd+2*k+4)
		}
	}
	return []int{0, 1, 2, 3, 4, 5, 6, 7}
}

// load takes 8·bits bits of each integer at once: bytes, or pairs of them, to the words of their limbs, and shifts.
func (g *batch) load(name, permute string) {
	g.kernel(name, "sets the tile z to eight integers of so many bytes at x, stride bytes apart, in groups of eight "+
		"limbs. c is Form.load.", "z, x, c *uint64, stride, bytes, groups int")
	g.use("VMOVDQU64 (DX), Z31")
	g.use("VMOVDQU64 64(DX), Z30")
	g.use("VPBROADCASTQ 128(DX), Z29")
	g.use("MOVQ 136(DX), R15")
	g.use("MOVQ $64, R13")
	g.places()
	g.Label("group")
	g.mask()
	for i := range 8 {
		g.use("VMOVDQU8.Z %s, K1, Z%d", g.at("CX", i), i)
		g.use("%s Z%d, Z31, Z%[2]d", permute, i)
		g.use("VPSRLVQ Z30, Z%d, Z%[1]d", i)
	}
	for i, r := range g.transpose() {
		g.use("VPANDQ Z29, Z%d, Z%[1]d", r)
		g.use("VMOVDQU64 Z%d, %d(AX)", r, 64*i)
	}
	g.use("ADDQ R15, CX")
	g.use("SUBQ R15, DI")
	g.use("ADDQ $512, AX")
	g.use("DECQ SI")
	g.jump(g.JNE, "group")
	g.end()
}

// store carries, and has each byte, or pair of them, from the limbs of even and of odd places that share it.
func (g *batch) store(name, permute string) {
	g.kernel(name, "sets eight integers of so many bytes at z, stride bytes apart, to the tile x, in groups of eight "+
		"limbs. c is Form.store.", "z, x, c *uint64, stride, bytes, groups int")
	for i, r := range []int{31, 30, 29} {
		g.use("VMOVDQU64 %d(DX), Z%d", 64*i, r)
	}
	g.use("VPBROADCASTQ 192(DX), Z28")
	g.use("VPBROADCASTQ 200(DX), Z27")
	g.use("KMOVQ 208(DX), K2")
	g.use("KMOVQ 216(DX), K3")
	g.use("MOVQ 200(DX), R13")
	g.use("VPXORQ Z26, Z26, Z26") // the carry
	g.places()
	g.Label("group")
	g.mask()
	for i := range 8 {
		g.use("VPADDQ %d(CX), Z26, Z%d", 64*i, i)
		g.use("VPSRAVQ Z27, Z%d, Z26", i)
		g.use("VPANDQ Z28, Z%d, Z%[1]d", i)
	}
	for i, r := range g.transpose() {
		g.use("VPSLLVQ Z29, Z%d, Z%[1]d", r)
		g.use("%s.Z Z%d, Z31, K2, Z8", permute, r)
		g.use("%s.Z Z%d, Z30, K3, Z9", permute, r)
		g.use("VPORQ Z8, Z9, Z9")
		g.use("VMOVDQU8 Z9, K1, %s", g.at("AX", i))
	}
	g.use("ADDQ R13, AX")
	g.use("SUBQ R13, DI")
	g.use("ADDQ $512, CX")
	g.use("DECQ SI")
	g.jump(g.JNE, "group")
	g.end()
}

// masks sets registers 15 to b, for b in CX, 14 to 2^b − 1 and, for vectors of 32 bytes, 13 to 2^(63 − b).
func (g *batch) masks() {
	g.use("VMOVQ CX, X15")
	g.use("MOVQ $1, R8")
	g.use("SHLQ CX, R8")
	g.use("DECQ R8")
	g.use("VMOVQ R8, X14")
	g.use("VPBROADCASTQ X14, %s", g.v(14))
	if g.parts() == 2 {
		g.use("MOVQ $1, R8")
		g.use("SHLQ $63, R8")
		g.use("SHRQ CX, R8")
		g.use("VMOVQ R8, X13")
		g.use("VPBROADCASTQ X13, Y13")
	}
}

// shift shifts signed words by b. Vectors of 32 bytes have no instruction for that: a logical shift, an exclusive or
// with 2^(63 − b) and a difference.
func (g *batch) shift(from, to int) {
	if g.parts() == 1 {
		g.use("VPSRAQ X15, Z%d, Z%d", from, to)
		return
	}
	g.use("VPSRLQ X15, Y%d, Y%d", from, to)
	g.use("VPXOR Y13, Y%d, Y%[1]d", to)
	g.use("VPSUBQ Y13, Y%d, Y%[1]d", to)
}

// carries carries all the way, limb by limb, or once, all limbs at a time.
func (g *batch) carries(name string, through bool) {
	doc := "has each of n > 1 limbs of z give what is above its bits to the next one, but for the last."
	if through {
		doc = "has each of n > 0 limbs of z give what is above its bits to the next one, lowest first, but for the last."
	}
	g.kernel(name, doc, "z *uint64, bits, n int")
	g.masks()
	for i := range g.parts() {
		g.clear(i) // what comes
	}
	g.use("DECQ DX")
	g.jump(g.JEQ, "last")
	g.Label("limb")
	for i := range g.parts() {
		at := g.bytes * i
		g.use("%s %d(AX), %s", g.whole("VMOVDQU"), at, g.v(2+i))
		if through {
			g.use("VPADDQ %s, %s, %[2]s", g.v(i), g.v(2+i))
		}
		g.use("%s %s, %s, %s", g.whole("VPAND"), g.v(14), g.v(2+i), g.v(4+i))
		if !through {
			g.use("VPADDQ %s, %s, %[2]s", g.v(i), g.v(4+i))
		}
		g.use("%s %s, %d(AX)", g.whole("VMOVDQU"), g.v(4+i), at)
		g.shift(2+i, i)
	}
	g.use("ADDQ $64, AX")
	g.use("DECQ DX")
	g.jump(g.JNE, "limb")
	g.Label("last")
	for i := range g.parts() {
		g.use("VPADDQ %d(AX), %s, %[2]s", g.bytes*i, g.v(i))
		g.use("%s %s, %d(AX)", g.whole("VMOVDQU"), g.v(i), g.bytes*i)
	}
	g.end()
}

func (g *batch) add(name string) {
	g.kernel(name, "sets n > 0 limbs z to x + y.", "z, x, y *uint64, n int")
	g.Label("limb")
	for i := range g.parts() {
		g.use("%s %d(CX), %s", g.whole("VMOVDQU"), g.bytes*i, g.v(i))
		g.use("VPADDQ %d(DX), %s, %[2]s", g.bytes*i, g.v(i))
		g.use("%s %s, %d(AX)", g.whole("VMOVDQU"), g.v(i), g.bytes*i)
	}
	for _, r := range []string{"AX", "CX", "DX"} {
		g.use("ADDQ $64, %s", r)
	}
	g.use("DECQ BX")
	g.jump(g.JNE, "limb")
	g.end()
}

// join takes a vector at a time. Both halves of what joins z depend on each other's places, which are read first.
func (g *batch) join(name string) {
	g.kernel(name, "adds t − z0 − z1, of 2h > 0 limbs each, to the limbs of z from h on, where z0 and z1 are the 4h "+
		"limbs of z.", "z, t *uint64, h int")
	g.use("MOVQ DX, BX")
	g.use("SHLQ $6, BX")
	g.use("LEAQ (BX)(BX*2), R9")
	if g.parts() == 2 {
		g.use("ADDQ DX, DX")
	}
	move := g.whole("VMOVDQU")
	g.Label("vector")
	g.use("%s (AX)(BX*1), %s", move, g.v(0))
	g.use("VPSUBQ (AX)(BX*2), %s, %s", g.v(0), g.v(2)) // what joins is a − b and b − a, and more
	g.use("VPADDQ (CX), %s, %s", g.v(2), g.v(3))
	g.use("VPSUBQ (AX), %s, %[1]s", g.v(3))
	g.use("%s (CX)(BX*1), %s", move, g.v(4))
	g.use("VPSUBQ %s, %s, %[2]s", g.v(2), g.v(4))
	g.use("VPSUBQ (AX)(R9*1), %s, %[1]s", g.v(4))
	g.use("%s %s, (AX)(BX*1)", move, g.v(3))
	g.use("%s %s, (AX)(BX*2)", move, g.v(4))
	g.use("ADDQ $%d, AX", g.bytes)
	g.use("ADDQ $%d, CX", g.bytes)
	g.use("DECQ DX")
	g.jump(g.JNE, "vector")
	g.end()
}

// sums adds, or subtracts, 16 words of 32 bits at once, whatever integers they are of. Words that overflow and those
// that a carry goes through are the masks g and p, without the last words of integers, which no carry leaves. Words
// that take a carry, and the one that leaves, are the bits that change in p + 2g + carry. Integers of one word, and of
// two, have no carries. Rows end in as many words as are left.
func (g *batch) sums(name, sum string, minus bool) {
	g.kernel(name, "sets count integers z, of so many words, to "+sum+" modulo what they hold.",
		"z, x, y *uint32, words, count int")
	for _, line := range []string{
		"IMULQ BX, DI", "DECQ DI", "MOVQ DI, R9", "ANDQ $15, DI", "INCQ DI", // words of the last step
		"MOVQ $-1, R8", "BZHIQ DI, R8, R8", "KMOVW R8, K5",
		"SHRQ $4, R9", "SHLQ $6, R9", // bytes before
		"ADDQ R9, AX", "ADDQ R9, CX", "ADDQ R9, DX", "NEGQ R9",
	} {
		g.use("%s", line)
	}
	for words, opcode := range []string{1: "D", 2: "Q"} {
		if words > 0 {
			g.CMPQ(reg.RBX, operand.Imm(uint64(words)))
			g.jump(g.JEQ, "words"+opcode)
		}
	}
	g.lasts()
	g.use("VPTERNLOGD $0xff, Z30, Z30, Z30")
	g.use("XORQ R10, R10")
	g.through("step", func(more bool) {
		for _, r := range []string{"CX", "DX", "AX"} {
			if more { // the processor's own prefetches come late for steps of some cycles
				g.use("PREFETCHT0 1024(%s)(R9*1)", r)
			}
		}
		g.step(minus)
	})
	for _, opcode := range []string{"D", "Q"} {
		g.Label("words" + opcode)
		g.through("step"+opcode, func(bool) {
			g.use("%s%s Z2, Z0, Z1", map[bool]string{false: "VPADD", true: "VPSUB"}[minus], opcode)
		})
	}
}

// lasts finds the last words of integers: R8 is the place of the first from here on, R13 has bits at it and all behind
// it where an integer has less than 16 words, and R14 is how much nearer it is with each step.
func (g *batch) lasts() {
	g.use("LEAQ -1(BX), R8")
	g.use("MOVQ $1, R13")
	g.use("MOVQ $16, R14")
	g.use("XORQ R15, R15")
	g.use("MOVQ BX, R10")
	g.Label("pattern")
	g.CMPQ(reg.R10, operand.Imm(16))
	g.jump(g.JGE, "nearer")
	g.use("SHLXQ R10, R13, R11")
	g.use("ORQ R11, R13")
	g.use("ADDQ R10, R10")
	g.jump(g.JMP, "pattern")
	g.Label("less")
	g.use("SUBQ BX, R14")
	g.Label("nearer")
	g.CMPQ(reg.R14, reg.RBX)
	g.jump(g.JGE, "less")
}

// through takes 16 words of x in Z0 and of y in Z2 at a time, whose result is Z1, and then those that are left: no more
// come.
func (g *batch) through(label string, step func(more bool)) {
	g.use("TESTQ R9, R9")
	g.jump(g.JEQ, label+"last")
	g.Label(label)
	g.use("VMOVDQU64 (CX)(R9*1), Z0")
	g.use("VMOVDQU64 (DX)(R9*1), Z2")
	step(true)
	g.use("VMOVDQU64 Z1, (AX)(R9*1)")
	g.use("ADDQ $64, R9")
	g.jump(g.JNE, label)
	g.Label(label + "last")
	g.use("VMOVDQU32.Z (CX), K5, Z0")
	g.use("VMOVDQU32.Z (DX), K5, Z2")
	step(false)
	g.use("VMOVDQU32 Z1, K5, (AX)")
	g.end()
}

// step sets Z1 to the sum of Z0 and Z2 and the carry R10, or to their difference, and R10 to what leaves.
func (g *batch) step(minus bool) {
	over, through, carry := []string{"VPADDD Z2, Z0, Z1", "VPCMPUD $1, Z0, Z1, K2"}, "VPCMPEQD Z30, Z1, K3", "VPSUBD"
	if minus {
		over, through, carry = []string{"VPSUBD Z2, Z0, Z1", "VPCMPUD $1, Z2, Z0, K2"}, "VPTESTNMD Z1, Z1, K3", "VPADDD"
	}
	for _, line := range append(over, through, "SHLXQ R8, R13, SI", "CMPQ R8, $16", "CMOVQGE R15, SI",
		"SUBQ R14, R8", "LEAQ (R8)(BX*1), DI", "CMOVQLT DI, R8",
		"KMOVW K2, R11", "KMOVW K3, R12", "ANDNQ R11, SI, R11", "ANDNQ R12, SI, R12",
		"LEAQ (R10)(R11*2), R11", "ADDQ R12, R11", "XORQ R11, R12", "MOVQ R11, R10", "SHRQ $16, R10", "KMOVW R12, K4",
		carry+" Z30, Z1, K4, Z1") {
		g.use("%s", line)
	}
}
