package main

import (
	"fmt"
	"path/filepath"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
)

// planes writes the kernels of package gf2: bytes of GF(2^8) in planes, a vector for each, and the tower above them.
// Constants of level k multiply groups of 2^k planes by products of their bytes, 3^k of them (Karatsuba).
type planes struct {
	*machine
	y0 vec // Y_0 in all lanes; or nil
}

const (
	plane      = 64 // bytes
	tailLayers = 7  // of a tail: two tiles of 64 lanes
	ternaryXor = 0x96
)

// planeLayers is the layers of the longest pass of each level: as many rows as registers hold.
var planeLayers = []int{3, 3, 2, 1}

// writeGF2 writes the files of package gf2.
func writeGF2(dir string) error {
	g := &planes{machine: newMachine(plane, 8, true)}
	g.ConstraintExpr("amd64,!purego")
	g.shuffles()
	g.tailTables()
	g.spreads()
	g.runs()
	for k, most := range planeLayers {
		for count := 1; count <= most; count++ {
			g.layers(k, count, false)
			g.layers(k, count, true)
			g.blocks(k, count, false)
			g.blocks(k, count, true)
		}
		g.tail(k, false)
		g.tail(k, true)
		g.addTimes(k)
	}
	for k := range 5 {
		g.pack(k)
		g.unpack(k)
		g.packBytes(k)
		g.unpackBytes(k)
		g.mul(k)
		g.scale(k)
	}
	g.turn(false)
	g.turn(true)
	g.conversions()
	asm, stubs, err := g.print("gf2")
	if err != nil {
		return err
	}
	if err := writeFiles(filepath.Join(dir, "zgfniavx512"), asm, stubs); err != nil {
		return err
	}
	if err := writeWords(dir); err != nil {
		return err
	}
	products := func(m *machine) bytewise { return &byteProducts{m, "GFNI256"} }
	if err := writeHalves(dir, "zgfniavx2", "GFNI256", products, false); err != nil {
		return err
	}
	return writeHalves(dir, "zavx2", "AVX2", func(m *machine) bytewise { return &nibbles{m: m, suffix: "AVX2"} }, true)
}

// shuffles declares the bytes of two vectors, one behind the other, that vectors are made of.
func (g *planes) shuffles() {
	for _, s := range []struct {
		name string
		from func(i int) int
	}{
		{"first", func(i int) int { return i/2 + i%2*plane }},
		{"second", func(i int) int { return plane/2 + i/2 + i%2*plane }},
		{"even", func(i int) int { return 2 * i }},
		{"odd", func(i int) int { return 2*i + 1 }},
	} {
		g.StaticGlobal(s.name)
		g.DataAttributes(attr.RODATA | attr.NOPTR)
		for i := range plane {
			g.AddDatum(i, operand.U8(s.from(i)))
		}
	}
}

// runs declares for k = 1 … 5 how bytes of a vector of elements of 2^k bytes stand in runs.
func (g *planes) runs() {
	var list []int
	for k := 1; k <= 5; k++ {
		for i := range plane {
			run := plane >> k
			list = append(list, i%run<<k|i/run)
		}
	}
	g.table("runs", 1, list)
}

// spreads declares for s ≤ 6 which elements of a tile stand in the lanes of another, 2^s times each.
func (g *planes) spreads() {
	g.StaticGlobal("spread")
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for s := range 7 {
		for i := range plane {
			g.AddDatum(plane*s+i, operand.U8(i>>s))
		}
	}
}

func (g *planes) static(name string) vec {
	z := g.load(operand.NewDataAddr(operand.NewStaticSymbol(name), 0))
	g.note(name, z)
	return z
}

// parts is 3^k.
func parts(k int) int {
	n := 1
	for range k {
		n *= 3
	}
	return n
}

// constantSize is the bytes from one constant of level k to the next.
func constantSize(k int) int { return (parts(k) + 7) &^ 7 }

func (g *planes) byteProduct(x vec, t operand.Op) vec { return g.op2(g.ctx3(g.VGF2P8MULB), t, x) }

func (g *planes) xor(x vec, y operand.Op) vec {
	if g.avx512 {
		return g.op2(g.ctx3(g.VPXORQ), y, x)
	}
	return g.op2(g.ctx3(g.VPXOR), y, x)
}

