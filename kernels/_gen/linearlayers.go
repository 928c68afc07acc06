package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// symbolMaps writes the kernels of package linear for layers of transforms: rows are of symbols of one or two bytes,
// and constants are maps of symbols.
type symbolMaps struct {
	*byteMaps
	bytes  int // of a symbol, 1 or 2
	layers int // of a pass at most
	suffix string
}

// mapsKind is what is known of the constants of a pass.
type mapsKind int

const (
	anyMaps   mapsKind = iota
	lowMaps            // no map takes low bytes to high ones
	firstMaps          // lowMaps, and the first constant of each layer is 0
	edgeMaps           // anyMaps, and rows are shards on the side that is away from the middle of a transform:
	// these are far apart, so that those of the next call are fetched meanwhile
)

var mapsKinds = []string{"Any", "Low", "First", "Edge"}

// all writes the kernels for symbols of so many bytes.
func (g *symbolMaps) all() {
	for count := 1; count <= g.layers; count++ {
		for kind := range mapsKinds {
			if mapsKind(kind) == lowMaps && g.bytes == 1 {
				continue
			}
			g.pass(mapsKind(kind), count, false)
			g.pass(mapsKind(kind), count, true)
		}
		g.turn(count)
	}
	g.times(true, false)
	g.times(false, true)
}

func (g *symbolMaps) name(title string, kind mapsKind, count int, back bool) string {
	return fmt.Sprintf("%s%d%sRadix%d%s%s", title, g.bytes, mapsKinds[kind], 1<<count, g.suffix, backName(back))
}

// planes reports whether rows have the low bytes of a vector of symbols one behind the other: shards have those of 32.
func (g *symbolMaps) planes() bool { return g.bytes == 2 && g.machine.bytes == 64 }

// step is the bytes of a row in a step.
func (g *symbolMaps) step() int { return g.bytes * g.machine.bytes }

// size is the bytes of a constant.
func (g *symbolMaps) size() int { return g.bytes * g.bytes * g.mapSize() }

func (g *byteMaps) mapSize() int {
	if g.affine {
		return 8
	}
	return 32
}

// symbolRow is a symbol for each lane: its bytes in a vector each.
type symbolRow []vec

// get loads a row, of shards where edge is set.
func (g *symbolMaps) get(base, at gp, edge bool) (x symbolRow) {
	for i := range g.bytes {
		if !edge || !g.planes() {
			x = append(x, g.load(operand.Mem{Base: base, Index: at, Scale: 1, Disp: i * g.machine.bytes}))
			continue
		}
		z := g.ZMM()
		g.VMOVDQU(operand.Mem{Base: base, Index: at, Scale: 1, Disp: 32 * i}, z.AsY())
		g.VINSERTI64X4(operand.Imm(1), operand.Mem{Base: base, Index: at, Scale: 1, Disp: 64 + 32*i}, z, z)
		x = append(x, z)
	}
	return x
}

// put stores it.
func (g *symbolMaps) put(x symbolRow, base, at gp, edge bool) {
	for i, z := range x {
		if !edge || !g.planes() {
			g.store(z, operand.Mem{Base: base, Index: at, Scale: 1, Disp: i * g.machine.bytes})
			continue
		}
		g.VMOVDQU(z.AsY(), operand.Mem{Base: base, Index: at, Scale: 1, Disp: 32 * i})
		g.VEXTRACTI64X4(operand.Imm(1), z, operand.Mem{Base: base, Index: at, Scale: 1, Disp: 64 + 32*i})
	}
}

// accumulate adds the map at m of v to u.
func (g *symbolMaps) accumulate(u, v symbolRow, m operand.Mem, low bool) {
	at := func(in, out int) operand.Mem {
		a := m
		a.Disp += (in*g.bytes + out) * g.mapSize()
		return a
	}
	leaves := func(in, out int) bool { return low && in == 0 && out == 1 }
	if g.affine {
		for out := range u {
			var products []vec
			for in, x := range v {
				if leaves(in, out) {
					continue
				}
				t := g.vec()
				g.VGF2P8AFFINEQB_BCST(operand.Imm(0), at(in, out), x, t)
				products = append(products, t)
			}
			if len(products) == 2 {
				g.VPTERNLOGQ(operand.Imm(ternaryXor), products[0], products[1], u[out])
			} else {
				g.VPXORQ(products[0], u[out], u[out])
			}
		}
		return
	}
	for in, x := range v {
		lo, hi := g.vec(), g.vec()
		g.VPAND(x, g.mask, lo)
		g.VPSRLQ(operand.Imm(4), x, hi)
		g.VPAND(hi, g.mask, hi)
		for out := range u {
			if leaves(in, out) {
				continue
			}
			for half, part := range []vec{lo, hi} {
				table, t := at(in, out), g.vec()
				table.Disp += 16 * half
				g.VBROADCASTI128(table, t)
				g.VPSHUFB(part, t, t)
				g.VPXOR(t, u[out], u[out])
			}
		}
	}
}

