package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Tails of planes: each layer goes between two vectors of lanes, x and y. Behind it the bit of elements that the next
// layer is for comes to tell the vectors apart, by one instruction for each vector (a turn). What the lanes of both
// hold at each time is found here, by the same moves of numbers of elements, from which the kernels' tables are made.

// held is the elements in the lanes of x, then in those of y.
type held [2 * plane]int

// turns is how many there are. The first one has lanes in such places that what the last layer leaves goes home by two
// unpackings.
const turns = tailLayers - 1

// after returns what lanes hold when turn i has been done.
func (h held) after(i int) (z held) {
	// swapped has bit b of a lane change places with the one that tells the vectors apart.
	swapped := func(b int) {
		for j := range z {
			side, lane := j/plane, j%plane
			z[j] = h[lane>>b&1*plane|lane&^(1<<b)|side<<b]
		}
	}
	switch i {
	case 0: // bits 5 … 0 of lanes are those of elements 4, 3, 6, 2, 1, 0
		for j := range z {
			side, lane := j/plane, j%plane
			from := lane>>3&1*plane | side<<5 | lane>>5&1<<4 | lane>>4&1<<3 | lane&7
			z[j] = h[from]
		}
	case 1:
		swapped(5)
	case 2:
		swapped(4)
	default:
		swapped(5 - i)
	}
	return z
}

// heldBy returns what lanes hold at each layer.
func (g *planes) heldBy() (list [tailLayers]held) {
	for i := range list[0] {
		list[0][i] = i
	}
	for i := range turns {
		list[i+1] = list[i].after(i)
	}
	for l, h := range list {
		for i := range plane {
			if h[i]>>(turns-l)&1 != 0 || h[plane+i] != h[i]|1<<(turns-l) {
				panic("lanes of a tail")
			}
		}
	}
	return list
}

// sources returns from where lanes come that go from one arrangement to another, in words of so many bytes.
func sources(from, to held, bytes int) (list []int) {
	at := map[int]int{}
	for i, e := range from {
		at[e] = i
	}
	for i := 0; i < len(to); i += bytes {
		first := at[to[i]]
		for j := range bytes {
			if first%bytes != 0 || at[to[i+j]] != first+j {
				panic("lanes of a tail are no words")
			}
		}
		list = append(list, first/bytes)
	}
	return list
}

// table declares vectors of words of so many bytes.
func (g *planes) table(name string, bytes int, list []int) {
	g.StaticGlobal(name)
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for i, x := range list {
		for b := range bytes {
			g.AddDatum(i*bytes+b, operand.U8(x>>(8*b)&255))
		}
	}
}

// tailTables declares what tails take: "blocks", which part of constants each lane takes, by layer; "turn0" and
// "turn2", from where lanes come, and "turn0T" back; "homes" and "homesT", for tails of two to five layers, from where
// words of four bytes come behind the last layer and before it, "home6" and "home6T" the bytes of six layers; "halves",
// which brings even bytes of 16 to the lower half; and "eighths", which of 64 bytes each lane takes, eight times each.
func (g *planes) tailTables() {
	at := g.heldBy()
	home := at[0]
	var blocks, homes, homesT []int
	for l, h := range at {
		for i := range plane {
			blocks = append(blocks, h[i]>>(tailLayers-l))
		}
		if 1 <= l && l <= 4 {
			homes = append(homes, sources(h, home, 4)...)
			homesT = append(homesT, sources(home, h, 4)...)
		}
	}
	g.table("blocks", 1, blocks)
	g.table("homes", 4, homes)
	g.table("homesT", 4, homesT)
	g.table("home6", 1, sources(at[5], home, 1))
	g.table("home6T", 1, sources(home, at[5], 1))
	g.table("turn0", 8, sources(at[0], at[1], 8))
	g.table("turn0T", 8, sources(at[1], at[0], 8))
	g.table("turn2", 8, sources(at[2], at[3], 8))
	var halves, eighths []int
	for i := range plane {
		halves = append(halves, i%16%8*2+i%16/8)
	}
	for i := range 8 * plane {
		eighths = append(eighths, i/8)
	}
	g.table("halves", 1, halves)
	g.table("eighths", 1, eighths)
	for i := range plane / 2 { // of unpackings in runs of 16 lanes
		q, r := i/8, i%8
		last := at[tailLayers-1]
		if last[16*q+r] != 16*q+2*r || last[16*q+8+r] != plane+16*q+2*r {
			panic("lanes of a tail do not go home")
		}
	}
}

// turning is what turns keep in registers.
type turning struct {
	g                     *planes
	back                  bool
	first, third          [2]vec // from where lanes come
	words, pairs, singles [2]reg.OpmaskVirtual
}

