package main

import (
	"fmt"
	"path/filepath"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// polynomials writes the kernels of package gf2 for elements that are polynomials in words: of one word or of two.
type polynomials struct {
	*machine
	suffix string
	words  int    // of an element
	short  bool   // products are reduced by matrices: see reduceShort
	rest   vec    // the two words that reduce products
	by     [3]vec // these matrices, and a mask
	moves  []vec
}

// wordTiers are the vectors that products of polynomials come in.
var wordTiers = []struct {
	bytes  int
	suffix string
}{{16, "PCLMUL"}, {32, "VPCLMUL"}, {64, "VPCLMUL512"}}

// writeWords writes a file of kernels for each size of vectors.
func writeWords(dir string) error {
	for _, t := range wordTiers {
		m := newMachine(t.bytes, 8, t.bytes == 64)
		m.ConstraintExpr("amd64,!purego")
		for _, words := range []int{1, 2} {
			g := &polynomials{machine: m, suffix: t.suffix, words: words}
			g.all()
		}
		if m.avx512 {
			g := &polynomials{machine: m, suffix: "GFNI512", words: 1, short: true}
			g.all()
		}
		asm, stubs, err := m.print("gf2")
		if err != nil {
			return err
		}
		if err := writeFiles(filepath.Join(dir, fmt.Sprint("zwords", 8*t.bytes)), asm, stubs); err != nil {
			return err
		}
	}
	return nil
}

// all writes the kernels of a size of elements.
func (g *polynomials) all() {
	g.declare()
	for _, back := range []bool{false, true} {
		g.layers(1, back)
		g.layers(2, back)
		g.tail(back)
		if g.quads() {
			g.last(back)
		}
	}
	g.times()
	if g.avx512 && g.words == 1 {
		g.timesFold(false)
		g.timesFold(true)
	}
	g.mul()
	if g.quads() {
		g.stream()
	}
}

// title is the name of a kernel.
func (g *polynomials) title(name string) string {
	return fmt.Sprintf("%s%d%s", name, 64*g.words, g.suffix)
}

// count is the elements of a vector, and turns the layers of a tail, which has two vectors.
func (g *polynomials) count() int { return g.bytes / 8 / g.words }

func (g *polynomials) turns() int {
	n := 1
	for 1<<n < 2*g.count() {
		n++
	}
	return n
}

// stepBytes is the bytes of the constants of a block, and of what is added to them from one to the next.
func (g *polynomials) stepBytes() int { return 32 + 64*(g.words-1) }

// declare declares the words of vectors that moves take: of the exchanges of a tail, and of multipliers of neighbours.
func (g *polynomials) declare() {
	const words = 8 // of a vector
	if g.avx512 {
		n := g.count()
		for _, s := range []struct {
			name string
			from func(i int) int
		}{
			{"first", func(i int) int { return i/2 + i%2*n }},
			{"second", func(i int) int { return n/2 + i/2 + i%2*n }},
			{"even", func(i int) int { return 2 * i }},
			{"odd", func(i int) int { return 2*i + 1 }},
		} {
			g.table(g.title(s.name), words, func(i int) int { return s.from(i/g.words)*g.words + i%g.words })
		}
		g.table(g.title("neighbours"), words*(g.turns()-1), func(i int) int {
			return (i % words / g.words >> (i / words) * g.words) + i%g.words
		})
	}
	if g.spreads() && !g.avx512 { // in halves of words
		g.StaticGlobal(g.title("neighbours"))
		g.DataAttributes(attr.RODATA | attr.NOPTR)
		for s := range 2 {
			for i := range words {
				g.AddDatum(4*(words*s+i), operand.U32(2*(i/2>>s)+i%2))
			}
		}
	}
}

func (g *polynomials) table(name string, n int, at func(i int) int) {
	g.StaticGlobal(name)
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range n {
		g.AddDatum(8*i, operand.U64(at(i)))
	}
}

// spreads says whether less than a vector of neighbours have a multiplier, which are more than one.
func (g *polynomials) spreads() bool { return g.count() > 2 }

func (g *polynomials) clmul(x, y vec, halves int) vec {
	z := g.vec()
	g.VPCLMULQDQ(operand.Imm(uint64(halves)), y, x, z) // bit 0 is the half of x, bit 4 that of y
	return z
}

func (g *polynomials) addTo(x vec, y operand.Op) {
	if g.avx512 {
		g.VPXORQ(y, x, x)
	} else {
		g.VPXOR(y, x, x)
	}
}

// addBoth adds y and z to x.
func (g *polynomials) addBoth(x, y, z vec) {
	if g.avx512 {
		g.VPTERNLOGQ(operand.Imm(ternaryXor), z, y, x)
		return
	}
	g.addTo(x, y)
	g.addTo(x, z)
}

// begin starts a kernel with the words that reduce.
func (g *polynomials) begin(name, doc, params string) {
	g.function(g.title(name), doc, params)
	rest := g.GP64()
	g.MOVQ(g.frame("rest"), rest)
	if g.short {
		for i := range g.by {
			g.by[i] = g.pattern(operand.Mem{Base: rest, Disp: 8 * (2 + i)}, 1)
			g.note(fmt.Sprint("matrix", i), g.by[i])
		}
		return
	}
	g.rest = g.pattern(operand.Mem{Base: rest}, 2)
	g.note("rest", g.rest)
}

// multiplier is one in all places, and its product by x^64, which elements of two words need.
type multiplier struct{ w, shifted vec }

// constant is element i of the constants of a block.
func (g *polynomials) constant(base gp, i int) multiplier {
	c := multiplier{w: g.pattern(operand.Mem{Base: base, Disp: 8 * g.words * i}, g.words)}
	if g.words == 2 {
		c.shifted = g.pattern(operand.Mem{Base: base, Disp: g.stepBytes()/2 + 16*i}, 2)
	}
	return c
}

func (g *polynomials) factor(w vec) multiplier {
	if g.words == 1 {
		return multiplier{w: w}
	}
	c := g.clmul(w, g.rest, 0x01)
	t := g.vec()
	g.VPSLLDQ(operand.Imm(8), w, t)
	g.addTo(c, t)
	return multiplier{w, c}
}

// partial is a sum of words that are reduced, and what is to be reduced into them: of elements of two words the words
// of products from x^64 on, whose low ones are added at once, and of those of one word the products of the elements at
// even places, and those at odd ones.
type partial struct {
	low  vec
	high []vec
}

// add adds the product of v and c. That of two words is v0·w + v1·(w·x^64): it has three words.
func (g *polynomials) add(s *partial, v vec, c multiplier) {
	if g.words == 1 {
		of := []vec{g.clmul(v, c.w, 0x00), g.clmul(v, c.w, 0x11)}
		if s.high == nil {
			s.high = of
			return
		}
		for i := range of {
			g.addTo(s.high[i], of[i])
		}
		return
	}
	g.addBoth(s.low, g.clmul(v, c.w, 0x00), g.clmul(v, c.shifted, 0x01))
	x, y := g.clmul(v, c.w, 0x10), g.clmul(v, c.shifted, 0x11)
	if s.high == nil {
		g.addTo(x, y)
		s.high = []vec{x}
		return
	}
	g.addBoth(s.high[0], x, y)
}

// other returns the sum of s and u, which is lost.
func (g *polynomials) other(s partial, u vec) partial {
	g.addTo(u, s.low)
	z := partial{low: u}
	for _, x := range s.high {
		z.high = append(z.high, g.mov(x))
	}
	return z
}

// reduce makes s of reduced words alone, and loses the others. Of three words the last one has a product by the rest.
//
// Of products hi·x^64 + lo of one word the quotient by the modulus is hi and the high half of hi·mu, and what is left
// is lo and the low half of the product of the quotient and the rest.
func (g *polynomials) reduce(s partial) {
	switch {
	case g.short:
		g.reduceShort(s)
	case g.words == 1:
		var z [2]vec
		for i, a := range s.high {
			q := g.clmul(a, g.rest, 0x11)
			g.addTo(q, a)
			z[i] = g.clmul(q, g.rest, 0x01)
			g.addTo(z[i], a)
		}
		t := g.vec()
		g.VPUNPCKLQDQ(z[1], z[0], t)
		g.addTo(s.low, t)
	default:
		high := s.high[0]
		top := g.clmul(high, g.rest, 0x01)
		g.VPSLLDQ(operand.Imm(8), high, high)
		g.addBoth(s.low, high, top)
	}
}

// reduceShort is reduce for one word and a rest of degree 4 at most: a byte of hi times the rest has two bytes, which
// stay where the byte is and in the next one. The next one of the last byte is the first one: what leaves the word is
// there, where it is a part of hi once more, of which a product by the rest has one byte.
func (g *polynomials) reduceShort(s partial) {
	low, high := g.shortParts(s)
	g.addBoth(s.low, low, high)
}

// shortParts returns two vectors, the sum of which is what s.high has, reduced.
func (g *polynomials) shortParts(s partial) (low, high vec) {
	const and, andNot = 0x78, 0xb4 // x ^ y & z, x ^ y &^ z
	a, b := s.high[0], s.high[1]
	low, high = g.vec(), g.vec()
	g.VPUNPCKLQDQ(b, a, low)
	g.VPUNPCKHQDQ(b, a, high)
	next := g.vec()
	g.VPROLQ(operand.Imm(8), high, next)
	g.VGF2P8AFFINEQB(operand.Imm(0), g.by[1], next, next)
	g.VPTERNLOGQ(operand.Imm(and), g.by[2], next, high)
	g.VGF2P8AFFINEQB(operand.Imm(0), g.by[0], high, high)
	g.VPTERNLOGQ(operand.Imm(andNot), g.by[2], next, low)
	return low, high
}

// accumulate adds to u the product of v and c.
func (g *polynomials) accumulate(u, v vec, c multiplier) {
	s := partial{low: u}
	g.add(&s, v, c)
	g.reduce(s)
}

// product returns that of v and c.
func (g *polynomials) product(v vec, c multiplier) vec {
	if g.short {
		var s partial
		g.add(&s, v, c)
		low, high := g.shortParts(s)
		g.addTo(low, high)
		return low
	}
	z := g.vec()
	if g.avx512 {
		g.VPXORQ(z, z, z)
	} else {
		g.VPXOR(z, z, z)
	}
	g.accumulate(z, v, c)
	return z
}

// pair returns the product of elements of two words in memory, by three products of words (Karatsuba): the highest of
// four words that are left is reduced into the two in the middle, and then the highest of those into the two lowest.
// Sums of both words have the low one from memory a second time, as fewer instructions move words inside of vectors
// than there are loads.
func (g *polynomials) pair(x, w operand.Mem) vec {
	sum := func(m operand.Mem, y vec) vec {
		t := g.vec()
		g.VMOVDDUP(m, t)
		g.addTo(t, y)
		return t
	}
	v, y := g.load(x), g.load(w)
	low, high, middle := g.clmul(v, y, 0x00), g.clmul(v, y, 0x11), g.clmul(sum(x, v), sum(w, y), 0x11)
	g.addBoth(middle, low, high)
	for _, x := range [][2]vec{{high, middle}, {middle, low}} {
		top := g.clmul(x[0], g.rest, 0x01)
		g.VPSLLDQ(operand.Imm(8), x[0], x[0])
		g.addBoth(x[1], x[0], top)
	}
	return low
}

// butterfly does that of a layer, or undoes it.
func (g *polynomials) butterfly(u, v vec, c multiplier, back bool) {
	if back {
		g.addTo(v, u)
	}
	g.accumulate(u, v, c)
	if !back {
		g.addTo(v, u)
	}
}

// two does two layers to four rows, or undoes them. They have four products, and reduce three sums of them: the rows
// that the second layer multiplies, and what that and the first layer add to the two others is one sum.
func (g *polynomials) two(x []vec, c []multiplier, back bool) {
	if back {
		g.addTo(x[1], x[0])
		g.addTo(x[3], x[2])
		s := partial{low: x[0]}
		g.add(&s, x[1], c[1])
		z := g.other(s, x[2])
		g.add(&z, x[3], c[2])
		g.reduce(z)
		g.add(&s, x[2], c[0])
		g.reduce(s)
		g.addTo(x[3], x[1])
		g.accumulate(x[1], x[3], c[0])
		return
	}
	g.accumulate(x[1], x[3], c[0])
	g.addTo(x[3], x[1])
	s := partial{low: x[0]}
	g.add(&s, x[2], c[0])
	z := g.other(s, x[2])
	g.add(&s, x[1], c[1])
	g.reduce(s)
	g.addTo(x[1], x[0])
	g.add(&z, x[3], c[2])
	g.reduce(z)
	g.addTo(x[3], x[2])
}

// step adds to the constants at base what block at + 1 has more than block at, and counts.
func (g *polynomials) step(base, at gp) {
	from := g.next(at)
	for i := 0; i < g.stepBytes(); i += 32 {
		x := g.YMM()
		g.VMOVDQU(operand.Mem{Base: from, Disp: i}, x)
		g.VPXOR(operand.Mem{Base: base, Disp: i}, x, x)
		g.VMOVDQU(x, operand.Mem{Base: base, Disp: i})
	}
}

// next counts, and returns where what block at + 1 has more than block at is.
func (g *polynomials) next(at gp) gp {
	from := g.GP64()
	g.INCQ(at)
	g.BSFQ(at, from)
	g.IMUL3Q(operand.U32(g.stepBytes()), from, from)
	g.ADDQ(g.frame("delta"), from)
	return from
}

// layers writes a pass of count layers.
func (g *polynomials) layers(count int, back bool) {
	rows := 1 << count
	g.begin(fmt.Sprintf("radix%d%sWords", rows, backName(back)), "is Words.Layers"+backName(back)+": see there.",
		"v *byte, blocks, stride, n int, base, delta, rest *byte, at int")
	v, blocks, stride := g.param("v"), g.param("blocks"), g.param("stride")
	base, at := g.param("base"), g.param("at")
	three := g.GP64()
	if count == 2 {
		g.LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 2}, three)
	}
	p, left := g.GP64(), g.GP64()
	row := func(r int) operand.Mem {
		return []operand.Mem{{Base: p}, {Base: p, Index: stride, Scale: 1}, {Base: p, Index: stride, Scale: 2},
			{Base: p, Index: three, Scale: 1}}[r]
	}
	each := func(label string, do func(x []vec) (changed []vec)) {
		g.Label(label)
		var x []vec
		for r := range rows {
			x = append(x, g.load(row(r)))
		}
		z := do(x)
		for i, r := 0, rows-len(z); r < rows; i, r = i+1, r+1 {
			g.store(z[i], row(r))
		}
		g.ADDQ(operand.Imm(uint64(g.bytes)), p)
		g.SUBQ(operand.Imm(uint64(g.bytes)), left)
		g.JNZ(operand.LabelRef(label))
	}
	g.Label("block")
	g.MOVQ(v, p)
	g.MOVQ(g.frame("n"), left)
	g.is(base, 0, 0, g.words*(rows/2), "zero")
	var c []multiplier
	for i := range rows - 1 {
		c = append(c, g.constant(base, i))
	}
	each("vector", func(x []vec) []vec {
		if count == 1 {
			g.butterfly(x[0], x[1], c[0], back)
		} else {
			g.two(x, c, back)
		}
		return x
	})
	g.Label("next")
	g.DECQ(blocks)
	g.JZ(operand.LabelRef("done"))
	g.LEAQ(operand.Mem{Base: v, Index: stride, Scale: uint8(rows)}, v)
	g.step(base, at)
	g.JMP(operand.LabelRef("block"))
	g.Label("zero")
	if count == 1 {
		each("sum", func(x []vec) []vec {
			g.addTo(x[1], x[0])
			return x[1:]
		})
		g.JMP(operand.LabelRef("next"))
	} else {
		g.is(base, 2*g.words, 1, g.words, "one")
		last := g.constant(base, 2)
		each("product", func(x []vec) []vec { return g.first(x, &last, back) })
		g.JMP(operand.LabelRef("next"))
		g.Label("one")
		each("sum", func(x []vec) []vec { return g.first(x, nil, back) })
		g.JMP(operand.LabelRef("next"))
	}
	g.Label("done")
	g.end()
}