// addTo adds y to x.
func (g *planes) addTo(x vec, y operand.Op) {
	if g.avx512 {
		g.VPXORQ(y, x, x)
	} else {
		g.VPXOR(y, x, x)
	}
}

// addBoth adds y and z to x.
func (g *planes) addBoth(x, y, z vec) { g.VPTERNLOGQ(operand.Imm(ternaryXor), z, y, x) }

// accumulate adds to u the products of v and the constant of level k whose bytes are part(at), part(at+1), …
func (g *planes) accumulate(k int, u, v []vec, part func(i int) operand.Op, at int) {
	h, n := len(v)/2, parts(k-1)
	switch k {
	case 0:
		g.addTo(u[0], g.byteProduct(v[0], part(at)))
		return
	case 1:
		p := g.byteProduct(g.xor(v[0], v[1]), part(at+1))
		g.addBoth(u[0], p, g.byteProduct(v[0], part(at)))
		g.addBoth(u[1], p, g.byteProduct(v[1], part(at+2)))
		return
	}
	for i, p := range g.product(k-1, g.sums(v), part, at+n) {
		g.addTo(u[i], p)
		g.addTo(u[h+i], p)
	}
	g.accumulate(k-1, u[:h], v[:h], part, at)
	g.accumulate(k-1, u[h:], v[h:], part, at+2*n)
}

// sums adds the halves of v.
func (g *planes) sums(v []vec) []vec {
	h := len(v) / 2
	s := make([]vec, h)
	for i := range s {
		s[i] = g.xor(v[i], v[h+i])
	}
	return s
}

// product returns those of v and a constant.
func (g *planes) product(k int, v []vec, part func(i int) operand.Op, at int) []vec {
	if k == 0 {
		return []vec{g.byteProduct(v[0], part(at))}
	}
	h, n := len(v)/2, parts(k-1)
	u := g.product(k-1, g.sums(v), part, at+n)
	for i := range h {
		u = append(u, g.mov(u[i]))
	}
	g.accumulate(k-1, u[:h], v[:h], part, at)
	g.accumulate(k-1, u[h:], v[h:], part, at+2*n)
	return u
}

// butterfly does that of a layer, or undoes it.
func (g *planes) butterfly(k int, u, v []vec, part func(i int) operand.Op, back bool) {
	add := func() {
		for i := range v {
			g.addTo(v[i], u[i])
		}
	}
	if back {
		add()
	}
	g.accumulate(k, u, v, part, 0)
	if !back {
		add()
	}
}

// room returns an address in the frame, a multiple of 64. A frame that large may make the stack grow.
func (g *planes) room(bytes int) gp {
	g.Attributes(0)
	frame, r := g.AllocLocal(bytes+plane-8), g.GP64()
	g.LEAQ(frame.Offset(plane-8), r)
	g.ANDQ(operand.I32(-plane), r)
	return r
}

// constants has count constants at w in all lanes: in registers where there are few, else in the frame.
func (g *planes) planesOf(w gp, k, count int) func(constant, i int) operand.Op {
	const few = 9
	n := parts(k)
	if count*n <= few {
		var list []vec
		for c := range count {
			for i := range n {
				z := g.vec()
				g.VPBROADCASTB(operand.Mem{Base: w, Disp: c*constantSize(k) + i}, z)
				list = append(list, z)
			}
		}
		return func(constant, i int) operand.Op { return list[constant*n+i] }
	}
	r := g.room(count * n * plane)
	for c := range count {
		for i := range n {
			z := g.vec()
			g.VPBROADCASTB(operand.Mem{Base: w, Disp: c*constantSize(k) + i}, z)
			g.store(z, operand.Mem{Base: r, Disp: (c*n + i) * plane})
		}
	}
	return func(constant, i int) operand.Op { return operand.Mem{Base: r, Disp: (constant*n + i) * plane} }
}

func backName(back bool) string {
	if back {
		return "T"
	}
	return ""
}

