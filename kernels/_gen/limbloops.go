package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels with loops over limbs, for every L. R8 and on are places and counts.

func (g *limb) loops() {
	g.L = 0
	g.add()
	g.sub()
	g.crossKernel()
	g.splitKernel()
	g.joinKernel()
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

// offsets makes R9 the place of 2^k·p and R8 that behind its last limb.
func (g *limb) offsets() {
	g.Load(g.Param("k"), reg.R9)
	g.MOVQ(operand.Mem{Base: reg.RBX, Disp: limbLimbs}, reg.R8)
	g.SHLQ(operand.Imm(6), reg.R8) // bytes of a tile
	g.MOVQ(reg.R9, reg.R10)
	g.SHRQ(operand.Imm(3), reg.R10)
	g.INCQ(reg.R10)
	g.IMULQ(reg.R8, reg.R10)
	g.ANDQ(operand.Imm(7), reg.R9)
	g.LEAQ(operand.Mem{Base: reg.R10, Index: reg.R9, Scale: 8}, reg.R9)
	g.LEAQ(operand.Mem{Base: reg.RBX, Index: reg.R9, Scale: 1, Disp: limbTiles}, reg.R9)
	g.ADDQ(reg.R9, reg.R8)
}

// eachLimb runs body for each limb of each tile, with the place of the offset's limb in R10.
func (g *limb) eachLimb(body func(), registers ...reg.GPPhysical) {
	g.Label("tile")
	g.MOVQ(reg.R9, reg.R10)
	g.Label("limb")
	body()
	g.move(64, append(registers, reg.R10)...)
	g.CMPQ(reg.R10, reg.R8)
	g.JNE(operand.LabelRef("limb"))
	g.again("tile")
}

func (g *limb) sub() {
	g.function("sub", "sets n tiles z to x − y + 2^k·p.", "z, x, y, m *uint64, k, n int")
	g.params("z", "x", "y", "m", "n")
	g.offsets()
	g.eachLimb(func() {
		g.use("VMOVDQU64 (CX), Z0")
		g.use("VPSUBQ (DX), Z0, Z0")
		g.use("VPADDQ.BCST (R10), Z0, Z0")
		g.use("VMOVDQU64 Z0, (AX)")
	}, reg.RAX, reg.RCX, reg.RDX)
}

func (g *limb) crossKernel() {
	g.function("cross", "sets n tiles a to a + b and b to a − b + 2^k·p.", "a, b, m *uint64, k, n int")
	g.params("a", "b", "m", "n")
	g.offsets()
	g.eachLimb(func() {
		g.use("VMOVDQU64 (AX), Z0")
		g.use("VMOVDQU64 (CX), Z1")
		g.use("VPADDQ Z1, Z0, Z2")
		g.use("VPSUBQ Z1, Z0, Z0")
		g.use("VPADDQ.BCST (R10), Z0, Z0")
		g.use("VMOVDQU64 Z2, (AX)")
		g.use("VMOVDQU64 Z0, (CX)")
	}, reg.RAX, reg.RCX)
}

// splitKernel shifts limb i, of bits 52i and on, out of two words.
func (g *limb) splitKernel() {
	g.function("split", "sets n tiles z to numbers x of so many words.", "z, x, m *uint64, words, n int")
	g.params("z", "x", "m", "n")
	g.Load(g.Param("words"), reg.R8)
	g.SHLQ(operand.Imm(6), reg.R8) // bytes of x
	g.MOVQ(operand.Mem{Base: reg.RBX, Disp: limbLimbs}, reg.R9)
	g.SHLQ(operand.Imm(6), reg.R9)
	g.LEAQ(operand.NewDataAddr(operand.NewStaticSymbol("shifts"), 0), reg.R12)
	g.Label("tile")
	g.XORQ(reg.R10, reg.R10) // byte of the limb
	g.XORQ(reg.R11, reg.R11) // its bit
	g.Label("limb")
	g.MOVQ(reg.R11, reg.R13) // word
	g.SHRQ(operand.Imm(6), reg.R13)
	g.SHLQ(operand.Imm(6), reg.R13)
	g.MOVQ(reg.R11, reg.R14)
	g.ANDQ(operand.Imm(63), reg.R14)
	g.ADDQ(operand.Imm(52), reg.R11)
	g.use("VPXORQ Z1, Z1, Z1")
	g.use("VPXORQ Z0, Z0, Z0")
	g.CMPQ(reg.R13, reg.R8)
	g.JGE(operand.LabelRef("store"))
	g.use("VMOVDQU64 (CX)(R13*1), Z0")
	g.use("VPSRLVQ.BCST (R12)(R14*8), Z0, Z0")
	g.ADDQ(operand.Imm(64), reg.R13)
	g.CMPQ(reg.R13, reg.R8)
	g.JGE(operand.LabelRef("store"))
	g.NEGQ(reg.R14)
	g.use("VMOVDQU64 (CX)(R13*1), Z1")
	g.use("VPSLLVQ.BCST 512(R12)(R14*8), Z1, Z1")
	g.Label("store")
	g.use("VPTERNLOGQ.BCST $0xa8, 8(BX), Z1, Z0") // (Z0 | Z1) & mask
	g.use("VMOVDQU64 Z0, (AX)(R10*1)")
	g.ADDQ(operand.Imm(64), reg.R10)
	g.CMPQ(reg.R10, reg.R9)
	g.JNE(operand.LabelRef("limb"))
	g.ADDQ(reg.R9, reg.RAX)
	g.ADDQ(reg.R8, reg.RCX)
	g.again("tile")
}

// joinKernel shifts word i, of bits 64i and on, out of three limbs.
func (g *limb) joinKernel() {
	g.StaticGlobal("shifts")
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 105 {
		g.AddDatum(8*i, operand.U64(i))
	}
	g.function("join", "sets numbers z of so many words to n canonical tiles x.", "z, x, m *uint64, words, n int")
	g.params("z", "x", "m", "n")
	g.Load(g.Param("words"), reg.R8)
	g.SHLQ(operand.Imm(6), reg.R8) // bytes of z
	g.MOVQ(operand.Mem{Base: reg.RBX, Disp: limbLimbs}, reg.R9)
	g.SHLQ(operand.Imm(6), reg.R9)
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
