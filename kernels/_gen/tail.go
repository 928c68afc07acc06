package main

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
)

// Two vectors x, y hold a block of 2·lanes words. In constant geometry (M. Pease, J. ACM 15 (1968)) every layer
// joins a lane of x with the same lane of y, and interleaves the results: x0 y0 x1 y1 … After as many layers as
// the words' numbers have bits, the words are back in place. Layer l finds the multipliers of its 2^l parts in
// consecutive lanes, repeated, just as the table has them.

// interleaver moves the words of two vectors, and back. For AVX-512 it has index vectors of one direction.
type interleaver struct {
	*machine
	on [2]vec
}

// shuffles declares the index vectors of AVX-512: word i of the result is word shuffle[i] of x and y in a row.
func (g *machine) shuffles() {
	if !g.avx512 {
		return
	}
	n := g.lanes()
	for v := range 2 {
		on, back := make([]int, n), make([]int, n)
		for i := range n {
			j := v*n + i
			on[i], back[i] = j/2+j%2*n, (2*i+v)%(2*n)
		}
		g.table(g.shuffleName("interleave", v), on)
		g.table(g.shuffleName("separate", v), back)
	}
}

func (g *machine) shuffleName(what string, v int) string {
	return fmt.Sprintf("%s%dx%dx%d", what, 8*g.word, g.lanes(), v)
}

// table declares words of constants.
func (g *machine) table(name string, words []int) {
	g.StaticGlobal(name)
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for i, x := range words {
		if g.word == 8 {
			g.AddDatum(8*i, operand.U64(x))
		} else {
			g.AddDatum(4*i, operand.U32(x))
		}
	}
}

func (g *machine) interleaver(back bool) interleaver {
	s := interleaver{machine: g}
	if g.avx512 {
		name := "interleave"
		if back {
			name = "separate"
		}
		for v := range 2 {
			s.on[v] = g.load(operand.NewDataAddr(operand.NewStaticSymbol(g.shuffleName(name, v)), 0))
		}
	}
	return s
}

// interleave returns x0 y0 x1 y1 …
func (s *interleaver) interleave(x, y vec) (vec, vec) {
	if s.avx512 {
		return s.permute(x, y)
	}
	l, h := s.pick(s.ctx3(s.VPUNPCKLDQ), s.ctx3(s.VPUNPCKLQDQ)), s.pick(s.ctx3(s.VPUNPCKHDQ), s.ctx3(s.VPUNPCKHQDQ))
	if s.bytes == 16 {
		return s.op2(l, y, x), s.op2(h, y, x)
	}
	return s.halves128(s.op2(l, y, x), s.op2(h, y, x))
}

// separate undoes interleave.
func (s *interleaver) separate(x, y vec) (vec, vec) {
	if s.avx512 {
		return s.permute(x, y)
	}
	x, y = s.halves128(x, y)
	if s.word == 8 {
		return s.op2(s.ctx3(s.VPUNPCKLQDQ), y, x), s.op2(s.ctx3(s.VPUNPCKHQDQ), y, x)
	}
	e, o := s.vec(), s.vec()
	s.VSHUFPS(operand.Imm(0x88), y, x, e)
	s.VSHUFPS(operand.Imm(0xdd), y, x, o)
	return e, o
}

// halves128 returns the low halves of x and y, and the high halves.
func (s *interleaver) halves128(x, y vec) (l, h vec) {
	l, h = s.vec(), s.vec()
	s.VPERM2I128(operand.Imm(0x20), y, x, l)
	s.VPERM2I128(operand.Imm(0x31), y, x, h)
	return l, h
}

func (s *interleaver) permute(x, y vec) (vec, vec) {
	z := s.mov(x)
	f := s.pick(s.ctx3(s.VPERMT2D), s.ctx3(s.VPERMT2Q))
	f(y, s.on[1], z)
	f(y, s.on[0], x)
	return x, z
}

// tail is one of the kernels that do the layers inside blocks of two vectors.
type tail struct {
	T bool // the transpose
}