// layers writes a pass of count layers of constants of level k.
func (g *planes) layers(k, count int, back bool) {
	rows, d := 1<<count, 1<<k
	name := fmt.Sprintf("layers%dRadix%d%s", k, rows, backName(back))
	g.function(name, "is Set.Layers"+backName(back)+": see there.", "v *byte, stride, n int, w *byte")
	v, stride, n := g.param("v"), g.param("stride"), g.param("n")
	part := g.planesOf(g.param("w"), k, rows-1)
	r := g.newRowsOf(v, stride, rows)
	g.Label("group")
	g.rowsLayers(k, count, r, part, back)
	r.next(operand.U32(d * plane))
	g.SUBQ(operand.U32(d*plane), n)
	g.JNZ(operand.LabelRef("group"))
	g.end()
}

// rowsOf is the rows of a pass.
type rowsOf struct {
	g                      *planes
	v, stride, three, high gp
}

func (g *planes) newRowsOf(v, stride gp, rows int) *rowsOf {
	r := &rowsOf{g: g, v: v, stride: stride}
	if rows > 2 {
		r.three = g.GP64()
		g.LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 2}, r.three)
	}
	if rows > 4 {
		r.high = g.GP64()
		g.LEAQ(operand.Mem{Base: v, Index: stride, Scale: 4}, r.high)
	}
	return r
}

// at is plane i of a row.
func (r *rowsOf) at(row, i int) operand.Mem {
	m := operand.Mem{Base: r.v, Disp: i * plane}
	if row >= 4 {
		m.Base = r.high
	}
	switch row % 4 {
	case 1:
		m.Index, m.Scale = r.stride, 1
	case 2:
		m.Index, m.Scale = r.stride, 2
	case 3:
		m.Index, m.Scale = r.three, 1
	}
	return m
}

// next goes on by so many bytes.
func (r *rowsOf) next(bytes operand.Op) {
	r.g.ADDQ(bytes, r.v)
	if r.high != nil {
		r.g.ADDQ(bytes, r.high)
	}
}

// rowsLayers does count layers to a group of planes of rows.
func (g *planes) rowsLayers(k, count int, rows *rowsOf, part func(constant, i int) operand.Op, back bool) {
	x := make([][]vec, 1<<count)
	for r := range x {
		for i := range 1 << k {
			x[r] = append(x[r], g.load(rows.at(r, i)))
		}
	}
	for step := range count {
		l := step
		if back {
			l = count - 1 - step
		}
		h := len(x) >> (l + 1)
		for b := range 1 << l {
			for r := 2 * h * b; r < 2*h*b+h; r++ {
				g.butterfly(k, x[r], x[r+h], func(i int) operand.Op { return part(1<<l-1+b, i) }, back)
			}
		}
	}
	for r := range x {
		for i, z := range x[r] {
			g.store(z, rows.at(r, i))
		}
	}
}

// blocks writes a pass of count layers of constants of level k to blocks one behind the other. A vector has the bytes
// of the constants of a block, and memory each of them eight times: those of the next block are made before they are
// wanted.
func (g *planes) blocks(k, count int, back bool) {
	const few = 9 // constants that stay in registers
	rows, d, n := 1<<count, 1<<k, parts(k)
	all := (rows - 1) * n
	size := (8*all + plane - 1) &^ (plane - 1)
	name := fmt.Sprintf("blocks%dRadix%d%s", k, rows, backName(back))
	g.function(name, "is Set.Blocks"+backName(back)+": see there.", "v *byte, stride, n, blocks int, w, delta *byte, at int")
	v, stride, width, blocks := g.param("v"), g.param("stride"), g.param("n"), g.param("blocks")
	delta, at := g.param("delta"), g.param("at")
	now, next, step, left, zeros := g.room(2*size), g.GP64(), g.GP64(), g.GP64(), g.GP64()
	g.LEAQ(operand.Mem{Base: now, Disp: size}, next)
	g.MOVQ(stride, step)
	g.SHLQ(operand.Imm(uint64(count)), step)
	g.SUBQ(width, step)
	sum := g.load(operand.Mem{Base: g.param("w")})
	expand := func(to gp) {
		for i := 0; i < all; i += 8 {
			z := g.load(symbol("eighths", i*8))
			g.VPERMB(sum, z, z)
			g.store(z, operand.Mem{Base: to, Disp: 8 * i})
		}
	}
	expand(now)
	r := g.newRowsOf(v, stride, rows)

	g.Label("block")
	g.DECQ(blocks)
	g.JZ(operand.LabelRef("last"))
	g.INCQ(at)
	g.BSFQ(at, zeros)
	g.SHLQ(operand.Imm(6), zeros) // a vector
	g.addTo(sum, operand.Mem{Base: delta, Index: zeros, Scale: 1})
	expand(next)
	g.Label("last")
	part := func(constant, i int) operand.Op {
		z := g.vec()
		g.VPBROADCASTQ(operand.Mem{Base: now, Disp: 8 * (constant*n + i)}, z)
		return z
	}
	if all <= few {
		var list []operand.Op
		for i := range all {
			list = append(list, part(0, i))
		}
		part = func(constant, i int) operand.Op { return list[constant*n+i] }
	}
	g.MOVQ(width, left)
	g.Label("group")
	g.rowsLayers(k, count, r, part, back)
	r.next(operand.U32(d * plane))
	g.SUBQ(operand.U32(d*plane), left)
	g.JNZ(operand.LabelRef("group"))
	r.next(step)
	g.XCHGQ(now, next)
	g.TESTQ(blocks, blocks)
	g.JNZ(operand.LabelRef("block"))
	g.end()
}

