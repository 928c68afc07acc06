package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels with loops over limbs, for every L. R8 and on are places and counts.

func (g *limb) loops() {
	g.simple()
	g.joinKernel()
	g.loopLower()
	g.loopOnce()
	g.loopTimes("loopMulBy", "VPBROADCASTQ", "the multiplier w")
	g.loopTimes("loopMul", "VMOVDQU64", "table tiles w")
	g.loopMontgomery()
}

// simple writes kernels without products.
func (g *limb) simple() {
	g.add()
	g.sub()
	g.crossKernel()
	g.splitKernel()
}

// flat has SI run over all vectors of n tiles.
func (g *limb) flat() { g.IMULQ(operand.Mem{Base: reg.RBX, Disp: limbLimbs}, reg.RSI) }

func (g *limb) add() {
	g.function("add", "sets n tiles z to x + y.", "z, x, y, m *uint64, n int")
	g.params("z", "x", "y", "m", "n")
	g.flat()
	g.Label("limb")
	g.use("VMOVDQU64 (CX), Z0")
	g.use("VPADDQ (DX), Z0, Z0")
	g.use("VMOVDQU64 Z0, (AX)")
	g.otherHalf("limb", reg.RAX, reg.RCX, reg.RDX)
	g.move(64, reg.RAX, reg.RCX, reg.RDX)
	g.again("limb")
}

func (g *limb) params(names ...string) {
	for _, p := range names {
		g.Load(g.Param(p), places[p])
	}
}

func (g *limb) move(bytes uint32, registers ...reg.GPPhysical) {
	for _, r := range registers {
		g.ADDQ(operand.U32(bytes), r)
	}
}

// eachLimb runs body for each limb of each tile, with that of the number at off in R9.
func (g *limb) eachLimb(body func(), registers ...reg.GPPhysical) {
	g.Load(g.Param("off"), reg.R8)
	g.bytes(reg.R10)
	g.ADDQ(reg.R8, reg.R10)
	g.Label("tile")
	g.MOVQ(reg.R8, reg.R9)
	g.Label("limb")
	body()
	g.otherHalf("limb", registers...)
	g.move(64, append(registers, reg.R9)...)
	g.CMPQ(reg.R9, reg.R10)
	g.JNE(operand.LabelRef("limb"))
	g.again("tile")
}

// bytes sets r to those of a tile.
func (g *limb) bytes(r reg.GPPhysical) {
	g.MOVQ(operand.Mem{Base: reg.RBX, Disp: limbLimbs}, r)
	g.SHLQ(operand.Imm(6), r)
}

func (g *limb) sub() {
	g.function("subtract", "sets n tiles z to x − y and a number, word 0, 8, … of off.", "z, x, y, off, m *uint64, n int")
	g.params("z", "x", "y", "m", "n")
	g.eachLimb(func() {
		g.use("VMOVDQU64 (CX), Z0")
		g.use("VPSUBQ (DX), Z0, Z0")
		g.use("VPADDQ.BCST (R9), Z0, Z0")
		g.use("VMOVDQU64 Z0, (AX)")
	}, reg.RAX, reg.RCX, reg.RDX)
}

func (g *limb) crossKernel() {
	g.function("cross", "sets n tiles a to a + y and b to a − y and a number, word 0, 8, … of off.",
		"a, b, y, off, m *uint64, n int")
	g.params("a", "b", "y", "m", "n")
	g.eachLimb(func() {
		g.use("VMOVDQU64 (AX), Z0")
		g.use("VMOVDQU64 (DX), Z1")
		g.use("VPADDQ Z1, Z0, Z2")
		g.use("VPSUBQ Z1, Z0, Z0")
		g.use("VPADDQ.BCST (R9), Z0, Z0")
		g.use("VMOVDQU64 Z2, (AX)")
		g.use("VMOVDQU64 Z0, (CX)")
	}, reg.RAX, reg.RCX, reg.RDX)
}

