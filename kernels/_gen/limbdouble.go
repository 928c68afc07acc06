package main

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Products of limbs as doubles, where there is no IFMA. Factors a and b are doubles with values below 2^52, and
// rounding goes towards zero, so that
//
//	H = a·b + 2^104             has the bits of 2^104 and h = ⌊ab/2^52⌋, for its unit is 2^52,
//	S = 2^104 + 2^52 − H        = 2^52·(1 − h) is exact,
//	a·b + S = 2^52 + (ab − 2^52·h)   is exact and has the bits of 2^52 and the low half of ab.
//
// So the bits of H and of the last line, as words, are the halves that IFMA has, with exponents in the upper 12 bits.
// Sums of words, modulo 2^64, begin with the negative of all exponents that will be added. Once everything has been
// added they are the sums of IFMA, limb by limb, and have its bounds; the low 52 bits, of which the factor of a round
// is made, are right at any time.
//
// Registers besides those of IFMA, which holds fewer limbs:
//
//	Z12 … Z21           carried limbs of a factor
//	Z22, Z23            between instructions of a macro
//	Z24, Z25            2^104 and 2^104 + 2^52
var limbAVX512 = limbForm{file: "zdouble512", suffix: "AVX512", sets: "doubles512",
	unrolled: []int{2, 3, 4, 5, 6, 7, 8, 9, 10}, doubles: true, firstLimb: 12, modulus: 3}

// Bits of doubles.
const (
	bits52  = 0x433 << 52 // 2^52
	bits104 = 0x467 << 52 // 2^104
)

// negative is the place of the negative of exponents of so many low and high halves.
func (g *limb) negative(low, high int) string {
	x := -(uint64(low)*bits52 + uint64(high)*bits104)
	i := slices.Index(g.starts, x)
	if i < 0 {
		i = len(g.starts)
		g.starts = append(g.starts, x)
	}
	return fmt.Sprintf("starts<>+%d(SB)", 8*g.copies()*i)
}

// Constants, by their index: 2^52, 2^104, 2^104 + 2^52, and
const (
	mask52 = 3 + iota
	sign63 // with what is left of it when it is shifted by 52 bits
)

// constantAt is the place of a constant.
func (g *limb) constantAt(i int) string { return fmt.Sprintf("doubles<>+%d(SB)", 8*g.copies()*i) }

// copies is how often a constant stands in memory: AVX2 has no operands that all lanes share.
func (g *limb) copies() int {
	if g.half {
		return 4
	}
	return 1
}

// doubleData writes constants.
func (g *limb) doubleData() {
	for _, c := range []struct {
		name  string
		words []uint64
	}{{"starts", g.starts}, {"doubles", []uint64{bits52, bits104, bits104 + 1, 1<<52 - 1, 1 << 63, 1 << 11}}} {
		g.StaticGlobal(c.name)
		g.DataAttributes(attr.RODATA | attr.NOPTR)
		for i := range g.copies() * len(c.words) {
			g.AddDatum(8*i, operand.U64(c.words[i/g.copies()]))
		}
	}
}

// doubleMacros defines what depends on the form.
func (g *limb) doubleMacros() {
	g.text.WriteString(limbMacros)
	high := func(w, b, h string) []string {
		return []string{"VMOVAPD Z24, " + h, fmt.Sprintf("VFMADD231PD.RZ_SAE %s, %s, %s", w, b, h)}
	}
	halves := func(w, b string) []string {
		return append(high(w, b, "Z22"), "VSUBPD Z22, Z25, Z23", fmt.Sprintf("VFMADD231PD.RZ_SAE %s, %s, Z23", w, b))
	}
	g.define("DOUBLE(x, d)", "sets d to the low 52 bits of x.", "VPANDQ.BCST 8(BX), x, d", "VCVTUQQ2PD d, d")
	g.define("BOTH(w, b, lo, hi)", "adds the halves of a product of limbs to lo and hi.",
		append(halves("w", "b"), "VPADDQ Z22, hi, hi", "VPADDQ Z23, lo, lo")...)
	g.define("MAC(LOAD, at, b, lo, hi)", "does so with the limb at a place.", "LOAD at, Z31", "BOTH(Z31, b, lo, hi)")
	g.define("QUOTIENT(acc, m)", "sets m to what makes the low bits of acc + mp zero.",
		append(append([]string{"DOUBLE(acc, m)", "VPBROADCASTQ (BX), Z31"}, halves("Z31", "m")...),
			fmt.Sprintf("VSUBPD.BCST %s, Z23, m", g.constantAt(0)))...)
	g.define("MACH(LOAD, at, b, hi)", "adds the high half of a product to hi.",
		append(append([]string{"LOAD at, Z31"}, high("Z31", "b", "Z22")...), "VPADDQ Z22, hi, hi")...)
	g.define("LEADING(x, next, q)", "sets q to the quotient of a number by p, from its last limb x and the one below.",
		"VPSLLVQ.BCST 24(BX), x, q", "DOUBLE(next, Z23)", "MACH(VPBROADCASTQ, 32(BX), Z23, q)", "DOUBLE(q, Z23)",
		"VPXORQ q, q, q", "MACH(VPBROADCASTQ, 16(BX), Z23, q)", "VPANDQ.BCST 8(BX), q, q", "VPSRLVQ.BCST 40(BX), q, q",
		"DOUBLE(q, q)")
}

// doubleConstants loads what macros read.
func (g *limb) doubleConstants() {
	g.use("VPBROADCASTQ %s, Z24", g.constantAt(1))
	g.use("VPBROADCASTQ %s, Z25", g.constantAt(2))
}

// tableKernel writes what makes multipliers of canonical numbers.
func (g *limb) tableKernel() {
	g.function("floats", "sets n vectors z to the words x as doubles.", "z, x *uint64, n int")
	g.params("z", "x", "n")
	g.Label("vector")
	g.use("VMOVDQU64 (CX), Z0")
	g.use("VCVTUQQ2PD Z0, Z0")
	g.use("VMOVDQU64 Z0, (AX)")
	g.otherHalf("vector", reg.RAX, reg.RCX)
	g.move(64, reg.RAX, reg.RCX)
	g.again("vector")
}
