package main

import (
	"path/filepath"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// rns writes the kernels of package rns: sums Σ c[i]·x[i] of products of 52 bits, for rows x[i] of 32 elements in four
// vectors, and what is around them.
type rns struct{ *machine }

const rowBytes = 4 * 64

// writeRNS writes the files of package rns.
func writeRNS(dir string) error {
	m := &machine{Context: build.NewContext(), bytes: 64, word: 8, avx512: true}
	m.ConstraintExpr("amd64,!purego")
	g := &rns{machine: m}
	g.dot()
	g.limb()
	g.clearing()
	g.quotient()
	g.scale()
	g.split()
	g.join()
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

// rowVectors is the number of vectors in a row.
const rowVectors = rowBytes / 64

// inRow returns vector i of the row at p.
func inRow(p gp, i int) operand.Mem { return operand.Mem{Base: p, Disp: 64 * i} }

// loadRow returns the vectors of a row.
func (g *rns) loadRow(p gp) []vec {
	z := make([]vec, rowVectors)
	for i := range z {
		z[i] = g.load(inRow(p, i))
	}
	return z
}

// zeros returns a row.
func (g *rns) zeros() []vec {
	if g.zero == nil {
		g.zero = g.constant(0)
	}
	z := make([]vec, rowVectors)
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
	low := g.loadRow(carry)
	g.sums(low, high)
	for i := range low {
		g.store(g.and(low[i], mask), inRow(z, i))
		g.store(g.addq(high[i], g.srlq(low[i], 52)), inRow(carry, i))
	}
	g.end()
}

// clearing is limb for a limb that a multiple of the modulus makes 0, by Montgomery's method.
func (g *rns) clearing() {
	g.function("clearIFMA", "adds Σ c[i]·x[i] to the row carry as limbIFMA does, sets row z to the multiples of m[0], "+
		"below 2^52, that clear the low 52 bits of the sums, adds them and leaves what is above these bits. m has an odd "+
		"p below 2^52 and −1/p modulo 2^52.", "z, carry, x, c *uint64, m *[2]uint64, n int")
	z, carry, high := g.param("z"), g.param("carry"), g.zeros()
	m := g.param("m")
	p, inverse := g.broadcast(operand.Mem{Base: m}), g.broadcast(operand.Mem{Base: m, Disp: 8})
	low := g.loadRow(carry)
	g.sums(low, high)
	q := g.zeros()
	for i := range q {
		g.VPMADD52LUQ(inverse, low[i], q[i])
		g.store(q[i], inRow(z, i))
	}
	for i := range q {
		g.VPMADD52LUQ(p, q[i], low[i])
		g.VPMADD52HUQ(p, q[i], high[i])
		g.store(g.addq(high[i], g.srlq(low[i], 52)), inRow(carry, i))
	}
	g.end()
}

// quotientBits is the place of 1 in the sums of quotient.
const quotientBits = 101

// quotient is a sum of fractions.
func (g *rns) quotient() {
	g.function("quotientIFMA", "sets row z to Σ c[i]·x[i]/2^101 to the nearest integer, for n rows x and n words c below "+
		"2^52, 0 < n < 512.", "z, x, c *uint64, n int")
	low, high, z := g.zeros(), g.zeros(), g.param("z")
	half := g.constant(1 << (quotientBits - 52 - 1))
	g.sums(low, high)
	for i := range low {
		sum := g.addq(g.addq(high[i], half), g.srlq(low[i], 52))
		g.store(g.srlq(sum, quotientBits-52), inRow(z, i))
	}
	g.end()
}

// scale is the product of rows by a constant, by Shoup's method.
func (g *rns) scale() {
	g.function("scaleIFMA", "sets n rows, step words apart from z on, to w·x modulo p, below 2p, for rows x below 2^52 that "+
		"follow each other. m has w below p, ⌊w·2^52/p⌋ and 2^52 − p, for p below 2^50.",
		"z, x *uint64, m *[3]uint64, step, n int")
	m, mask := g.param("m"), g.constant(1<<52-1)
	w, q, minus := g.broadcast(operand.Mem{Base: m}), g.broadcast(operand.Mem{Base: m, Disp: 8}),
		g.broadcast(operand.Mem{Base: m, Disp: 16})
	z, x, step, n := g.param("z"), g.param("x"), g.param("step"), g.param("n")
	g.SHLQ(operand.Imm(3), step)
	g.zero = g.constant(0)
	g.Label("row")
	high, low := g.zeros(), g.zeros()
	for i := range high {
		t := g.load(inRow(x, i))
		g.VPMADD52HUQ(q, t, high[i])
		g.VPMADD52LUQ(w, t, low[i])
	}
	for i := range high {
		g.VPMADD52LUQ(minus, high[i], low[i])
		g.store(g.and(low[i], mask), inRow(z, i))
	}
	g.ADDQ(operand.U32(rowBytes), x)
	g.ADDQ(step, z)
	g.DECQ(n)
	g.JNE(operand.LabelRef("row"))
	g.end()
}

// numbers returns the places of eight numbers of so many words, and the distance from these to the next eight in bytes.
func (g *rns) numbers(words gp) (at vec, next gp) {
	lanes, x := g.GP64(), g.XMM()
	g.MOVQ(operand.U64(0x0706050403020100), lanes)
	g.VMOVQ(lanes, x)
	at, next = g.vec(), g.GP64()
	g.VPMOVZXBQ(x, at)
	stride := g.vec()
	g.VPBROADCASTQ(words, stride)
	g.VPMULLQ(stride, at, at)
	g.MOVQ(words, next)
	g.SHLQ(operand.Imm(6), next)
	return at, next
}

// count loads the number of bits of a shift.
func (g *rns) count(m operand.Mem) vec {
	x := g.XMM()
	g.VMOVQ(m, x)
	return x
}

// split moves words to limbs. A limb begins at a byte or in the middle of one, so that the eight bytes from there on
// have all of it.
func (g *rns) split() {
	g.function("splitIFMA", "sets n rows z to the limbs of 32 numbers of so many words, which follow each other from x on: to "+
		"52 bits of the word at byte c[2i] of a number, from bit c[2i+1] on.", "z, x, c *uint64, words, n int")
	z, x, c, words, n := g.param("z"), g.param("x"), g.param("c"), g.param("words"), g.param("n")
	at, next := g.numbers(words)
	mask := g.constant(1<<52 - 1)
	g.Label("limb")
	from := g.GP64()
	g.MOVQ(operand.Mem{Base: c}, from)
	g.ADDQ(x, from)
	shift := g.count(operand.Mem{Base: c, Disp: 8})
	v := make([]vec, rowVectors)
	for i := range v {
		v[i] = g.vec()
		all := g.K()
		g.KXNORB(all, all, all)
		g.VPXORQ(v[i], v[i], v[i])
		g.VPGATHERQQ(operand.Mem{Base: from, Index: at, Scale: 8}, all, v[i])
		if i < rowVectors-1 {
			g.ADDQ(next, from)
		}
	}
	for i := range v {
		g.store(g.and(g.op2(g.ctx3(g.VPSRLQ), shift, v[i]), mask), inRow(z, i))
	}
	g.ADDQ(operand.U32(rowBytes), z)
	g.ADDQ(operand.Imm(16), c)
	g.DECQ(n)
	g.JNE(operand.LabelRef("limb"))
	g.end()
}

// join is the way back, with a subtraction before it.
func (g *rns) join() {
	g.function("joinIFMA", "subtracts p, of n limbs, from those of 32 numbers in rows x that are p or more, and moves them to "+
		"numbers of so many words, which follow each other from z on: word i is the row at byte c[4i] of x, shifted down by "+
		"c[4i+1] bits, and the two rows above it, shifted up by c[4i+2] and c[4i+3].",
		"z, x, p, c *uint64, words, n int")
	x, mask := g.param("x"), g.constant(1<<52-1)
	below := g.borrows("compare", x, nil, mask) // −1 in the numbers below p
	g.borrows("subtract", x, below, mask)
	z, c, words := g.param("z"), g.param("c"), g.param("words")
	at, next := g.numbers(words)
	g.Label("word")
	row, to := g.GP64(), g.GP64()
	g.MOVQ(operand.Mem{Base: c}, row)
	g.ADDQ(x, row)
	g.MOVQ(z, to)
	down, up := g.count(operand.Mem{Base: c, Disp: 8}), g.count(operand.Mem{Base: c, Disp: 16})
	far := g.count(operand.Mem{Base: c, Disp: 24})
	for i := range rowVectors {
		v := g.op2(g.ctx3(g.VPSRLQ), down, g.load(inRow(row, i)))
		for j, up := range []vec{up, far} {
			m := operand.Mem{Base: row, Disp: 64*i + (j+1)*rowBytes}
			v = g.op2(g.ctx3(g.VPORQ), g.op2(g.ctx3(g.VPSLLQ), up, g.load(m)), v)
		}
		all := g.K()
		g.KXNORB(all, all, all)
		g.VPSCATTERQQ(v, all, operand.Mem{Base: to, Index: at, Scale: 8})
		if i < rowVectors-1 {
			g.ADDQ(next, to)
		}
	}
	g.ADDQ(operand.Imm(8), z)
	g.ADDQ(operand.Imm(32), c)
	g.DECQ(words)
	g.JNE(operand.LabelRef("word"))
	g.end()
}

// borrows subtracts the limbs of p from those in rows x and returns −1 where a borrow is left, 0 elsewhere. It keeps
// the numbers in which keep is −1 and writes the others; where keep is nil, it writes none.
func (g *rns) borrows(label string, x gp, keep []vec, mask vec) []vec {
	row, p, left, borrow := g.GP64(), g.param("p"), g.param("n"), g.zeros()
	g.MOVQ(x, row)
	g.Label(label)
	limb := g.broadcast(operand.Mem{Base: p})
	for i := range borrow {
		by := limb
		if keep != nil {
			by = g.op2(g.ctx3(g.VPANDNQ), limb, keep[i])
		}
		g.VPADDQ(inRow(row, i), borrow[i], borrow[i])
		g.VPSUBQ(by, borrow[i], borrow[i])
		if keep != nil {
			g.store(g.and(borrow[i], mask), inRow(row, i))
		}
		g.VPSRAQ(operand.Imm(63), borrow[i], borrow[i])
	}
	g.ADDQ(operand.U32(rowBytes), row)
	g.ADDQ(operand.Imm(8), p)
	g.DECQ(left)
	g.JNE(operand.LabelRef(label))
	return borrow
}
