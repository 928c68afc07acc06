package main

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/operand"
)

// layerParams are those of a pass: butterflies between words dist apart, on rows of width words, stride apart; a block
// of k layers is 2^k·dist words, and block b uses multipliers off+b and below.
const layerParams = "v, w, q, m, c *%s, off, blocks, dist, rows, width, stride int, how uint8"

// The bits of how, as package word has them.
const (
	howOne = 1 << iota
	howCanonical
	howOpen
	howLeave
	howFront
)

// rows addresses the rows of a butterfly: row i is i·d bytes behind p.
type rows struct {
	p, p8 gp    // p8 is row 8
	d     [8]gp // d, 3d, 5d, 7d at odd indices
}

func (r rows) row(i int) operand.Mem {
	m := operand.Mem{Base: r.p}
	if i >= 8 {
		m.Base = r.p8
		i -= 8
	}
	switch {
	case i == 0:
		return m
	case i%4 == 0:
		m.Index, m.Scale = r.d[i/4], 4
		return m
	case i%2 == 0:
		m.Index, m.Scale = r.d[i/2], 2
		return m
	default:
		m.Index, m.Scale = r.d[i], 1
		return m
	}
}

// kind is one of the kernels of whole layers.
type kind struct {
	T bool // the transpose
}

var passes = []kind{{}, {T: true}}

func (p kind) suffix() string {
	if p.T {
		return "T"
	}
	return ""
}

// doc says what a pass of some levels does; into that it can store elsewhere.
func (p kind) doc(levels int, into bool) string {
	doc := fmt.Sprintf("does %d layers", levels)
	if levels == 1 {
		doc = "does one layer"
	}
	if p.T {
		doc = "is the transpose, of the same shape"
	}
	doc += ", and leaves out products by the first block's multiplier if how says One"
	if into && !p.T {
		doc += ". Unless c is nil, it leaves v as it is, and stores at c"
	}
	if p.T {
		doc += ", then, unless c is nil, a product by the multiplier c[0], with its companion c[1], that leaves canonical " +
			"values"
	}
	return doc
}