func (g *planes) newTurning(back bool) *turning {
	t := &turning{g: g, back: back}
	name := "turn0" + backName(back)
	for i := range t.first {
		t.first[i], t.third[i] = g.load(symbol(name, i*plane)), g.load(symbol("turn2", i*plane))
	}
	for _, m := range []struct {
		to   *[2]reg.OpmaskVirtual
		with uint64
	}{{&t.words, 0xaaaa}, {&t.pairs, 0xcccccccccccccccc}, {&t.singles, 0xaaaaaaaaaaaaaaaa}} {
		for i, bits := range []uint64{m.with, ^m.with} {
			r := g.GP64()
			g.MOVQ(operand.U64(bits), r)
			m.to[i] = g.K()
			g.KMOVQ(r, m.to[i])
		}
	}
	return t
}

// do does turn i to x and y, or undoes it.
func (t *turning) do(i int, x, y vec) {
	g, old := t.g, t.g.mov(x)
	switch i {
	case 0, 2:
		from := t.first
		if i == 2 {
			from = t.third
		}
		g.VPERMT2Q(y, from[0], x)
		g.VPERMT2Q(y, from[1], old)
		g.set(y, old)
	case 1:
		g.VSHUFI64X2(operand.Imm(0x44), y, x, x)
		g.VSHUFI64X2(operand.Imm(0xee), y, old, y)
	case 3:
		g.VPSHUFD(operand.Imm(0xb1), y, t.words[0], x)
		g.VPSHUFD(operand.Imm(0xb1), old, t.words[1], y)
	case 4:
		g.VPALIGNR(operand.Imm(14), y, y, t.pairs[0], x)
		g.VPALIGNR(operand.Imm(2), old, old, t.pairs[1], y)
	case 5:
		g.VPALIGNR(operand.Imm(15), y, y, t.singles[0], x)
		g.VPALIGNR(operand.Imm(1), old, old, t.singles[1], y)
	}
}

// together is how many planes of a tile go through layers at once where there are as many, or else half as many: a
// group alone waits for its own results.
const together = 8

