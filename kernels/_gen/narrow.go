package main

import (
	"fmt"
	"math/bits"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A narrow tail ends transforms of columns that touch and are too few to fill a vector. A vector holds 2^inner rows of
// the matrix, a block 16 vectors: 4 layers join whole vectors. In the layers left each pair of vectors has all rows of
// a part, and goes by constant geometry as a tail does, with rows in the place of words.

// narrowVectors are those of a block: 2^narrowLayers.
const (
	narrowLayers  = 4
	narrowVectors = 1 << narrowLayers
)

// narrowParams are those of a narrow tail: a vector of a block begins row words after the one before, and mask has a
// bit for each of its words that is in use.
const narrowParams = "v, w, q, m, places *%s, off, cnt, row, mask int, how uint8"

func narrowName(base string, inner int, t tail) string {
	name := fmt.Sprintf("%sNarrow%d", base, inner)
	if t.T {
		name += "T"
	}
	return name
}

func narrowDoc(inner int, t tail) string {
	if t.T {
		return "is the transpose"
	}
	return fmt.Sprintf("does the last %d layers of columns of which a vector has %d rows, and leaves canonical values "+
		"if how says Canonical", narrowLayers+inner, 1<<inner)
}

// innerLayers lists how many layers narrow tails do inside of vectors: with 2 columns a vector has half as many rows as
// words.
func (g *machine) innerLayers() int { return bits.Len(uint(g.lanes())) - 2 }

// narrow writes a narrow tail.
func (g *machine) narrow(a arithmetic, base string, inner int, t tail) {
	g.function(narrowName(base, inner, t), narrowDoc(inner, t)+".", fmt.Sprintf(narrowParams, g.goWord()))
	v, w, q, m, off, row := g.param("v"), g.param("w"), g.param("q"), g.param("m"), g.param("off"), g.param("row")
	var places gp
	if inner > 0 {
		places = g.param("places")
	}
	cnt, how := g.frame("cnt"), g.frame("how")
	a.begin(m)
	shift := operand.Imm(uint64(bits.Len(uint(g.word)) - 1))
	g.SHLQ(shift, off)
	g.SHLQ(shift, row)
	bitsOf, mask := g.GP64(), g.K()
	g.MOVQ(g.frame("mask"), bitsOf)
	g.KMOVW(bitsOf.As32(), mask)
	var r rows
	r.d[1] = row
	for i := 3; i < 8; i += 2 {
		r.d[i] = g.GP64()
		g.LEAQ(operand.Mem{Base: r.d[i-2], Index: row, Scale: 2}, r.d[i])
	}
	table := func(i int) operand.Mem { return operand.Mem{Base: places, Disp: i * g.bytes} }
	layers := narrowLayers + inner

	g.Label("block")
	r.p, r.p8 = v, g.GP64()
	g.LEAQ(operand.Mem{Base: v, Index: row, Scale: 8}, r.p8)
	x := make([]vec, narrowVectors)
	for i := range x {
		x[i] = g.loadWhere(mask, r.row(i))
	}
	open(g, a, x, t.T, how, "values")
	join := func(l, i, y int, f pair) {
		if t.T {
			x[i], x[y] = g.cross("CROSST", "x + y", "(x − y)w", a.crossT, x[i], x[y], f)
			return
		}
		loose, ok := a.(interface {
			crossLoose(x, y vec, t pair) (s, d vec)
		})
		if next := narrowVectors >> (l + 2); ok && i&next != 0 { // both results are factors of the next layer
			x[i], x[y] = g.cross("CROSSLOOSE", "x + wy", "x − wy", loose.crossLoose, x[i], x[y], f)
			return
		}
		x[i], x[y] = g.cross("CROSS", "x + wy", "x − wy", a.cross, x[i], x[y], f)
	}
	turn := func() {
		for i := 0; i < len(x); i += 2 {
			x[i], x[i+1] = g.among(x[i], x[i+1], table(0), table(1))
		}
	}
	if t.T && inner > 0 {
		turn()
	}
	for at := range layers {
		l := at
		if t.T {
			l = layers - 1 - at
		}
		release := sums(a, at < layers-1 && (!t.T || at%2 == 0))
		place := g.level(off, l)
		if l < narrowLayers {
			half := narrowVectors >> (l + 1)
			var f pair
			for i := range x {
				if i%(2*half) == 0 {
					f = g.factor(a, w, q, place, i/(2*half))
				}
				if i&half == 0 {
					join(l, i, i+half, f)
				}
			}
			release()
			continue
		}
		i := l - narrowLayers + 1 // of the layers inside of vectors, from 1 on
		if !t.T {
			turn()
		}
		for pair := 0; pair < len(x); pair += 2 {
			disp := pair / 2 * g.word << i
			join(l, pair, pair+1, g.spread(a, operand.Mem{Base: w, Index: place, Scale: 1, Disp: disp},
				operand.Mem{Base: q, Index: place, Scale: 1, Disp: disp}, 1<<i, table(1+i)))
		}
		release()
		if t.T {
			turn()
		}
	}
	if !t.T && inner > 0 {
		turn()
	}
	stores := func(f func(vec) vec) {
		for i := range x {
			g.storeWhere(mask, f(x[i]), r.row(i))
		}
	}
	shut(g, a, x, t.T, how, "words")
	if !t.T && !alwaysCanonical(a) {
		g.TESTB(operand.Imm(howCanonical), how)
		g.JEQ(operand.LabelRef("wide"))
		g.Comment("Canonical values.")
		stores(func(x vec) vec { return g.value("CANON", "x in canonical form", a.canon, x, pair{}) })
		g.JMP(operand.LabelRef("next"))
		g.Label("wide")
	}
	stores(func(x vec) vec { return x })
	g.Label("next")
	g.LEAQ(operand.Mem{Base: r.p8, Index: row, Scale: 8}, v)
	g.ADDQ(operand.Imm(uint64(g.word)), off)
	g.DECQ(cnt)
	g.JNE(operand.LabelRef("block"))
	g.end()
}

// loadWhere returns the words at m that mask has bits for, and zeros.
func (g *machine) loadWhere(mask reg.OpmaskVirtual, m operand.Mem) vec {
	z := g.vec()
	if g.word == 8 {
		g.VMOVDQU64_Z(m, mask, z)
	} else {
		g.VMOVDQU32_Z(m, mask, z)
	}
	return z
}

func (g *machine) storeWhere(mask reg.OpmaskVirtual, x vec, m operand.Mem) {
	if g.word == 8 {
		g.VMOVDQU64(x, mask, m)
	} else {
		g.VMOVDQU32(x, mask, m)
	}
}

// among returns the words of x and y in the order of the lists at both places.
func (g *machine) among(x, y vec, first, second operand.Mem) (vec, vec) {
	s, d := g.load(first), g.load(second)
	for _, z := range []vec{s, d} {
		if g.word == 8 {
			g.VPERMI2Q(y, x, z)
		} else {
			g.VPERMI2D(y, x, z)
		}
	}
	return s, d
}

// spread loads count multipliers with their companions, for words in the order of the list at a place.
func (g *machine) spread(a arithmetic, w, q operand.Mem, count int, places operand.Mem) pair {
	list := g.load(places)
	at := func(m operand.Mem) vec {
		x, z := g.repeat(m, count), g.vec()
		if g.word == 8 {
			g.VPERMQ(x, list, z)
		} else {
			g.VPERMD(x, list, z)
		}
		return z
	}
	x := at(w)
	if _, ok := a.(*goldilocks); ok {
		return a.factor(x, nil, false)
	}
	return a.factor(x, at(q), false)
}