// pass writes the kernel of a kind for 1 to 4 layers.
func (g *machine) pass(a arithmetic, name string, levels int, k kind) {
	T := k.T
	radix := 1 << levels
	title := fmt.Sprintf("%sRadix%d%s", name, radix, k.suffix())
	g.function(title, k.doc(levels, true)+".", fmt.Sprintf(layerParams, g.goWord()))

	v, w, q, m := g.param("v"), g.param("w"), g.param("q"), g.param("m")
	off, dist := g.param("off"), g.param("dist")
	// Registers are few: what is needed once a row or less stays in the frame.
	blocks, height, width, stride, how := g.frame("blocks"), g.frame("rows"), g.frame("width"), g.frame("stride"), g.frame("how")
	shift := operand.Imm(map[int]uint64{4: 2, 8: 3}[g.word])
	g.SHLQ(shift, width)
	g.SHLQ(shift, stride)
	g.SHLQ(shift, off)
	a.begin(m)
	var to operand.Mem // bytes from what it loads to where it stores
	if !T {
		to = g.apart(v)
	}

	var r rows
	g.SHLQ(shift, dist)
	r.d[1] = dist
	for i := 3; i < min(radix, 8); i += 2 {
		r.d[i] = g.GP64()
		g.LEAQ(operand.Mem{Base: r.d[i-2], Index: r.d[1], Scale: 2}, r.d[i])
	}

	g.Label("block")
	// Level k has 2^k multipliers, from 2^k·off on.
	factors := make([][]pair, levels)
	hoist := radix < 8 && g.avx512 // else the multipliers of a block fill the registers
	if hoist {
		for k := range factors {
			factors[k] = g.factors(a, w, q, off, k)
		}
	}
	row := g.GP64()
	g.MOVQ(v, row)
	n := g.GP64()
	g.MOVQ(height, n)
	g.Label("row")
	r.p = g.GP64()
	g.MOVQ(row, r.p)
	c := g.GP64()
	g.MOVQ(width, c)
	g.Label("column")
	if radix > 8 {
		r.p8 = g.GP64()
		g.LEAQ(operand.Mem{Base: r.p, Index: r.d[1], Scale: 8}, r.p8)
	}
	x := make([]vec, radix)
	for i := range x {
		x[i] = g.load(r.row(i))
	}
	open(g, a, x, T, how, "values")
	var plain []func() // without products by 1, behind the end
	for l := range levels {
		k := l
		if T {
			k = levels - 1 - l
		}
		factor := func(i int) pair { return factors[k][i] }
		if !hoist {
			place := g.level(off, k)
			factor = func(i int) pair { return g.factor(a, w, q, place, i) }
		}
		g.Comment(fmt.Sprintf("Layer %d of %d: rows %d·dist apart, multipliers from %d·off on.",
			k, levels, radix>>(k+1), 1<<k))
		lazy := func(int) bool { return l < levels-1 && (!T || l%2 == 0) }
		if _, ok := a.(*double50); ok && !T && levels > 1 {
			lazy = func(row int) bool { return l != levels-2 || row%4 > 0 }
		}
		plain = append(plain, g.layer(a, x, radix>>(k+1), factor, T, lazy, how, fmt.Sprint("plain", k)))
	}
	stores := func(f func(vec) vec) {
		for i := range x {
			g.store(f(x[i]), r.row(i))
		}
	}
	if T {
		c := g.param("c")
		g.TESTQ(c, c)
		g.JEQ(operand.LabelRef("narrow"))
		g.Comment("The product by c[0], and canonical values.")
		f := g.pairAt(a, operand.Mem{Base: c}, operand.Mem{Base: c, Disp: g.word}, 1)
		stores(func(x vec) vec {
			return g.value("LAST", "xw in canonical form", func(x vec) vec { return last(a, x, f) }, x, f)
		})
		g.JMP(operand.LabelRef("next"))
		g.Label("narrow")
	}
	shut(g, a, x, T, how, "words")
	if T {
		stores(func(x vec) vec { return x })
	} else {
		g.ADDQ(to, r.p)
		if radix > 8 {
			g.ADDQ(to, r.p8)
		}
		stores(func(x vec) vec { return x })
		g.SUBQ(to, r.p)
	}
	g.Label("next")
	g.ADDQ(operand.Imm(uint64(g.bytes)), r.p)
	g.SUBQ(operand.Imm(uint64(g.bytes)), c)
	g.JNE(operand.LabelRef("column"))
	g.ADDQ(stride, row)
	g.DECQ(n)
	g.JNE(operand.LabelRef("row"))
	// The next block is radix·d bytes on.
	step := g.GP64()
	g.MOVQ(r.d[1], step)
	g.SHLQ(operand.Imm(uint64(levels)), step)
	g.ADDQ(step, v)
	g.ADDQ(operand.Imm(uint64(g.word)), off)
	g.ANDB(operand.Imm(0xff&^howOne), how)
	g.DECQ(blocks)
	g.JNE(operand.LabelRef("block"))
	g.end()
	for _, f := range plain {
		f()
	}
}

// apart is how many bytes c is behind v, in its place; 0 where it is nil.
func (g *machine) apart(v gp) operand.Mem {
	to, c := g.GP64(), g.frame("c")
	g.MOVQ(c, to)
	g.TESTQ(to, to)
	g.JEQ(operand.LabelRef("here"))
	g.SUBQ(v, to)
	g.MOVQ(to, c)
	g.Label("here")
	return c
}

// level returns the place of the first multiplier of level k, which has 2^k.
func (g *machine) level(off gp, k int) gp {
	if k == 0 {
		return off
	}
	at := g.GP64()
	g.MOVQ(off, at)
	g.SHLQ(operand.Imm(uint64(k)), at)
	return at
}

// factor broadcasts multiplier i of a level.
func (g *machine) factor(a arithmetic, w, q, at gp, i int) pair {
	place := func(t gp) operand.Mem { return operand.Mem{Base: t, Index: at, Scale: 1, Disp: i * g.word} }
	return g.pairAt(a, place(w), place(q), 1)
}