// is goes to label if word i of base, of count ones, is x, and those behind it are zero.
func (g *polynomials) is(base gp, i, x, count int, label string) {
	t := g.GP64()
	g.MOVQ(operand.Mem{Base: base, Disp: 8 * i}, t)
	if x != 0 {
		g.XORQ(operand.Imm(uint64(x)), t)
	}
	for j := i + 1; j < i+count; j++ {
		g.ORQ(operand.Mem{Base: base, Disp: 8 * j}, t)
	}
	g.TESTQ(t, t)
	g.JZ(operand.LabelRef(label))
}

// first is two where multipliers are zero but for the last one, or, where c is nil, which is one. It returns the rows
// that change: all but the first.
func (g *polynomials) first(x []vec, c *multiplier, back bool) []vec {
	if back {
		g.addTo(x[1], x[0])
		if c == nil {
			g.addTo(x[2], x[3])
			x[2], x[3] = x[3], x[2]
		} else {
			g.butterfly(x[2], x[3], *c, true)
		}
		g.addTo(x[2], x[0])
		g.addTo(x[3], x[1])
		return x[1:]
	}
	g.addTo(x[2], x[0])
	g.addTo(x[3], x[1])
	g.addTo(x[1], x[0])
	if c == nil {
		g.addTo(x[3], x[2])
		x[2], x[3] = x[3], x[2]
	} else {
		g.butterfly(x[2], x[3], *c, false)
	}
	return x[1:]
}

