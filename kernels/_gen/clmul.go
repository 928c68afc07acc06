package main

import (
	"fmt"
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
	if err := writeFiles(filepath.Join(dir, "zclmul"), asm, stubs); err != nil {
		return err
	}
	for _, t := range []struct {
		name, suffix string
		*machine
	}{{"zavx512", "AVX512", newMachine(64, 8, true)}, {"zavx2", "AVX2", newMachine(32, 8, false)}} {
		t.ConstraintExpr("amd64,!purego")
		t.slice("slice" + t.suffix)
		t.sliced("sliced" + t.suffix)
		asm, stubs, err := t.print("clmul")
		if err != nil {
			return err
		}
		if err := writeFiles(filepath.Join(dir, t.name), asm, stubs); err != nil {
			return err
		}
	}
	return nil
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

// row is that many rows of a bit each from p.
func (g *machine) row(p gp, i int) operand.Mem { return operand.Mem{Base: p, Disp: i * g.bytes} }

// load reads a row.
func (g *machine) loadRow(p gp, i int) vec {
	v := g.vec()
	if g.avx512 {
		g.VMOVDQU64(g.row(p, i), v)
	} else {
		g.VMOVDQU(g.row(p, i), v)
	}
	return v
}

func (g *machine) storeRow(v vec, p gp, i int) {
	if g.avx512 {
		g.VMOVDQU64(v, g.row(p, i))
	} else {
		g.VMOVDQU(v, g.row(p, i))
	}
}

// turns writes a loop of so many turns.
func (g *machine) turns(label string, count int, do func()) {
	n := g.GP64()
	g.MOVQ(operand.U32(uint32(count)), n)
	g.Label(label)
	do()
	g.DECQ(n)
	g.JNZ(operand.LabelRef(label))
}

// slice writes the transposition of squares of 64 bits, of which each 64-bit lane of 64 vectors has one: in two
// passes of three steps, which exchange bits whose numbers differ by 32, 16 and 8 with those of vectors so far apart,
// and then by 4, 2 and 1.
func (g *machine) slice(name string) {
	g.function(name, "is Bits.Slice: see there.", "z, x *uint64")
	z, x := g.param("z"), g.param("x")
	for pass, from := range []gp{x, z} {
		step := 8 >> (3 * pass) // vectors from one of a group to the next
		var masks [3]vec
		for i, mask := range [][3]uint64{
			{0x00000000ffffffff, 0x0000ffff0000ffff, 0x00ff00ff00ff00ff},
			{0x0f0f0f0f0f0f0f0f, 0x3333333333333333, 0x5555555555555555},
		}[pass] {
			t, low := g.GP64(), g.XMM()
			g.MOVQ(operand.U64(mask), t)
			g.MOVQ(t, low)
			masks[i] = g.vec()
			g.VPBROADCASTQ(low, masks[i])
		}
		in, out := g.GP64(), g.GP64()
		g.MOVQ(from, in)
		g.MOVQ(z, out)
		g.turns(fmt.Sprint("pass", pass), 8, func() {
			var v [8]vec
			for i := range v {
				v[i] = g.loadRow(in, i*step)
			}
			for i, mask := range masks {
				apart := 4 >> i
				for a := range v {
					if a&apart == 0 {
						g.exchange(v[a], v[a+apart], mask, apart*step)
					}
				}
			}
			for i := range v {
				g.storeRow(v[i], out, i*step)
			}
			next := g.bytes * (1 + 7*pass)
			g.ADDQ(operand.U32(uint32(next)), in)
			g.ADDQ(operand.U32(uint32(next)), out)
		})
	}
	g.end()
}

// exchange exchanges the bits of b that mask has with those of a that are so many places higher.
func (g *machine) exchange(a, b, mask vec, places int) {
	t := g.vec()
	g.VPSRLQ(operand.Imm(uint64(places)), a, t)
	if g.avx512 {
		g.VPTERNLOGQ(operand.Imm(0x28), mask, b, t) // (t ^ b) & mask
		g.VPXORQ(t, b, b)
		g.VPSLLQ(operand.Imm(uint64(places)), t, t)
		g.VPXORQ(t, a, a)
		return
	}
	g.VPXOR(b, t, t)
	g.VPAND(mask, t, t)
	g.VPXOR(t, b, b)
	g.VPSLLQ(operand.Imm(uint64(places)), t, t)
	g.VPXOR(t, a, a)
}

// sliced writes products of slices: the schoolbook's, in blocks of as many rows as registers hold, and the reduction
// of 127 rows to 64.
func (g *machine) sliced(name string) {
	g.function(name, "is Bits.Mul: see there.", "z, x, y, room *uint64")
	z, x, y, room := g.param("z"), g.param("x"), g.param("y"), g.param("room")
	block := 8
	if !g.avx512 {
		block = 4
	}
	zero := g.vec()
	if g.avx512 {
		g.VPXORQ(zero, zero, zero)
	} else {
		g.VPXOR(zero, zero, zero)
	}
	for i := range 128 {
		g.storeRow(zero, room, i)
	}
	next := operand.U32(uint32(block * g.bytes))
	line := g.GP64()
	g.MOVQ(room, line)
	g.turns("rows", 64/block, func() {
		a := make([]vec, block)
		for i := range a {
			a[i] = g.loadRow(x, i)
		}
		b, to := g.GP64(), g.GP64()
		g.MOVQ(y, b)
		g.MOVQ(line, to)
		g.turns("block", 64/block, func() {
			sums := make([]vec, 2*block-1)
			for i := range sums {
				sums[i] = g.loadRow(to, i)
			}
			for j := range block {
				v := g.loadRow(b, j)
				for i := range a {
					g.addProduct(sums[i+j], a[i], v)
				}
			}
			for i := range sums {
				g.storeRow(sums[i], to, i)
			}
			g.ADDQ(next, b)
			g.ADDQ(next, to)
		})
		g.ADDQ(next, x)
		g.ADDQ(next, line)
	})
	// Row 64 + j is rows j, j + 1, j + 3 and j + 4. What that adds to rows from 64 on, by the last three, comes first.
	h := func(j int) vec { return g.loadRow(room, 64+j) }
	top := []vec{h(60), h(61), h(62)}
	var low []vec // the first three of the window
	for i, add := range [][]vec{{top[0], top[1]}, {top[1], top[2]}, {top[2]}} {
		v := h(i)
		for _, t := range add {
			g.addRow(v, t)
		}
		low = append(low, v)
	}
	window := make([]vec, 64) // rows from 64 on
	copy(window, low)
	for i := range 64 {
		if i > 2 && i < 63 {
			window[i] = h(i)
		}
		sum := g.loadRow(room, i)
		for _, back := range []int{0, 1, 3, 4} {
			if i >= back && i-back < 63 {
				g.addRow(sum, window[i-back])
			}
		}
		g.storeRow(sum, z, i)
	}
	g.end()
}

// addProduct adds the product of bits.
func (g *machine) addProduct(sum, a, b vec) {
	if g.avx512 {
		g.VPTERNLOGQ(operand.Imm(0x78), a, b, sum) // sum ^ a & b
		return
	}
	t := g.vec()
	g.VPAND(a, b, t)
	g.VPXOR(t, sum, sum)
}

func (g *machine) addRow(sum, x vec) {
	if g.avx512 {
		g.VPXORQ(x, sum, sum)
	} else {
		g.VPXOR(x, sum, sum)
	}
}