// factors broadcasts all multipliers of level k.
func (g *machine) factors(a arithmetic, w, q, off gp, k int) []pair {
	f, at := make([]pair, 1<<k), g.level(off, k)
	for i := range f {
		f[i] = g.factor(a, w, q, at, i)
	}
	return f
}

// pairAt loads count multipliers with their companions, repeated.
func (g *machine) pairAt(a arithmetic, w, q operand.Mem, count int) pair {
	x := g.pattern(w, count)
	if _, ok := a.(*goldilocks); ok {
		return a.factor(x, nil, count == 1)
	}
	return a.factor(x, g.pattern(q, count), count == 1)
}

// layer does one layer on x: rows half apart meet. lazy says of the first row of a butterfly that another layer follows
// in registers, which takes its sums as they are. Where how says One, the layer's first block is done at label, by code
// that the caller is to write with plain, which leaves it in the same registers.
func (g *machine) layer(a arithmetic, x []vec, half int, factor func(block int) pair, T bool,
	lazy func(row int) bool, how operand.Mem, label string) (plain func()) {
	old := slices.Clone(x)
	some := lazy(0) != lazy(1)
	release := sums(a, lazy(0)) // what it loads serves the first block as well
	g.TESTB(operand.Imm(howOne), how)
	g.JNE(operand.LabelRef(label))
	loose, _ := a.(interface {
		crossLoose(x, y vec, t pair) (s, d vec)
	})
	var f pair
	for i := range x {
		if i&half != 0 {
			continue
		}
		y := i + half
		if i%(2*half) == 0 {
			f = factor(i / (2 * half))
		}
		if some {
			sums(a, lazy(i))
		}
		switch {
		case T:
			x[i], x[y] = g.cross("CROSST", "x + y", "(x − y)w", a.crossT, x[i], x[y], f)
		case lazy(i) && loose != nil && i&(half/2) != 0: // both results are factors of the next layer
			x[i], x[y] = g.cross("CROSSLOOSE", "x + wy", "x − wy", loose.crossLoose, x[i], x[y], f)
		default:
			x[i], x[y] = g.cross("CROSS", "x + wy", "x − wy", a.cross, x[i], x[y], f)
		}
		if i == half-1 {
			g.Label(label + "Done")
		}
	}
	release()
	done := slices.Clone(x)
	return func() {
		g.Label(label)
		g.Comment("The layer's first block, whose multiplier is 1.")
		defer sums(a, lazy(0))()
		for i := range half {
			if some {
				sums(a, lazy(i))
			}
			name, join := "PLAIN", a.plain
			if T {
				name, join = "PLAINT", a.plainT
			}
			s, d := g.cross(name, "x + y", "x − y", func(x, y vec, _ pair) (s, d vec) { return join(x, y) },
				old[i], old[i+half], pair{})
			g.become(done[i], s)
			g.become(done[i+half], d)
		}
		g.JMP(operand.LabelRef(label + "Done"))
	}
}

func (g *machine) goWord() string { return fmt.Sprintf("uint%d", 8*g.word) }