func (g *symbolMaps) addRow(z, x symbolRow) {
	for i := range z {
		if g.avx512 {
			g.VPXORQ(x[i], z[i], z[i])
		} else {
			g.VPXOR(x[i], z[i], z[i])
		}
	}
}

// layersOf does count layers to rows, or undoes them. Constants of layer l are at bases[l]; where there is one base
// alone, it has those of block 0.
func (g *symbolMaps) layersOf(x []symbolRow, count int, kind mapsKind, bases []gp, back bool) {
	for step := range count {
		l := step
		if back {
			l = count - 1 - step
		}
		h := len(x) >> (l + 1)
		for b := range 1 << l {
			for r := 2 * h * b; r < 2*h*b+h; r++ {
				u, v := x[r], x[r+h]
				if back {
					g.addRow(v, u)
				}
				switch {
				case kind == firstMaps && b > 0:
					g.accumulate(u, v, operand.Mem{Base: bases[0], Disp: b * g.size()}, true)
				case kind != firstMaps:
					g.accumulate(u, v, operand.Mem{Base: bases[l], Disp: b * g.size()}, kind == lowMaps)
				}
				if !back {
					g.addRow(v, u)
				}
			}
		}
	}
}

func (g *symbolMaps) prepare() {
	if !g.affine {
		g.mask = g.load(operand.NewDataAddr(operand.NewStaticSymbol("lowHalves"), 0))
	}
}

// basesOf returns where the constants of each layer are.
func (g *symbolMaps) basesOf(w, block gp, count int) (bases []gp) {
	g.IMUL3Q(operand.I32(g.size()), block, block)
	for l := range count {
		p := g.GP64()
		g.LEAQ(operand.Mem{Base: w, Index: block, Scale: uint8(1 << l)}, p)
		bases = append(bases, p)
	}
	return bases
}

// rows writes loops over count rows, and the columns of each.
func (g *symbolMaps) rows(z, x, step, count, n gp, rows int, edgeX, edgeZ bool, body func(x []symbolRow)) {
	at, p, base, next := g.GP64(), g.GP64(), g.GP64(), g.GP64()
	g.SHLQ(operand.Imm(3), step)
	if edgeX || edgeZ {
		g.IMUL3Q(operand.I32(rows), step, next)
	}
	g.Label("row")
	g.XORQ(at, at)
	g.Label("column")
	walk := func(list gp, edge bool, do func(r int)) {
		g.MOVQ(list, p)
		for r := range rows {
			g.MOVQ(operand.Mem{Base: p}, base)
			do(r)
			if edge {
				g.MOVQ(operand.Mem{Base: p, Index: next, Scale: 1}, base)
				g.fetch(base, at)
			}
			if r < rows-1 {
				g.ADDQ(step, p)
			}
		}
	}
	var all []symbolRow
	walk(x, edgeX, func(int) { all = append(all, g.get(base, at, edgeX)) })
	body(all)
	walk(z, edgeZ, func(r int) { g.put(all[r], base, at, edgeZ) })
	g.ADDQ(operand.I32(g.step()), at)
	g.CMPQ(at, n)
	g.JNE(operand.LabelRef("column"))
	g.ADDQ(operand.Imm(8), x)
	g.ADDQ(operand.Imm(8), z)
	g.DECQ(count)
	g.JNZ(operand.LabelRef("row"))
	g.end()
}

// fetch has the columns of a row fetched.
func (g *symbolMaps) fetch(base, at gp) {
	const line = 64
	for i := 0; i < g.step(); i += line {
		g.PREFETCHT0(operand.Mem{Base: base, Index: at, Scale: 1, Disp: i})
	}
}

const passParams = "z, x **byte, step, count, n int, w *byte, block int"

// pass writes a pass of layers.
func (g *symbolMaps) pass(kind mapsKind, count int, back bool) {
	g.function(g.name("layers", kind, count, back), fmt.Sprintf("is Symbols.Layers%s[%s][%d]: see there.",
		backName(back), mapsKinds[kind], count-1), passParams)
	z, x, step, rows, n := g.param("z"), g.param("x"), g.param("step"), g.param("count"), g.param("n")
	g.prepare()
	var bases []gp
	if w := g.param("w"); kind == firstMaps {
		bases = []gp{w}
	} else {
		bases = g.basesOf(w, g.param("block"), count)
	}
	edge := kind == edgeMaps
	g.rows(z, x, step, rows, n, 1<<count, edge && back, edge && !back, func(x []symbolRow) {
		g.layersOf(x, count, kind, bases, back)
	})
}

