package main

import (
	"fmt"
	"path/filepath"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// mulx writes the kernels of package mulx: arithmetic of numbers of some words modulo p, one by one. MULX leaves the
// flags alone, and ADCX and ADOX take one of them each, so that the low and the high halves of products are added in
// two chains of carries at once.
type mulx struct{ *machine }

// unrolled are the numbers of words with code of their own; more go in loops.
var unrolled = []int{2, 3, 4, 5, 6, 8, 10}

// writeMULX writes the files of package mulx.
func writeMULX(dir string) error {
	for _, part := range []struct {
		name  string
		write func(g *mulx)
	}{
		{"times", func(g *mulx) {
			for _, w := range unrolled {
				(&product1{mulx: g, w: w}).times()
				(&product1{mulx: g, w: w, full: true}).times()
			}
			g.timesLoop()
		}},
		{"cross", func(g *mulx) {
			for _, w := range unrolled {
				g.cross(w)
			}
			g.crossLoop()
		}},
	} {
		m := &machine{instructions: newInstructions(), bytes: 64, word: 8}
		m.ConstraintExpr("amd64,!purego")
		part.write(&mulx{m})
		asm, stubs, err := m.print("mulx")
		if err == nil {
			err = writeFiles(filepath.Join(dir, "z"+part.name), asm, stubs)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func words(base gp, i int) operand.Mem { return operand.Mem{Base: base, Disp: 8 * i} }

func (g *mulx) registers(n int) []gp {
	z := make([]gp, n)
	for i := range z {
		z[i] = g.GP64()
	}
	return z
}

// spill returns a place in the frame that holds a parameter, which the code changes.
func (g *mulx) spill(name string) operand.Mem {
	m, r := g.AllocLocal(8), g.GP64()
	g.Load(g.Param(name), r)
	g.MOVQ(r, m)
	return m
}

// product1 is one of Montgomery's products in straight-line code. What is added up is below 2p between words of x: that
// has a bit more than w words where full, for p with a bit at the top of its last word.
type product1 struct {
	*mulx
	w      int
	full   bool
	t      []gp // w + 1 words; between words of x the last is free
	top    gp   // of the sum, where full: 0 or 1
	lo, hi gp

	by, p   func(j int) operand.Mem
	inverse operand.Mem
}

// times writes the product of rows by factors. Up to six words there are registers for all pointers; above, p and the
// factor are copied to the frame, and the places of elements wait there.
func (g *product1) times() {
	name, which := fmt.Sprintf("times%d", g.w), "below 2^63"
	if g.full {
		name, which = name+"Full", "any"
	}
	g.function(name, fmt.Sprintf("sets z to x·w/2^%d modulo p, for n elements of %d words in each of count rows. The places "+
		"of elements move by skip bytes between rows, and that of w by step. m has p, whose last word is %s, and −1/p "+
		"modulo 2^64.", 64*g.w, g.w, which), "z, x, w, m *uint64, n, count, skip, step int")
	small := g.w <= 6
	var zp, xp operand.Op
	var wp gp
	if small {
		zp, xp, wp = g.param("z"), g.param("x"), g.param("w")
	} else {
		zp, xp = g.spill("z"), g.spill("x")
	}
	m := g.param("m")
	g.p = func(j int) operand.Mem { return words(m, j) }
	g.by = func(j int) operand.Mem { return words(wp, j) }
	var factor operand.Mem
	if !small {
		modulus := g.AllocLocal(8 * (g.w + 1))
		t := g.GP64()
		for j := range g.w + 1 {
			g.MOVQ(words(m, j), t)
			g.MOVQ(t, modulus.Offset(8*j))
		}
		g.p = func(j int) operand.Mem { return modulus.Offset(8 * j) }
		factor = g.AllocLocal(8 * g.w)
		g.by = func(j int) operand.Mem { return factor.Offset(8 * j) }
	}
	g.inverse = g.p(g.w)
	count, left := g.spill("count"), g.AllocLocal(8)

	g.Label("row")
	n := g.GP64()
	g.MOVQ(g.frame("n"), n)
	g.MOVQ(n, left)
	if !small {
		w, t := g.GP64(), g.GP64()
		g.MOVQ(g.frame("w"), w)
		for j := range g.w {
			g.MOVQ(words(w, j), t)
			g.MOVQ(t, factor.Offset(8*j))
		}
	}
	g.Label("element")
	x := func(i int) {
		if small {
			g.MOVQ(words(xp.(gp), i), reg.RDX)
			return
		}
		g.MOVQ(xp, reg.RDX)
		g.MOVQ(operand.Mem{Base: reg.RDX, Disp: 8 * i}, reg.RDX)
	}
	g.t, g.lo, g.hi = g.registers(g.w+1), g.GP64(), g.GP64()
	if g.full {
		g.top = g.GP64()
	}
	for i := range g.w {
		x(i)
		g.addProduct(i == 0)
		g.reduce(i == 0)
	}
	z, ok := zp.(gp)
	if !ok {
		z = g.GP64()
		g.MOVQ(zp, z)
	}
	g.canonical(z)

	g.ADDQ(operand.U32(8*g.w), zp)
	g.ADDQ(operand.U32(8*g.w), xp)
	g.DECQ(left)
	g.JNE(operand.LabelRef("element"))
	skip := g.GP64()
	g.MOVQ(g.frame("skip"), skip)
	g.ADDQ(skip, zp)
	g.ADDQ(skip, xp)
	if small {
		g.ADDQ(g.frame("step"), wp)
	} else {
		g.MOVQ(g.frame("step"), skip)
		g.ADDQ(skip, g.frame("w"))
	}
	g.DECQ(count)
	g.JNE(operand.LabelRef("row"))
	g.RET()
}

// addProduct adds the factor times DX to t, of which the last word is new; first is where t is 0 before.
func (g *product1) addProduct(first bool) {
	t, w := g.t, g.w
	if first {
		g.MULXQ(g.by(0), t[0], t[1])
		for j := 1; j < w; j++ {
			g.MULXQ(g.by(j), g.lo, t[j+1])
			if j == 1 {
				g.ADDQ(g.lo, t[j])
			} else {
				g.ADCQ(g.lo, t[j])
			}
		}
		g.ADCQ(operand.Imm(0), t[w])
		return
	}
	g.XORQ(g.lo, g.lo)
	for j := range w {
		hi := g.hi
		if j == w-1 {
			hi = t[w]
		}
		g.MULXQ(g.by(j), g.lo, hi)
		g.ADCXQ(g.lo, t[j])
		if j < w-1 {
			g.ADOXQ(hi, t[j+1])
		}
	}
	g.MOVQ(operand.U32(0), g.lo)
	if !g.full {
		g.ADCXQ(g.lo, t[w])
		g.ADOXQ(g.lo, t[w])
		return
	}
	g.ADCXQ(g.top, t[w])
	g.ADOXQ(g.lo, t[w])
	g.MOVQ(g.lo, g.top)
	g.ADCXQ(g.lo, g.top)
	g.ADOXQ(g.lo, g.top)
}

// reduce adds a multiple of p to t that clears its first word, and drops that.
func (g *product1) reduce(first bool) {
	t, w := g.t, g.w
	g.MOVQ(g.inverse, reg.RDX)
	g.IMULQ(t[0], reg.RDX)
	g.XORQ(g.lo, g.lo)
	for j := range w {
		g.MULXQ(g.p(j), g.lo, g.hi)
		g.ADCXQ(g.lo, t[j]) // t[0] becomes 0
		g.ADOXQ(g.hi, t[j+1])
	}
	g.ADCXQ(t[0], t[w])
	if g.full {
		if first {
			g.MOVQ(t[0], g.top)
		}
		g.ADCXQ(t[0], g.top)
		g.ADOXQ(t[0], g.top)
	}
	g.t = append(t[1:w+1:w+1], t[0])
}

// canonical sets z to t less p where that is not below p.
func (g *product1) canonical(z gp) {
	t := g.t[:g.w]
	for j := range t {
		g.MOVQ(t[j], words(z, j))
	}
	for j := range t {
		if j == 0 {
			g.SUBQ(g.p(j), t[j])
		} else {
			g.SBBQ(g.p(j), t[j])
		}
	}
	if g.full {
		g.SBBQ(operand.Imm(0), g.top)
	}
	for j := range t {
		g.CMOVQCS(words(z, j), t[j])
	}
	for j := range t {
		g.MOVQ(t[j], words(z, j))
	}
}

// chain returns the instruction for word j of a sum or a difference.
func chain(j int, first, next func(a, b operand.Op)) func(a, b operand.Op) {
	if j == 0 {
		return first
	}
	return next
}

// plus sets t to x + y, and returns the carry.
func (g *mulx) plus(t []gp, x, y gp) (carry gp) {
	for j := range t {
		g.MOVQ(words(x, j), t[j])
	}
	carry = g.GP64()
	for j := range t {
		chain(j, g.ADDQ, g.ADCQ)(words(y, j), t[j])
	}
	g.MOVQ(operand.U32(0), carry)
	g.ADCQ(operand.Imm(0), carry)
	return carry
}

// minus sets t to x − y, and returns what is all ones where that is negative.
func (g *mulx) minus(t []gp, x, y gp) (borrow gp) {
	for j := range t {
		g.MOVQ(words(x, j), t[j])
	}
	borrow = g.GP64()
	for j := range t {
		chain(j, g.SUBQ, g.SBBQ)(words(y, j), t[j])
	}
	g.SBBQ(borrow, borrow)
	return borrow
}

// less takes p from the sum t, which is stored at z, where it is not below p.
func (g *mulx) less(t []gp, carry, m gp, z func(j int) operand.Mem) {
	for j := range t {
		chain(j, g.SUBQ, g.SBBQ)(words(m, j), t[j])
	}
	g.SBBQ(operand.Imm(0), carry)
	for j := range t {
		g.CMOVQCS(z(j), t[j])
	}
	g.store(t, z)
}

// more adds p to the difference t, which is stored at z, where it is negative.
func (g *mulx) more(t []gp, borrow, m gp, z func(j int) operand.Mem) {
	for j := range t {
		chain(j, g.ADDQ, g.ADCQ)(words(m, j), t[j])
	}
	g.TESTQ(borrow, borrow)
	for j := range t {
		g.CMOVQEQ(z(j), t[j])
	}
	g.store(t, z)
}

func (g *mulx) store(t []gp, z func(j int) operand.Mem) {
	for j := range t {
		g.MOVQ(t[j], z(j))
	}
}

func wordsOf(z gp) func(j int) operand.Mem { return func(j int) operand.Mem { return words(z, j) } }

const modulusDoc = "m has p."

// cross writes sums and differences of rows. The sum waits in the frame until the difference is there.
func (g *mulx) cross(w int) {
	g.function(fmt.Sprintf("cross%d", w), fmt.Sprintf("sets x to x + y and y to x − y modulo p, for n elements of %d words "+
		"in each of count rows. The places of elements move by skip bytes between rows. ", w)+modulusDoc,
		"x, y, m *uint64, n, count, skip int")
	x, y, m := g.param("x"), g.param("y"), g.param("m")
	count, left, buffer := g.spill("count"), g.AllocLocal(8), g.AllocLocal(8*w)
	g.Label("row")
	n := g.GP64()
	g.MOVQ(g.frame("n"), n)
	g.MOVQ(n, left)
	g.Label("element")
	t := g.registers(w)
	kept := func(j int) operand.Mem { return buffer.Offset(8 * j) }
	carry := g.plus(t, x, y)
	g.store(t, kept)
	g.less(t, carry, m, kept)
	t = g.registers(w)
	borrow := g.minus(t, x, y)
	g.store(t, wordsOf(y))
	g.more(t, borrow, m, wordsOf(y))
	for j, r := range g.registers(w) {
		g.MOVQ(kept(j), r)
		g.MOVQ(r, words(x, j))
	}
	g.ADDQ(operand.U32(8*w), x)
	g.ADDQ(operand.U32(8*w), y)
	g.DECQ(left)
	g.JNE(operand.LabelRef("element"))
	g.ADDQ(g.frame("skip"), x)
	g.ADDQ(g.frame("skip"), y)
	g.DECQ(count)
	g.JNE(operand.LabelRef("row"))
	g.RET()
}