// exchange makes x and y of their elements taken in turn, or undoes it.
func (g *polynomials) exchange(x, y vec, back bool) (vec, vec) {
	switch {
	case g.count() == 1:
		return x, y
	case g.avx512:
		t := g.mov(x)
		g.VPERMT2Q(y, g.moves[0], x)
		g.VPERMT2Q(y, g.moves[1], t)
		return x, t
	}
	lanes := func(x, y vec) (vec, vec) { // halves of vectors
		a, b := g.vec(), g.vec()
		g.VPERM2I128(operand.Imm(0x20), y, x, a)
		g.VPERM2I128(operand.Imm(0x31), y, x, b)
		return a, b
	}
	pairs := func(x, y vec) (vec, vec) {
		a, b := g.vec(), g.vec()
		g.VPUNPCKLQDQ(y, x, a)
		g.VPUNPCKHQDQ(y, x, b)
		return a, b
	}
	switch {
	case g.bytes == 16:
		return pairs(x, y)
	case g.words == 2:
		return lanes(x, y)
	case back:
		x, y = lanes(x, y)
		return pairs(x, y)
	}
	x, y = pairs(x, y)
	return lanes(x, y)
}

// tail writes the layers inside pairs of vectors. Each goes between the two; an exchange behind it brings the pairs of
// the next one there, and after the last one all elements are back in their places.
func (g *polynomials) tail(back bool) {
	g.begin("tail"+backName(back)+"Words", "is Words.Tail"+backName(back)+": see there.",
		"v *byte, pairs int, lanes, base, delta, rest *byte, at int")
	v, pairs, lanes, base, at := g.param("v"), g.param("pairs"), g.param("lanes"), g.param("base"), g.param("at")
	if g.avx512 {
		g.moves = nil
		names := []string{"first", "second"}
		if back {
			names = []string{"even", "odd"}
		}
		for _, name := range names {
			g.moves = append(g.moves, g.load(symbol(g.title(name), 0)))
		}
	}
	g.Label("pair")
	x, y := g.load(operand.Mem{Base: v}), g.load(operand.Mem{Base: v, Disp: g.bytes})
	for i := range g.turns() {
		l := i
		if back {
			l = g.turns() - 1 - i
			x, y = g.exchange(x, y, true)
		}
		c := g.constant(base, l)
		g.addTo(c.w, operand.Mem{Base: lanes, Disp: g.bytes * l})
		if g.words == 2 {
			g.addTo(c.shifted, operand.Mem{Base: lanes, Disp: g.bytes * (g.turns() + l)})
		}
		g.butterfly(x, y, c, back)
		if !back {
			x, y = g.exchange(x, y, false)
		}
	}
	g.store(x, operand.Mem{Base: v})
	g.store(y, operand.Mem{Base: v, Disp: g.bytes})
	g.ADDQ(operand.U32(2*g.bytes), v)
	g.DECQ(pairs)
	g.JZ(operand.LabelRef("done"))
	g.step(base, at)
	g.JMP(operand.LabelRef("pair"))
	g.Label("done")
	g.end()
}

