package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/ir"
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
	// these are far apart, so that the next ones are fetched meanwhile
	streamMaps // edgeMaps, and results go around the caches
)

var mapsKinds = []string{"Any", "Low", "First", "Edge", "Stream"}

// all writes the kernels for symbols of so many bytes.
func (g *symbolMaps) all() {
	for count := 1; count <= g.layers; count++ {
		for kind := range mapsKinds {
			if mapsKind(kind) == lowMaps && g.bytes == 1 {
				continue
			}
			g.pass(mapsKind(kind), count, false)
			if mapsKind(kind) != streamMaps {
				g.pass(mapsKind(kind), count, true)
			}
		}
		g.turn(count)
		g.undoAndAdd(count)
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

// get loads a row at m, of shards where edge is set.
func (g *symbolMaps) get(m operand.Mem, edge bool) (x symbolRow) {
	for i := range g.bytes {
		x = append(x, g.load(m.Offset(i*g.machine.bytes)))
	}
	if edge {
		return g.crossed(x)
	}
	return x
}

// put stores it.
func (g *symbolMaps) put(x symbolRow, m operand.Mem, edge bool) {
	if edge {
		x = g.crossed(x)
	}
	for i, z := range x {
		g.store(z, m.Offset(i*g.machine.bytes))
	}
}

// stream is put of a shard, around the caches.
func (g *symbolMaps) stream(x symbolRow, m operand.Mem) {
	for i, z := range g.crossed(x) {
		g.VMOVNTDQ(z, m.Offset(i*g.machine.bytes))
	}
}

// crossed takes rows of shards to planes, and back: the upper half of the first vector changes places with the lower
// one of the second.
func (g *symbolMaps) crossed(x symbolRow) symbolRow {
	if !g.planes() {
		return x
	}
	lower, upper := g.ZMM(), g.ZMM()
	g.VINSERTI64X4(operand.Imm(1), x[1].(reg.VecVirtual).AsY(), x[0], lower)
	g.VSHUFI64X2(operand.Imm(0xee), x[1], x[0], upper)
	return symbolRow{lower, upper}
}

// constant is a map of symbols at a place. Some of its matrices are in registers.
type symbolMap struct {
	at   operand.Mem
	kept map[int]vec // by place among those of the map
}

// accumulate adds the map of a constant of v to u.
func (g *symbolMaps) accumulate(u, v symbolRow, c symbolMap, low bool) {
	at := func(in, out int) operand.Mem { return c.at.Offset((in*g.bytes + out) * g.mapSize()) }
	leaves := func(in, out int) bool { return low && in == 0 && out == 1 }
	if g.affine {
		for out := range u {
			var products []vec
			for in, x := range v {
				if leaves(in, out) {
					continue
				}
				t := g.vec()
				if matrix := c.kept[in*g.bytes+out]; matrix != nil {
					g.VGF2P8AFFINEQB(operand.Imm(0), matrix, x, t)
				} else {
					g.VGF2P8AFFINEQB_BCST(operand.Imm(0), at(in, out), x, t)
				}
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

// constants are those of a pass: of pair b of layer l, none where it is 0.
type layerMaps map[[2]int]symbolMap

// mapsOf returns those of count layers at bases. Those of First are of block 0, at one base.
func (g *symbolMaps) mapsOf(kind mapsKind, count int, bases []gp) layerMaps {
	all := layerMaps{}
	for l := range count {
		for b := range 1 << l {
			switch {
			case kind != firstMaps:
				all[[2]int{l, b}] = symbolMap{at: operand.Mem{Base: bases[l], Disp: b * g.size()}}
			case b > 0:
				all[[2]int{l, b}] = symbolMap{at: operand.Mem{Base: bases[0], Disp: b * g.size()}}
			}
		}
	}
	return all
}

// keep has registers hold matrices of layerMaps, those of the first layers, which serve most pairs. It takes as many
// registers as there are beside so many.
func (g *symbolMaps) keep(all layerMaps, count, registers int, kind mapsKind) {
	if !g.affine {
		return
	}
	for l := range count {
		for b := range 1 << l {
			c, ok := all[[2]int{l, b}]
			if !ok {
				continue
			}
			c.kept = map[int]vec{}
			for i := range g.bytes * g.bytes {
				if (kind == lowMaps || kind == firstMaps) && i == 1 || registers == 32 {
					continue
				}
				registers++
				c.kept[i] = g.vec()
				g.VPBROADCASTQ(c.at.Offset(i*g.mapSize()), c.kept[i])
			}
			all[[2]int{l, b}] = c
		}
	}
}

// layersOf does count layers to rows, or undoes them.
func (g *symbolMaps) layersOf(x []symbolRow, count int, kind mapsKind, all layerMaps, back bool) {
	low := kind == lowMaps || kind == firstMaps
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
				if c, ok := all[[2]int{l, b}]; ok {
					g.accumulate(u, v, c, low)
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
func (g *symbolMaps) basesOf(count int) (bases []gp) {
	w, block := g.param("w"), g.param("block")
	g.IMUL3Q(operand.I32(g.size()), block, block)
	for l := range count {
		p := g.GP64()
		g.LEAQ(operand.Mem{Base: w, Index: block, Scale: uint8(1 << l)}, p)
		bases = append(bases, p)
	}
	return bases
}

// columns of rows that are evenly spaced.
type spaced struct {
	bases   []gp // of rows 0, 4, 8, …
	one, by gp   // how far rows are apart, and three times as much
}

func (c *spaced) row(r int) operand.Mem {
	m := operand.Mem{Base: c.bases[r/4]}
	switch r % 4 {
	case 1, 2:
		m.Index, m.Scale = c.one, uint8(r%4)
	case 3:
		m.Index, m.Scale = c.by, 1
	}
	return m
}

// spacedOf returns those of so many rows that are step·stride apart.
func (g *symbolMaps) spacedOf(rows int) (c spaced) {
	c.one = g.param("stride")
	g.IMULQ(g.frame("step"), c.one)
	if rows > 2 {
		c.by = g.GP64()
		g.LEAQ(operand.Mem{Base: c.one, Index: c.one, Scale: 2}, c.by)
	}
	for range (rows + 3) / 4 {
		c.bases = append(c.bases, g.GP64())
	}
	return c
}

// begin points to the rows of v.
func (g *symbolMaps) begin(c spaced, v gp) {
	g.MOVQ(v, c.bases[0])
	for i, b := range c.bases[1:] {
		g.LEAQ(operand.Mem{Base: c.bases[i], Index: c.one, Scale: 4}, b)
	}
}

// work writes loops over blocks, rows of each, and columns of these, which change in place, or where sums is set, are
// added to the rows of z.
func (g *symbolMaps) work(rows int, sums bool, bases []gp, prepare func(), body func(x []symbolRow)) {
	c := g.spacedOf(rows)
	v, at, i, n := g.param("v"), g.GP64(), g.GP64(), g.param("n")
	var z gp
	if sums { // how far they are behind v
		z = g.param("z")
		g.SUBQ(v, z)
	}
	g.Label("block")
	prepare()
	g.MOVQ(g.frame("count"), i)
	g.Label("row")
	g.begin(c, v)
	g.MOVQ(n, at)
	g.Label("column")
	var x []symbolRow
	for r := range rows {
		x = append(x, g.get(c.row(r), false))
	}
	body(x)
	for _, b := range c.bases {
		if sums {
			g.ADDQ(z, b)
		}
	}
	for r := range rows {
		for i, y := range x[r] {
			if at := c.row(r).Offset(i * g.machine.bytes); sums && g.avx512 {
				g.VPXORQ(at, y, y)
			} else if sums {
				g.VPXOR(at, y, y)
			}
		}
		g.put(x[r], c.row(r), false)
	}
	for _, b := range c.bases {
		if sums {
			g.SUBQ(z, b)
		}
		g.ADDQ(operand.I32(g.step()), b)
	}
	g.SUBQ(operand.I32(g.step()), at)
	g.JNZ(operand.LabelRef("column"))
	g.ADDQ(g.frame("stride"), v)
	g.DECQ(i)
	g.JNZ(operand.LabelRef("row"))
	g.next(bases, func() {
		// v is count rows further, and has to be at those of the next block.
		g.MOVQ(g.frame("count"), i)
		g.IMULQ(g.frame("stride"), i)
		g.SUBQ(i, v)
		g.LEAQ(operand.Mem{Base: v, Index: c.one, Scale: uint8(min(rows, 8))}, v)
		if rows > 8 {
			g.LEAQ(operand.Mem{Base: v, Index: c.one, Scale: 8}, v)
		}
	})
	g.end()
}

// next writes the end of a loop over blocks.
func (g *symbolMaps) next(bases []gp, move func()) {
	if bases == nil { // there is one block
		return
	}
	g.DECQ(g.frame("blocks"))
	g.JZ(operand.LabelRef("end"))
	move()
	for l, b := range bases {
		g.ADDQ(operand.I32(g.size()<<l), b)
	}
	g.JMP(operand.LabelRef("block"))
	g.Label("end")
}

// edge is work on rows that are shards on one side: that from which layers are undone, or else where results are.
func (g *symbolMaps) edge(rows int, out, stream bool, bases []gp, prepare func(), body func(x []symbolRow)) {
	v, list, n := g.param("v"), g.param("shards"), g.param("n")
	apart, step := g.param("stride"), g.param("step")
	g.IMULQ(step, apart)
	g.SHLQ(operand.Imm(3), step)
	at, base, p, i := g.GP64(), g.GP64(), g.GP64(), g.GP64()
	ahead := g.GP64()
	g.IMUL3Q(operand.I32(rows), step, ahead)
	fetches := g.planes() && !out // rows that are written next, where it is known that the processor can
	var behind gp
	if fetches {
		behind = g.GP64()
		g.IMUL3Q(operand.I32(rows), apart, behind)
	}
	g.Label("block")
	prepare()
	g.MOVQ(g.frame("count"), i)
	g.Label("row")
	g.XORQ(at, at)
	g.Label("column")
	var all []symbolRow
	walk := func(shards bool, do func(r int, m operand.Mem)) {
		if shards {
			g.MOVQ(list, p)
		} else {
			g.LEAQ(operand.Mem{Base: v, Index: at, Scale: 1}, p)
		}
		for r := range rows {
			if shards {
				g.MOVQ(operand.Mem{Base: p}, base)
				do(r, operand.Mem{Base: base, Index: at, Scale: 1})
			}
			if shards && !stream {
				g.MOVQ(operand.Mem{Base: p, Index: ahead, Scale: 1}, base)
				g.fetch(base, at)
			}
			if !shards {
				do(r, operand.Mem{Base: p})
			}
			if !shards && fetches {
				g.LEAQ(operand.Mem{Base: p, Index: behind, Scale: 1}, reg.RDI)
				g.fetchToWrite()
			}
			if r < rows-1 && shards {
				g.ADDQ(step, p)
			} else if r < rows-1 {
				g.ADDQ(apart, p)
			}
		}
	}
	walk(!out, func(_ int, m operand.Mem) { all = append(all, g.get(m, !out)) })
	body(all)
	walk(out, func(r int, m operand.Mem) {
		if stream {
			g.stream(all[r], m)
		} else {
			g.put(all[r], m, out)
		}
	})
	g.ADDQ(operand.I32(g.step()), at)
	g.CMPQ(at, n)
	g.JNE(operand.LabelRef("column"))
	g.ADDQ(g.frame("stride"), v)
	g.ADDQ(operand.Imm(8), list)
	g.DECQ(i)
	g.JNZ(operand.LabelRef("row"))
	g.next(bases, func() {
		g.MOVQ(g.frame("count"), i)
		g.LEAQ(operand.Mem{Base: list, Index: ahead, Scale: 1}, list)
		g.MOVQ(i, at)
		g.SHLQ(operand.Imm(3), at)
		g.SUBQ(at, list)
		g.IMULQ(g.frame("stride"), i)
		g.SUBQ(i, v)
		g.LEAQ(operand.Mem{Base: v, Index: apart, Scale: uint8(min(rows, 8))}, v)
		if rows > 8 {
			g.LEAQ(operand.Mem{Base: v, Index: apart, Scale: 8}, v)
		}
	})
	if stream {
		g.SFENCE()
	}
	g.end()
}

// fetchToWrite has the columns of the row at DI fetched into a cache that may write them at once. Go's assembler has no
// name for PREFETCHW, so that these are its bytes. Every processor with AVX-512 has it, and one with 64 bits that lacks
// it takes it for nothing.
func (g *symbolMaps) fetchToWrite() {
	const line = 64
	for at := 0; at < g.step(); at += line {
		for _, b := range []uint8{0x0f, 0x0d, 0x4f, uint8(at)} { // PREFETCHW at(DI)
			g.Instruction(&ir.Instruction{Opcode: "BYTE", Operands: []operand.Op{operand.U8(b)},
				Inputs: []operand.Op{reg.RDI}})
		}
	}
}

// fetch has the columns of a row fetched.
func (g *symbolMaps) fetch(base, at gp) {
	const line = 64
	for i := 0; i < g.step(); i += line {
		g.PREFETCHT0(operand.Mem{Base: base, Index: at, Scale: 1, Disp: i})
	}
}

const passParams = "v *byte, stride int, shards **byte, step, count, blocks, n int, w *byte, block int"

// beside is the registers that a kernel needs for rows, and for products.
func (g *symbolMaps) beside(rows int) int { return (rows + 1) * g.bytes }

// pass writes a pass of layers.
func (g *symbolMaps) pass(kind mapsKind, count int, back bool) {
	field := fmt.Sprintf("Layers%s[%s]", backName(back), mapsKinds[kind])
	if kind == streamMaps {
		field = mapsKinds[kind]
	}
	g.function(g.name("layers", kind, count, back), fmt.Sprintf("is Symbols.%s[%d]: see there.", field, count-1),
		passParams)
	g.prepare()
	var bases []gp
	if kind == firstMaps {
		bases = []gp{g.param("w")}
	} else {
		bases = g.basesOf(count)
	}
	all := g.mapsOf(kind, count, bases)
	if kind == firstMaps {
		bases = nil
	}
	prepare := func() { g.keep(all, count, g.beside(1<<count), kind) }
	body := func(x []symbolRow) { g.layersOf(x, count, kind, all, back) }
	if kind == edgeMaps || kind == streamMaps {
		g.edge(1<<count, !back, kind == streamMaps, bases, prepare, body)
	} else {
		g.work(1<<count, false, bases, prepare, body)
	}
}

// undoAndAdd writes a pass that adds what it has undone.
func (g *symbolMaps) undoAndAdd(count int) {
	g.function(fmt.Sprintf("sums%dRadix%d%sT", g.bytes, 1<<count, g.suffix),
		fmt.Sprintf("is Symbols.SumsT[%d]: see there.", count-1),
		"z, v *byte, stride, step, count, n int, w *byte, block int")
	g.prepare()
	all := g.mapsOf(anyMaps, count, g.basesOf(count))
	prepare := func() { g.keep(all, count, g.beside(1<<count), anyMaps) }
	g.work(1<<count, true, nil, prepare, func(x []symbolRow) { g.layersOf(x, count, anyMaps, all, true) })
}

// turn writes one that undoes layers and does those of the first block.
func (g *symbolMaps) turn(count int) {
	g.function(fmt.Sprintf("turn%dRadix%d%s", g.bytes, 1<<count, g.suffix),
		fmt.Sprintf("is Symbols.Turn[%d]: see there.", count-1), passParams)
	g.prepare()
	w := g.param("w")
	bases := g.basesOf(count)
	back, first := g.mapsOf(lowMaps, count, bases), g.mapsOf(firstMaps, count, []gp{w})
	prepare := func() { g.keep(back, count, g.beside(1<<count), lowMaps) }
	g.work(1<<count, false, nil, prepare, func(x []symbolRow) {
		g.layersOf(x, count, lowMaps, back, true)
		g.layersOf(x, count, firstMaps, first, false)
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
	v := g.get(operand.Mem{Base: from, Index: at, Scale: 1}, edgeX)
	var u symbolRow
	for range v {
		sum := g.vec()
		g.clear(sum)
		u = append(u, sum)
	}
	g.accumulate(u, v, symbolMap{at: operand.Mem{Base: m}}, false)
	g.put(u, operand.Mem{Base: to, Index: at, Scale: 1}, edgeZ)
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
