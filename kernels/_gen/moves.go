package main

import (
	"fmt"
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// transpose works on a tile: a square of as many rows as a vector has words, in registers.
//
// Interleaving row i with row i + n/2, into rows 2i and 2i+1, rotates the bits of a word's place (row, column) by one;
// log2(n) rounds exchange rows and columns.
func (s *interleaver) transpose(x []vec) []vec {
	for range bits.Len(uint(len(x))) - 1 {
		y := make([]vec, len(x))
		for i := range len(x) / 2 {
			y[2*i], y[2*i+1] = s.interleave(x[i], x[i+len(x)/2])
		}
		x = y
	}
	return x
}

// rev returns the reversal of the bits of i < n.
func rev(i, n int) int { return int(bits.Reverse(uint(i)) >> (bits.UintSize - bits.Len(uint(n)) + 1)) }

// multiples returns d, 3d, 5d and 7d at their odd indices.
func (g *machine) multiples(d gp) (list [8]gp) {
	d3, d5, d7 := g.GP64(), g.GP64(), g.GP64()
	g.LEAQ(operand.Mem{Base: d, Index: d, Scale: 2}, d3)
	g.LEAQ(operand.Mem{Base: d, Index: d, Scale: 4}, d5)
	g.LEAQ(operand.Mem{Base: d3, Index: d, Scale: 4}, d7)
	return [8]gp{1: d, 3: d3, 5: d5, 7: d7}
}

// addresses returns the rows from p on, d[1] bytes apart: one register for every eight rows.
func (g *machine) addresses(p gp, d [8]gp, n int) []operand.Mem {
	var m []operand.Mem
	for i := 0; i < n; i += 8 {
		if i > 0 {
			q := g.GP64()
			g.LEAQ(operand.Mem{Base: p, Index: d[1], Scale: 8}, q)
			p = q
		}
		r := rows{p: p, d: d}
		for j := range min(8, n-i) {
			m = append(m, r.row(j))
		}
	}
	return m
}

// The docs of moves, for vectors of some lanes.

func swapDoc(n, unit int) string {
	of := "words"
	if unit > 1 {
		of = fmt.Sprintf("elements of %d words", unit)
	}
	return fmt.Sprintf("exchanges count pairs of tiles of %d × %d %s, rows d words apart, both transposed and with the "+
		"numbers of rows and columns reversed bit by bit. The tiles are at x[list[0]] and y[list[1]], and so on; those of a "+
		"pair may be one. The list goes on for %d pairs more, whose rows are fetched.", n, n, of, swapsAhead)
}

// swapsAhead is how many pairs before its own a tile is fetched.
const swapsAhead = 2

func transposeDoc(lanes int) string {
	return fmt.Sprintf("copies column i of %d rows of src to row to[i] of dst, for i < count, a multiple of %d. Row j of "+
		"src is at from[j]·s, row i of dst at i·d.", lanes, lanes)
}

func copyDoc(widths string) string {
	return fmt.Sprintf("copies rows of width words, %s: row i of dst, at i·d, is row from[i] of src, at from[i]·s.", widths)
}

func maxDoc(lanes int) string {
	return fmt.Sprintf("returns the greatest of n words x. n is a multiple of %d.", maxVectors*lanes)
}

func maxParams(word string) string { return fmt.Sprintf("x *%[1]s, n int) (most %[1]s", word) }

// moves writes what depends on the size of words alone.
func (g *machine) moves(suffix string) {
	for _, n := range swapTiles(g.lanes(), g.word) {
		g.ofBytes(n*g.word).swap(n, 1, suffix)
	}
	for _, unit := range g.swapUnits() {
		for v, list := range g.unitShuffles(unit) {
			g.table(g.unitShuffleName(unit, v), list)
		}
		g.swap(g.lanes()/unit, unit, suffix)
	}
	for _, run := range g.swapRuns() {
		g.swapRows(run, suffix)
	}
	g.transposeTiles(suffix)
	g.columns(suffix)
	g.copyRows(suffix)
	g.max(suffix)
}

// maxVectors is how many vectors a turn of max takes, each with a maximum of its own, so that none waits.
const maxVectors = 4

// max writes the greatest of many words.
func (g *machine) max(suffix string) {
	name := fmt.Sprintf("max%d%s", 8*g.word, suffix)
	g.function(name, maxDoc(g.lanes()), maxParams(g.goWord()))
	x, n := g.param("x"), g.param("n")
	flipped := g.word == 8 && !g.avx512 // AVX2 compares signed words: those of 64 bits have their signs flipped
	if flipped {
		g.halvesConstants()
	}
	load := func(m operand.Mem) vec {
		if flipped {
			return g.op2(g.ctx3(g.VPXOR), g.sign, g.load(m))
		}
		return g.load(m)
	}
	greater := func(a, b vec) { // sets a to the greater one
		switch {
		case g.word == 4:
			g.VPMAXUD(b, a, a)
		case g.avx512:
			g.VPMAXUQ(b, a, a)
		default:
			t := g.vec()
			g.VPCMPGTQ(a, b, t)
			g.VBLENDVPD(t, b, a, a)
		}
	}
	var most [maxVectors]vec
	for i := range most {
		most[i] = load(operand.Mem{Base: x, Disp: i * g.bytes})
	}
	g.Label("loop")
	for i := range most {
		greater(most[i], load(operand.Mem{Base: x, Disp: i * g.bytes}))
	}
	g.ADDQ(operand.U32(maxVectors*g.bytes), x)
	g.SUBQ(operand.U32(maxVectors*g.lanes()), n)
	g.JNE(operand.LabelRef("loop"))
	for i := 1; i < maxVectors; i++ {
		greater(most[0], most[i])
	}
	const swapHalves, swapNext = 0x4e, 0xb1 // of four
	across := func(do func(t vec)) {
		t := g.vec()
		do(t)
		greater(most[0], t)
	}
	if g.avx512 {
		for _, swap := range []operand.U8{swapHalves, swapNext} {
			across(func(t vec) { g.VSHUFI64X2(swap, most[0], most[0], t) })
		}
	} else {
		across(func(t vec) { g.VPERMQ(operand.U8(swapHalves), most[0], t) })
	}
	across(func(t vec) { g.VPSHUFD(operand.U8(swapHalves), most[0], t) })
	if g.word == 4 {
		across(func(t vec) { g.VPSHUFD(operand.U8(swapNext), most[0], t) })
	}
	if flipped {
		most[0] = g.op2(g.ctx3(g.VPXOR), g.sign, most[0])
	}
	if g.word == 4 {
		r := g.GP32()
		g.VMOVD(most[0].AsX(), r)
		g.Store(r, g.ReturnIndex(0))
	} else {
		r := g.GP64()
		g.VMOVQ(most[0].AsX(), r)
		g.Store(r, g.ReturnIndex(0))
	}
	g.end()
}

// swapTiles lists the sizes of the tiles of swap, largest first: whole vectors, and for words of 32 bits halves of
// them, which serve shorter transforms.
func swapTiles(lanes, word int) []int {
	if word == 4 && lanes > 4 {
		return []int{lanes, lanes / 2}
	}
	return []int{lanes}
}

// swapUnits lists the words of the elements of other tiles: powers of two up to half a vector, of AVX-512 alone.
func (g *machine) swapUnits() (list []int) {
	for unit := 2; g.avx512 && unit < g.lanes(); unit *= 2 {
		list = append(list, unit)
	}
	return list
}

// unitShuffles are the index vectors that interleave elements of unit words.
func (g *machine) unitShuffles(unit int) (on [2][]int) {
	n := g.lanes()
	for v := range on {
		for i := range n {
			j := (v*n + i) / unit // the element
			on[v] = append(on[v], (j/2+j%2*(n/unit))*unit+i%unit)
		}
	}
	return on
}

func (g *machine) unitShuffleName(unit, v int) string {
	return fmt.Sprintf("%sof%d", g.shuffleName("interleave", v), unit)
}

// unitInterleaver interleaves elements of unit words.
func (g *machine) unitInterleaver(unit int) interleaver {
	if unit == 1 {
		return g.interleaver(false)
	}
	s := interleaver{machine: g}
	for v := range s.on {
		s.on[v] = g.load(operand.NewDataAddr(operand.NewStaticSymbol(g.unitShuffleName(unit, v)), 0))
	}
	return s
}

func swapName(word, tile, unit int, suffix string) string {
	name := fmt.Sprintf("swap%d%sx%d", 8*word, suffix, tile)
	if unit > 1 {
		name += fmt.Sprintf("of%d", unit)
	}
	return name
}

// swap writes the exchange of pairs of tiles of n × n elements, of unit words, for the bit reversal. Rows of a second
// tile are read where those of the first one, transposed, are written, so that little more than one tile is in
// registers.
func (g *machine) swap(n, unit int, suffix string) {
	g.function(swapName(g.word, n, unit, suffix), swapDoc(n, unit), "x, y *"+g.goWord()+", list *int, count, d int")
	x, y, list, count, d := g.param("x"), g.param("y"), g.param("list"), g.param("count"), g.param("d")
	g.SHLQ(operand.Imm(uint64(bits.Len(uint(g.word))-1)), d)
	s, rows := g.unitInterleaver(unit), g.multiples(d)
	tile := func(base gp, place int) (p gp, addresses []operand.Mem) {
		p = g.GP64()
		g.MOVQ(operand.Mem{Base: list, Disp: 8 * place}, p)
		g.LEAQ(operand.Mem{Base: base, Index: p, Scale: uint8(g.word)}, p)
		return p, g.addresses(p, rows, n)
	}
	g.Label("pair")
	for i, base := range []gp{x, y} {
		_, ahead := tile(base, 2*swapsAhead+i)
		for _, m := range ahead {
			g.PREFETCHT0(m)
		}
	}
	p, first := tile(x, 0)
	q, second := tile(y, 1)
	a, b := make([]vec, n), make([]vec, n)
	for i := range a {
		a[i] = g.load(first[rev(i, n)])
	}
	for i, x := range s.transpose(a) {
		b[i] = g.load(second[rev(i, n)])
		g.store(x, second[rev(i, n)])
	}
	g.CMPQ(p, q)
	g.JEQ(operand.LabelRef("next"))
	for i, x := range s.transpose(b) {
		g.store(x, first[rev(i, n)])
	}
	g.Label("next")
	g.ADDQ(operand.Imm(16), list)
	g.DECQ(count)
	g.JNE(operand.LabelRef("pair"))
	g.end()
}

// swapRuns lists the words of the runs of kernels of swapRows: powers of two up to a vector.
func (g *machine) swapRuns() (list []int) {
	for run := 2; run <= g.lanes(); run *= 2 {
		list = append(list, run)
	}
	return list
}

func swapRowsDoc(run int) string {
	return fmt.Sprintf("exchanges count pairs of rows of %d to %d words, at x[list[0]] and y[list[1]], and so on, by "+
		"two runs of %d words, the second of which begins at word rest. The list goes on for %d pairs more, which are "+
		"fetched.", run, 2*run, run, swapsAhead)
}

func swapRowsName(word, run int, suffix string) string {
	return fmt.Sprintf("swapRows%d%sx%d", 8*word, suffix, run)
}

// swapRows writes the exchange of rows by two runs, which meet or overlap. All is read before anything is written.
func (g *machine) swapRows(run int, suffix string) {
	g.function(swapRowsName(g.word, run, suffix), swapRowsDoc(run), "x, y *"+g.goWord()+", list *int, count, rest int")
	x, y, list, count, rest := g.param("x"), g.param("y"), g.param("list"), g.param("count"), g.param("rest")
	load, store := g.runs(run * g.word)
	g.SHLQ(operand.Imm(uint64(bits.Len(uint(g.word))-1)), rest)
	row := func(base gp, place int) operand.Mem {
		p := g.GP64()
		g.MOVQ(operand.Mem{Base: list, Disp: 8 * place}, p)
		g.LEAQ(operand.Mem{Base: base, Index: p, Scale: uint8(g.word)}, p)
		return operand.Mem{Base: p}
	}
	second := func(m operand.Mem) operand.Mem { return operand.Mem{Base: m.Base, Index: rest, Scale: 1} }
	g.Label("pair")
	for i, base := range []gp{x, y} {
		g.PREFETCHT0(row(base, 2*swapsAhead+i))
	}
	a, b := row(x, 0), row(y, 1)
	from := []operand.Mem{a, second(a), b, second(b)}
	to := []operand.Mem{b, second(b), a, second(a)}
	words := make([]reg.Register, len(from))
	for i, m := range from {
		words[i] = load(m)
	}
	for i, m := range to {
		store(words[i], m)
	}
	g.ADDQ(operand.Imm(16), list)
	g.DECQ(count)
	g.JNE(operand.LabelRef("pair"))
	g.end()
}

// runs returns what loads and stores runs of so many bytes: those of eight take a general register.
func (g *machine) runs(bytes int) (load func(operand.Mem) reg.Register, store func(reg.Register, operand.Mem)) {
	if bytes > 8 {
		h := g.ofBytes(bytes)
		return func(m operand.Mem) reg.Register { return h.load(m) },
			func(x reg.Register, m operand.Mem) { h.store(x.(vec), m) }
	}
	load = func(m operand.Mem) reg.Register {
		p := g.GP64()
		g.MOVQ(m, p)
		return p
	}
	return load, func(x reg.Register, m operand.Mem) { g.MOVQ(x, m) }
}

// transposeTiles writes a transposing copy. Columns of dst come from rows of src that a list names; rows of dst are
// taken in order, or go to places that another list names.
func (g *machine) transposeTiles(suffix string) {
	n := g.lanes()
	name := fmt.Sprintf("transpose%d%s", 8*g.word, suffix)
	g.function(name, transposeDoc(n),
		fmt.Sprintf("dst, src *%s, from, to *int32, count, d, s int", g.goWord()))
	dst, src, from, to := g.param("dst"), g.param("src"), g.param("from"), g.param("to")
	count, d, sd := g.param("count"), g.param("d"), g.param("s")
	shift := operand.Imm(uint64(bits.Len(uint(g.word)) - 1))
	g.SHLQ(shift, d)
	g.SHLQ(shift, sd)
	s := g.interleaver(false)
	place := func(list gp, i int, step gp, base gp) operand.Mem {
		r := g.GP64()
		g.MOVLQSX(operand.Mem{Base: list, Disp: 4 * i}, r)
		g.IMULQ(step, r)
		return operand.Mem{Base: base, Index: r, Scale: 1}
	}
	g.Label("tile")
	x := make([]vec, n)
	for i := range x {
		x[i] = g.load(place(from, i, sd, src))
	}
	x = s.transpose(x)
	for i := range x {
		g.store(x[i], place(to, i, d, dst))
	}
	g.ADDQ(operand.Imm(uint64(g.bytes)), src)
	g.ADDQ(operand.Imm(uint64(4*n)), to)
	g.SUBQ(operand.Imm(uint64(n)), count)
	g.JNE(operand.LabelRef("tile"))
	g.end()
}

// copyRows writes a copy of rows, those of src named by a list.
func (g *machine) copyRows(suffix string) {
	name := fmt.Sprintf("copyRows%d%s", 8*g.word, suffix)
	g.function(name, copyDoc(g.widths()),
		fmt.Sprintf("dst, src *%s, from *int32, rows, width, d, s int", g.goWord()))
	dst, src, from, n := g.param("dst"), g.param("src"), g.param("from"), g.param("rows")
	width, d, sd := g.param("width"), g.param("d"), g.param("s")
	shift := operand.Imm(uint64(bits.Len(uint(g.word)) - 1))
	g.SHLQ(shift, width)
	g.SHLQ(shift, d)
	g.SHLQ(shift, sd)
	whole, last := width, &rowsMasked{machine: g}
	if g.avx512 {
		rest := g.GP64()
		whole, last.mask = g.GP64(), g.K()
		g.MOVQ(width, rest)
		g.ANDQ(operand.Imm(uint64(g.bytes-1)), rest)
		g.MOVQ(width, whole)
		g.SUBQ(rest, whole)
		g.firstOf(rest, last.mask)
	}
	g.Label("row")
	p := g.GP64()
	g.MOVLQSX(operand.Mem{Base: from}, p)
	g.IMULQ(sd, p)
	g.ADDQ(src, p)
	i := g.GP64()
	g.XORQ(i, i)
	at := func(p gp) operand.Mem { return operand.Mem{Base: p, Index: i, Scale: 1} }
	if g.avx512 {
		g.CMPQ(whole, operand.Imm(0))
		g.JEQ(operand.LabelRef("rest"))
	}
	g.Label("column")
	g.store(g.load(at(p)), at(dst))
	g.ADDQ(operand.Imm(uint64(g.bytes)), i)
	g.CMPQ(i, whole)
	g.JLT(operand.LabelRef("column"))
	if g.avx512 {
		g.Label("rest")
		g.CMPQ(i, width)
		g.JEQ(operand.LabelRef("next"))
		last.store(last.load(at(p)), at(dst))
		g.Label("next")
	}
	g.ADDQ(d, dst)
	g.ADDQ(operand.Imm(4), from)
	g.DECQ(n)
	g.JNE(operand.LabelRef("row"))
	g.end()
}