// splitKernel shifts limb i, of bits 52i and on, out of two words.
func (g *limb) splitKernel() {
	g.function("loopSplit", "sets n tiles z to numbers x of so many words, times 2^shift.",
		"z, x, m *uint64, words, shift, n int")
	g.params("z", "x", "m", "n")
	g.Load(g.Param("words"), reg.R8)
	g.SHLQ(operand.Imm(6), reg.R8) // bytes of x
	g.bytes(reg.R9)
	g.LEAQ(operand.NewDataAddr(operand.NewStaticSymbol("shifts"), 0), reg.R12)
	g.Label("tile")
	g.XORQ(reg.R10, reg.R10) // byte of the limb
	g.Load(g.Param("shift"), reg.R11)
	g.NEGQ(reg.R11) // its bit in x
	g.Label("limb")
	g.MOVQ(reg.R11, reg.R13) // byte of its word; that before the first one, and those behind the last, are 0
	g.SARQ(operand.Imm(6), reg.R13)
	g.SHLQ(operand.Imm(6), reg.R13)
	g.MOVQ(reg.R11, reg.R14)
	g.ANDQ(operand.Imm(63), reg.R14)
	g.ADDQ(operand.Imm(52), reg.R11)
	g.use("VPXORQ Z1, Z1, Z1")
	g.use("VPXORQ Z0, Z0, Z0")
	g.CMPQ(reg.R13, reg.R8)
	g.JCC(operand.LabelRef("next"))
	g.use("VMOVDQU64 (CX)(R13*1), Z0")
	g.use("VPSRLVQ.BCST (R12)(R14*8), Z0, Z0")
	g.Label("next")
	g.ADDQ(operand.Imm(64), reg.R13)
	g.CMPQ(reg.R13, reg.R8)
	g.JCC(operand.LabelRef("store"))
	g.NEGQ(reg.R14)
	g.use("VMOVDQU64 (CX)(R13*1), Z1")
	g.use("VPSLLVQ.BCST 512(R12)(R14*8), Z1, Z1")
	g.Label("store")
	g.use("VPTERNLOGQ.BCST $0xa8, 8(BX), Z1, Z0") // (Z0 | Z1) & mask
	g.use("VMOVDQU64 Z0, (AX)(R10*1)")
	g.ADDQ(operand.Imm(64), reg.R10)
	g.CMPQ(reg.R10, reg.R9)
	g.JNE(operand.LabelRef("limb"))
	g.otherHalf("tile", reg.RAX, reg.RCX)
	g.ADDQ(reg.R9, reg.RAX)
	g.ADDQ(reg.R8, reg.RCX)
	g.again("tile")
}

// shifts are the numbers up to 104.
func (g *limb) shifts() {
	g.StaticGlobal("shifts")
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 105 {
		g.AddDatum(8*i, operand.U64(i))
	}
}