// addTimes writes the sum of u and the product of v and a constant.
func (g *planes) addTimes(k int) {
	d := 1 << k
	g.function(fmt.Sprintf("addTimes%d", k), "is Set.AddTimes: see there.", "u, v *byte, groups, step int, w *byte")
	u, v, groups, step := g.param("u"), g.param("v"), g.param("groups"), g.param("step")
	part := g.planesOf(g.param("w"), k, 1)
	g.Label("group")
	var x, y []vec
	for i := range d {
		x = append(x, g.load(operand.Mem{Base: u, Disp: i * plane}))
		y = append(y, g.load(operand.Mem{Base: v, Disp: i * plane}))
	}
	g.accumulate(k, x, y, func(i int) operand.Op { return part(0, i) }, 0)
	for i, z := range x {
		g.store(z, operand.Mem{Base: u, Disp: i * plane})
	}
	g.ADDQ(step, u)
	g.ADDQ(step, v)
	g.DECQ(groups)
	g.JNZ(operand.LabelRef("group"))
	g.end()
}

// exchange makes two vectors of bytes of both.
func (g *planes) exchange(x, y, toX, toY vec) {
	t := g.mov(x)
	g.VPERMT2B(y, toX, x)
	g.VPERMT2B(y, toY, t)
	g.set(y, t)
}

// inRuns has bytes of each vector change places so that those of elements of 2^k bytes at the same place in them come
// together: a run of bytes 0, a run of bytes 1, and so on. inRuns of 6 − k undoes it.
func (g *planes) inRuns(k int, x []vec) {
	from := g.load(symbol("runs", plane*(k-1)))
	for _, z := range x {
		g.VPERMB(z, from, z)
	}
}

// transpose takes 2^k vectors as rows of a square matrix of 2^k words. It does first what stays in 16 bytes, to
// neighbours, and then has 16 bytes of four vectors change places, or 32 of two.
func (g *planes) transpose(k int, x []vec) {
	both := func(lows, highs func(ops ...operand.Op), i, j int) {
		low, high := g.ctx3(lows), g.ctx3(highs)
		x[i], x[j] = g.op2(low, x[j], x[i]), g.op2(high, x[j], x[i])
	}
	switch k {
	case 3:
		for i := 0; i < len(x); i += 2 {
			both(g.VPUNPCKLQDQ, g.VPUNPCKHQDQ, i, i+1)
		}
	case 4:
		for i := 0; i < len(x); i += 4 {
			both(g.VPUNPCKLDQ, g.VPUNPCKHDQ, i, i+1)
			both(g.VPUNPCKLDQ, g.VPUNPCKHDQ, i+2, i+3)
			both(g.VPUNPCKLQDQ, g.VPUNPCKHQDQ, i, i+2)
			both(g.VPUNPCKLQDQ, g.VPUNPCKHQDQ, i+1, i+3)
			x[i+1], x[i+2] = x[i+2], x[i+1]
		}
	}
	lanes := func(i, j int, low, high uint64) {
		a, b := g.vec(), g.vec()
		g.VSHUFI64X2(operand.Imm(low), x[j], x[i], a)
		g.VSHUFI64X2(operand.Imm(high), x[j], x[i], b)
		x[i], x[j] = a, b
	}
	if k == 1 {
		lanes(0, 1, 0x44, 0xee)
		return
	}
	for i := range len(x) / 4 {
		step := len(x) / 4
		a, b, c, d := i, i+step, i+2*step, i+3*step
		lanes(a, b, 0x44, 0xee)
		lanes(c, d, 0x44, 0xee)
		lanes(a, c, 0x88, 0xdd)
		lanes(b, d, 0x88, 0xdd)
		x[b], x[c] = x[c], x[b]
	}
}

