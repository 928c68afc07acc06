package main

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Products of packed numbers: eight of them become words, and words limbs, in registers, and back.

// packedLimbs are the sizes with these kernels: those of 2, 3, 4, 5, 6 and 8 words.
var packedLimbs = []int{3, 4, 5, 7, 8, 10}

// packs reports whether there are kernels for packed numbers of L limbs.
func (f *limbForm) packs(L int) bool { return !f.doubles && slices.Contains(packedLimbs, L) }

// words is the words of packed numbers in L limbs: 2^(64·words) is at most R.
func (g *limb) words() int { return 52 * g.L / 64 }

// Places in packing, the constants of these kernels.
const (
	evens  = 64 * iota // places of words 0, 2, … of two vectors
	odds               // of words 1, 3, …
	lows               // of words 0 and 8, 1 and 9, …
	highs              // of words 4 and 12, 5 and 13, …
	ones               // 2^i − 1 for i < 64
	powers = ones + 8*64
)

// packing writes the constants and the macros for all sizes.
func (g *limb) packing() {
	g.StaticGlobal("packing")
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	var words [powers/8 + 64]uint64
	for i := range 8 {
		words[evens/8+i], words[odds/8+i] = uint64(2*i), uint64(2*i+1)
		words[lows/8+i], words[highs/8+i] = uint64(i/2+i%2*8), uint64(4+i/2+i%2*8)
	}
	for i := range 64 {
		words[ones/8+i], words[powers/8+i] = 1<<i-1, 1<<i
	}
	for i, w := range words {
		g.AddDatum(8*i, operand.U64(w))
	}
	g.define("PICK(places, x, y, to)", "sets a vector to words of x and y.",
		"VMOVDQU64 packing<>+places(SB), to", "VPERMI2Q y, x, to")
	g.define("CUT(x, s, y, power, to)", "sets a limb to bits of the words x and y, which the multiplication shifts.",
		"VPSRLQ $s, x, to", "VPMADD52LUQ.BCST packing<>+power(SB), y, to")
	g.define("PASTE(x, s, ones, y, t, to)", "sets a word to bits of the limbs x and y.", "VPSLLQ $t, y, Z31",
		"VPSRLQ $s, x, to", "VPTERNLOGQ.BCST $0xec, packing<>+ones(SB), Z31, to") // to & ones | Z31
	g.define("PASTE3(ones, z, u, to)", "adds bits of the limb z.",
		"VPSLLQ $u, z, Z31", "VPTERNLOGQ.BCST $0xec, packing<>+ones(SB), Z31, to")
	g.define("OVER(limb, c)", "adds a limb to the carry c, and carries.", "VPADDQ limb, c, c", "VPSRLQ $52, c, c")
	g.define("BACK(at, limb)", "adds a limb of p in lanes of K1.", "VPADDQ.BCST at, limb, K1, limb")
	g.define("BACKNEXT(at, last, limb)", "does so, and carries.", "BACK(at, limb)", "NEXT(limb, last, limb)")
}

// packed writes the kernels for L limbs.
func (g *limb) packed() {
	g.packedMacros()
	g.packedKernel("packedMontgomeryx", "xy/2^(64w)", func() {
		g.cut(0, "DX", "DI")
		g.cut(52*g.L%64, "CX", "")
		g.use("%s()", g.sized("CLEAR"))
		less := func(i int) { // sums of the result begin with R − p
			if i < g.L {
				g.use("VPBROADCASTQ %d(BX), %s", g.tileAt(0, 1)+64*i, g.acc(g.L+i))
			}
		}
		less(0)
		less(1)
		g.products(limbRows{rounds: g.L}, less)
		g.use("VPBROADCASTQ packing<>+%d(SB), Z30", ones+8)
		g.use("VPXORQ Z29, Z29, Z29")
		var sums []string
		for i := range g.L {
			sums = append(sums, g.acc(g.L+i))
		}
		g.canonical(sums)
	})
	g.packedKernel("packedProductx", "xy", func() {
		g.cut(0, "DX", "DI")
		g.LEAQ(operand.Mem{Base: reg.RDI, Disp: 64 * g.L}, reg.R8)
		g.cut(0, "CX", "R8")
		sums := g.folded(func(k int) { g.use("VMOVDQU64 %d(DI), Z28", 64*(g.L+k)) })
		// As LOWER, and once more R − p.
		g.use("VPANDQ.BCST 8(BX), %s, %[1]s", sums[g.L-1])
		g.use("LEADING(%s, %s, Z30)", sums[g.L-1], sums[g.L-2])
		g.use("VPADDQ.BCST packing<>+%d(SB), Z30, Z30", ones+8)
		g.use("VPXORQ Z26, Z26, Z26")
		g.use("ROW%d(VPBROADCASTQ, %d, BX, Z30, %s)", g.L, g.tileAt(0, 1), strings.Join(append(sums[:g.L:g.L], "Z26"), ", "))
		g.use("VMOVDQA64 Z26, Z29")
		g.canonical(sums)
	})
}