// joinKernel shifts word i, of bits 64i and on, out of three limbs.
func (g *limb) joinKernel() {
	g.shifts()
	g.function("loopJoin", "sets numbers z of so many words to n canonical tiles x.", "z, x, m *uint64, words, n int")
	g.params("z", "x", "m", "n")
	g.Load(g.Param("words"), reg.R8)
	g.SHLQ(operand.Imm(6), reg.R8) // bytes of z
	g.bytes(reg.R9)
	g.LEAQ(operand.NewDataAddr(operand.NewStaticSymbol("shifts"), 0), reg.R12)
	g.Label("tile")
	g.XORQ(reg.R10, reg.R10) // byte of the word
	g.XORQ(reg.R13, reg.R13) // byte of the limb where the word begins
	g.XORQ(reg.R14, reg.R14) // its bit there
	g.Label("word")
	g.use("VPXORQ Z0, Z0, Z0")
	g.MOVQ(reg.R13, reg.R11)
	g.MOVQ(reg.R14, reg.R15)
	g.CMPQ(reg.R11, reg.R9)
	g.JGE(operand.LabelRef("store"))
	g.use("VMOVDQU64 (CX)(R11*1), Z0")
	g.use("VPSRLVQ.BCST (R12)(R15*8), Z0, Z0")
	g.NEGQ(reg.R15)
	for i := 1; i <= 2; i++ {
		g.ADDQ(operand.Imm(64), reg.R11)
		g.CMPQ(reg.R11, reg.R9)
		g.JGE(operand.LabelRef("store"))
		g.use("VMOVDQU64 (CX)(R11*1), Z1")
		g.use("VPSLLVQ.BCST %d(R12)(R15*8), Z1, Z1", 8*52*i)
		g.use("VPORQ Z1, Z0, Z0")
	}
	g.Label("store")
	g.use("VMOVDQU64 Z0, (AX)(R10*1)")
	g.ADDQ(operand.Imm(64), reg.R13)
	g.ADDQ(operand.Imm(12), reg.R14)
	g.CMPQ(reg.R14, operand.Imm(52))
	g.JLT(operand.LabelRef("same"))
	g.SUBQ(operand.Imm(52), reg.R14)
	g.ADDQ(operand.Imm(64), reg.R13)
	g.Label("same")
	g.ADDQ(operand.Imm(64), reg.R10)
	g.CMPQ(reg.R10, reg.R8)
	g.JNE(operand.LabelRef("word"))
	g.ADDQ(reg.R8, reg.RAX)
	g.ADDQ(reg.R9, reg.RCX)
	g.again("tile")
}

// Loops over limbs have the index R10 = 8i up to R8 = 8L: a place in tiles at eight times as many bytes, and in numbers
// whose words follow each other.

// size sets R8.
func (g *limb) size() {
	g.MOVQ(operand.Mem{Base: reg.RBX, Disp: limbLimbs}, reg.R8)
	g.SHLQ(operand.Imm(3), reg.R8)
}

// upTo runs body for every limb.
func (g *limb) upTo(label string, body func()) {
	g.XORQ(reg.R10, reg.R10)
	g.Label(label)
	body()
	g.ADDQ(operand.Imm(8), reg.R10)
	g.CMPQ(reg.R10, reg.R8)
	g.JNE(operand.LabelRef(label))
}

// unroll is the steps of a loop without a branch: ends of long loops are not foretold.
const unroll = 8

// steps runs step from the index R10 on. It has windows of sums in registers; from step to step they move by one.
func (g *limb) steps(left reg.GPPhysical, windows [][]string, step func(i int, windows [][]string)) {
	rotate := func(n int) {
		for _, w := range windows {
			switch k := len(w); n % k {
			case 1:
				for j := range k - 1 {
					g.use("VMOVDQA64 %s, %s", w[j+1], w[j])
				}
			case 2:
				g.use("VMOVDQA64 %s, %s", w[0], w[1])
				g.use("VMOVDQA64 %s, %s", w[2], w[0])
			}
		}
	}
	g.Label("few")
	g.MOVQ(reg.R8, left)
	g.SUBQ(reg.R10, left)
	g.TESTQ(operand.U32(8*(unroll-1)), left)
	g.JEQ(operand.LabelRef("many"))
	step(0, windows)
	rotate(1)
	g.ADDQ(operand.Imm(8), reg.R10)
	g.JMP(operand.LabelRef("few"))
	g.Label("next")
	for i := range unroll {
		var turned [][]string
		for _, w := range windows {
			k := i % len(w)
			turned = append(turned, append(w[k:len(w):len(w)], w[:k]...))
		}
		step(i, turned)
	}
	rotate(unroll)
	g.ADDQ(operand.U32(8*unroll), reg.R10)
	g.Label("many")
	g.CMPQ(reg.R10, reg.R8)
	g.JNE(operand.LabelRef("next"))
}