// quads says whether vectors have four elements: then the last two layers have a kernel of their own, and so have long
// products.
func (g *polynomials) quads() bool { return g.avx512 && g.words == 2 }

// last writes the last two layers of four vectors. Their elements change places as in a square, so that vector i has
// element i of four blocks, and products share reductions as in other layers. Halves of vectors go by loads and stores:
// what moves them inside goes where carry-less products go. Constants stay in registers from group to group.
func (g *polynomials) last(back bool) {
	g.begin("last"+backName(back)+"Words", "is Words.Last"+backName(back)+": see there.",
		"v *byte, groups int, lanes, base, delta, rest *byte, at int")
	v, groups, lanes, base, at := g.param("v"), g.param("groups"), g.param("lanes"), g.param("base"), g.param("at")
	moves := []vec{g.load(symbol(g.title("first"), 0)), g.load(symbol(g.title("second"), 0))}
	var c []multiplier
	for i := range 3 {
		m := g.constant(base, i)
		g.addTo(m.w, operand.Mem{Base: lanes, Disp: g.bytes * i})
		g.addTo(m.shifted, operand.Mem{Base: lanes, Disp: g.bytes * (3 + i)})
		c = append(c, m)
	}
	half := func(i int) operand.Mem { return operand.Mem{Base: v, Disp: g.bytes / 2 * i} }
	g.Label("group")
	x := make([]vec, 4)
	for h := range 2 { // elements 0 and 1 of blocks, and elements 2 and 3
		var y [2]vec // of two blocks
		for i := range y {
			y[i] = g.vec()
			g.VMOVDQU64(half(4*i+h), y[i].AsY())
			g.VINSERTI64X4(operand.Imm(1), half(4*i+2+h), y[i], y[i])
		}
		for i, lane := range []uint64{0x88, 0xdd} {
			x[2*h+i] = g.vec()
			g.VSHUFI64X2(operand.Imm(lane), y[1], y[0], x[2*h+i])
		}
	}
	g.two(x, c, back)
	for h := range 2 {
		a, b := x[2*h], x[2*h+1]
		t := g.mov(a)
		g.VPERMT2Q(b, moves[0], a)
		g.VPERMT2Q(b, moves[1], t)
		for i, z := range []vec{a, t} {
			g.VMOVDQU64(z.AsY(), half(4*i+h))
			g.VEXTRACTI64X4(operand.Imm(1), z, half(4*i+2+h))
		}
	}
	g.ADDQ(operand.U32(4*g.bytes), v)
	g.DECQ(groups)
	g.JZ(operand.LabelRef("done"))
	from := g.next(at)
	for i, m := range c {
		g.addTo(m.w, g.repeat(operand.Mem{Base: from, Disp: 16 * i}, 2))
		g.addTo(m.shifted, g.repeat(operand.Mem{Base: from, Disp: g.stepBytes()/2 + 16*i}, 2))
	}
	g.JMP(operand.LabelRef("group"))
	g.Label("done")
	g.end()
}

