package main

import (
	"path/filepath"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
)

// rns writes the kernels of package rns: sums Σ c[i]·x[i] of products of 52 bits, for rows x[i] of 32 elements, and
// what is around them. A row is four vectors, or with AVX2 eight, for which there are too few registers: kernels go
// over the first halves of all rows, and then over the second ones.
type rns struct {
	*machine
	product product52
	half    gp // with AVX2, the bytes of a row before the half
}

const (
	rowBytes   = 32 * 8
	rowVectors = 4 // at a time
)

// writeRNS writes the files of package rns.
func writeRNS(dir string) error {
	for _, f := range []struct {
		name         string
		avx512, ifma bool
	}{{"zavx512", true, true}, {"zdouble512", true, false}, {"zdouble256", false, false}} {
		m := &machine{instructions: newInstructions(), bytes: 64, word: 8, avx512: f.avx512}
		m.ConstraintExpr("amd64,!purego")
		if !f.avx512 {
			m.bytes = 32
			m.maskData()
		}
		g := &rns{machine: m, product: &double52{machine: m}}
		if f.ifma {
			g.product = &ifma52{m}
		}
		g.dot()
		g.limb()
		g.clearing()
		g.quotient()
		g.scale()
		if f.ifma || !f.avx512 { // without products, and the same for both with AVX-512
			g.split()
			g.join()
			g.words()
		}
		if !f.avx512 {
			g.cut()
			g.pair()
			for words := addLeast; words <= addMost; words++ {
				g.adding(words)
			}
		}
		for k := garnerLeast; f.ifma && k <= garnerMost; k++ {
			g.garner(k)
		}
		asm, stubs, err := m.print("rns")
		if err == nil {
			err = writeFiles(filepath.Join(dir, f.name), asm, stubs)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// multiplies writes a kernel with products. body is what it does with rows.
func (g *rns) multiplies(name, doc, params string, body func()) {
	g.function(name+g.product.suffix(), doc, params)
	g.product.begin()
	g.halves(body)
	g.end()
}

// halves runs body on rows, with AVX2 on one half after the other.
func (g *rns) halves(body func()) {
	if g.avx512 {
		body()
		return
	}
	g.half = g.GP64()
	g.XORQ(g.half, g.half)
	g.Label("half")
	body()
	g.ADDQ(operand.U32(rowBytes/2), g.half)
	g.CMPQ(g.half, operand.U32(rowBytes))
	g.JNE(operand.LabelRef("half"))
}

// rows loads the place of rows, or of their second halves.
func (g *rns) rows(name string) gp {
	p := g.param(name)
	if !g.avx512 {
		g.ADDQ(g.half, p)
	}
	return p
}

// inRow returns vector i of the row at p.
func (g *rns) inRow(p gp, i int) operand.Mem { return operand.Mem{Base: p, Disp: g.bytes * i} }

// copies returns a row of x.
func (g *rns) copies(x vec) []vec {
	z := make([]vec, rowVectors)
	for i := range z {
		z[i] = g.mov(x)
	}
	return z
}

// mask52 returns 2^52 − 1. AVX2 has it in memory, and AVX-512 in a register from where a function first asks for it.
func (g *machine) mask52() operand.Op {
	if !g.avx512 {
		return operand.NewDataAddr(operand.NewStaticSymbol("mask"), 0)
	}
	if g.limb == nil {
		g.limb = g.constant(1<<52 - 1)
	}
	return g.limb
}

func (g *machine) maskData() {
	g.StaticGlobal("mask")
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range g.bytes / 8 {
		g.AddDatum(8*i, operand.U64(1<<52-1))
	}
}

// sums returns the sums of the low and of the high halves of the n products. Where carry is not nil, the row there is
// among the low ones.
func (g *rns) sums(carry gp) (low, high []vec) {
	n := g.param("n")
	l, h := g.product.start(n)
	low, high = g.copies(l), g.copies(h)
	if carry != nil {
		for i := range low {
			g.VPADDQ(g.inRow(carry, i), low[i], low[i])
		}
	}
	x, c := g.rows("x"), g.param("c")
	g.Label("products")
	w := g.product.factor(g.broadcast(operand.Mem{Base: c}))
	for i := range low {
		g.product.add(w, g.product.factor(g.inRow(x, i)), low[i], high[i])
	}
	g.ADDQ(operand.U32(rowBytes), x)
	g.ADDQ(operand.Imm(8), c)
	g.DECQ(n)
	g.JNE(operand.LabelRef("products"))
	return low, high
}

// montgomery clears the low 52 bits of sums.
type montgomery struct {
	*rns
	p, inverse, mask operand.Op
}

func (g *rns) montgomery(m gp) *montgomery {
	load := func(i int) operand.Op { return g.product.factor(g.broadcast(operand.Mem{Base: m, Disp: 8 * i})) }
	return &montgomery{g, load(0), load(1), g.mask52()}
}

// clear returns, for the q below 2^52 that makes the low 52 bits of sum + qp zero, the low half that q is, and what is
// above these bits. Those of sum and of qp are both 0, or add up to 2^52.
func (g *montgomery) clear(sum vec) (q, above vec) {
	q = g.product.low(g.inverse, sum)
	above = g.srlq(g.op2(g.ctx3(g.VPADDQ), g.mask, sum), 52)
	g.product.addHigh(g.p, g.product.again(q), above)
	return q, above
}

// dot reduces twice by Montgomery's method. With fewer than 2^9 products the halves are below 2^61 and 2^9·p, what the
// first step leaves is below 2^60, and what the second leaves at most 2^8 + p: for p above 2^8 one subtraction is left.
func (g *rns) dot() {
	g.multiplies("dot", "sets row z to Σ c[i]·x[i]/2^104 modulo p, for n rows x below 2^52 and n words c below p, "+
		"0 < n < 512. m has p, −1/p modulo 2^52.", "z, x, c *uint64, m *[2]uint64, n int", func() {
		low, high := g.sums(nil)
		m := g.param("m")
		step, p, z := g.montgomery(m), g.broadcast(operand.Mem{Base: m}), g.rows("z")
		for i := range high {
			_, above := step.clear(low[i])
			_, above = step.clear(g.addq(high[i], above))
			g.store(g.reduce(above, p), g.inRow(z, i))
		}
	})
}

// limb is one limb of a sum of products of digits by numbers of many limbs.
func (g *rns) limb() {
	g.multiplies("limb", "adds Σ c[i]·x[i] to the row carry, for n rows x and n words c below 2^52, 0 < n < 512, "+
		"moves the low 52 bits to row z and leaves what is above them.", "z, carry, x, c *uint64, n int", func() {
		carry := g.rows("carry")
		low, high := g.sums(carry)
		z, mask := g.rows("z"), g.mask52()
		for i := range low {
			g.store(g.and(low[i], mask), g.inRow(z, i))
			g.store(g.addq(high[i], g.srlq(low[i], 52)), g.inRow(carry, i))
		}
	})
}

// clearing is limb for a limb that a multiple of the modulus makes 0, by Montgomery's method.
func (g *rns) clearing() {
	g.multiplies("clear", "adds Σ c[i]·x[i] to the row carry as limb does, sets row z to the multiples of m[0], "+
		"below 2^52, that clear the low 52 bits of the sums, adds them and leaves what is above these bits. m has "+
		"an odd p below 2^52 and −1/p modulo 2^52.", "z, carry, x, c *uint64, m *[2]uint64, n int", func() {
		carry := g.rows("carry")
		low, high := g.sums(carry)
		step, z := g.montgomery(g.param("m")), g.rows("z")
		for i := range low {
			q, above := step.clear(low[i])
			g.store(g.product.word(q), g.inRow(z, i))
			g.store(g.addq(high[i], above), g.inRow(carry, i))
		}
	})
}

// quotientBits is the place of 1 in the sums of quotient.
const quotientBits = 101

// quotient is a sum of fractions.
func (g *rns) quotient() {
	g.multiplies("quotient", "sets row z to the integers in (Σ c[i]·x[i] + up·2^52)/2^101, for n rows x and n words c "+
		"below 2^52, 0 < n < 512, and up below 2^49.", "z, x, c *uint64, n int, up uint64", func() {
		low, high := g.sums(nil)
		up, z := g.broadcast(g.frame("up")), g.rows("z")
		for i := range low {
			sum := g.addq(g.addq(high[i], up), g.srlq(low[i], 52))
			g.store(g.srlq(sum, quotientBits-52), g.inRow(z, i))
		}
	})
}

// scale is the product of rows by a constant, by Shoup's method.
func (g *rns) scale() {
	g.multiplies("scale", "sets n rows, step words apart from z on, to w·x modulo p, below 2p, for rows x below "+
		"2^52 that follow each other. m has w below p, ⌊w·2^52/p⌋ and 2^52 − p, for p below 2^50.",
		"z, x *uint64, m *[3]uint64, step, n int", func() {
			scaled := g.product.scaler(g.param("m"))
			z, x, step, n := g.rows("z"), g.rows("x"), g.param("step"), g.param("n")
			g.SHLQ(operand.Imm(3), step)
			g.Label("row")
			for i := range rowVectors {
				g.store(scaled(g.inRow(x, i)), g.inRow(z, i))
			}
			g.ADDQ(operand.U32(rowBytes), x)
			g.ADDQ(step, z)
			g.DECQ(n)
			g.JNE(operand.LabelRef("row"))
		})
}

// numbers is packed numbers of so many words that follow each other, one for each lane of a vector.
type numbers struct {
	*rns
	at            vec // with AVX-512, of lanes, in words
	stride, three gp  // with AVX2, bytes of a number and of three
	next          gp  // bytes of as many as there are lanes
}

func (g *rns) numbers(words gp) *numbers {
	n := &numbers{rns: g, next: g.GP64()}
	g.IMUL3Q(operand.U32(8*g.lanes()), words, n.next)
	if !g.avx512 {
		n.stride, n.three = g.GP64(), g.GP64()
		g.IMUL3Q(operand.Imm(8), words, n.stride)
		g.IMUL3Q(operand.Imm(24), words, n.three)
		return n
	}
	lanes, x, stride := g.GP64(), g.XMM(), g.vec()
	g.MOVQ(operand.U64(0x0706050403020100), lanes)
	g.VMOVQ(lanes, x)
	n.at = g.vec()
	g.VPMOVZXBQ(x, n.at)
	g.VPBROADCASTQ(words, stride)
	g.VPMULLQ(stride, n.at, n.at)
	return n
}

// first loads the place of packed numbers of so many words: of the first one in the half.
func (g *rns) first(name string, words gp) gp {
	p := g.param(name)
	if !g.avx512 {
		before := g.GP64()
		g.MOVQ(g.half, before)
		g.IMULQ(words, before)
		g.ADDQ(before, p)
	}
	return p
}

// words are those of four numbers at a place.
func (n *numbers) words(p gp) []operand.Mem {
	return []operand.Mem{{Base: p}, {Base: p, Index: n.stride, Scale: 1}, {Base: p, Index: n.stride, Scale: 2},
		{Base: p, Index: n.three, Scale: 1}}
}

// gather loads a word of each number, and scatter stores them. Both move on to the next numbers.
func (n *numbers) gather(p gp) vec {
	z := n.vec()
	if n.avx512 {
		all := n.K()
		n.KXNORB(all, all, all)
		n.VPXORQ(z, z, z)
		n.VPGATHERQQ(operand.Mem{Base: p, Index: n.at, Scale: 8}, all, z)
	} else {
		m, high := n.words(p), n.XMM()
		n.VMOVQ(m[0], z.AsX())
		n.VPINSRQ(operand.Imm(1), m[1], z.AsX(), z.AsX())
		n.VMOVQ(m[2], high)
		n.VPINSRQ(operand.Imm(1), m[3], high, high)
		n.VINSERTI128(operand.Imm(1), high, z, z)
	}
	n.ADDQ(n.next, p)
	return z
}

func (n *numbers) scatter(v vec, p gp) {
	if n.avx512 {
		all := n.K()
		n.KXNORB(all, all, all)
		n.VPSCATTERQQ(v, all, operand.Mem{Base: p, Index: n.at, Scale: 8})
	} else {
		m, high := n.words(p), n.XMM()
		n.VMOVQ(v.AsX(), m[0])
		n.VPEXTRQ(operand.Imm(1), v.AsX(), m[1])
		n.VEXTRACTI128(operand.Imm(1), v, high)
		n.VMOVQ(high, m[2])
		n.VPEXTRQ(operand.Imm(1), high, m[3])
	}
	n.ADDQ(n.next, p)
}

// count loads the number of bits of a shift.
func (g *rns) count(m operand.Mem) vec {
	x := g.XMM()
	g.VMOVQ(m, x)
	return x
}

// moves writes a kernel without products.
func (g *rns) moves(name, doc, params string, body func()) {
	suffix := "AVX2"
	if g.avx512 {
		suffix = "AVX512"
	}
	g.function(name+suffix, doc, params)
	g.halves(body)
	g.end()
}

// split moves words to limbs. A limb begins at a byte or in the middle of one, so that the eight bytes from there on
// have all of it.
func (g *rns) split() {
	g.moves("split", "sets n rows z to the limbs of 32 numbers of so many words, which follow each other from x "+
		"on: to 52 bits of the word at byte c[2i] of a number, from bit c[2i+1] on.", "z, x, c *uint64, words, n int", func() {
		words := g.param("words")
		z, x, c, n := g.rows("z"), g.first("x", words), g.param("c"), g.param("n")
		numbers, mask := g.numbers(words), g.mask52()
		g.Label("limb")
		from := g.GP64()
		g.MOVQ(operand.Mem{Base: c}, from)
		g.ADDQ(x, from)
		shift := g.count(operand.Mem{Base: c, Disp: 8})
		v := make([]vec, rowVectors)
		for i := range v {
			v[i] = numbers.gather(from)
		}
		for i := range v {
			g.store(g.and(g.op2(g.ctx3(g.VPSRLQ), shift, v[i]), mask), g.inRow(z, i))
		}
		g.ADDQ(operand.U32(rowBytes), z)
		g.ADDQ(operand.Imm(16), c)
		g.DECQ(n)
		g.JNE(operand.LabelRef("limb"))
	})
}

// cut moves windows of a number to words. Eight windows that are as far apart as digits of so many bits begin so many
// bytes above the eight before them, each at the same bit of its byte. Loads that fill a vector and blends take no
// shuffles, of which processors have one a cycle. There is no form of it with AVX-512: loads limit it.
func (g *rns) cut() {
	g.function("cutAVX2", "sets 8n words of z to windows of a number x: word i of each eight to the 8 bytes at byte "+
		"c[i], shifted down by c[8+i] bits, and c[16]. x goes on by step bytes after each eight.",
		"z, x *uint64, c *[17]uint64, step, n int")
	c := g.param("c")
	var at [8]gp
	for i := range at {
		at[i] = g.GP64()
		g.MOVQ(operand.Mem{Base: c, Disp: 8 * i}, at[i])
	}
	var shifts [2]vec
	for i := range shifts {
		shifts[i] = g.load(operand.Mem{Base: c, Disp: 64 + 32*i})
	}
	mask := g.broadcast(operand.Mem{Base: c, Disp: 128})
	z, x, step, n := g.param("z"), g.param("x"), g.param("step"), g.param("n")
	g.Label("eight")
	for i, shift := range shifts {
		var v vec
		for j, from := range at[4*i:][:4] {
			w := g.broadcast(operand.Mem{Base: x, Index: from, Scale: 1})
			if j == 0 {
				v = w
				continue
			}
			g.VPBLENDD(operand.Imm(3<<(2*j)), w, v, v)
		}
		g.store(g.and(g.op2(g.ctx3(g.VPSRLVQ), shift, v), mask), operand.Mem{Base: z, Disp: 32 * i})
	}
	g.ADDQ(step, x)
	g.ADDQ(operand.Imm(64), z)
	g.DECQ(n)
	g.JNE(operand.LabelRef("eight"))
	g.end()
}

// join is the way back, with a subtraction before it.
func (g *rns) join() {
	g.moves("join", "subtracts p, of n limbs, from those of 32 numbers in rows x that are p or more, and moves "+
		"them to numbers of so many words, which follow each other from z on: word i is the row at byte c[4i] of "+
		"x, shifted down by c[4i+1] bits, and the two rows above it, shifted up by c[4i+2] and c[4i+3].",
		"z, x, p, c *uint64, words, n int", func() {
			x, mask := g.rows("x"), g.mask52()
			below := g.borrows("compare", x, nil, mask) // −1 in the numbers below p
			g.borrows("subtract", x, below, mask)
			words := g.param("words")
			z, c, numbers := g.first("z", words), g.param("c"), g.numbers(words)
			g.Label("word")
			row, to := g.GP64(), g.GP64()
			g.MOVQ(operand.Mem{Base: c}, row)
			g.ADDQ(x, row)
			g.MOVQ(z, to)
			down, up := g.count(operand.Mem{Base: c, Disp: 8}), g.count(operand.Mem{Base: c, Disp: 16})
			far := g.count(operand.Mem{Base: c, Disp: 24})
			for i := range rowVectors {
				numbers.scatter(g.three(g.inRow(row, i), down, up, far), to)
			}
			g.ADDQ(operand.Imm(8), z)
			g.ADDQ(operand.Imm(32), c)
			g.DECQ(words)
			g.JNE(operand.LabelRef("word"))
		})
}

// three returns the vector at m shifted down, and those of the two rows above it shifted up.
func (g *rns) three(m operand.Mem, down, up, far vec) vec {
	v := g.op2(g.ctx3(g.VPSRLQ), down, g.load(m))
	for j, up := range []vec{up, far} {
		v = g.or(g.op2(g.ctx3(g.VPSLLQ), up, g.load(m.Offset((j+1)*rowBytes))), v)
	}
	return v
}

// words is join without the subtraction, to rows: processors store them many times as fast as single words.
func (g *rns) words() {
	g.moves("words", "sets n rows z to words of 32 numbers with limbs in rows x: row i is the row at byte c[4i] of x, "+
		"shifted down by c[4i+1] bits, and the two rows above it, shifted up by c[4i+2] and c[4i+3].",
		"z, x, c *uint64, n int", func() {
			z, x, c, n := g.rows("z"), g.rows("x"), g.param("c"), g.param("n")
			g.Label("word")
			row := g.GP64()
			g.MOVQ(operand.Mem{Base: c}, row)
			g.ADDQ(x, row)
			down, up := g.count(operand.Mem{Base: c, Disp: 8}), g.count(operand.Mem{Base: c, Disp: 16})
			far := g.count(operand.Mem{Base: c, Disp: 24})
			for i := range rowVectors {
				g.store(g.three(g.inRow(row, i), down, up, far), g.inRow(z, i))
			}
			g.ADDQ(operand.U32(rowBytes), z)
			g.ADDQ(operand.Imm(32), c)
			g.DECQ(n)
			g.JNE(operand.LabelRef("word"))
		})
}

// borrows subtracts the limbs of p from those in rows x and returns −1 where a borrow is left, 0 elsewhere. It keeps
// the numbers in which keep is −1 and writes the others; where keep is nil, it writes none.
func (g *rns) borrows(label string, x gp, keep []vec, mask operand.Op) []vec {
	g.zero = g.constant(0)
	row, p, left, borrow := g.GP64(), g.param("p"), g.param("n"), g.copies(g.zero)
	g.MOVQ(x, row)
	g.Label(label)
	limb := g.broadcast(operand.Mem{Base: p})
	for i := range borrow {
		by := limb
		if keep != nil {
			by = g.without(limb, keep[i])
		}
		g.VPADDQ(g.inRow(row, i), borrow[i], borrow[i])
		g.VPSUBQ(by, borrow[i], borrow[i])
		if keep != nil {
			g.store(g.and(borrow[i], mask), g.inRow(row, i))
		}
		if g.avx512 {
			g.VPSRAQ(operand.Imm(63), borrow[i], borrow[i])
		} else {
			g.VPCMPGTQ(borrow[i], g.zero, borrow[i])
		}
	}
	g.ADDQ(operand.U32(rowBytes), row)
	g.ADDQ(operand.Imm(8), p)
	g.DECQ(left)
	g.JNE(operand.LabelRef(label))
	return borrow
}

// or returns a | b, and without a where keep is 0.
func (g *rns) or(a, b vec) vec {
	if g.avx512 {
		return g.op2(g.ctx3(g.VPORQ), a, b)
	}
	return g.op2(g.ctx3(g.VPOR), a, b)
}

func (g *rns) without(a, keep vec) vec {
	if g.avx512 {
		return g.op2(g.ctx3(g.VPANDNQ), a, keep)
	}
	return g.op2(g.ctx3(g.VPANDN), a, keep)
}