// scale writes the products by multipliers: by n of them one by one, or of each row by its own.
func (g *machine) scale(fresh func(*machine) arithmetic, name string) {
	a := fresh(g)
	word := g.goWord()
	g.function(name+"Scale", fmt.Sprintf("multiplies n words by as many multipliers. n is a multiple of %d.", g.lanes()),
		"v, w, q, m *"+word+", n int")
	v, w, q, m, n := g.param("v"), g.param("w"), g.param("q"), g.param("m"), g.param("n")
	a.begin(m)
	i := g.GP64()
	g.XORQ(i, i)
	g.Label("loop")
	mem := func(b gp) operand.Mem { return operand.Mem{Base: b, Index: i, Scale: uint8(g.word)} }
	z := a.mul(g.load(mem(v)), g.pairAt(a, mem(w), mem(q), g.lanes()))
	g.store(z, mem(v))
	g.ADDQ(operand.Imm(uint64(g.lanes())), i)
	g.CMPQ(i, n)
	g.JLT(operand.LabelRef("loop"))
	g.end()

	g.function(name+"ScaleRows", fmt.Sprintf("multiplies each row by its multiplier. width is %s.", g.widths()),
		"v, w, q, m *"+word+", rows, width, stride int")
	v, w, q, m = g.param("v"), g.param("w"), g.param("q"), g.param("m")
	rows, width, stride := g.param("rows"), g.param("width"), g.param("stride")
	a.begin(m)
	whole, last := width, &rowsMasked{machine: g}
	if g.avx512 {
		rest := g.GP64()
		whole, last.mask = g.GP64(), g.K()
		g.MOVQ(width, rest)
		g.ANDQ(operand.Imm(uint64(g.lanes()-1)), rest)
		g.MOVQ(width, whole)
		g.SUBQ(rest, whole)
		g.firstWords(rest, last.mask)
		g.CMPQ(whole, operand.Imm(0))
		g.JEQ(operand.LabelRef("rest"))
	}
	next := func(label string) {
		g.ADDQ(operand.Imm(uint64(g.word)), w)
		g.ADDQ(operand.Imm(uint64(g.word)), q)
		g.LEAQ(operand.Mem{Base: v, Index: stride, Scale: uint8(g.word)}, v)
		g.DECQ(rows)
		g.JNE(operand.LabelRef(label))
	}
	factor := func() pair { return g.pairAt(a, operand.Mem{Base: w}, operand.Mem{Base: q}, 1) }
	g.Label("row")
	f := factor()
	i = g.GP64()
	g.XORQ(i, i)
	g.Label("column")
	g.store(a.mul(g.load(mem(v)), f), mem(v))
	g.ADDQ(operand.Imm(uint64(g.lanes())), i)
	g.CMPQ(i, whole)
	g.JLT(operand.LabelRef("column"))
	next("row")
	if g.avx512 { // last words after all others, and loads before stores of the row before: they would wait for these
		g.Label("rest")
		g.CMPQ(whole, width)
		g.JEQ(operand.LabelRef("done"))
		for _, p := range []struct {
			name string
			to   gp
		}{{"v", v}, {"w", w}, {"q", q}, {"rows", rows}} {
			g.Load(g.Param(p.name), p.to)
		}
		g.LEAQ(operand.Mem{Base: v, Index: whole, Scale: uint8(g.word)}, v)
		x, z := last.load(operand.Mem{Base: v}), g.vec()
		g.Label("restRow")
		g.set(z, a.mul(x, factor()))
		g.DECQ(rows)
		g.JEQ(operand.LabelRef("restEnd"))
		g.set(x, last.load(operand.Mem{Base: v, Index: stride, Scale: uint8(g.word)}))
		last.store(z, operand.Mem{Base: v})
		g.ADDQ(operand.Imm(uint64(g.word)), w)
		g.ADDQ(operand.Imm(uint64(g.word)), q)
		g.LEAQ(operand.Mem{Base: v, Index: stride, Scale: uint8(g.word)}, v)
		g.JMP(operand.LabelRef("restRow"))
		g.Label("restEnd")
		last.store(z, operand.Mem{Base: v})
		g.Label("done")
	}
	g.end()
}