// spread has vector i of 2^k hold byte i of each element, and gather goes back.
func (g *planes) spread(k int, x []vec) {
	if k > 0 {
		g.inRuns(k, x)
		g.transpose(k, x)
	}
}

func (g *planes) gather(k int, x []vec) {
	if k > 0 {
		g.transpose(k, x)
		g.inRuns(6-k, x)
	}
}

// matrix writes the products of the planes x by the matrix at m, one plane after the other, to z.
func (g *planes) matrix(x []vec, z, m gp) {
	n := len(x)
	row, to, left := g.GP64(), g.GP64(), g.GP64()
	g.MOVQ(m, row)
	g.MOVQ(z, to)
	g.MOVQ(operand.U32(n), left)
	g.Label("plane")
	product := func(j int) vec {
		t := g.vec()
		g.VGF2P8AFFINEQB_BCST(operand.Imm(0), operand.Mem{Base: row, Disp: 8 * j}, x[j], t)
		return t
	}
	sum := product(0)
	for j := 1; j < n; j += 2 {
		if j+1 < n {
			g.addBoth(sum, product(j), product(j+1))
		} else {
			g.addTo(sum, product(j))
		}
	}
	g.store(sum, operand.Mem{Base: to})
	g.ADDQ(operand.U32(8*n), row)
	g.ADDQ(operand.Imm(plane), to)
	g.DECQ(left)
	g.JNZ(operand.LabelRef("plane"))
}

func (g *planes) loadAll(from gp, n int) []vec {
	var x []vec
	for i := range n {
		x = append(x, g.load(operand.Mem{Base: from, Disp: i * plane}))
	}
	return x
}

func (g *planes) storeAll(x []vec, to gp) {
	for i, z := range x {
		g.store(z, operand.Mem{Base: to, Disp: i * plane})
	}
}

func (g *planes) pack(k int) {
	n := 1 << k
	g.function(fmt.Sprintf("pack%d", k), "is Set.Pack: see there.", "z, x *byte, tiles int, m *uint64")
	z, from, tiles, m := g.param("z"), g.param("x"), g.param("tiles"), g.param("m")
	g.Label("tile")
	x := g.loadAll(from, n)
	g.spread(k, x)
	g.matrix(x, z, m)
	g.nextTile(n, tiles, z, from)
}

func (g *planes) unpack(k int) {
	n := 1 << k
	g.function(fmt.Sprintf("unpack%d", k), "is Set.Unpack: see there.", "z, x *byte, tiles int, m *uint64")
	z, from, tiles, m := g.param("z"), g.param("x"), g.param("tiles"), g.param("m")
	t := g.room(n * plane)
	g.Label("tile")
	g.matrix(g.loadAll(from, n), t, m)
	x := g.loadAll(t, n)
	g.gather(k, x)
	g.storeAll(x, z)
	g.nextTile(n, tiles, z, from)
}

// packBytes writes pack for a matrix that maps each byte by itself, in the same way.
func (g *planes) packBytes(k int) {
	n := 1 << k
	g.function(fmt.Sprintf("packBytes%d", k), "is Set.PackBytes: see there.", "z, x *byte, tiles int, m *uint64")
	z, from, tiles, byteMap := g.param("z"), g.param("x"), g.param("tiles"), g.byteMap()
	g.Label("tile")
	x := g.loadAll(from, n)
	g.spread(k, x)
	byteMap(x)
	g.storeAll(x, z)
	g.nextTile(n, tiles, z, from)
}