// tailParams are those of a tail: the multipliers of a block stand step after those of the block before.
const tailParams = "v, w, q, m *%s, off, step, cnt int, how uint8"

func (t tail) name(base string, size int) string {
	name := fmt.Sprintf("%sTail%d", base, size)
	if t.T {
		name += "T"
	}
	return name
}

func (t tail) doc(layers, size, front int) string {
	if t.T {
		return "is the transpose"
	}
	doc := fmt.Sprintf("does the last %d layers, in blocks of %d words, and leaves canonical values if how says Canonical",
		layers, size)
	if front > 0 {
		doc += fmt.Sprintf(". If how says Front, it does %d layers more before, in %d blocks each, and leaves out products "+
			"by the first multiplier if how says One", front, 1<<front)
	}
	return doc
}

var tails = []tail{{}, {T: true}}

// tail writes t. As the layers of one block wait for each other, several blocks go in lockstep.
func (g *machine) tail(a arithmetic, base string, t tail) {
	size := 2 * g.lanes()
	k := bits.Len(uint(g.lanes()))
	title := t.name(base, size)
	front := 0
	if !t.T {
		front = g.front(a)
	}
	g.function(title, t.doc(k, size, front)+".", fmt.Sprintf(tailParams, g.goWord()))
	v, w, q, m := g.param("v"), g.param("w"), g.param("q"), g.param("m")
	off, step, cnt := g.param("off"), g.param("step"), g.param("cnt")
	a.begin(m)
	s := g.interleaver(t.T)
	// Layer l has 2^l multipliers in a block, from 2^l·off on.
	g.SHLQ(operand.Imm(uint64(bits.Len(uint(g.word))-1)), off)
	g.SHLQ(operand.Imm(uint64(bits.Len(uint(g.word))-1)), step)
	factor := func(l int, off gp) pair {
		scale := uint8(1 << l)
		if l == 4 {
			off, scale = g.level(off, 4), 1
		}
		place := func(table gp) operand.Mem { return operand.Mem{Base: table, Index: off, Scale: scale} }
		return g.pairAt(a, place(w), place(q), 1<<l)
	}
	how := g.frame("how")
	var behind []func() // the end
	blocks := func(count int, label, next string) {
		g.Label(label)
		g.CMPQ(cnt, operand.Imm(uint64(count)))
		g.JLT(operand.LabelRef(next))
		at := func(i int) operand.Mem { return operand.Mem{Base: v, Disp: i * g.bytes} }
		load := func(label string) (x []vec) {
			for i := range 2 * count {
				x = append(x, g.load(at(i)))
			}
			open(g, a, x, t.T, how, label+"Values")
			return x
		}
		joins := front > 0 && count == 1<<front
		if joins {
			g.TESTB(operand.Imm(howFront), how)
			g.JEQ(operand.LabelRef("apart"))
		}
		all := load(label)
		if joins {
			behind = append(behind, g.fronts(a, all, front, w, q, off, how)...)
			g.Label("joined")
			done := slices.Clone(all)
			behind = append(behind, func() {
				g.Label("apart")
				for i, x := range load("apart") {
					g.become(done[i], x)
				}
				g.JMP(operand.LabelRef("joined"))
			})
		}
		x, y := make([]vec, count), make([]vec, count)
		for i := range x {
			x[i], y[i] = all[2*i], all[2*i+1]
		}
		offs := []gp{off}
		for i := 1; i < count; i++ {
			offs = append(offs, g.GP64())
			g.LEAQ(operand.Mem{Base: offs[i-1], Index: step, Scale: 1}, offs[i])
		}
		for l := range k {
			release := sums(a, l < k-1 && (!t.T || l%2 == 0))
			if t.T {
				l = k - 1 - l
			}
			g.Comment(fmt.Sprintf("Layer %d of %d, in %d blocks: multipliers from %d·off on, in %d lanes repeated.",
				l, k, count, 1<<l, 1<<l))
			for i := range x {
				if t.T {
					x[i], y[i] = s.separate(x[i], y[i])
					f := factor(l, offs[i])
					x[i], y[i] = g.cross("CROSST", "x + y", "(x − y)w", a.crossT, x[i], y[i], f)
				} else {
					f := factor(l, offs[i])
					x[i], y[i] = g.cross("CROSS", "x + wy", "x − wy", a.cross, x[i], y[i], f)
					x[i], y[i] = s.interleave(x[i], y[i])
				}
			}
			release()
		}
		stores := func(f func(vec) vec) {
			for i := range x {
				g.store(f(x[i]), at(2*i))
				g.store(f(y[i]), at(2*i+1))
			}
		}
		shut(g, a, slices.Concat(x, y), t.T, how, label+"Words")
		if !t.T && !alwaysCanonical(a) {
			g.TESTB(operand.Imm(howCanonical), how)
			g.JEQ(operand.LabelRef(label + "Wide"))
			g.Comment("Canonical values.")
			stores(func(x vec) vec { return g.value("CANON", "x in canonical form", a.canon, x, pair{}) })
			g.JMP(operand.LabelRef(label + "Next"))
			g.Label(label + "Wide")
		}
		stores(func(x vec) vec { return x })
		g.Label(label + "Next")
		g.ADDQ(operand.U32(2*count*g.bytes), v)
		g.LEAQ(operand.Mem{Base: offs[count-1], Index: step, Scale: 1}, off)
		g.SUBQ(operand.Imm(uint64(count)), cnt)
		g.JMP(operand.LabelRef(label))
	}
	switch together := g.lockstep(a); together {
	case 8: // short transforms have four
		blocks(together, "several", "four")
		blocks(together/2, "four", "one")
	default:
		blocks(together, "several", "one")
	}
	blocks(1, "one", "done")
	g.Label("done")
	g.end()
	for _, f := range behind {
		f()
	}
}