// tail writes the layers inside pairs of tiles.
func (g *planes) tail(k int, back bool) {
	d, n := 1<<k, parts(k)
	size := (tailLayers*n + plane - 1) &^ (plane - 1) // of base, and of parts of delta
	name := fmt.Sprintf("tail%d%s", k, backName(back))
	g.function(name, "is Set.Tail"+backName(back)+": see there.",
		"v *byte, pairs, groups, layers int, lanes, base, delta *byte, at int")
	v, pairs, at, layers := g.param("v"), g.param("pairs"), g.param("at"), g.param("layers")
	// Constants of a pair; the parts of lanes, where turns bring their elements; the other part, and that of each
	// byte eight times, for this pair and for the next one.
	all := tailLayers * n * plane
	constants := g.room(2*all + size + 2*8*size)
	moved := func(i int) operand.Mem { return operand.Mem{Base: constants, Disp: all + i} }
	sum := func(i int) operand.Mem { return operand.Mem{Base: constants, Disp: 2*all + i} }
	eight := func(i int) operand.Mem { return operand.Mem{Base: constants, Disp: 2*all + size + i} }
	base := g.GP64()
	g.MOVQ(g.frame("base"), base)
	for i := 0; i < size; i += plane {
		g.store(g.load(operand.Mem{Base: base, Disp: i}), sum(i))
	}
	address := func(name string) gp {
		p := g.GP64()
		g.LEAQ(symbol(name, 0), p)
		return p
	}
	index, lanes, to, left := address("blocks"), g.param("lanes"), g.GP64(), g.GP64()
	g.LEAQ(moved(0), to)
	g.MOVQ(layers, left)
	g.Label("part")
	places := g.load(operand.Mem{Base: index})
	for i := range n {
		z := g.vec()
		g.VPERMB(operand.Mem{Base: lanes, Disp: i * plane}, places, z)
		g.store(z, operand.Mem{Base: to, Disp: i * plane})
	}
	g.ADDQ(operand.U32(plane), index)
	g.ADDQ(operand.U32(n*plane), lanes)
	g.ADDQ(operand.U32(n*plane), to)
	g.DECQ(left)
	g.JNZ(operand.LabelRef("part"))

	homes := address("homes" + backName(back))
	run := g.GP64()
	g.MOVQ(layers, run)
	g.SHLQ(operand.Imm(7), run) // two planes
	g.LEAQ(operand.Mem{Base: homes, Index: run, Scale: 1, Disp: -4 * plane}, homes)
	tile := g.GP64()
	g.MOVQ(g.frame("groups"), tile)
	g.SHLQ(operand.Imm(uint64(6+k)), tile)
	turning := g.newTurning(back)

	expand := func(end string, eight func(i int) operand.Mem) {
		for i, l := 0, 2; i < tailLayers*n; i += 8 {
			if k > 1 && i >= l*n { // stores are what this takes
				g.CMPQ(layers, operand.Imm(uint64(l)))
				g.JEQ(operand.LabelRef(end))
				l++
			}
			z := g.load(symbol("eighths", i%plane*8))
			g.VPERMB(sum(i&^(plane-1)), z, z)
			g.store(z, eight(8*i))
		}
		g.Label(end)
	}
	expand("first", eight)
	// ahead makes the parts of the next pair, so that they have left for memory when they are wanted.
	ahead := func(end string, eight func(i int) operand.Mem) {
		g.DECQ(pairs)
		g.JZ(operand.LabelRef(end))
		g.INCQ(at)
		zeros := g.GP64()
		g.BSFQ(at, zeros)
		g.IMUL3Q(operand.U32(size), zeros, zeros)
		g.ADDQ(g.frame("delta"), zeros)
		for i := 0; i < size; i += plane {
			z := g.load(sum(i))
			g.addTo(z, operand.Mem{Base: zeros, Disp: i})
			g.store(z, sum(i))
		}
		expand(end, eight)
	}

	// Of tiles that go through layers at once constants are made where they are taken, and not stored.
	groups := g.GP64()
	g.MOVQ(g.frame("groups"), groups)
	once := func(planes int) string { return fmt.Sprint("once", planes) }
	for planes := together; planes >= max(d, together/2); planes /= 2 {
		g.CMPQ(groups, operand.Imm(uint64(planes/d)))
		g.JEQ(operand.LabelRef(once(planes)))
	}

	g.Label("pair")
	c, from, next := g.GP64(), g.GP64(), g.GP64()
	g.MOVQ(layers, left)
	g.MOVQ(constants, c)
	g.LEAQ(moved(0), from)
	g.LEAQ(eight(0), next)
	g.Label("constant")
	for i := range n {
		z := g.load(operand.Mem{Base: from, Disp: i * plane})
		g.VPXORQ_BCST(operand.Mem{Base: next, Disp: 8 * i}, z, z)
		g.store(z, operand.Mem{Base: c, Disp: i * plane})
	}
	g.ADDQ(operand.U32(8*n), next)
	g.ADDQ(operand.U32(n*plane), from)
	g.ADDQ(operand.U32(n*plane), c)
	g.DECQ(left)
	g.JNZ(operand.LabelRef("constant"))

	ahead("last", eight)
	g.MOVQ(g.frame("groups"), groups)
	made := func(l, i int) operand.Op { return operand.Mem{Base: constants, Disp: (l*n + i) * plane} }
	for planes := together; planes > d && planes > together/4; planes /= 2 {
		count := operand.Imm(uint64(planes / d))
		name, less := fmt.Sprint("wide", planes), fmt.Sprint("below", planes)
		g.CMPQ(groups, count)
		g.JLT(operand.LabelRef(less))
		g.tailGroups(k, planes/d, name, v, tile, homes, layers, turning, made)
		g.SUBQ(count, groups)
		g.CMPQ(groups, count)
		g.JGE(operand.LabelRef(name))
		g.Label(less)
	}
	g.TESTQ(groups, groups)
	g.JZ(operand.LabelRef("next"))
	g.tailGroups(k, 1, "group", v, tile, homes, layers, turning, made)
	g.DECQ(groups)
	g.JNZ(operand.LabelRef("group"))
	g.Label("next")
	g.ADDQ(tile, v)

	g.TESTQ(pairs, pairs)
	g.JNZ(operand.LabelRef("pair"))
	g.end()
	for planes := together; planes >= max(d, together/2); planes /= 2 {
		g.Label(once(planes))
		now, next := g.GP64(), g.GP64()
		g.LEAQ(eight(0), now)
		g.LEAQ(eight(8*size), next)
		g.Label(once(planes) + "pair")
		ahead(once(planes)+"last", func(i int) operand.Mem { return operand.Mem{Base: next, Disp: i} })
		g.tailGroups(k, planes/d, once(planes)+"groups", v, tile, homes, layers, turning, func(l, i int) operand.Op {
			other := operand.Mem{Base: now, Disp: 8 * (l*n + i)}
			if l == 0 { // all lanes are of one block
				z := g.vec()
				g.VPBROADCASTQ(other, z)
				return z
			}
			z := g.load(moved((l*n + i) * plane))
			g.VPXORQ_BCST(other, z, z)
			return z
		})
		g.ADDQ(tile, v)
		g.XCHGQ(now, next)
		g.TESTQ(pairs, pairs)
		g.JNZ(operand.LabelRef(once(planes) + "pair"))
		g.end()
	}
}