// loopCarried stores the limbs of a tile, carried.
func (g *limb) loopCarried(label, from, to string) {
	g.use("VPXORQ Z0, Z0, Z0")
	g.upTo(label, func() {
		g.use("NEXT((%s)(R10*8), Z0, Z0)", from)
		g.use("VMOVDQU64 Z0, (%s)(R10*8)", to)
	})
}

// loopNormalised stores sums as limbs below 2^52, from Z0 on, which body sets.
func (g *limb) loopNormalised(label string, body func()) {
	g.use("VPXORQ Z1, Z1, Z1")
	g.upTo(label, func() {
		body()
		g.use("NEXT(Z0, Z1, Z1)")
		g.use("VPANDQ.BCST 8(BX), Z1, Z0")
		g.use("VMOVDQU64 Z0, (AX)(R10*8)")
	})
}

// loopNext moves pointers on by a tile. The tiles left are counted in memory.
func (g *limb) loopNext(registers ...reg.GPPhysical) {
	for _, r := range registers {
		g.LEAQ(operand.Mem{Base: r, Index: reg.R8, Scale: 8}, r)
	}
	g.DECQ(g.frame("n"))
	g.JNE(operand.LabelRef("tile"))
	g.end()
}

func (g *limb) loopLower() {
	g.function("loopLower", "sets n tiles z to x, below 2p.", "z, x, m, scratch *uint64, n int")
	g.params("z", "x", "m", "scratch")
	g.size()
	g.Label("tile")
	g.loopCarried("carry", "CX", "DI")
	g.use("VMOVDQU64 -64(DI)(R8*8), Z0")
	g.use("VMOVDQU64 -128(DI)(R8*8), Z1")
	g.use("LEADING(Z0, Z1, Z4)")
	g.use("VPXORQ Z2, Z2, Z2") // high halves of the limb below
	g.loopNormalised("limb", func() {
		g.use("VMOVDQU64 (DI)(R10*8), Z0")
		g.use("VPANDQ.BCST 8(BX), Z0, Z0")
		g.use("VPADDQ Z2, Z0, Z0")
		g.use("VPXORQ Z2, Z2, Z2")
		g.use("MAC(VPBROADCASTQ, %d(BX)(R10*8), Z4, Z0, Z2)", limbLoopTiles+8)
	})
	g.loopNext(reg.RAX, reg.RCX)
}

func (g *limb) loopOnce() {
	g.function("loopOnce", "sets n tiles z to x, below p; x has limbs below 2^52 and is below 2p.",
		"z, x, m, scratch *uint64, n int")
	g.params("z", "x", "m", "scratch")
	g.size()
	g.Label("tile")
	g.use("VPXORQ Z1, Z1, Z1")
	g.upTo("less", func() {
		g.use("VMOVDQU64 (CX)(R10*8), Z0")
		g.use("LESS(%d(BX)(R10*8), Z0, Z0)", limbLoopTiles)
		g.use("NEXT(Z0, Z1, Z1)")
		g.use("VPANDQ.BCST 8(BX), Z1, Z0")
		g.use("VMOVDQU64 Z0, (DI)(R10*8)")
	})
	g.use("VPMOVQ2M Z1, K1")
	g.upTo("choose", func() {
		g.use("VMOVDQU64 (DI)(R10*8), Z0")
		g.use("VMOVDQU64 (CX)(R10*8), K1, Z0")
		g.use("VMOVDQU64 Z0, (AX)(R10*8)")
	})
	g.loopNext(reg.RAX, reg.RCX)
}

// loopParts is the parts of a multiplier.
const loopParts = 4

// clearSums clears two vectors of sums, with so many zeros behind them.
func (g *limb) clearSums(behind int) {
	g.use("VPXORQ Z0, Z0, Z0")
	g.upTo("clear", func() {
		g.use("VMOVDQU64 Z0, (R14)(R10*8)")
		g.use("VMOVDQU64 Z0, (R15)(R10*8)")
	})
	for i := range behind {
		g.use("VMOVDQU64 Z0, %d(R14)(R10*8)", 64*i)
		g.use("VMOVDQU64 Z0, %d(R15)(R10*8)", 64*i)
	}
}