// fronts does the layers that join the vectors x of several blocks of a tail, and clears One. What it returns is to be
// written behind the end.
func (g *machine) fronts(a arithmetic, x []vec, layers int, w, q, off gp, how operand.Mem) (behind []func()) {
	first := g.GP64()
	g.MOVQ(off, first)
	g.SHRQ(operand.Imm(uint64(layers)), first)
	for l := range layers {
		place := g.level(first, l)
		factor := func(i int) pair { return g.factor(a, w, q, place, i) }
		g.Comment(fmt.Sprintf("Layer %d of %d before: vectors %d apart.", l, layers, len(x)>>(l+1)))
		lazy := func(int) bool { return l < layers-1 }
		behind = append(behind, g.layer(a, x, len(x)>>(l+1), factor, false, lazy, how, fmt.Sprint("plain", l)))
	}
	g.ANDB(operand.Imm(0xff&^howOne), how)
	return behind
}

// front is the layers that the longest tail does beforehand: blocks that go together are joined by them. It took 2^8
// words of shoup31 to .94 of the time. Of 64-bit words it would serve 2^7.
func (g *machine) front(a arithmetic) int {
	if !g.avx512 || g.bytes < 64 || g.word == 8 {
		return 0
	}
	return bits.Len(uint(g.lockstep(a))) - 1
}

// alwaysCanonical reports whether all values of a are.
func alwaysCanonical(a arithmetic) bool {
	switch a.(type) {
	case *mont32, *mont64:
		return true
	}
	return false
}

// lockstep is the number of blocks that go together: as many as have registers beside the constants, unless fewer are
// as fast (BenchmarkPasses). Short transforms have a power of two of them: others leave some that go alone.
func (g *machine) lockstep(a arithmetic) int {
	if !g.avx512 {
		if _, ok := a.(*double50); ok {
			return 3
		}
		return 2
	}
	switch a.(type) {
	case *mont64:
		return 4
	case *shoup63, *mont32:
		if g.bytes == 64 {
			return 4
		}
	case *goldilocks:
		return 4
	case *ifma50, *double50, *shoup62, *shoup30, *shoup31:
		if g.bytes == 64 {
			return 8
		}
	}
	return 6
}
