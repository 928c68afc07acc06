package main

import (
	"fmt"
	"math/bits"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
)

// fold is one of package gf2, in rows.
type fold struct{ run, shift int }

// expansion has count folds at x² + x, for 2^(count+1) rows.
func expansion(count int) (list []fold) {
	for run := 2 << count; run > 2; run /= 2 {
		list = append(list, fold{run, run / 4})
	}
	return list
}

// conversions writes what changes the basis of polynomials.
func (g *planes) conversions() {
	g.shiftTables()
	for k := range 5 {
		g.fold(k, false)
		g.fold(k, true)
	}
	for _, back := range []bool{false, true} {
		for count := 1; count <= 3; count++ {
			g.foldRows(fmt.Sprintf("expand%d", 2<<count), "Expand", 2<<count, expansion(count), back)
		}
		g.foldRows("sixteen", "Sixteen", 16, []fold{{16, 2}, {8, 1}, {4, 1}, {16, 4}}, back)
	}
	g.mixLanes()
	g.addPlanes()
	g.copyRows(false)
	g.copyRows(true)
	g.swapRows()
}

// shiftTables declares the bytes of two planes that follow each other which make the second one, shifted by 2^t lanes,
// for t < 6.
func (g *planes) shiftTables() {
	g.StaticGlobal("shifted")
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for t := range 6 {
		for i := range plane {
			g.AddDatum(plane*t+i, operand.U8(plane-1<<t+i))
		}
	}
}

// fold writes a fold of elements of level k by less than a tile.
func (g *planes) fold(k int, back bool) {
	d := 1 << k
	g.function(fmt.Sprintf("fold%d%s", k, backName(back)), "is Set.Fold"+backName(back)+": see there.",
		"v *byte, blocks, half, from, to, t int")
	v, blocks, half := g.param("v"), g.param("blocks"), g.param("half")
	table, t := g.GP64(), g.param("t")
	g.LEAQ(operand.NewDataAddr(operand.NewStaticSymbol("shifted"), 0), table)
	g.SHLQ(operand.Imm(6), t)
	index := g.load(operand.Mem{Base: table, Index: t, Scale: 1})
	g.SHLQ(operand.Imm(uint64(6+k)), half)
	first, left := g.GP64(), g.GP64()
	g.MOVQ(g.frame("from"), first)
	g.SHLQ(operand.Imm(uint64(6+k)), first)

	g.Label("block")
	b := g.GP64()
	g.LEAQ(operand.Mem{Base: v, Index: half, Scale: 1}, b)
	top := func() { // the lanes that leave the second half enter it
		end := g.GP64()
		g.LEAQ(operand.Mem{Base: b, Index: half, Scale: 1}, end)
		zero := g.vec()
		g.VPXORQ(zero, zero, zero)
		for i := range d {
			x := g.load(operand.Mem{Base: end, Disp: (i - d) * plane})
			g.VPERMT2B(zero, index, x)
			g.addTo(x, operand.Mem{Base: b, Disp: i * plane})
			g.store(x, operand.Mem{Base: b, Disp: i * plane})
		}
	}
	if !back {
		g.CMPQ(g.frame("from"), operand.Imm(0))
		g.JNE(operand.LabelRef("inside"))
		top()
		g.Label("inside")
	}
	a := g.GP64()
	g.LEAQ(operand.Mem{Base: v, Index: first, Scale: 1}, a)
	from := g.GP64()
	g.LEAQ(operand.Mem{Base: b, Index: first, Scale: 1}, from)
	before := make([]vec, d)
	for i := range before {
		before[i] = g.vec()
		g.VPXORQ(before[i], before[i], before[i])
	}
	g.CMPQ(g.frame("from"), operand.Imm(0))
	g.JEQ(operand.LabelRef("start"))
	for i, z := range before {
		g.VMOVDQU64(operand.Mem{Base: from, Disp: (i - d) * plane}, z)
	}
	g.Label("start")
	g.MOVQ(g.frame("to"), left)
	g.SUBQ(g.frame("from"), left)
	g.Label("tile")
	for i, z := range before {
		x := g.load(operand.Mem{Base: from, Disp: i * plane})
		g.VPERMT2B(x, index, z)
		g.addTo(z, operand.Mem{Base: a, Disp: i * plane})
		g.store(z, operand.Mem{Base: a, Disp: i * plane})
		g.set(z, x)
	}
	g.ADDQ(operand.U32(d*plane), a)
	g.ADDQ(operand.U32(d*plane), from)
	g.DECQ(left)
	g.JNZ(operand.LabelRef("tile"))
	if back {
		last := g.GP64()
		g.MOVQ(g.frame("to"), last)
		g.CMPQ(last, g.frame("half"))
		g.JNE(operand.LabelRef("next"))
		top()
		g.Label("next")
	}
	g.LEAQ(operand.Mem{Base: v, Index: half, Scale: 2}, v)
	g.DECQ(blocks)
	g.JNZ(operand.LabelRef("block"))
	g.end()
}