// tailGroups writes the layers of so many groups, from the label name on. constant is where part i of that of layer l
// is.
func (g *planes) tailGroups(k, count int, name string, v, tile, homes, layers gp, t *turning,
	constant func(l, i int) operand.Op) {
	d, n := 1<<k, parts(k)
	label := func(s string, i int) string { return fmt.Sprintf("%s%s%d", name, s, i) }
	g.Label(name)
	var x, y []vec
	for i := range count * d {
		x = append(x, g.load(operand.Mem{Base: v, Disp: i * plane}))
		y = append(y, g.load(operand.Mem{Base: v, Index: tile, Scale: 1, Disp: i * plane}))
	}
	layer := func(l int) {
		part := func(i int) operand.Op { return constant(l, i) }
		if count > 1 && n <= 3 {
			var list []operand.Op
			for i := range n {
				z := constant(l, i)
				if m, ok := z.(operand.Mem); ok {
					z = g.load(m)
				}
				list = append(list, z)
			}
			part = func(i int) operand.Op { return list[i] }
		}
		for i := 0; i < len(x); i += d {
			g.butterfly(k, x[i:i+d], y[i:i+d], part, t.back)
		}
	}
	turn := func(l int) {
		for i := range x {
			t.do(l, x[i], y[i])
		}
	}
	// others brings lanes home by permutations that are in memory.
	others := func() {
		g.CMPQ(layers, operand.Imm(turns))
		g.JEQ(operand.LabelRef(label("bytes", 0)))
		move := func(f func(ops ...operand.Op), table gp) {
			toX, toY := g.load(operand.Mem{Base: table}), g.load(operand.Mem{Base: table, Disp: plane})
			for i := range x {
				old := g.mov(x[i])
				f(y[i], toX, x[i])
				f(y[i], toY, old)
				g.set(y[i], old)
			}
		}
		end := func() {
			if !t.back {
				g.JMP(operand.LabelRef(label("store", 0)))
				return
			}
			for l := 1; l < turns-2; l++ {
				g.CMPQ(layers, operand.Imm(uint64(l+1)))
				g.JEQ(operand.LabelRef(label("layer", l)))
			}
			g.JMP(operand.LabelRef(label("layer", turns-2)))
		}
		move(g.VPERMT2D, homes)
		end()
		g.Label(label("bytes", 0))
		six := g.GP64()
		g.LEAQ(symbol("home6"+backName(t.back), 0), six)
		move(g.VPERMT2B, six)
		if !t.back {
			g.JMP(operand.LabelRef(label("store", 0)))
		} else {
			g.JMP(operand.LabelRef(label("layer", turns-1)))
		}
	}
	if t.back {
		g.CMPQ(layers, operand.Imm(tailLayers))
		g.JEQ(operand.LabelRef(label("all", 0)))
		others()
		g.Label(label("all", 0))
		halves := g.load(symbol("halves", 0))
		for i := range x {
			a, b := g.op2(g.ctx3(g.VPSHUFB), halves, x[i]), g.op2(g.ctx3(g.VPSHUFB), halves, y[i])
			g.VPUNPCKLQDQ(b, a, x[i])
			g.VPUNPCKHQDQ(b, a, y[i])
		}
		layer(turns)
		for l := turns - 1; l >= 0; l-- {
			turn(l)
			if l > 0 {
				g.Label(label("layer", l))
			}
			layer(l)
		}
	} else {
		for l := range turns {
			layer(l)
			if l > 0 {
				g.CMPQ(layers, operand.Imm(uint64(l+1)))
				g.JEQ(operand.LabelRef(label("home", 0)))
			}
			turn(l)
		}
		layer(turns)
		for i := range x {
			old := g.mov(x[i])
			g.VPUNPCKLBW(y[i], x[i], x[i])
			g.VPUNPCKHBW(y[i], old, y[i])
		}
		g.JMP(operand.LabelRef(label("store", 0)))
		g.Label(label("home", 0))
		others()
	}
	g.Label(label("store", 0))
	for i := range x {
		g.store(x[i], operand.Mem{Base: v, Disp: i * plane})
		g.store(y[i], operand.Mem{Base: v, Index: tile, Scale: 1, Disp: i * plane})
	}
	g.ADDQ(operand.U32(count*d*plane), v)
}