// twist writes both products of scale in one pass from place to place, which fetches what the next one takes.
func (g *machine) twist(a arithmetic, name string) {
	g.function(name+"Twist", fmt.Sprintf("sets rows of z, d words apart, to rows of v, s words apart: each word times its "+
		"multiplier of w, and the row times its multiplier of cw. It fetches rows of ahead, next words "+
		"apart, to the second-level cache. width is a multiple of %d.", g.lanes()),
		"z, v, ahead, w, q, cw, cq, m *"+g.goWord()+", rows, width, d, s, next int")
	m := g.param("m")
	a.begin(m)
	z, v, ahead := g.param("z"), g.param("v"), g.param("ahead")
	w, q, cw, cq := g.param("w"), g.param("q"), g.param("cw"), g.param("cq")
	width := g.param("width")
	rows, d, s, next := g.frame("rows"), g.frame("d"), g.frame("s"), g.frame("next")
	step := operand.Imm(map[int]uint64{4: 2, 8: 3}[g.word])
	for _, x := range []operand.Op{width, d, s, next} {
		g.SHLQ(step, x)
	}
	g.Label("row")
	f := g.pairAt(a, operand.Mem{Base: cw}, operand.Mem{Base: cq}, 1)
	i := g.GP64()
	g.XORQ(i, i)
	g.Label("column")
	mem := func(b gp) operand.Mem { return operand.Mem{Base: b, Index: i, Scale: 1} }
	g.PREFETCHT1(mem(ahead))
	g.store(a.mul(a.mul(g.load(mem(v)), g.pairAt(a, mem(w), mem(q), g.lanes())), f), mem(z))
	g.ADDQ(operand.Imm(uint64(g.bytes)), i)
	g.CMPQ(i, width)
	g.JLT(operand.LabelRef("column"))
	g.ADDQ(width, w)
	g.ADDQ(width, q)
	g.ADDQ(operand.Imm(uint64(g.word)), cw)
	g.ADDQ(operand.Imm(uint64(g.word)), cq)
	g.ADDQ(d, z)
	g.ADDQ(s, v)
	g.ADDQ(next, ahead)
	g.DECQ(rows)
	g.JNE(operand.LabelRef("row"))
	g.end()
}

// pointwise writes the products of two vectors, and the canonical form of one.
func (g *machine) pointwise(fresh func(*machine) arithmetic, name string) {
	a := fresh(g)
	word := g.goWord()
	loop := func(z gp, n gp, body func(mem func(b gp) operand.Mem) vec) {
		i := g.GP64()
		g.XORQ(i, i)
		g.Label("loop")
		mem := func(b gp) operand.Mem { return operand.Mem{Base: b, Index: i, Scale: uint8(g.word)} }
		g.store(body(mem), mem(z))
		g.ADDQ(operand.Imm(uint64(g.lanes())), i)
		g.CMPQ(i, n)
		g.JLT(operand.LabelRef("loop"))
		g.end()
	}
	g.function(name+"Product", fmt.Sprintf("sets n words of z to xy. n is a multiple of %d.", g.lanes()),
		"z, x, y, m *"+word+", n int")
	z, x, y, m, n := g.param("z"), g.param("x"), g.param("y"), g.param("m"), g.param("n")
	a.begin(m)
	loop(z, n, func(mem func(b gp) operand.Mem) vec { return a.product(g.load(mem(x)), g.load(mem(y))) })

	for _, k := range []struct {
		name, what string
		f          func(z, x, y vec) vec
	}{
		{"Add", "x + y", func(_, x, y vec) vec { return a.sum(x, y) }},
		{"Sub", "x − y", func(_, x, y vec) vec { return a.difference(x, y) }},
		{"MulAdd", "z + xy", func(z, x, y vec) vec { return a.sum(z, a.canonNarrow(a.product(x, y))) }},
	} {
		doc := fmt.Sprintf("sets n canonical words of z to %s of canonical words. n is a multiple of %d.", k.what, g.lanes())
		g.function(name+k.name, doc, "z, x, y, m *"+word+", n int")
		z, x, y, m, n := g.param("z"), g.param("x"), g.param("y"), g.param("m"), g.param("n")
		a.begin(m)
		loop(z, n, func(mem func(b gp) operand.Mem) vec {
			var old vec
			if k.name == "MulAdd" {
				old = g.load(mem(z))
			}
			return k.f(old, g.load(mem(x)), g.load(mem(y)))
		})
	}

	g.function(name+"Reduce",
		fmt.Sprintf("sets n words of z to x in canonical form. n is a multiple of %d.", g.lanes()),
		"z, x, m *"+word+", n int")
	z, x, m, n = g.param("z"), g.param("x"), g.param("m"), g.param("n")
	a.begin(m)
	loop(z, n, func(mem func(b gp) operand.Mem) vec { return a.canon(g.load(mem(x))) })
}