func (g *planes) unpackBytes(k int) {
	n := 1 << k
	g.function(fmt.Sprintf("unpackBytes%d", k), "is Set.UnpackBytes: see there.", "z, x *byte, tiles int, m *uint64")
	z, from, tiles, byteMap := g.param("z"), g.param("x"), g.param("tiles"), g.byteMap()
	g.Label("tile")
	x := g.loadAll(from, n)
	byteMap(x)
	g.gather(k, x)
	g.storeAll(x, z)
	g.nextTile(n, tiles, z, from)
}

// byteMap returns what maps the bytes of vectors by the matrix at m.
func (g *planes) byteMap() func(x []vec) {
	matrix := g.vec()
	g.VPBROADCASTQ(operand.Mem{Base: g.param("m")}, matrix)
	return func(x []vec) {
		for _, z := range x {
			g.VGF2P8AFFINEQB(operand.Imm(0), matrix, z, z)
		}
	}
}

// nextTile ends a loop over tiles of n planes.
func (g *planes) nextTile(n int, tiles gp, places ...gp) {
	for _, p := range places {
		g.ADDQ(operand.U32(n*plane), p)
	}
	g.DECQ(tiles)
	g.JNZ(operand.LabelRef("tile"))
	g.end()
}

// source makes plane j of an operand, in a register of its own.
type source func(j int) vec

// mul writes products of elements.
func (g *planes) mul(k int) {
	n := 1 << k
	g.function(fmt.Sprintf("mul%d", k), "is Set.Mul: see there.", "z, x, y *byte, tiles int")
	z, a, b, tiles := g.param("z"), g.param("x"), g.param("y"), g.param("tiles")
	g.towerConstant(k)
	var t gp
	if k == 4 {
		t = g.room(n * plane)
	}
	g.Label("tile")
	if k < 4 {
		g.storeAll(g.pairs(k, g.of(a), g.of(b)), z)
	} else {
		g.widePairs(g.of(a), g.of(b), z, t)
	}
	g.nextTile(n, tiles, z, a, b)
}

// scale writes products by elements each of which multiplies 2^s neighbours.
func (g *planes) scale(k int) {
	n := 1 << k
	g.function(fmt.Sprintf("scale%d", k), "is Set.Scale: see there.", "v *byte, tiles int, w *byte, s, at int")
	v, tiles, w, s, at := g.param("v"), g.param("tiles"), g.param("w"), g.param("s"), g.param("at")
	left, right, table := g.GP64(), g.GP64(), g.GP64() // 6 − s and s − 6, where they are not negative
	zero := g.GP64()
	g.XORQ(zero, zero)
	g.MOVQ(operand.U32(6), left)
	g.SUBQ(s, left)
	g.MOVQ(left, right)
	g.NEGQ(right)
	g.TESTQ(left, left)
	g.CMOVQLT(zero, left)
	g.TESTQ(right, right)
	g.CMOVQLT(zero, right)
	from := g.GP64()
	g.MOVQ(operand.U32(6), from)
	g.SUBQ(left, from)
	g.SHLQ(operand.Imm(6), from)
	g.LEAQ(operand.NewDataAddr(operand.NewStaticSymbol("spread"), 0), table)
	g.ADDQ(from, table)
	g.towerConstant(k)
	room := g.room((n + n&16) * plane) // level 4 has twice as many
	var t gp
	if k == 4 {
		t = g.GP64()
		g.LEAQ(operand.Mem{Base: room, Disp: n * plane}, t)
	}
	g.Label("tile")
	first, tile := g.GP64(), g.GP64()
	g.SHLXQ(left, at, first)
	g.SHRXQ(right, first, first)
	index := g.vec()
	g.VPBROADCASTB(first.As32(), index)
	g.VPADDB(operand.Mem{Base: table}, index, index)
	g.SHRXQ(s, at, tile)
	g.SHLQ(operand.Imm(uint64(6+k)), tile)
	g.ADDQ(w, tile)
	for i := range n {
		z := g.vec()
		g.VPERMB(operand.Mem{Base: tile, Disp: i * plane}, index, z)
		g.store(z, operand.Mem{Base: room, Disp: i * plane})
	}
	a, b := g.of(v), g.of(room)
	if k < 4 {
		g.storeAll(g.pairs(k, a, b), v)
	} else {
		g.widePairs(a, b, v, t)
	}
	g.INCQ(at)
	g.nextTile(n, tiles, v)
}