// times writes products of rows by a constant each.
func (g *polynomials) times() {
	g.begin("timesWords", "is Words.Times: see there.", "v *byte, rows, stride, n int, w, rest *byte")
	v, rows, stride, n, w := g.param("v"), g.param("rows"), g.param("stride"), g.param("n"), g.param("w")
	g.Label("row")
	c := g.factor(g.pattern(operand.Mem{Base: w}, g.words))
	p, left := g.GP64(), g.GP64()
	g.MOVQ(v, p)
	g.MOVQ(n, left)
	g.Label("vector")
	g.store(g.product(g.load(operand.Mem{Base: p}), c), operand.Mem{Base: p})
	g.ADDQ(operand.Imm(uint64(g.bytes)), p)
	g.SUBQ(operand.Imm(uint64(g.bytes)), left)
	g.JNZ(operand.LabelRef("vector"))
	g.ADDQ(stride, v)
	g.ADDQ(operand.Imm(uint64(8*g.words)), w)
	g.DECQ(rows)
	g.JNZ(operand.LabelRef("row"))
	g.end()
}

// timesFold writes products of eight rows by a constant each and two folds of them, or what undoes both. Products take
// as long as it takes to get rows from a second-level cache and back.
func (g *polynomials) timesFold(back bool) {
	const rows = 8
	g.begin("timesFold"+backName(back)+"Words", "is Words.TimesFold"+backName(back)+": see there.",
		"z, x *byte, count, eighth, n, to, from int, w, half *byte, step int, rest *byte")
	// places are rows of both halves of what is at a and b, of which neighbours are as far apart as by says.
	places := func(a, b gp, by string) func(r int) operand.Mem {
		far, three := g.GP64(), g.GP64()
		g.MOVQ(g.frame(by), far)
		g.IMULQ(g.frame("eighth"), far)
		g.LEAQ(operand.Mem{Base: far, Index: far, Scale: 2}, three)
		if b == nil {
			b = g.GP64()
			g.LEAQ(operand.Mem{Base: a, Index: far, Scale: 4}, b)
		}
		return func(r int) operand.Mem {
			m := operand.Mem{Base: []gp{a, b}[r/4]}
			switch r % 4 {
			case 1:
				m.Index, m.Scale = far, 1
			case 2:
				m.Index, m.Scale = far, 2
			case 3:
				m.Index, m.Scale = three, 1
			}
			return m
		}
	}
	z, x, w, half := g.param("z"), g.param("x"), g.param("w"), g.param("half")
	to, from, by := places(z, nil, "to"), places(x, nil, "from"), places(w, half, "step")
	left := g.GP64()
	g.Label("row")
	g.MOVQ(g.frame("n"), left)
	g.Label("vector")
	list := make([]vec, rows)
	for r := range list {
		list[r] = g.load(from(r))
	}
	times := func() {
		for r := range list {
			list[r] = g.product(list[r], multiplier{w: g.pattern(by(r), 1)})
		}
	}
	if !back {
		times()
	}
	eachFold(expansion(2), rows, back, func(to, from int) { g.addTo(list[to], list[from]) })
	if back {
		times()
	}
	for r := range list {
		g.store(list[r], to(r))
	}
	ends := []operand.Mem{to(0), to(rows / 2), from(0), from(rows / 2)}
	for _, p := range ends {
		g.ADDQ(operand.Imm(uint64(g.bytes)), p.Base)
	}
	g.SUBQ(operand.Imm(uint64(g.bytes)), left)
	g.JNZ(operand.LabelRef("vector"))
	for i, by := range []string{"to", "to", "from", "from"} {
		g.ADDQ(g.frame(by), ends[i].Base)
		g.SUBQ(g.frame("n"), ends[i].Base)
	}
	g.ADDQ(g.frame("step"), w)
	g.ADDQ(g.frame("step"), half)
	g.DECQ(g.frame("count"))
	g.JNZ(operand.LabelRef("row"))
	g.end()
}