func (g *limb) packedKernel(name, what string, body func()) {
	g.kernel(name, fmt.Sprintf("sets n times eight packed numbers z of w = %d words to %s modulo p.", g.words(), what),
		"z, x, y, m, scratch *uint64, n int")
	if _, whole := g.square(); !whole {
		g.MOVQ(operand.U32(1<<g.words()-1), reg.R8)
		g.use("KMOVB R8, K2")
	}
	g.Label("tile")
	body()
	for _, r := range []reg.GPPhysical{reg.RAX, reg.RCX, reg.RDX} {
		g.ADDQ(operand.U32(64*g.words()), r)
	}
	g.again("tile")
}

// square returns the words of numbers that are turned, a power of two, and whether packed numbers have as many. If so,
// they are in as many vectors; others are in eight, one each.
func (g *limb) square() (k int, whole bool) {
	if w := g.words(); w&(w-1) == 0 {
		return w, true
	}
	return 8, false
}

// vector is the place of vector i of packed numbers, and how it is moved.
func (g *limb) vector(i int, base string) (place, mask string) {
	if _, whole := g.square(); whole {
		return fmt.Sprintf("%d(%s)", 64*i, base), ""
	}
	return fmt.Sprintf("%d(%s)", 8*g.words()*i, base), "K2, "
}

// packedMacros defines loads and stores of packed numbers. The words of a number are in one vector, those of a row in
// another: in both, places of words have the same bits in another order. A round turns it by one bit.
func (g *limb) packedMacros() {
	k, _ := g.square()
	w, rounds := g.words(), bits.Len(uint(k))-1
	var body []string
	for i := range k {
		place, mask := g.vector(i, "from")
		if mask == "" {
			body = append(body, fmt.Sprintf("VMOVDQU64 %s, %s", place, z(i)))
		} else {
			body = append(body, fmt.Sprintf("VMOVDQU64.Z %s, %s%s", place, mask, z(i)))
		}
	}
	at, to := 0, k
	for r := range rounds {
		for i := range k {
			if r == rounds-1 && i >= w {
				continue
			}
			places, j := evens, 2*i
			if i >= k/2 {
				places, j = odds, 2*i-k
			}
			body = append(body, fmt.Sprintf("PICK(%d, %s, %s, %s)", places, z(at+j), z(at+j+1), z(to+i)))
		}
		at, to = to, at
	}
	g.define(g.sized("WORDS")+"(from)", fmt.Sprintf("loads eight packed numbers: words are in %s and on.", z(at)), body...)

	body = nil
	at, to = 16, 0
	for r := range rounds {
		for i := range k {
			places, j := lows+i%2*64, i/2
			other := j + k/2
			if r == 0 && other >= w {
				other = j
			}
			body = append(body, fmt.Sprintf("PICK(%d, %s, %s, %s)", places, z(at+j), z(at+other), z(to+i)))
		}
		at, to = to, at
	}
	for i := range k {
		place, mask := g.vector(i, "to")
		body = append(body, fmt.Sprintf("VMOVDQU64 %s, %s%s", z(at+i), mask, place))
	}
	g.define(g.sized("PACK")+"(to)", "stores eight packed numbers, from words in Z16 and on.", body...)
}

// cut loads eight packed numbers, and makes limbs of their products by 2^shift: in registers, or at a place. What limbs
// have above 52 bits is not read.
func (g *limb) cut(shift int, from, to string) {
	k, _ := g.square()
	first := (bits.Len(uint(k)) - 1) % 2 * k
	word := func(i int) string { return z(first + i) }
	g.use("%s(%s)", g.sized("WORDS"), from)
	var limbs []string
	for i := range g.L {
		limbs = append(limbs, g.b(i))
		at := 52*i - shift
		switch j, s := at/64, at%64; {
		case at < 0:
			g.use("VPSLLQ $%d, %s, %s", -at, word(0), g.b(i))
		case s <= 12 || j+1 == g.words():
			g.use("VPSRLQ $%d, %s, %s", s, word(j), g.b(i))
		default:
			g.use("CUT(%s, %d, %s, %d, %s)", word(j), s, word(j+1), powers+8*(64-s), g.b(i))
		}
	}
	if to != "" {
		g.use("STORE%d(%s, %s)", g.L, to, strings.Join(limbs, ", "))
	}
}

// canonical makes words of z below 2p and stores them, below p. Sums, with Z29 above them, are z + (q + 1)R − p for
// q + 1 in Z30: where they are below (q + 1)R, p comes back.
func (g *limb) canonical(sums []string) {
	g.use("VPSRLQ $52, %s, Z31", sums[0])
	for _, i := range sums[1:] {
		g.use("OVER(%s, Z31)", i)
	}
	g.use("VPADDQ Z29, Z31, Z31")
	g.use("VPCMPUQ $4, Z30, Z31, K1")
	for i, sum := range sums {
		if at := fmt.Sprintf("%d(BX)", g.tileAt(0, 0)+64*i); i == 0 {
			g.use("BACK(%s, %s)", at, sum)
		} else {
			g.use("BACKNEXT(%s, %s, %s)", at, sums[i-1], sum)
		}
	}
	for j := range g.words() {
		i, s, to := 64*j/52, 64*j%52, z(16+j)
		g.use("PASTE(%s, %d, %d, %s, %d, %s)", sums[i], s, ones+8*(52-s), sums[i+1], 52-s, to)
		if s > 40 {
			g.use("PASTE3(%d, %s, %d, %s)", ones+8*(104-s), sums[i+2], 104-s, to)
		}
	}
	g.use("%s(AX)", g.sized("PACK"))
}