// of is the planes at p.
func (g *planes) of(p gp) source {
	return func(j int) vec { return g.load(operand.Mem{Base: p, Disp: j * plane}) }
}

// towerConstant loads Y_0, which products of elements of level k need.
func (g *planes) towerConstant(k int) {
	g.y0 = nil
	if k > 0 {
		g.y0 = g.vec()
		r := g.GP32()
		g.MOVL(operand.U32(towerY0), r)
		g.VPBROADCASTB(r, g.y0)
	}
}

// towerY0 is Y0 of package gf2.
const towerY0 = 0x35

// pairs returns the products of two operands of level k.
func (g *planes) pairs(k int, a, b source) []vec {
	if k == 0 {
		return []vec{g.byteProduct(a(0), b(0))}
	}
	h := 1 << (k - 1)
	if k < 3 { // in registers
		var x, y []vec
		for i := range 2 * h {
			x, y = append(x, a(i)), append(y, b(i))
		}
		a, b = func(j int) vec { return x[j] }, func(j int) vec { return y[j] }
	}
	p := g.pairs(k-1, a, b)
	q := g.pairs(k-1, behind(a, h), behind(b, h))
	m := g.pairs(k-1, g.halves2(a, h), g.halves2(b, h))
	for i := range p {
		p[i] = g.xor(p[i], q[i])
	}
	for i, x := range g.byGenerator(k-1, q) {
		g.addBoth(m[i], p[i], x)
	}
	return append(p, m...)
}

// widePairs is pairs for level 4, whose parts do not fit in registers: t has room for them.
func (g *planes) widePairs(a, b source, z, t gp) {
	const h = 8
	at := func(i int) operand.Mem { return operand.Mem{Base: t, Disp: i * plane} }
	for i, p := range g.pairs(3, a, b) {
		g.store(p, at(i))
	}
	q := g.pairs(3, behind(a, h), behind(b, h))
	for i, x := range g.byGenerator(3, q) {
		p := g.load(at(i))
		g.addTo(p, q[i])
		g.store(p, at(i))
		g.addTo(p, x)
		g.store(p, at(h+i))
	}
	m := g.pairs(3, g.halves2(a, h), g.halves2(b, h))
	for i := range m {
		g.addTo(m[i], at(h+i))
		g.store(g.load(at(i)), operand.Mem{Base: z, Disp: i * plane})
		g.store(m[i], operand.Mem{Base: z, Disp: (h + i) * plane})
	}
}

// behind is the planes from h on, and halves2 the sums of both halves.
func behind(a source, h int) source { return func(j int) vec { return a(h + j) } }

func (g *planes) halves2(a source, h int) source {
	return func(j int) vec { return g.xor(a(j), a(h+j)) }
}

// byGenerator returns the products of x of level k and Y_k.
func (g *planes) byGenerator(k int, x []vec) []vec {
	if k == 0 {
		return []vec{g.byteProduct(x[0], g.y0)}
	}
	h := len(x) / 2
	z := append([]vec(nil), x[h:]...)
	for i, y := range g.byGenerator(k-1, x[h:]) {
		z = append(z, g.xor(y, x[i]))
	}
	return z
}

// turn writes the exchange of a tail by itself.
func (g *planes) turn(back bool) {
	name, toX, toY := "interleavePlanes", "first", "second"
	if back {
		name, toX, toY = "separatePlanes", "even", "odd"
	}
	g.function(name, "is that of Set: see there.", "x, y *byte, planes int")
	x, y, n := g.param("x"), g.param("y"), g.param("planes")
	i, j := g.static(toX), g.static(toY)
	g.Label("plane")
	a, b := g.load(operand.Mem{Base: x}), g.load(operand.Mem{Base: y})
	g.exchange(a, b, i, j)
	g.store(a, operand.Mem{Base: x})
	g.store(b, operand.Mem{Base: y})
	g.ADDQ(operand.Imm(plane), x)
	g.ADDQ(operand.Imm(plane), y)
	g.DECQ(n)
	g.JNZ(operand.LabelRef("plane"))
	g.end()
}