// eachFold calls add for all that folds of so many rows add, one row to another one, or what undoes them does.
func eachFold(list []fold, rows int, back bool, add func(to, from int)) {
	for i := range list {
		f := list[i]
		if back {
			f = list[len(list)-1-i]
		}
		half := f.run / 2
		for at := 0; at < rows; at += f.run {
			for j := range half {
				if !back {
					j = half - 1 - j
				}
				add(at+j+f.shift, at+half+j)
			}
		}
	}
}

// foldRows writes folds of rows that stay in registers, for runs of them that follow each other. It loads what they
// read and stores what they change: a fold changes half of its rows.
func (g *planes) foldRows(name, field string, rows int, list []fold, back bool) {
	g.function(name+backName(back), "is Set."+field+backName(back)+": see there.", "v *byte, runs, stride, n int")
	v, runs, stride, n := g.param("v"), g.param("runs"), g.param("stride"), g.param("n")
	three := g.GP64()
	g.LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 2}, three)
	quarters := []gp{v}
	for r := 4; r < rows; r += 4 {
		p := g.GP64()
		g.LEAQ(operand.Mem{Base: quarters[len(quarters)-1], Index: stride, Scale: 4}, p)
		quarters = append(quarters, p)
	}
	row := func(r int) operand.Mem {
		m := operand.Mem{Base: quarters[r/4]}
		switch r % 4 {
		case 1:
			m.Index, m.Scale = stride, 1
		case 2:
			m.Index, m.Scale = stride, 2
		case 3:
			m.Index, m.Scale = three, 1
		}
		return m
	}
	g.Label("plane")
	x, changed := make([]vec, rows), make([]bool, rows)
	value := func(r int) vec { // folds need no first row
		if x[r] == nil {
			x[r] = g.load(row(r))
		}
		return x[r]
	}
	eachFold(list, rows, back, func(to, from int) {
		g.addTo(value(to), value(from))
		changed[to] = true
	})
	for r, z := range x {
		if changed[r] {
			g.store(z, row(r))
		}
	}
	for _, p := range quarters {
		g.ADDQ(operand.Imm(uint64(g.bytes)), p)
	}
	g.SUBQ(operand.Imm(uint64(g.bytes)), n)
	g.JNZ(operand.LabelRef("plane"))
	next := g.GP64()
	g.MOVQ(stride, next)
	g.SHLQ(operand.Imm(uint64(bits.Len(uint(rows))-1)), next)
	g.MOVQ(g.frame("n"), n)
	g.SUBQ(n, next)
	for _, p := range quarters {
		g.ADDQ(next, p)
	}
	g.DECQ(runs)
	g.JNZ(operand.LabelRef("plane"))
	g.end()
}

// stepSize is that of gf2.Step: two times 64 bytes that say from where lanes come, and two masks.
const stepSize = 2*plane + 2*8

// mixLanes writes sums of lanes of each plane, eight planes at a time.
func (g *planes) mixLanes() {
	g.function("mixLanes", "is Set.Lanes: see there.", "v *byte, planes int, steps *byte, count int")
	v, n, steps := g.param("v"), g.param("planes"), g.param("steps")
	some := func(count int) {
		x := make([]vec, count)
		for i := range x {
			x[i] = g.load(operand.Mem{Base: v, Disp: i * plane})
		}
		step, left := g.GP64(), g.GP64()
		g.MOVQ(steps, step)
		g.MOVQ(g.frame("count"), left)
		label := fmt.Sprintf("step%d", count)
		g.Label(label)
		one, two := g.load(operand.Mem{Base: step}), g.load(operand.Mem{Base: step, Disp: plane})
		mask, also := g.K(), g.K()
		g.KMOVQ(operand.Mem{Base: step, Disp: 2 * plane}, mask)
		g.KMOVQ(operand.Mem{Base: step, Disp: 2*plane + 8}, also)
		for _, z := range x {
			s, t := g.vec(), g.vec()
			g.VPERMB_Z(z, one, mask, s)
			g.VPERMB_Z(z, two, also, t)
			g.addBoth(z, s, t)
		}
		g.ADDQ(operand.U32(stepSize), step)
		g.DECQ(left)
		g.JNZ(operand.LabelRef(label))
		g.storeAll(x, v)
		g.ADDQ(operand.U32(count*plane), v)
	}
	const many = 8
	g.SUBQ(operand.Imm(many), n)
	g.JLT(operand.LabelRef("few"))
	g.Label("many")
	some(many)
	g.SUBQ(operand.Imm(many), n)
	g.JGE(operand.LabelRef("many"))
	g.Label("few")
	g.ADDQ(operand.Imm(many), n)
	g.JZ(operand.LabelRef("done"))
	g.Label("one")
	some(1)
	g.DECQ(n)
	g.JNZ(operand.LabelRef("one"))
	g.Label("done")
	g.end()
}

