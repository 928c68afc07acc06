package main

import (
	"path/filepath"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// rns writes the kernels of package rns: sums Σ c[i]·x[i] of products of 52 bits, for rows x[i] of 32 elements in four
// vectors.
type rns struct{ *machine }

const rowBytes = 4 * 64

// writeRNS writes the files of package rns.
func writeRNS(dir string) error {
	m := &machine{Context: build.NewContext(), bytes: 64, word: 8, avx512: true}
	m.ConstraintExpr("amd64,!purego")
	g := &rns{machine: m}
	g.dot()
	g.limb()
	asm, stubs, err := m.print("rns")
	if err != nil {
		return err
	}
	return writeFiles(filepath.Join(dir, "zavx512"), asm, stubs)
}

// sums adds the low and the high halves of the n products to low and to high.
func (g *rns) sums(low, high []vec) {
	x, c, n := g.param("x"), g.param("c"), g.param("n")
	g.Label("products")
	w := g.broadcast(operand.Mem{Base: c})
	for i := range low {
		m := operand.Mem{Base: x, Disp: 64 * i}
		g.VPMADD52LUQ(m, w, low[i])
		g.VPMADD52HUQ(m, w, high[i])
	}
	g.ADDQ(operand.U32(rowBytes), x)
	g.ADDQ(operand.Imm(8), c)
	g.DECQ(n)
	g.JNE(operand.LabelRef("products"))
}

// zeros returns four vectors.
func (g *rns) zeros() []vec {
	if g.zero == nil {
		g.zero = g.constant(0)
	}
	z := make([]vec, 4)
	for i := range z {
		z[i] = g.mov(g.zero)
	}
	return z
}

// dot reduces twice by Montgomery's method. With fewer than 2^9 products the halves are below 2^61 and 2^9·p, what the
// first step leaves is below 2^60, and what the second leaves at most 2^8 + p: for p above 2^8 one subtraction is left.
func (g *rns) dot() {
	g.function("dotIFMA", "sets row z to Σ c[i]·x[i]/2^104 modulo p, for n rows x below 2^52 and n words c below p, "+
		"0 < n < 512. m has p, −1/p modulo 2^52.", "z, x, c *uint64, m *[2]uint64, n int")
	low, high := g.zeros(), g.zeros()
	m := g.param("m")
	p, inverse := g.broadcast(operand.Mem{Base: m}), g.broadcast(operand.Mem{Base: m, Disp: 8})
	mask := g.constant(1<<52 - 1)
	g.sums(low, high)
	for step := range 2 {
		q := g.zeros()
		for i := range q {
			if step > 0 {
				low[i], high[i] = g.and(high[i], mask), g.srlq(high[i], 52)
			}
			g.VPMADD52LUQ(inverse, low[i], q[i])
		}
		for i := range q { // the low 52 bits become 0
			g.VPMADD52LUQ(p, q[i], low[i])
			g.VPMADD52HUQ(p, q[i], high[i])
			g.VPADDQ(g.srlq(low[i], 52), high[i], high[i])
		}
	}
	z := g.param("z")
	for i := range high {
		g.store(g.reduce(high[i], p), operand.Mem{Base: z, Disp: 64 * i})
	}
	g.end()
}

// limb is one limb of a sum of products of digits by numbers of many limbs.
func (g *rns) limb() {
	g.function("limbIFMA", "adds Σ c[i]·x[i] to the row carry, for n rows x and n words c below 2^52, 0 < n < 512, "+
		"moves the low 52 bits to row z and leaves what is above them.", "z, carry, x, c *uint64, n int")
	z, carry, high, mask := g.param("z"), g.param("carry"), g.zeros(), g.constant(1<<52-1)
	var low []vec
	for i := range high {
		low = append(low, g.load(operand.Mem{Base: carry, Disp: 64 * i}))
	}
	g.sums(low, high)
	for i := range low {
		g.store(g.and(low[i], mask), operand.Mem{Base: z, Disp: 64 * i})
		g.store(g.addq(high[i], g.srlq(low[i], 52)), operand.Mem{Base: carry, Disp: 64 * i})
	}
	g.end()
}