// turn writes one that undoes layers and does those of the first block.
func (g *symbolMaps) turn(count int) {
	g.function(fmt.Sprintf("turn%dRadix%d%s", g.bytes, 1<<count, g.suffix),
		fmt.Sprintf("is Symbols.Turn[%d]: see there.", count-1), passParams)
	z, x, step, rows, n, w := g.param("z"), g.param("x"), g.param("step"), g.param("count"), g.param("n"), g.param("w")
	g.prepare()
	bases := g.basesOf(w, g.param("block"), count)
	g.rows(z, x, step, rows, n, 1<<count, false, false, func(x []symbolRow) {
		g.layersOf(x, count, lowMaps, bases, true)
		g.layersOf(x, count, firstMaps, []gp{w}, false)
	})
}

// times writes the images of rows by a map for each, of which those on one side are shards.
func (g *symbolMaps) times(edgeX, edgeZ bool) {
	name, field := "enter", "Enter"
	if edgeZ {
		name, field = "leave", "Leave"
	}
	g.function(fmt.Sprintf("%s%d%s", name, g.bytes, g.suffix), "is Symbols."+field+": see there.",
		"z, x **byte, count, n int, m *byte")
	z, x, count, n, m := g.param("z"), g.param("x"), g.param("count"), g.param("n"), g.param("m")
	g.prepare()
	at, from, to, next := g.GP64(), g.GP64(), g.GP64(), g.GP64()
	g.Label("row")
	if edgeX {
		g.MOVQ(operand.Mem{Base: x, Disp: 8}, next)
	} else {
		g.MOVQ(operand.Mem{Base: z, Disp: 8}, next)
	}
	g.MOVQ(operand.Mem{Base: x}, from)
	g.MOVQ(operand.Mem{Base: z}, to)
	g.XORQ(at, at)
	g.Label("column")
	v := g.get(from, at, edgeX)
	var u symbolRow
	for range v {
		sum := g.vec()
		g.clear(sum)
		u = append(u, sum)
	}
	g.accumulate(u, v, operand.Mem{Base: m}, false)
	g.put(u, to, at, edgeZ)
	g.fetch(next, at)
	g.ADDQ(operand.I32(g.step()), at)
	g.CMPQ(at, n)
	g.JNE(operand.LabelRef("column"))
	g.ADDQ(operand.I32(g.size()), m)
	g.ADDQ(operand.Imm(8), x)
	g.ADDQ(operand.Imm(8), z)
	g.DECQ(count)
	g.JNZ(operand.LabelRef("row"))
	g.end()
}

// gather writes sums of rows, many vectors at a time, and one at a time for what is left.
func (g *byteMaps) gather(suffix string) {
	g.function("gather"+suffix, "is Set.Gather: see there.", "v *byte, stride, first, count, rows, n int")
	v, stride, first := g.param("v"), g.param("stride"), g.param("first")
	count, mask, n := g.param("count"), g.param("rows"), g.param("n")
	g.DECQ(mask)
	target, at, left, bits, from := g.GP64(), g.GP64(), g.GP64(), g.GP64(), g.GP64()
	g.MOVQ(first, target)
	g.IMULQ(stride, target)
	g.ADDQ(v, target)
	const most = 8
	g.Label("row")
	g.XORQ(at, at)
	for _, parts := range []int{most, 1} {
		label := func(s string) string { return fmt.Sprint(s, parts) }
		column := func(base reg.Register, p int) operand.Mem {
			return operand.Mem{Base: base, Index: at, Scale: 1, Disp: p * g.bytes}
		}
		g.Label(label("column"))
		g.MOVQ(n, left)
		g.SUBQ(at, left)
		g.CMPQ(left, operand.I32(parts*g.bytes))
		g.JLT(operand.LabelRef(label("end")))
		var sums []vec
		for p := range parts {
			sums = append(sums, g.load(column(target, p)))
		}
		g.MOVQ(first, left)
		g.NOTQ(left)
		g.ANDQ(mask, left)
		g.JZ(operand.LabelRef(label("store")))
		g.Label(label("bit"))
		g.MOVQ(left, bits)
		g.NEGQ(bits)
		g.ANDQ(left, bits)
		g.XORQ(bits, left)
		g.MOVQ(bits, from)
		g.IMULQ(stride, from)
		g.ADDQ(target, from)
		for p, s := range sums {
			if g.avx512 {
				g.VPXORQ(column(from, p), s, s)
			} else {
				g.VPXOR(column(from, p), s, s)
			}
		}
		g.TESTQ(left, left)
		g.JNZ(operand.LabelRef(label("bit")))
		g.Label(label("store"))
		for p, s := range sums {
			g.store(s, column(target, p))
		}
		g.ADDQ(operand.I32(parts*g.bytes), at)
		g.JMP(operand.LabelRef(label("column")))
		g.Label(label("end"))
	}
	g.INCQ(first)
	g.ADDQ(stride, target)
	g.DECQ(count)
	g.JNZ(operand.LabelRef("row"))
	g.end()
}