// addPlanes writes a sum of vectors.
func (g *planes) addPlanes() {
	g.function("addPlanes", "is Set.Add: see there.", "z, x *byte, planes int")
	z, x, n := g.param("z"), g.param("x"), g.param("planes")
	some := func(count int) {
		list := g.loadAll(x, count)
		for i, y := range list {
			g.addTo(y, operand.Mem{Base: z, Disp: i * plane})
		}
		g.storeAll(list, z)
		g.ADDQ(operand.U32(count*plane), z)
		g.ADDQ(operand.U32(count*plane), x)
	}
	const many = 4
	g.SUBQ(operand.Imm(many), n)
	g.JLT(operand.LabelRef("few"))
	g.Label("many")
	some(many)
	g.SUBQ(operand.Imm(many), n)
	g.JGE(operand.LabelRef("many"))
	g.Label("few")
	g.ADDQ(operand.Imm(many), n)
	g.JZ(operand.LabelRef("done"))
	g.Label("one")
	some(1)
	g.DECQ(n)
	g.JNZ(operand.LabelRef("one"))
	g.Label("done")
	g.end()
}

// rowsAhead is how many rows before its turn copyRows fetches a row. Rows of strips are on pages of their own, far
// apart: no processor guesses which one is next, and to find a page takes as long as some rows.
const rowsAhead = 8

// copyRows writes a copy of rows, which fetches those to come: on both sides, or where it writes past the caches those
// that it reads.
func (g *planes) copyRows(stream bool) {
	name, field := "copyRows", "Copy"
	if stream {
		name, field = "streamRows", "Stream"
	}
	g.function(name, "is Set."+field+": see there.", "z, x *byte, rows, n, to, from int")
	z, x, rows, n, to, from := g.param("z"), g.param("x"), g.param("rows"), g.param("n"), g.param("to"), g.param("from")
	type walk struct{ at, step gp }
	steps := []walk{{z, to}, {x, from}}
	next := func(w walk) walk {
		q := g.GP64()
		g.MOVQ(w.step, q)
		g.SHLQ(operand.Imm(uint64(bits.Len(rowsAhead)-1)), q)
		g.ADDQ(w.at, q)
		return walk{q, w.step}
	}
	fetched := []walk{next(steps[1])}
	if !stream {
		fetched = append(fetched, next(steps[0]))
	}
	i := g.GP64()
	g.Label("row")
	g.XORQ(i, i)
	g.Label("vector")
	place := func(base gp) operand.Mem { return operand.Mem{Base: base, Index: i, Scale: 1} }
	for _, w := range fetched {
		g.PREFETCHT0(place(w.at))
	}
	if y := g.load(place(x)); stream {
		g.VMOVNTDQ(y, place(z))
	} else {
		g.store(y, place(z))
	}
	g.ADDQ(operand.Imm(plane), i)
	g.CMPQ(i, n)
	g.JNE(operand.LabelRef("vector"))
	for _, w := range append(steps, fetched...) {
		g.ADDQ(w.step, w.at)
	}
	g.DECQ(rows)
	g.JNZ(operand.LabelRef("row"))
	if stream {
		g.SFENCE()
	}
	g.end()
}

// swapRows writes a copy of rows that goes past the caches, and one of others into their places, which are fetched
// before their turn: one waits for memory while the other one writes to it.
func (g *planes) swapRows() {
	g.function("swapRows", "is Set.Swap: see there.", "v, z, x *byte, rows, n, stride int")
	v, z, x, rows, n, stride := g.param("v"), g.param("z"), g.param("x"), g.param("rows"), g.param("n"), g.param("stride")
	next := g.GP64()
	g.MOVQ(stride, next)
	g.SHLQ(operand.Imm(uint64(bits.Len(rowsAhead)-1)), next)
	g.ADDQ(x, next)
	i := g.GP64()
	g.Label("row")
	g.XORQ(i, i)
	g.Label("vector")
	place := func(base gp) operand.Mem { return operand.Mem{Base: base, Index: i, Scale: 1} }
	g.PREFETCHT0(place(next))
	out, in := g.load(operand.Mem{Base: v}), g.load(place(x))
	g.VMOVNTDQ(out, place(z))
	g.store(in, operand.Mem{Base: v})
	g.ADDQ(operand.Imm(plane), v)
	g.ADDQ(operand.Imm(plane), i)
	g.CMPQ(i, n)
	g.JNE(operand.LabelRef("vector"))
	for _, p := range []gp{z, x, next} {
		g.ADDQ(stride, p)
	}
	g.DECQ(rows)
	g.JNZ(operand.LabelRef("row"))
	g.SFENCE()
	g.end()
}
