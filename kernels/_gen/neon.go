package main

import (
	"bytes"
	"fmt"
	"go/format"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// avo does not know arm64, so that these kernels are written as text. General registers are given out in order;
// vectors are values, each made once, and get their registers when a function ends. Where products are of 64 bits,
// which NEON lacks, values are words in the general registers that are left.

type (
	nvec int    // a value: 16 bytes of words, or a word
	ngp  string // a general register
)

// npair is a multiplier with its companion.
type npair struct{ w, q nvec }

// neon writes functions for arm64.
type neon struct {
	word       int  // bytes
	scalar     bool // values are words
	asm, stubs bytes.Buffer
	lines      []line         // of the function that is being written
	vecs, gps  int            // how many of them it has
	frame      map[string]int // where its parameters are
}

// lanes returns the words that a step of a loop takes: 16 bytes.
func (g *neon) lanes() int     { return 16 / g.word }
func (g *neon) goWord() string { return fmt.Sprint("uint", 8*g.word) }

// shift makes words bytes.
func (g *neon) shift() int { return bits.Len(uint(g.word)) - 1 }

// line is an instruction or a label of a function.
type line struct {
	defs  []nvec               // the values that it makes
	uses  []nvec               // the values that it reads
	over  bool                 // defs[0] takes the register of uses[0]
	label string               // the label that it is
	to    string               // the label that it branches to
	text  func(r []any) string // of the registers of defs and uses
}

func (g *neon) text(format string, args ...any) {
	g.lines = append(g.lines, line{text: func([]any) string { return fmt.Sprintf(format, args...) }})
}

func (g *neon) label(name string) {
	g.lines = append(g.lines, line{label: name, text: func([]any) string { return name + ":" }})
}

func (g *neon) branch(op, label string) {
	g.lines = append(g.lines, line{to: label, text: func([]any) string { return op + "\t" + label }})
}

func (g *neon) gp() ngp {
	g.gps++
	if g.gps > 18 {
		return ngp(fmt.Sprint("R", g.gps)) // R18 belongs to the system
	}
	return ngp(fmt.Sprint("R", g.gps-1))
}

// makes adds an instruction that makes a vector. format takes the registers, that of the result first.
func (g *neon) makes(format string, uses ...nvec) nvec {
	g.vecs++
	z := nvec(g.vecs - 1)
	g.reads(format, uses...)
	g.lines[len(g.lines)-1].defs = []nvec{z}
	return z
}

// reads adds an instruction that makes no value.
func (g *neon) reads(format string, uses ...nvec) {
	g.lines = append(g.lines, line{uses: uses, text: func(r []any) string { return fmt.Sprintf(format, r...) }})
}

// two adds an instruction that makes two values.
func (g *neon) two(format string) []nvec {
	x := g.makes(format)
	g.vecs++
	g.lines[len(g.lines)-1].defs = []nvec{x, x + 1}
	return []nvec{x, x + 1}
}

// op adds an instruction of two operands, a and b in the order of the architecture's manual; Go's is the reverse.
func (g *neon) op(name string, a, b nvec) nvec {
	return g.makes(strings.ReplaceAll(name+"\tV%[3]d.T, V%[2]d.T, V%[1]d.T", "T", g.kind()), a, b)
}

// kind is the arrangement of a vector.
func (g *neon) kind() string { return map[int]string{1: "B16", 4: "S4", 8: "D2"}[g.word] }

func (g *neon) add(a, b nvec) nvec { return g.op("VADD", a, b) }
func (g *neon) sub(a, b nvec) nvec { return g.op("VSUB", a, b) }

// greater sets a to the greater of a and b, word by word. It makes no vector, so that loops keep a.
func (g *neon) greater(a, b nvec) {
	if g.word == 8 {
		g.reads("VBIT\tV%[3]d.B16, V%[2]d.B16, V%[1]d.B16", a, b, g.coded(cmhi2, b, a))
		return
	}
	g.reads("VUMAX\tV%[2]d.S4, V%[1]d.S4, V%[1]d.S4", a, b)
}

// reduce is that of machine.
func (g *neon) reduce(x, m nvec) nvec { return g.op("VUMIN", x, g.sub(x, m)) }

// coded is an instruction that Go's assembler lacks: its code without registers, and its name in the manual.
type coded struct {
	code uint32
	name string
}

var (
	mul    = coded{0x4ea09c00, "MUL V%d.4S, V%d.4S, V%d.4S"}
	mls    = coded{0x6ea09400, "MLS V%d.4S, V%d.4S, V%d.4S"}
	umull  = coded{0x2ea0c000, "UMULL V%d.2D, V%d.2S, V%d.2S"}
	umull2 = coded{0x6ea0c000, "UMULL2 V%d.2D, V%d.4S, V%d.4S"}
	umlsl  = coded{0x2ea0a000, "UMLSL V%d.2D, V%d.2S, V%d.2S"}
	umlsl2 = coded{0x6ea0a000, "UMLSL2 V%d.2D, V%d.4S, V%d.4S"}
	cmhi   = coded{0x6ea03400, "CMHI V%d.4S, V%d.4S, V%d.4S"}
	cmhi2  = coded{0x6ee03400, "CMHI V%d.2D, V%d.2D, V%d.2D"}
)

func (c coded) text(d, n, m any) string {
	code := c.code | uint32(m.(int))<<16 | uint32(n.(int))<<5 | uint32(d.(int))
	return fmt.Sprintf("WORD\t$0x%08x // "+c.name, code, d, n, m)
}

func (g *neon) coded(c coded, a, b nvec) nvec {
	z := g.makes("", a, b)
	g.lines[len(g.lines)-1].text = func(r []any) string { return c.text(r[0], r[1], r[2]) }
	return z
}

// onto is coded for instructions that subtract from z, which is used up.
func (g *neon) onto(z nvec, c coded, a, b nvec) nvec {
	s := g.makes("", z, a, b)
	l := &g.lines[len(g.lines)-1]
	l.over, l.text = true, func(r []any) string { return c.text(r[0], r[2], r[3]) }
	return s
}

// wide returns the 64-bit products, of the low two lanes and of the high two.
func (g *neon) wide(a, b nvec) (l, h nvec) { return g.coded(umull, a, b), g.coded(umull2, a, b) }

// highWords returns the high words of 64-bit products.
func (g *neon) highWords(l, h nvec) nvec { return g.op("VUZP2", l, h) }

func (g *neon) interleave(x, y nvec) (nvec, nvec) { return g.op("VZIP1", x, y), g.op("VZIP2", x, y) }
func (g *neon) separate(x, y nvec) (nvec, nvec)   { return g.op("VUZP1", x, y), g.op("VUZP2", x, y) }

// Loads and stores are of any alignment; those with next leave the register behind what they moved.

func (g *neon) load(p ngp) nvec {
	return g.makes(fmt.Sprintf("VLD1\t(%s), [V%%d.%s]", p, g.kind()))
}

func (g *neon) loadNext(p ngp) nvec {
	return g.makes(fmt.Sprintf("VLD1.P\t16(%s), [V%%d.%s]", p, g.kind()))
}

func (g *neon) storeNext(x nvec, p ngp) { g.put([]nvec{x}, p) }

// values loads 16 bytes: a vector or two words.
func (g *neon) values(p ngp) []nvec {
	if g.scalar {
		return g.two(fmt.Sprintf("LDP\t(%s), (R%%d, R%%d)", p))
	}
	return []nvec{g.load(p)}
}

func (g *neon) valuesNext(p ngp) []nvec {
	if g.scalar {
		return g.two(fmt.Sprintf("LDP.P\t16(%s), (R%%d, R%%d)", p))
	}
	return []nvec{g.loadNext(p)}
}

// put stores values and leaves the register behind them.
func (g *neon) put(x []nvec, p ngp) {
	if g.scalar {
		g.reads(fmt.Sprintf("STP.P\t(R%%d, R%%d), 16(%s)", p), x...)
		return
	}
	g.reads(fmt.Sprintf("VST1.P\t[V%%d.%s], 16(%s)", g.kind(), p), x...)
}

// pattern loads the next 1, 2 or 4 words, repeated; of 64 bits, the next word.
func (g *neon) pattern(p ngp, count int) nvec {
	if g.scalar {
		return g.makes(fmt.Sprintf("MOVD.P\t8(%s), R%%d", p))
	}
	op := map[int]string{1: "VLD1R.P\t4(%s), [V%%d.S4]", 2: "VLD1R.P\t8(%s), [V%%d.D2]", 4: "VLD1.P\t16(%s), [V%%d.S4]"}
	return g.makes(fmt.Sprintf(op[count], p))
}

// repeat is pattern that leaves the register.
func (g *neon) repeat(p ngp, count int) nvec {
	op := map[int]string{1: "VLD1R\t(%s), [V%%d.S4]", 2: "VLD1R\t(%s), [V%%d.D2]", 4: "VLD1\t(%s), [V%%d.S4]"}
	return g.makes(fmt.Sprintf(op[count], p))
}

func (g *neon) pair(w, q ngp, count int) npair {
	return npair{g.pattern(w, count), g.pattern(q, count)}
}

// offset returns base + by·2^shift.
func (g *neon) offset(base, by ngp, shift int) ngp {
	p := g.gp()
	g.text("ADD\t%s<<%d, %s, %s", by, shift, base, p)
	return p
}

// again closes the loop from label on, which counts n down to 0.
func (g *neon) again(n ngp, by int, label string) {
	g.text("SUBS\t$%d, %s, %s", by, n, n)
	g.branch("BNE", label)
}

// head begins a kernel. params may end with a result, as in "x *uint32) (z uint32".
func (g *neon) head(name, doc, params string) {
	comment := strings.Join(wrap(name+" "+doc), "\n// ")
	fmt.Fprintf(&g.stubs, "\n// %s\n//\n//go:noescape\nfunc %s(%s)\n", comment, name, params)
	list := strings.Split(strings.Replace(params, ") (", ", ", 1), ", ")
	size := 8 * len(list)
	switch {
	case strings.HasSuffix(params, " uint8"):
		size -= 7
	case strings.HasSuffix(params, " uint32"):
		size -= 4
	}
	fmt.Fprintf(&g.asm, "\n// func %s(%s)\nTEXT ·%s(SB), NOSPLIT, $0-%d\n", name, params, name, size)
	g.lines, g.vecs, g.gps, g.frame = nil, 0, 0, map[string]int{}
	for i, p := range list {
		p, _, _ := strings.Cut(p, " ")
		g.frame[p] = 8 * i
	}
}

// function begins a kernel and returns its parameters.
func (g *neon) function(name, doc, params string) []ngp {
	g.head(name, doc, params)
	params, _, _ = strings.Cut(params, ") (")
	var r []ngp
	for _, p := range strings.Split(params, ", ") {
		p, kind, _ := strings.Cut(p, " ")
		r = append(r, g.gp())
		move := "MOVD"
		if kind == "uint8" { // the last
			move = "MOVBU"
		}
		g.text("%s\t%s+%d(FP), %s", move, p, g.frame[p], r[len(r)-1])
	}
	return r
}

// end finds registers and writes the function.
//
// A value's register is free after its last use. One that is used in a loop after it was made keeps its register to the
// loop's end.
func (g *neon) end() {
	g.text("RET")
	last, made := make([]int, g.vecs), make([]int, g.vecs)
	labels := map[string]int{}
	for i, l := range g.lines {
		if l.label != "" {
			labels[l.label] = i
		}
		for _, x := range l.uses {
			last[x] = i
		}
		for _, x := range l.defs {
			made[x], last[x] = i, i
		}
	}
	for range g.lines { // an inner loop may end after an outer one was seen
		for i, l := range g.lines {
			top, ok := labels[l.to]
			if !ok {
				continue
			}
			for x := range last {
				if made[x] < top && top < last[x] && last[x] < i {
					last[x] = i
				}
			}
		}
	}
	var taken [32]bool
	if g.scalar {
		for r := range taken { // R18 belongs to the system, those from R27 on to the assembler and Go
			taken[r] = r == 18 || r > 26
		}
		for r := range g.gps {
			taken[r] = true
		}
	}
	at := make([]int, g.vecs)
	for i, l := range g.lines {
		var uses, defs []any
		for _, x := range l.uses {
			uses = append(uses, at[x])
		}
		for x := range at {
			if last[x] == i && made[x] < i {
				taken[at[x]] = false
			}
		}
		for j, x := range l.defs {
			z := slices.Index(taken[:], false)
			if l.over && j == 0 {
				z = at[l.uses[0]]
			}
			if z < 0 || taken[z] {
				panic("values: the registers do not suffice, or one that is overwritten is used again")
			}
			at[x], taken[z] = z, true
			defs = append(defs, z)
		}
		for _, x := range l.defs {
			taken[at[x]] = last[x] > i
		}
		if l.label == "" {
			g.asm.WriteByte('\t')
		}
		g.asm.WriteString(l.text(append(defs, uses...)) + "\n")
	}
}

// neonArithmetic has the methods of arithmetic.
type neonArithmetic interface {
	begin(m ngp)        // loads the first constants and leaves m at those of beginProduct
	beginProduct(m ngp) // loads what product needs
	cross(x, y nvec, t npair) (s, d nvec)
	crossT(x, y nvec, t npair) (s, d nvec)
	plain(x, y nvec) (s, d nvec)
	plainT(x, y nvec) (s, d nvec)
	mul(x nvec, t npair) nvec
	product(x, y nvec) nvec // of canonical x: canonical
	canon(x nvec) nvec
	canonNarrow(x nvec) nvec
	sum(x, y nvec) nvec
	difference(x, y nvec) nvec
}

// neonWords is what all arithmetics have.
type neonWords struct {
	*neon
	p       nvec
	inverse nvec  // 1/p modulo 2^32, for products
	word    npair // 2^32, likewise
}

func (a *neonWords) beginProduct(m ngp) {
	a.inverse, a.word = a.pattern(m, 1), npair{w: a.pattern(m, 1), q: a.pattern(m, 1)}
}

// neonMontgomery is mont32.
type neonMontgomery struct{ neonWords }

func (a *neonMontgomery) begin(m ngp) { a.p = a.pattern(m, 1) }

// montgomery is xy/2^32 mod p, where i is xy/p mod 2^32.
func (a *neonMontgomery) montgomery(x, y, i nvec) nvec {
	return a.difference(a.highWords(a.wide(x, y)), a.highWords(a.wide(i, a.p)))
}

func (a *neonMontgomery) mul(x nvec, t npair) nvec { return a.montgomery(x, t.w, a.coded(mul, x, t.q)) }

// product multiplies y by 2^32 and then follows Montgomery.
func (a *neonMontgomery) product(x, y nvec) nvec {
	y = a.mul(y, a.word)
	return a.montgomery(x, y, a.coded(mul, a.coded(mul, x, y), a.inverse))
}

// difference subtracts p·(−1) where x < y: the mask is −1.
func (a *neonMontgomery) difference(x, y nvec) nvec {
	return a.onto(a.sub(x, y), mls, a.coded(cmhi, y, x), a.p)
}

func (a *neonMontgomery) sum(x, y nvec) nvec { return a.difference(x, a.sub(a.p, y)) }

func (a *neonMontgomery) plain(x, y nvec) (s, d nvec) { return a.sum(x, y), a.difference(x, y) }

func (a *neonMontgomery) cross(x, y nvec, t npair) (s, d nvec) { return a.plain(x, a.mul(y, t)) }

func (a *neonMontgomery) crossT(x, y nvec, t npair) (s, d nvec) {
	s, d = a.plain(x, y)
	return s, a.mul(d, t)
}

func (a *neonMontgomery) plainT(x, y nvec) (s, d nvec) { return a.plain(x, y) }
func (a *neonMontgomery) canonNarrow(x nvec) nvec      { return x }
func (a *neonMontgomery) canon(x nvec) nvec            { return x }

// neonShoup is shoup30, which is lazy, or shoup31.
type neonShoup struct {
	neonWords
	lazy bool
	p2   nvec
}

func (a *neonShoup) begin(m ngp) { a.p, a.p2 = a.pattern(m, 1), a.pattern(m, 1) }

func (a *neonShoup) mul(x nvec, t npair) nvec {
	h := a.highWords(a.wide(x, t.q))
	return a.onto(a.coded(mul, x, t.w), mls, h, a.p)
}

// join returns x + u and x − u of wide x and narrow u.
func (a *neonShoup) join(x, u nvec) (s, d nvec) {
	m := a.p2
	if !a.lazy {
		m = a.p
		u = a.reduce(u, m)
	}
	x = a.reduce(x, m)
	return a.add(x, u), a.sub(a.add(x, m), u)
}

// joinT returns narrow x + y and wide x − y of narrow x, y.
func (a *neonShoup) joinT(x, y nvec) (s, d nvec) {
	if a.lazy {
		return a.reduce(a.add(x, y), a.p2), a.sub(a.add(x, a.p2), y)
	}
	return a.join(x, y)
}

// narrow makes a wide value narrow.
func (a *neonShoup) narrow(x nvec) nvec {
	if a.lazy {
		return a.reduce(x, a.p2)
	}
	return x
}

func (a *neonShoup) cross(x, y nvec, t npair) (s, d nvec) { return a.join(x, a.mul(y, t)) }
func (a *neonShoup) plain(x, y nvec) (s, d nvec)          { return a.join(x, a.narrow(y)) }

func (a *neonShoup) crossT(x, y nvec, t npair) (s, d nvec) {
	s, d = a.joinT(x, y)
	return s, a.mul(d, t)
}

func (a *neonShoup) plainT(x, y nvec) (s, d nvec) {
	s, d = a.joinT(x, y)
	return s, a.narrow(d)
}

func (a *neonShoup) canonNarrow(x nvec) nvec { return a.reduce(x, a.p) }
func (a *neonShoup) canon(x nvec) nvec       { return a.canonNarrow(a.narrow(x)) }

// product multiplies y by 2^32 and then follows Montgomery. It is canonical where x is, and narrow for x < 3p.
func (a *neonShoup) product(x, y nvec) nvec {
	y = a.mul(y, a.word)
	c := a.coded(mul, a.coded(mul, x, y), a.inverse)
	l, h := a.wide(x, y)
	z := a.highWords(a.onto(l, umlsl, c, a.p), a.onto(h, umlsl2, c, a.p))
	return a.op("VUMIN", z, a.add(z, a.p))
}

func (a *neonShoup) sum(x, y nvec) nvec { return a.reduce(a.add(x, y), a.p) }

func (a *neonShoup) difference(x, y nvec) nvec {
	d := a.sub(x, y)
	return a.op("VUMIN", d, a.add(d, a.p))
}

// neonKernels writes the kernels of an arithmetic.
type neonKernels struct {
	*neon
	neonArithmetic
}

// pass writes k of 1 or 2 levels.
func (a *neonKernels) pass(name string, levels int, k kind) {
	radix := 1 << levels
	title := fmt.Sprintf("%sRadix%d%s", name, radix, k.suffix())
	r := a.function(title, k.doc(levels, false)+".", fmt.Sprintf(layerParams, a.goWord()))
	v, w, q, m, c, off := r[0], r[1], r[2], r[3], r[4], r[5]
	blocks, dist, height, width, stride, how := r[6], r[7], r[8], r[9], r[10], r[11]
	for _, n := range []ngp{off, dist, width, stride} {
		a.text("LSL\t$2, %s, %s", n, n)
	}
	a.begin(m)
	companion := a.gp()
	a.text("ADD\t$4, %s, %s", c, companion)

	wl, ql, row, n, column := a.gp(), a.gp(), a.gp(), a.gp(), a.gp()
	at := make([]ngp, radix)
	for i := range at {
		at[i] = a.gp()
	}
	block := func(label string, first bool) {
		factors := make([][]npair, levels)
		for l := range factors { // level l has 2^l multipliers, from 2^l·off on
			a.text("ADD\t%s<<%d, %s, %s", off, l, w, wl)
			a.text("ADD\t%s<<%d, %s, %s", off, l, q, ql)
			for range 1 << l {
				factors[l] = append(factors[l], a.pair(wl, ql, 1))
			}
		}
		a.text("MOVD\t%s, %s", v, row)
		a.text("MOVD\t%s, %s", height, n)
		a.label(label + "Row")
		a.text("MOVD\t%s, %s", row, at[0])
		for i := 1; i < radix; i++ {
			a.text("ADD\t%s, %s, %s", dist, at[i-1], at[i])
		}
		a.text("MOVD\t%s, %s", width, column)
		a.label(label + "Column")
		x := make([]nvec, radix)
		for i := range x {
			x[i] = a.load(at[i])
		}
		for l := range levels {
			if k.T {
				l = levels - 1 - l
			}
			a.layer(x, radix>>(l+1), factors[l], k.T, first)
		}
		stores := func(f func(nvec) nvec) {
			for i := range x {
				a.storeNext(f(x[i]), at[i])
			}
		}
		if k.T {
			a.text("CBZ\t%s, %sNarrow", c, label)
			last := npair{w: a.repeat(c, 1), q: a.repeat(companion, 1)}
			stores(func(x nvec) nvec { return a.canonNarrow(a.mul(x, last)) })
			a.text("B\t%sNext", label)
			a.label(label + "Narrow")
		}
		stores(func(x nvec) nvec { return x })
		a.label(label + "Next")
		a.again(column, 16, label+"Column")
		a.text("ADD\t%s, %s, %s", stride, row, row)
		a.again(n, 1, label+"Row")
		a.text("ADD\t%s<<%d, %s, %s", dist, levels, v, v)
		a.text("ADD\t$4, %s, %s", off, off)
		a.text("SUBS\t$1, %s, %s", blocks, blocks)
	}
	a.text("CBZ\t%s, block", how)
	block("first", true)
	a.text("BEQ\tdone")
	a.label("block")
	block("other", false)
	a.branch("BNE", "block")
	a.label("done")
	a.end()
}

// rows returns the addresses of n rows, d bytes apart.
func (g *neon) rows(p, d ngp, n int) []ngp {
	r := []ngp{g.gp()}
	g.text("MOVD\t%s, %s", p, r[0])
	for i := 1; i < n; i++ {
		r = append(r, g.offset(r[i-1], d, 0))
	}
	return r
}

// layer does one layer on x: rows half apart meet.
func (a *neonKernels) layer(x []nvec, half int, factors []npair, T, one bool) {
	for i := range x {
		y, block := i+half, i/(2*half)
		first := one && block == 0
		switch {
		case i&half != 0:
		case first && T:
			x[i], x[y] = a.plainT(x[i], x[y])
		case first:
			x[i], x[y] = a.plain(x[i], x[y])
		case T:
			x[i], x[y] = a.crossT(x[i], x[y], factors[block])
		default:
			x[i], x[y] = a.cross(x[i], x[y], factors[block])
		}
	}
}

// tail writes t, in constant geometry and in lockstep as that of machine.
func (a *neonKernels) tail(base string, t tail) {
	const size, k = 8, 3
	r := a.function(t.name(base, size), t.doc(k, size, 0)+".", fmt.Sprintf(tailParams, "uint32"))
	v, w, q, m, off, step, cnt, how := r[0], r[1], r[2], r[3], r[4], r[5], r[6], r[7]
	a.begin(m)
	var wl, ql [k]ngp
	for l := range k { // layer l has 2^l multipliers in a block, from 2^l·off on
		wl[l], ql[l] = a.offset(w, off, l+2), a.offset(q, off, l+2)
	}
	factor := func(l int) npair {
		f := npair{w: a.repeat(wl[l], 1<<l), q: a.repeat(ql[l], 1<<l)}
		a.text("ADD\t%s<<%d, %s, %s", step, l+2, wl[l], wl[l])
		a.text("ADD\t%s<<%d, %s, %s", step, l+2, ql[l], ql[l])
		return f
	}
	from := a.gp()
	a.text("MOVD\t%s, %s", v, from)
	blocks := func(count int, label, next string) {
		a.label(label)
		a.text("CMP\t$%d, %s", count, cnt)
		a.text("BLT\t%s", next)
		x, y := make([]nvec, count), make([]nvec, count)
		for i := range x {
			x[i], y[i] = a.loadNext(from), a.loadNext(from)
		}
		for l := range k {
			if t.T {
				l = k - 1 - l
			}
			for i := range x {
				f := factor(l)
				if t.T {
					x[i], y[i] = a.separate(x[i], y[i])
					x[i], y[i] = a.crossT(x[i], y[i], f)
				} else {
					x[i], y[i] = a.cross(x[i], y[i], f)
					x[i], y[i] = a.interleave(x[i], y[i])
				}
			}
		}
		stores := func(f func(nvec) nvec) {
			for i := range x {
				a.storeNext(f(x[i]), v)
				a.storeNext(f(y[i]), v)
			}
		}
		if _, always := a.neonArithmetic.(*neonMontgomery); !t.T && !always {
			a.text("CBZ\t%s, %sWide", how, label)
			stores(a.canon)
			a.text("B\t%sNext", label)
			a.label(label + "Wide")
		}
		stores(func(x nvec) nvec { return x })
		a.label(label + "Next")
		a.text("SUB\t$%d, %s, %s", count, cnt, cnt)
		a.branch("B", label)
	}
	blocks(4, "several", "one")
	blocks(1, "one", "done")
	a.label("done")
	a.end()
}

// scale writes the products by multipliers: by n of them one by one, or of each row by its own.
func (a *neonKernels) scale(name string) {
	word, multiple := a.goWord(), fmt.Sprintf("a multiple of %d.", a.lanes())
	r := a.function(name+"Scale", "multiplies n words by as many multipliers. n is "+multiple,
		"v, w, q, m *"+word+", n int")
	v, w, q, m, n := r[0], r[1], r[2], r[3], r[4]
	a.begin(m)
	a.label("loop")
	x, ws, qs := a.values(v), a.valuesNext(w), a.valuesNext(q)
	for i := range x {
		x[i] = a.mul(x[i], npair{ws[i], qs[i]})
	}
	a.put(x, v)
	a.again(n, a.lanes(), "loop")
	a.end()

	r = a.function(name+"ScaleRows", "multiplies each row by its multiplier. width is "+multiple,
		"v, w, q, m *"+word+", rows, width, stride int")
	v, w, q, m = r[0], r[1], r[2], r[3]
	rows, width, stride := r[4], r[5], r[6]
	a.begin(m)
	at, column := a.gp(), a.gp()
	a.label("row")
	f := a.pair(w, q, 1)
	a.text("MOVD\t%s, %s", v, at)
	a.text("MOVD\t%s, %s", width, column)
	a.label("column")
	x = a.values(at)
	for i := range x {
		x[i] = a.mul(x[i], f)
	}
	a.put(x, at)
	a.again(column, a.lanes(), "column")
	a.text("ADD\t%s<<%d, %s, %s", stride, a.shift(), v, v)
	a.again(rows, 1, "row")
	a.end()
}

// pointwise writes what takes two vectors word by word, and the canonical form of one.
func (a *neonKernels) pointwise(name string) {
	word, multiple := a.goWord(), fmt.Sprintf(" n is a multiple of %d.", a.lanes())
	for _, k := range []struct {
		name, doc string
		product   bool
	}{
		{"Product", "sets n words of z to xy.", true},
		{"Add", "sets n canonical words of z to x + y of canonical words.", false},
		{"Sub", "sets n canonical words of z to x − y of canonical words.", false},
		{"MulAdd", "sets n canonical words of z to z + xy of canonical words.", true},
	} {
		r := a.function(name+k.name, k.doc+multiple, "z, x, y, m *"+word+", n int")
		z, x, y, m, n := r[0], r[1], r[2], r[3], r[4]
		a.begin(m)
		if k.product {
			a.beginProduct(m)
		}
		a.label("loop")
		u, v := a.valuesNext(x), a.valuesNext(y)
		var sum []nvec
		if k.name == "MulAdd" {
			sum = a.values(z)
		}
		for i := range u {
			switch k.name {
			case "Product":
				u[i] = a.product(a.canonNarrow(u[i]), v[i])
			case "Add":
				u[i] = a.sum(u[i], v[i])
			case "Sub":
				u[i] = a.difference(u[i], v[i])
			case "MulAdd":
				u[i] = a.sum(sum[i], a.product(u[i], v[i]))
			}
		}
		a.put(u, z)
		a.again(n, a.lanes(), "loop")
		a.end()
	}

	r := a.function(name+"Reduce", "sets n words of z to x in canonical form."+multiple, "z, x, m *"+word+", n int")
	z, x, m, n := r[0], r[1], r[2], r[3]
	a.begin(m)
	a.label("loop")
	u := a.valuesNext(x)
	for i := range u {
		u[i] = a.canon(u[i])
	}
	a.put(u, z)
	a.again(n, a.lanes(), "loop")
	a.end()
}

// transpose exchanges rows and columns as that of interleaver.
func (g *neon) transpose(x []nvec) []nvec {
	for range bits.Len(uint(len(x))) - 1 {
		y := make([]nvec, len(x))
		for i := range len(x) / 2 {
			y[2*i], y[2*i+1] = g.interleave(x[i], x[i+len(x)/2])
		}
		x = y
	}
	return x
}

// moves writes the kernels that move words.
func (g *neon) moves(suffix string) {
	n, word, shift, bits := g.lanes(), g.goWord(), g.shift(), 8*g.word
	g.swap(swapName(g.word, neonTile, 1, suffix))

	// place sets p to base + step times the next number of list.
	place := func(p, list, step, base ngp) {
		g.text("MOVW.P\t4(%s), %s", list, p)
		g.text("MADD\t%s, %s, %s, %s", step, base, p, p)
	}
	r := g.function(fmt.Sprint("transpose", bits, suffix), transposeDoc(n),
		"dst, src *"+word+", from, to *int32, count, d, s int")
	dst, src, list, toList, count, d, s := r[0], r[1], r[2], r[3], r[4], r[5], r[6]
	g.text("LSL\t$%d, %s, %s", shift, d, d)
	g.text("LSL\t$%d, %s, %s", shift, s, s)
	at := make([]ngp, n)
	for i := range at {
		at[i] = g.gp()
		place(at[i], list, s, src)
	}
	row := g.gp()
	g.label("tile")
	var z []nvec
	for _, p := range at {
		z = append(z, g.loadNext(p))
	}
	for _, column := range g.transpose(z) {
		place(row, toList, d, dst)
		g.storeNext(column, row)
	}
	g.again(count, n, "tile")
	g.end()

	r = g.function(fmt.Sprint("copyRows", bits, suffix), copyDoc(fmt.Sprint("a multiple of ", n)),
		"dst, src *"+word+", from *int32, rows, width, d, s int")
	dst, src, list, rows, width, d, s := r[0], r[1], r[2], r[3], r[4], r[5], r[6]
	g.text("LSL\t$%d, %s, %s", shift, s, s)
	p, out, column := g.gp(), g.gp(), g.gp()
	g.label("row")
	place(p, list, s, src)
	g.text("MOVD\t%s, %s", dst, out)
	g.text("MOVD\t%s, %s", width, column)
	g.label("column")
	g.storeNext(g.loadNext(p), out)
	g.again(column, n, "column")
	g.text("ADD\t%s<<%d, %s, %s", d, shift, dst, dst)
	g.again(rows, 1, "row")
	g.end()

	r = g.function(fmt.Sprint("max", bits, suffix), maxDoc(n), maxParams(word))
	from, left := r[0], r[1]
	var most [maxVectors]nvec
	for i := range most {
		most[i] = g.load(from)
	}
	g.label("loop")
	for i := range most {
		g.greater(most[i], g.loadNext(from))
	}
	g.again(left, maxVectors*n, "loop")
	for i := 1; i < maxVectors; i++ {
		g.greater(most[0], most[i])
	}
	for bytes := 8; bytes >= g.word; bytes /= 2 {
		turned := fmt.Sprintf("VEXT\t$%d, V%%[2]d.B16, V%%[2]d.B16, V%%[1]d.B16", bytes)
		g.greater(most[0], g.makes(turned, most[0]))
	}
	result := g.gp()
	if g.word == 4 {
		g.reads(fmt.Sprintf("VMOV\tV%%d.S[0], %s", result), most[0])
		g.text("MOVWU\t%s, most+%d(FP)", result, g.frame["most"])
	} else {
		g.reads(fmt.Sprintf("VMOV\tV%%d.D[0], %s", result), most[0])
		g.text("MOVD\t%s, most+%d(FP)", result, g.frame["most"])
	}
	g.end()
}

const neonTile = 4 // words in a row of a tile of swap

// swap writes the exchange of pairs of tiles.
func (g *neon) swap(name string) {
	const n = neonTile
	r := g.function(name, swapDoc(n, 1), "x, y *"+g.goWord()+", list *int, count, d int")
	bases, list, count, d := r[:2], r[2], r[3], r[4]
	g.text("LSL\t$%d, %s, %s", g.shift(), d, d)
	x, y, next := g.gp(), g.gp(), g.gp()
	tile := func(p ngp, place int) {
		g.text("MOVD\t%d(%s), %s", 8*place, list, p)
		g.text("ADD\t%s<<%d, %s, %s", p, g.shift(), bases[place%2], p)
	}
	g.label("pair")
	for i := range 2 {
		tile(next, 2*swapsAhead+i)
		for range n {
			g.text("PRFM\t(%s), PLDL1KEEP", next)
			g.text("ADD\t%s, %s, %s", d, next, next)
		}
	}
	tile(x, 0)
	tile(y, 1)
	from, to := g.rows(x, d, n), g.rows(y, d, n)
	// A tile is blocks of vectors: blocks[i·per+j] has vector j of rows i·lanes and on, whose numbers have their bits
	// reversed.
	per := n / g.lanes()
	load := func(at []ngp) [][]nvec {
		blocks := make([][]nvec, per*per)
		for i := range n {
			for j := range per {
				b := i/g.lanes()*per + j
				blocks[b] = append(blocks[b], g.values(at[rev(i, n)])...)
				if j < per-1 {
					g.text("ADD\t$16, %[1]s, %[1]s", at[rev(i, n)])
				}
			}
			if per > 1 {
				g.text("SUB\t$%[1]d, %[2]s, %[2]s", 16*(per-1), at[rev(i, n)])
			}
		}
		return blocks
	}
	store := func(blocks [][]nvec, at []ngp) {
		for b := range blocks {
			blocks[b] = g.transpose(blocks[b])
		}
		for i := range n {
			for j := range per {
				g.storeNext(blocks[j*per+i/g.lanes()][i%g.lanes()], at[rev(i, n)])
			}
		}
	}
	a, b := load(from), load(to)
	store(a, to)
	store(b, from)
	g.text("ADD\t$16, %[1]s, %[1]s", list)
	g.again(count, 1, "pair")
	g.end()
}

// writeNEON writes the files of arm64: one for each arithmetic, and one for moves of each size of words.
func writeNEON(dir string) error {
	type list map[string]func(g *neon) neonArithmetic
	words := func(g *neon) neonWords { return neonWords{neon: g} }
	scalars := func(g *neon) scalarWords { return scalarWords{neon: g} }
	for _, f := range []struct {
		file
		scalar      bool
		arithmetics list
	}{
		{file{bytes: 16, word: 4, levels: 2, suffix: "NEON", form: "NEON"}, false, list{
			"mont32":  func(g *neon) neonArithmetic { return &neonMontgomery{words(g)} },
			"shoup30": func(g *neon) neonArithmetic { return &neonShoup{neonWords: words(g), lazy: true} },
			"shoup31": func(g *neon) neonArithmetic { return &neonShoup{neonWords: words(g)} },
		}},
		{file{bytes: 16, word: 8, levels: 2, suffix: "NEON", form: "arm64"}, true, list{
			"shoup62":    func(g *neon) neonArithmetic { return &scalarShoup{scalarWords: scalars(g), lazy: true} },
			"shoup63":    func(g *neon) neonArithmetic { return &scalarShoup{scalarWords: scalars(g)} },
			"mont64":     func(g *neon) neonArithmetic { return &scalarMontgomery{scalars(g), false} },
			"goldilocks": func(g *neon) neonArithmetic { return &scalarMontgomery{scalars(g), true} },
		}},
	} {
		names := sortedKeys(f.arithmetics)
		for _, name := range names {
			g := newNEON("word", f.word)
			g.scalar = f.scalar
			a, title := &neonKernels{g, f.arithmetics[name](g)}, name+f.suffix
			pass, tail := a.pass, a.tail
			if f.scalar {
				pass, tail = a.scalarPass, a.scalarTail
			}
			for levels := 1; levels <= f.levels; levels++ {
				for _, k := range passes {
					pass(title, levels, k)
				}
			}
			for _, t := range tails {
				tail(title, t)
			}
			a.scale(title)
			a.pointwise(title)
			if err := g.save(dir, name); err != nil {
				return err
			}
		}
		g := newNEON("word", f.word)
		g.moves(f.suffix)
		size := fmt.Sprint(8 * f.word)
		if err := g.save(dir, "moves"+size); err != nil {
			return err
		}
		sets := f.sets("arm64", names)
		if err := os.WriteFile(filepath.Join(dir, "zneonx"+size+"sets_arm64.go"), sets, 0o666); err != nil {
			return err
		}
	}
	return nil
}

const neonHead = "// Code generated by kernels/_gen; DO NOT EDIT.\n\n//go:build arm64 && !purego\n\n"

func newNEON(pkg string, word int) *neon {
	g := &neon{word: word}
	g.asm.WriteString(neonHead + "#include \"textflag.h\"\n")
	g.stubs.WriteString(neonHead + "package " + pkg + "\n")
	return g
}

func (g *neon) save(dir, name string) error {
	stubs, err := format.Source(g.stubs.Bytes())
	if err != nil {
		return err
	}
	name = filepath.Join(dir, "zneon"+name+"_arm64")
	if err := os.WriteFile(name+".s", g.asm.Bytes(), 0o666); err != nil {
		return err
	}
	return os.WriteFile(name+".go", stubs, 0o666)
}
