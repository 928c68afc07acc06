package main

import (
	"regexp"
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Kernels with 256-bit vectors are those of AVX-512, line by line, for the first half of the vectors of a tile and then
// for the second. The processor rounds towards zero while they run, which instructions of AVX-512 say themselves.
//
//	Y0 … Y9             sums of products
//	Y10, Y11            Z28 and Z30, which are never both in use; and Z31
//	Y12, Y13            Z22 and Z26; and Z23, Z27 and Z29
//	Y14, Y15            2^104 and 2^104 + 2^52
//
// Limbs of a factor are in scratch.
var limbAVX2 = limbForm{file: "zdouble256", suffix: "AVX2", sets: "doubles256", split: "AVX2",
	unrolled: []int{4, 5, 6, 7, 8}, doubles: true, half: true, modulus: 3}

var (
	vectors512 = regexp.MustCompile(`\bZ\d+\b`)
	words512   = regexp.MustCompile(`\b(VMOVDQU64|VMOVDQA64|VPXORQ|VPANDQ|VPORQ)\b`)
	line512    = regexp.MustCompile(`^(V\w+)(\.\w+)? (.*)$`)
	constant   = regexp.MustCompile(`^\w+<>\+\d+\(SB\)$`)
)

var vectors256 = map[string]string{"Z22": "Y12", "Z23": "Y13", "Z24": "Y14", "Z25": "Y15", "Z26": "Y12", "Z27": "Y13",
	"Z28": "Y10", "Z29": "Y13", "Z30": "Y10", "Z31": "Y11"}

// avx2 returns the lines of AVX2 for one of AVX-512. A number that all lanes share goes to the result's register first,
// or to Z31.
func (g *limb) avx2(line string) (lines []string) {
	m := line512.FindStringSubmatch(line)
	if m == nil {
		return []string{names256(line)}
	}
	op, suffix, args := m[1], m[2], strings.Split(m[3], ", ")
	last := args[len(args)-1]
	add := func(op string, args ...string) {
		lines = append(lines, names256(op+" "+strings.Join(args, ", ")))
	}
	switch {
	case op == "VPSRAQ":
		add("VPXOR", g.constantAt(sign63), args[1], last)
		add("VPSRLQ", args[0], last, last)
		add("VPSUBQ", g.constantAt(sign63+1), last, last)
	case op == "VCVTUQQ2PD":
		add("VPOR", g.constantAt(0), args[0], last)
		add("VSUBPD", g.constantAt(0), last, last)
	case op == "VPTERNLOGQ" && args[0] == "$0xfe":
		add("VPOR", args[1], last, last)
		add("VPOR", args[2], last, last)
	case op == "VPTERNLOGQ": // $0xa8
		add("VPOR", args[2], last, last)
		add("VPAND", g.constantAt(mask52), last, last)
	case suffix == ".BCST" && args[0] == "8(BX)":
		add(op, g.constantAt(mask52), args[1], last)
	case suffix == ".BCST" && !constant.MatchString(args[0]):
		t := last
		if args[1] == last {
			t = "Z31"
		}
		add("VPBROADCASTQ", args[0], t)
		add(op, t, args[1], last)
	default:
		add(op, args...)
	}
	return lines
}

// names256 renames vectors, and instructions that AVX2 has by another name.
func names256(line string) string {
	line = vectors512.ReplaceAllStringFunc(line, func(r string) string {
		if y, ok := vectors256[r]; ok {
			return y
		}
		return "Y" + r[1:]
	})
	return words512.ReplaceAllStringFunc(line, func(op string) string {
		return strings.TrimSuffix(strings.TrimSuffix(op, "64"), "Q")
	})
}

// otherHalf goes back to a label for the second half of a tile, and then leaves places as they were at the first one.
func (g *limb) otherHalf(label string, places ...reg.GPPhysical) {
	if !g.half {
		return
	}
	g.move(32, places...)
	g.XORQ(operand.Imm(1), reg.R15)
	g.JNE(operand.LabelRef(label))
	for _, r := range places {
		g.SUBQ(operand.Imm(64), r)
	}
}

// lastWord loads a word that may be missing.
func (g *limb) lastWord(last int) {
	g.use("%s", clear(z(last)))
	g.CMPQ(reg.R8, operand.U32(64*uint32(last)))
	g.JLE(operand.LabelRef("missing"))
	g.use("VMOVDQU64 %d(CX), %s", 64*last, z(last))
	g.Label("missing")
}

// choose sets limb i to that in scratch where the vector of Z has the sign bit clear.
func (g *limb) choose(negative string, i int) {
	g.use("VMOVDQU64 %d(DI), Z31", 64*i)
	g.use("VBLENDVPD %s, %s, Z31, %[2]s", negative, z(i))
}