// mul writes products by elements each of which multiplies neighbours, fewer than a vector has.
func (g *polynomials) mul() {
	g.begin("mulWords", "is Words.Mul: see there.", "z, x, w *byte, n, s int, rest *byte")
	z, x, w, left := g.param("z"), g.param("x"), g.param("w"), g.param("n")
	if g.words == 2 && !g.spreads() {
		g.pairs(z, x, w, left, false)
		return
	}
	step, s := g.GP64(), g.param("s")
	g.MOVQ(operand.U32(g.bytes), step)
	g.MOVQ(s, reg.RCX)
	g.SHRQ(reg.CL, step)
	if g.words == 2 {
		g.CMPQ(s, operand.Imm(0))
		g.JEQ(operand.LabelRef("pair"))
	}
	var index vec
	if g.spreads() {
		table := g.GP64()
		g.LEAQ(symbol(g.title("neighbours"), 0), table)
		g.SHLQ(operand.Imm(uint64(4+g.bytes/32)), s)
		index = g.load(operand.Mem{Base: table, Index: s, Scale: 1})
	}
	g.Label("vector")
	y := g.load(operand.Mem{Base: w})
	switch {
	case g.spreads() && g.avx512:
		g.VPERMQ(y, index, y)
	case g.spreads():
		g.VPERMD(y, index, y)
	}
	g.store(g.product(g.load(operand.Mem{Base: x}), g.factor(y)), operand.Mem{Base: z})
	g.ADDQ(operand.Imm(uint64(g.bytes)), x)
	g.ADDQ(operand.Imm(uint64(g.bytes)), z)
	g.ADDQ(step, w)
	g.SUBQ(operand.Imm(uint64(g.bytes)), left)
	g.JNZ(operand.LabelRef("vector"))
	g.end()
	if g.words == 2 {
		g.pairs(z, x, w, left, false)
	}
}

// stream writes products of pairs that go past caches.
func (g *polynomials) stream() {
	g.begin("streamWords", "is Words.Stream: see there.", "z, x, w *byte, n int, rest *byte")
	g.pairs(g.param("z"), g.param("x"), g.param("w"), g.param("n"), true)
}

// ahead is how far before its turn a factor is fetched that comes from memory.
const ahead = 1 << 11

// pairs writes the loop over products of pairs of two words, and the end of the kernel.
func (g *polynomials) pairs(z, x, w, left gp, past bool) {
	g.Label("pair")
	y := g.pair(operand.Mem{Base: x}, operand.Mem{Base: w})
	if past {
		for _, p := range []gp{x, w} {
			g.PREFETCHT0(operand.Mem{Base: p, Disp: ahead})
		}
		g.VMOVNTDQ(y, operand.Mem{Base: z})
	} else {
		g.store(y, operand.Mem{Base: z})
	}
	for _, p := range []gp{x, z, w} {
		g.ADDQ(operand.Imm(uint64(g.bytes)), p)
	}
	g.SUBQ(operand.Imm(uint64(g.bytes)), left)
	g.JNZ(operand.LabelRef("pair"))
	if past {
		g.SFENCE()
	}
	g.end()
}