// loopTimes takes a round for each limb of a part. A round has sums A in memory, from which it takes the lowest away:
//
//	m = what makes A[0] + Σ x_j·w_j[0] zero with p[0]
//	A[i − 1] = A[i] + Σ x_j·w_j[i] + m·p[i], in halves
//
// where x_j is one limb of each part. The sums are in two vectors, because an addition to a sum waits for the last one.
// The next m is computed as soon as its sum is there, so that the loop over the other limbs does not wait for it.
// Scratch has the limbs of x, with zeros behind them, the sums, and the words of w.
func (g *limb) loopTimes(name, load, what string) {
	g.function(name, "sets n tiles z to wx, for "+what+".", "z, x, w, m, scratch *uint64, n int")
	g.params("z", "x", "w", "m", "scratch")
	g.size()
	g.LEAQ(operand.Mem{Base: reg.R8, Disp: 8 * (loopParts - 1)}, reg.R9) // bytes of a part
	g.SHRQ(operand.Imm(5), reg.R9)
	g.SHLQ(operand.Imm(6), reg.R9)
	g.LEAQ(operand.Mem{Base: reg.RDI, Index: reg.R9, Scale: 4}, reg.R14)
	g.LEAQ(operand.Mem{Base: reg.R14, Index: reg.R8, Scale: 8, Disp: 64}, reg.R15)
	g.use("VPXORQ Z0, Z0, Z0")
	for i := range loopParts - 1 {
		g.use("VMOVDQU64 Z0, %d(R14)", -64*(i+1))
	}
	scale, stride := "*8", 64
	if load == "VPBROADCASTQ" {
		scale, stride = "*1", 8
		g.LEAQ(operand.Mem{Base: reg.R15, Index: reg.R8, Scale: 8, Disp: 64}, reg.R11)
		g.MOVQ(reg.RDX, reg.R12)
		g.MOVQ(reg.R11, reg.RDX)
		g.LEAQ(operand.Mem{Base: reg.R11, Index: reg.R8, Scale: loopParts}, reg.R13)
		g.Label("copy")
		g.MOVQ(operand.Mem{Base: reg.R12}, reg.R10)
		g.MOVQ(reg.R10, operand.Mem{Base: reg.R11})
		g.ADDQ(operand.Imm(64), reg.R12)
		g.ADDQ(operand.Imm(8), reg.R11)
		g.CMPQ(reg.R11, reg.R13)
		g.JNE(operand.LabelRef("copy"))
	}
	g.Label("tile")
	g.loopCarried("carry", "CX", "DI")
	g.clearSums(1)
	g.MOVQ(reg.RCX, g.frame("x"))
	g.MOVQ(reg.R8, reg.R10) // bytes of a part of w
	if stride == 64 {
		g.SHLQ(operand.Imm(3), reg.R10)
	}
	g.LEAQ(operand.Mem{Base: reg.RDX, Index: reg.R10, Scale: 1}, reg.R11)
	g.LEAQ(operand.Mem{Base: reg.RDX, Index: reg.R10, Scale: 2}, reg.R12)
	g.LEAQ(operand.Mem{Base: reg.R11, Index: reg.R10, Scale: 2}, reg.R13)
	w := []string{"DX", "R11", "R12", "R13"}
	x, m, next, nextM := []string{"Z16", "Z17", "Z18", "Z19"}, "Z20", []string{"Z21", "Z22", "Z23", "Z24"}, "Z25"

	// first loads limbs of x, and makes m for the sum a.
	first := func(a string, x []string, m string) {
		g.use("VMOVDQU64 (SI), %s", x[0])
		g.use("VMOVDQU64 (SI)(R9*1), %s", x[1])
		g.use("VMOVDQU64 (SI)(R9*2), %s", x[2])
		g.ADDQ(reg.R9, reg.RSI)
		g.use("VMOVDQU64 (SI)(R9*2), %s", x[3])
		g.SUBQ(reg.R9, reg.RSI)
		g.ADDQ(operand.Imm(64), reg.RSI)
		for j := range x {
			g.use("%s (%s), Z31", load, w[j])
			g.use("VPMADD52LUQ Z31, %s, %s", x[j], a)
		}
		g.use("QUOTIENT(%s, %s)", a, m)
	}
	// step adds products by limb i of w to windows of sums.
	step := func(i int, index string, a, b []string) {
		for j := range x {
			v := a
			if j >= loopParts/2 {
				v = b
			}
			g.use("MAC(%s, %d(%s)%s, %s, %s, %s)", load, stride*i, w[j], index, x[j], v[0], v[1])
		}
	}
	g.MOVQ(reg.RDI, reg.RSI) // place of x_0
	g.use("VPXORQ Z0, Z0, Z0")
	first("Z0", x, m)
	g.Label("round")
	for i, v := range []string{"Z1", "Z2"} {
		g.use("VMOVDQU64 %d(R14), %s", 64*(i+1), v)
	}
	for i, v := range []string{"Z4", "Z5"} {
		g.use("VMOVDQU64 %d(R15), %s", 64*(i+1), v)
	}
	for j := range x {
		g.use("MACH(%s, (%s), %s, %s)", load, w[j], x[j], []string{"Z1", "Z4"}[j*2/loopParts])
	}
	step(1, "", []string{"Z1", "Z2"}, []string{"Z4", "Z5"})
	g.use("ABOVE(Z0, Z29)")
	g.use("MACH(VPBROADCASTQ, %d(BX), %s, Z29)", limbModulus, m)
	g.use("MAC(VPBROADCASTQ, %d(BX), %s, Z1, Z2)", limbModulus+8, m)
	g.use("VPADDQ Z4, Z29, Z29")
	g.use("VPADDQ Z29, Z1, Z0")
	g.use("VMOVDQU64 Z0, (R14)")
	first("Z0", next, nextM)
	g.MOVQ(operand.U32(16), reg.R10)
	g.steps(reg.RCX, [][]string{{"Z2", "Z3"}, {"Z5", "Z6"}}, func(i int, v [][]string) {
		g.use("VMOVDQU64 %d(R14)(R10*8), %s", 64*i+64, v[0][1])
		g.use("VMOVDQU64 %d(R15)(R10*8), %s", 64*i+64, v[1][1])
		step(i, "(R10"+scale+")", v[0], v[1])
		g.use("MAC(VPBROADCASTQ, %d(BX)(R10*1), %s, %s, %s)", limbModulus+8*i, m, v[0][0], v[0][1])
		g.use("VMOVDQU64 %s, %d(R14)(R10*8)", v[0][0], 64*i-64)
		g.use("VMOVDQU64 %s, %d(R15)(R10*8)", v[1][0], 64*i-64)
	})
	g.use("VMOVDQU64 Z2, -64(R14)(R10*8)")
	g.use("VMOVDQU64 Z5, -64(R15)(R10*8)")
	for j := range x {
		g.use("VMOVDQA64 %s, %s", next[j], x[j])
	}
	g.use("VMOVDQA64 %s, %s", nextM, m)
	g.LEAQ(operand.Mem{Base: reg.RDI, Index: reg.R9, Scale: 1, Disp: 64}, reg.R10)
	g.CMPQ(reg.RSI, reg.R10)
	g.JNE(operand.LabelRef("round"))
	g.normaliseSums()
	g.MOVQ(g.frame("x"), reg.RCX)
	if load == "VMOVDQU64" {
		for range loopParts {
			g.LEAQ(operand.Mem{Base: reg.RDX, Index: reg.R8, Scale: 8}, reg.RDX)
		}
	}
	g.loopNext(reg.RAX, reg.RCX)
}

