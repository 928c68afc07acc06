package main

import (
	"fmt"
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// packed writes sums and differences of packed elements, eight digits in a vector. A carry or borrow of a digit is
// known from the digit alone, but where the next one is at its limit: that is seldom, and the kernel stops before it.
// So carries go one digit up all at once, those of last digits, of weight r^k = −1, with the other sign to the first
// ones.
func (g *digits) packed(subtract bool, vectors int) {
	op, sign := "add", "+"
	if subtract {
		op, sign = "sub", "−"
	}
	group := max(4, vectors) // that are done together, which is an iteration
	elements := fmt.Sprintf("elements of %d digits", 8*vectors)
	if vectors == 1 {
		elements = "elements of 2, 4 or 8 digits, whose carries m describes,"
	}
	name := fmt.Sprintf("%sPacked%d", op, vectors)
	g.function(name, fmt.Sprintf("sets %s z to x %s y, in n groups of %d vectors, and returns how many groups are done: all, "+
		"or those before one where a carry goes on.", elements, sign, group),
		"z, x, y *uint64, r uint64, m *[3][8]uint64, n int) (done int")
	r := g.broadcast(g.frame("r"))
	z, x, y, m, n, done := g.param("z"), g.param("x"), g.param("y"), g.param("m"), g.param("n"), g.zeroGP()
	row := 0
	if subtract {
		row = 1
	}
	carry, places := g.load(operand.Mem{Base: m, Disp: 64 * row}), g.load(operand.Mem{Base: m, Disp: 128})
	var last vec // the carry of a last digit is −1 or 1: its vector
	if vectors > 1 {
		last = carry
		carry = g.constant(1)
		if subtract {
			carry = g.sub(g.constant(0), carry)
		}
	}
	g.Label("group")
	s, v := make([]vec, group), make([]vec, group)
	for i := range s {
		a, b := g.load(operand.Mem{Base: x, Disp: 64 * i}), g.load(operand.Mem{Base: y, Disp: 64 * i})
		k := g.K()
		if subtract {
			s[i] = g.sub(a, b)
			g.VPCMPUQ(operand.Imm(1), b, a, k)
			g.addWhere(k, s[i], r)
		} else {
			s[i] = g.addq(a, b)
			g.VPCMPUQ(operand.Imm(5), g.sub(r, b), a, k)
			g.subWhere(k, s[i], r)
		}
		v[i] = g.vec()
		from := carry
		if vectors > 1 && i%vectors == vectors-1 {
			from = last
		}
		g.VMOVDQA64_Z(from, k, v[i])
	}
	most := g.vec()
	for i := range s {
		t := g.vec()
		if vectors == 1 {
			g.VPERMQ(v[i], places, t)
		} else {
			before := i - 1
			if i%vectors == 0 {
				before = i + vectors - 1
			}
			g.VALIGNQ(operand.Imm(7), v[before], v[i], t)
		}
		s[i] = g.addq(s[i], t)
		if i == 0 {
			g.VMOVDQA64(s[0], most)
		} else {
			g.VPMAXUQ(s[i], most, most)
		}
	}
	over := g.K()
	g.VPCMPUQ(operand.Imm(5), r, most, over)
	g.KORTESTB(over, over)
	g.JNE(operand.LabelRef("stop"))
	for i := range s {
		g.store(s[i], operand.Mem{Base: z, Disp: 64 * i})
	}
	for _, p := range []gp{z, x, y} {
		g.ADDQ(operand.U32(64*group), p)
	}
	g.INCQ(done)
	g.CMPQ(done, n)
	g.JNE(operand.LabelRef("group"))
	g.Label("stop")
	g.Store(done, g.ReturnIndex(0))
	g.end()
}

// tileMoves writes the ways between packed elements of few digits and tiles, by lists of places.
func (g *digits) tileMoves() {
	const places = "the packed elements at places[l]·stride words of"
	move := func(name, doc string, digit func(at operand.Mem, tile operand.Mem, k reg.OpmaskVirtual)) {
		g.function(name, doc, "z, x *uint64, places *int32, stride, k int")
		z, x, list, n := g.param("z"), g.param("x"), g.param("places"), g.param("k")
		base, tile := x, z
		if name == "scatterTile" {
			base, tile = z, x
		}
		g.zero = g.constant(0)
		at := g.vec()
		g.VPMOVSXDQ(operand.Mem{Base: list}, at)
		g.VPMULLQ(g.broadcast(g.frame("stride")), at, at)
		g.Label("digit")
		digit(operand.Mem{Base: base, Index: at, Scale: 8}, operand.Mem{Base: tile}, g.all().k)
		g.ADDQ(operand.Imm(8), base)
		g.ADDQ(operand.Imm(64), tile)
		g.DECQ(n)
		g.JNE(operand.LabelRef("digit"))
		g.end()
	}
	move("gatherTile", "sets the tile z to "+places+" x.", func(at, tile operand.Mem, k reg.OpmaskVirtual) {
		v := g.vec()
		g.VMOVDQA64(g.zero, v)
		g.VPGATHERQQ(at, k, v)
		g.store(v, tile)
	})
	move("scatterTile", "sets "+places+" z to the tile x.", func(at, tile operand.Mem, k reg.OpmaskVirtual) {
		g.VPSCATTERQQ(g.load(tile), k, at)
	})
}

// rows writes the ways between packed elements of 8, 16, … digits, one after the other, and tiles: transposes of 8 × 8
// words.
func (g *digits) rows() {
	move := func(name, doc string, load bool) {
		g.function(name, doc, "z, x *uint64, k, n int")
		z, x, k, n := g.param("z"), g.param("x"), g.param("k"), g.param("n")
		d := g.GP64() // bytes of an element
		g.MOVQ(k, d)
		g.SHLQ(operand.Imm(3), d)
		element, tile := x, z
		if !load {
			element, tile = z, x
		}
		s := g.interleaver(false)
		g.Label("tile")
		left := g.GP64()
		g.MOVQ(k, left)
		g.Label("block")
		packed, inTile := g.addresses(element, g.multiples(d), 8), make([]operand.Mem, 8)
		for i := range inTile {
			inTile[i] = operand.Mem{Base: tile, Disp: 64 * i}
		}
		from, to := packed, inTile
		if !load {
			from, to = inTile, packed
		}
		v := make([]vec, 8)
		for i := range v {
			v[i] = g.load(from[i])
		}
		for i, row := range s.transpose(v) {
			g.store(row, to[i])
		}
		g.ADDQ(operand.Imm(64), element)
		g.ADDQ(operand.U32(512), tile)
		g.SUBQ(operand.Imm(8), left)
		g.JNE(operand.LabelRef("block"))
		g.LEAQ(operand.Mem{Base: element, Index: d, Scale: 8}, element) // eight elements on, less the one that is done
		g.SUBQ(d, element)
		g.DECQ(n)
		g.JNE(operand.LabelRef("tile"))
		g.end()
	}
	move("loadTiles", "sets n tiles z to the packed elements x, k a multiple of 8.", true)
	move("storeTiles", "sets the packed elements z to n tiles x, k a multiple of 8.", false)
	g.short(2)
	g.short(4)
}

// short writes them for k = 2 and 4. Both sides are k vectors, whose words are the same in two orders: a round of
// interleaving turns the bits of indices by one place, and log2 k rounds turn tiles into elements.
func (g *digits) short(k int) {
	move := func(name, doc string, load bool) {
		g.function(fmt.Sprint(name, k), fmt.Sprintf(doc, k), "z, x *uint64, n int")
		z, x, n := g.param("z"), g.param("x"), g.param("n")
		s := g.interleaver(load)
		g.Label("tile")
		v := make([]vec, k)
		for i := range v {
			v[i] = g.load(operand.Mem{Base: x, Disp: 64 * i})
		}
		if load {
			for range bits.Len(uint(k)) - 1 {
				y := make([]vec, k)
				for i := range k / 2 {
					y[i], y[i+k/2] = s.separate(v[2*i], v[2*i+1])
				}
				v = y
			}
		} else {
			v = s.transpose(v)
		}
		for i := range v {
			g.store(v[i], operand.Mem{Base: z, Disp: 64 * i})
		}
		g.ADDQ(operand.U32(64*k), x)
		g.ADDQ(operand.U32(64*k), z)
		g.DECQ(n)
		g.JNE(operand.LabelRef("tile"))
		g.end()
	}
	move("loadTiles", "sets n tiles z to the packed elements x of %d words.", true)
	move("storeTiles", "sets the packed elements z of %d words to n tiles x.", false)
}
