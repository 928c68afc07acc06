package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
)

// A square tail has as many vectors as they have lanes. Its first layers join vectors. Transposed, the vectors do the
// last layers likewise: each lane is a block of its own, with multipliers of its own. For half as many layers again as
// in two vectors this takes as many shuffles. Both halves go over all blocks: so the processor has layers of several
// blocks at hand, which do not wait for each other.

// squareSize is the words of a tail of four vectors of four.
const squareSize = 16

// squareTail writes such a tail.
func (g *machine) squareTail(a arithmetic, base string, t tail) {
	const lanes, layers = 4, 4
	title := t.name(base, squareSize)
	g.function(title, t.doc(layers, squareSize, 0)+".", fmt.Sprintf(tailParams, g.goWord()))
	v, w, q, m := g.param("v"), g.param("w"), g.param("q"), g.param("m")
	off, step, cnt := g.param("off"), g.param("step"), g.param("cnt")
	a.begin(m)
	g.SHLQ(operand.Imm(3), off)
	g.SHLQ(operand.Imm(3), step)
	low, high := g.ctx3(g.VPUNPCKLQDQ), g.ctx3(g.VPUNPCKHQDQ)
	// Layer l has 2^l multipliers in a block, from 2^l·off on. Those of the last two layers are lanes, in the order of
	// transpose: blocks 0, 2, 1, 3.
	factor := func(l, i int, off gp) pair {
		at := func(table gp, i int) operand.Mem {
			return operand.Mem{Base: table, Index: off, Scale: uint8(1 << l), Disp: g.word * i}
		}
		load := func(table gp) vec {
			switch l {
			case 2:
				z := g.vec()
				g.VPERMQ(operand.Imm(0xd8), at(table, 0), z)
				return z
			case 3:
				return g.op2([]binary{low, high}[i], at(table, lanes), g.load(at(table, 0)))
			}
			return g.broadcast(at(table, i))
		}
		return a.factor(load(w), load(q), l < 2)
	}
	transpose := func(x []vec) []vec {
		even0, odd0 := g.op2(low, x[2], x[0]), g.op2(high, x[2], x[0])
		even1, odd1 := g.op2(low, x[3], x[1]), g.op2(high, x[3], x[1])
		s := interleaver{machine: g}
		y0, y2 := s.halves128(even0, even1)
		y1, y3 := s.halves128(odd0, odd1)
		return []vec{y0, y1, y2, y3}
	}
	back := func(x []vec) []vec {
		x = transpose([]vec{x[0], x[2], x[1], x[3]})
		return []vec{x[0], x[2], x[1], x[3]}
	}
	how := g.frame("how")
	// half does two layers of all blocks; the values between both halves are what registers hold.
	half := func(label string, first int) {
		place, at, left := g.GP64(), g.GP64(), g.GP64()
		g.MOVQ(v, place)
		g.MOVQ(off, at)
		g.MOVQ(cnt, left)
		g.Label(label)
		row := func(i int) operand.Mem { return operand.Mem{Base: place, Disp: i * g.bytes} }
		x := make([]vec, lanes)
		for i := range x {
			x[i] = g.load(row(i))
		}
		if first == 0 {
			open(g, a, x, t.T, how, label+"Values")
		}
		lower := false // layers join lanes
		for i := first; i < first+2; i++ {
			l := i
			if t.T {
				l = layers - 1 - i
			}
			if lower = l >= 2; lower && i == first {
				x = transpose(x)
			}
			release := sums(a, i < layers-1 && (!t.T || i%2 == 0))
			g.Comment(fmt.Sprintf("Layer %d of %d.", l, layers))
			apart := 2 >> (l % 2)
			for j := range lanes / 2 / apart {
				f := factor(l, j, at)
				for i := 2 * apart * j; i < (2*j+1)*apart; i++ {
					if t.T {
						x[i], x[i+apart] = g.cross("CROSST", "x + y", "(x − y)w", a.crossT, x[i], x[i+apart], f)
					} else {
						x[i], x[i+apart] = g.cross("CROSS", "x + wy", "x − wy", a.cross, x[i], x[i+apart], f)
					}
				}
			}
			release()
		}
		if lower {
			x = back(x)
		}
		stores := func(f func(vec) vec) {
			for i, x := range x {
				g.store(f(x), row(i))
			}
		}
		if first > 0 {
			shut(g, a, x, t.T, how, label+"Words")
		}
		if first > 0 && !t.T {
			g.TESTB(operand.Imm(howCanonical), how)
			g.JEQ(operand.LabelRef(label + "Wide"))
			g.Comment("Canonical values.")
			stores(func(x vec) vec { return g.value("CANON", "x in canonical form", a.canon, x, pair{}) })
			g.JMP(operand.LabelRef(label + "Next"))
			g.Label(label + "Wide")
		}
		stores(func(x vec) vec { return x })
		g.Label(label + "Next")
		g.ADDQ(operand.U32(uint64(lanes*g.bytes)), place)
		g.ADDQ(step, at)
		g.DECQ(left)
		g.JNE(operand.LabelRef(label))
	}
	half("first", 0)
	half("second", 2)
	g.end()
}