func (g *limb) normaliseSums() {
	g.loopNormalised("normalise", func() {
		g.use("VMOVDQU64 (R14)(R10*8), Z0")
		g.use("VPADDQ (R15)(R10*8), Z0, Z0")
	})
}

// loopMontgomery takes two rounds at once, for two limbs of x, and one before them where their number is odd. As in
// loopTimes, what the next two rounds begin with is computed before the loop over the other limbs; here products with y
// and with p have sums of their own. Scratch has the limbs of x and y, and the sums.
func (g *limb) loopMontgomery() {
	g.function("loopMontgomery", "sets n tiles z to xy/R modulo p.", "z, x, y, m, scratch *uint64, n int")
	g.params("z", "x", "y", "m", "scratch")
	g.size()
	g.LEAQ(operand.Mem{Base: reg.RDI, Index: reg.R8, Scale: 8}, reg.R13) // y
	g.LEAQ(operand.Mem{Base: reg.R13, Index: reg.R8, Scale: 8}, reg.R14)
	g.LEAQ(operand.Mem{Base: reg.R14, Index: reg.R8, Scale: 8, Disp: 128}, reg.R15)
	g.Label("tile")
	g.loopCarried("carryX", "CX", "DI")
	g.loopCarried("carryY", "DX", "R13")
	g.clearSums(2)
	p := limbModulus
	g.MOVQ(reg.RDI, reg.R11) // place of a limb of x
	g.TESTQ(operand.U32(8), reg.R8)
	g.JEQ(operand.LabelRef("pairs"))

	g.use("VMOVDQU64 (R11), Z16")
	g.ADDQ(operand.Imm(64), reg.R11)
	g.use("VPXORQ Z1, Z1, Z1")
	g.use("MAC(VMOVDQU64, (R13), Z16, Z0, Z1)")
	g.use("QUOTIENT(Z0, Z18)")
	g.use("ABOVE(Z0, Z29)")
	g.use("MACH(VPBROADCASTQ, %d(BX), Z18, Z29)", p)
	g.use("VPADDQ Z29, Z1, Z1")
	g.MOVQ(operand.U32(8), reg.R10)
	g.Label("single")
	g.use("VPXORQ Z2, Z2, Z2")
	g.use("MAC(VMOVDQU64, (R13)(R10*8), Z16, Z1, Z2)")
	g.use("MAC(VPBROADCASTQ, %d(BX)(R10*1), Z18, Z1, Z2)", p)
	g.use("VMOVDQU64 Z1, -64(R14)(R10*8)")
	g.use("VMOVDQA64 Z2, Z1")
	g.ADDQ(operand.Imm(8), reg.R10)
	g.CMPQ(reg.R10, reg.R8)
	g.JNE(operand.LabelRef("single"))
	g.use("VMOVDQU64 Z1, -64(R14)(R10*8)")
	g.Label("pairs")

	// first loads limbs x0 and x1, and makes m0 and m1 for the sums a0 and a1. What belongs to the next two is in c2
	// and c3, and d2 and d3.
	first := func(a0, a1, x0, x1, m0, m1 string) {
		const c2, c3, d2, d3 = "Z4", "Z5", "Z12", "Z13"
		g.use("VMOVDQU64 (R11), %s", x0)
		g.use("VMOVDQU64 64(R11), %s", x1)
		g.ADDQ(operand.U32(128), reg.R11)
		for _, c := range []string{c2, c3, d2, d3} {
			g.use("VPXORQ %s, %[1]s, %[1]s", c)
		}
		y := func(i int) string { return fmt.Sprintf("VMOVDQU64, %d(R13)", 64*i) }
		q := func(i int) string { return fmt.Sprintf("VPBROADCASTQ, %d(BX)", p+8*i) }
		g.use("MAC(%s, %s, %s, %s)", y(0), x0, a0, a1)
		g.use("MAC(%s, %s, %s, %s)", y(0), x1, a1, c2)
		g.use("QUOTIENT(%s, %s)", a0, m0)
		g.use("MAC(%s, %s, %s, %s)", y(1), x0, a1, c2)
		g.use("MAC(%s, %s, %s, %s)", y(1), x1, c2, c3)
		g.use("ABOVE(%s, Z29)", a0)
		g.use("MACH(%s, %s, Z29)", q(0), m0)
		g.use("MAC(%s, %s, %s, %s)", q(1), m0, a1, d2)
		g.use("VPADDQ Z29, %s, %[1]s", a1)
		g.use("QUOTIENT(%s, %s)", a1, m1)
		g.use("ABOVE(%s, Z29)", a1)
		g.use("MACH(%s, %s, Z29)", q(0), m1)
		g.use("MAC(%s, %s, %s, %s)", q(1), m1, d2, d3)
		g.use("VPADDQ Z29, %s, %[1]s", d2)
	}
	// step adds products to windows of sums.
	step := func(i int, vector, word string, a, b []string) {
		g.use("VMOVDQU64 %d(R13)%s, Z30", 64*i, vector)
		g.use("VPBROADCASTQ %d(BX)%s, Z31", p+8*i, word)
		for j := range 2 {
			g.use("BOTH(Z30, Z%d, %s, %s)", 16+j, a[j], a[j+1])
			g.use("BOTH(Z31, Z%d, %s, %s)", 18+j, b[j], b[j+1])
		}
	}
	a, b := []string{"Z0", "Z1", "Z2", "Z3"}, []string{"Z8", "Z9", "Z10", "Z11"}
	g.use("VMOVDQU64 (R14), Z0")
	g.use("VMOVDQU64 64(R14), Z1")
	first("Z0", "Z1", "Z16", "Z17", "Z18", "Z19")
	g.Label("round")
	for i, c := range []string{"Z4", "Z5"} {
		g.use("VPADDQ %d(R14), %s, %s", 128+64*i, c, a[i])
	}
	for i, d := range []string{"Z12", "Z13"} {
		g.use("VPADDQ %d(R15), %s, %s", 128+64*i, d, b[i])
	}
	for i := range 2 {
		g.use("VMOVDQU64 %d(R14), %s", 256+64*i, a[2+i])
		g.use("VMOVDQU64 %d(R15), %s", 256+64*i, b[2+i])
		step(2+i, "", "", a[i:], b[i:])
	}
	for i := range 2 {
		g.use("VPADDQ %s, %s, %[2]s", b[i], a[i])
		g.use("VMOVDQU64 %s, %d(R14)", a[i], 64*i)
	}
	first("Z0", "Z1", "Z20", "Z21", "Z22", "Z23")
	g.MOVQ(operand.U32(32), reg.R10)
	g.steps(reg.R12, [][]string{{"Z2", "Z3", "Z6"}, {"Z10", "Z11", "Z14"}}, func(i int, v [][]string) {
		g.use("VMOVDQU64 %d(R14)(R10*8), %s", 64*i+128, v[0][2])
		g.use("VMOVDQU64 %d(R15)(R10*8), %s", 64*i+128, v[1][2])
		step(i, "(R10*8)", "(R10*1)", v[0], v[1])
		g.use("VMOVDQU64 %s, %d(R14)(R10*8)", v[0][0], 64*i-128)
		g.use("VMOVDQU64 %s, %d(R15)(R10*8)", v[1][0], 64*i-128)
	})
	for i := range 2 {
		g.use("VMOVDQU64 %s, %d(R14)(R10*8)", a[2+i], 64*i-128)
		g.use("VMOVDQU64 %s, %d(R15)(R10*8)", b[2+i], 64*i-128)
	}
	for i := range 4 {
		g.use("VMOVDQA64 %s, %s", z(20+i), z(16+i))
	}
	g.LEAQ(operand.Mem{Base: reg.R13, Disp: 128}, reg.R10)
	g.CMPQ(reg.R11, reg.R10)
	g.JNE(operand.LabelRef("round"))
	g.normaliseSums()
	g.loopNext(reg.RAX, reg.RCX, reg.RDX)
}
