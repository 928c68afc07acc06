package main

import "fmt"

// Kernels of arm64 for words of 64 bits, in general registers: MUL and UMULH give a product of 128 bits in two
// instructions, where NEON takes a dozen for two.

// scalarWords is what all arithmetics of words have.
type scalarWords struct {
	*neon
	p       nvec
	inverse nvec  // 1/p modulo 2^64, for products
	word    npair // 2^64, likewise
}

// op is that of neon.
func (a *scalarWords) op(name string, x, y nvec) nvec {
	return a.makes(name+"\tR%[3]d, R%[2]d, R%[1]d", x, y)
}

func (a *scalarWords) add(x, y nvec) nvec  { return a.op("ADD", x, y) }
func (a *scalarWords) sub(x, y nvec) nvec  { return a.op("SUB", x, y) }
func (a *scalarWords) low(x, y nvec) nvec  { return a.op("MUL", x, y) }
func (a *scalarWords) high(x, y nvec) nvec { return a.op("UMULH", x, y) }

// reduce subtracts m from x ≥ m.
func (a *scalarWords) reduce(x, m nvec) nvec {
	return a.makes("CSEL\tHS, R%[2]d, R%[3]d, R%[1]d", a.op("SUBS", x, m), x)
}

// lacking returns x − y, and m more where that is negative.
func (a *scalarWords) lacking(x, y, m nvec) nvec {
	d := a.op("SUBS", x, y)
	return a.add(d, a.makes("CSEL\tLO, R%[2]d, ZR, R%[1]d", m))
}

func (a *scalarWords) beginProduct(m ngp) {
	a.inverse, a.word = a.pattern(m, 1), npair{w: a.pattern(m, 1), q: a.pattern(m, 1)}
}

// scalarMontgomery is mont64, or goldilocks, whose wide values are any words. There 2^64 − p is all ones in 32 bits,
// which one instruction makes of a carry.
type scalarMontgomery struct {
	scalarWords
	solinas bool
}

func (a *scalarMontgomery) begin(m ngp) {
	a.p = a.pattern(m, 1)
	a.text("ADD\t$8, %[1]s, %[1]s", m) // over 2p
}

// rest returns 2^64 − p of goldilocks under a condition, and 0 otherwise.
func (a *scalarMontgomery) rest(condition string) nvec {
	return a.makes("CSETMW\t" + condition + ", R%d")
}

func (a *scalarMontgomery) difference(x, y nvec) nvec {
	if !a.solinas {
		return a.lacking(x, y, a.p)
	}
	d := a.op("SUBS", x, y)
	return a.sub(d, a.rest("LO"))
}

func (a *scalarMontgomery) sum(x, y nvec) nvec { return a.difference(x, a.sub(a.p, y)) }

// montgomery is xy/2^64 mod p, where i is xy/p mod 2^64.
func (a *scalarMontgomery) montgomery(x, y, i nvec) nvec {
	return a.difference(a.high(x, y), a.high(i, a.p))
}

func (a *scalarMontgomery) mul(x nvec, t npair) nvec { return a.montgomery(x, t.w, a.low(x, t.q)) }

// product multiplies y by 2^64 and then follows Montgomery. x may be any word.
func (a *scalarMontgomery) product(x, y nvec) nvec {
	y = a.mul(y, a.word)
	return a.montgomery(x, y, a.low(a.low(x, y), a.inverse))
}

// join returns x + y and x − y of wide x and canonical y.
func (a *scalarMontgomery) join(x, y nvec) (s, d nvec) {
	if !a.solinas {
		return a.plainT(x, y)
	}
	s = a.op("ADDS", x, y)
	s = a.add(s, a.rest("HS"))
	return s, a.difference(x, y)
}

func (a *scalarMontgomery) cross(x, y nvec, t npair) (s, d nvec) { return a.join(x, a.mul(y, t)) }
func (a *scalarMontgomery) plain(x, y nvec) (s, d nvec)          { return a.join(x, a.canon(y)) }
func (a *scalarMontgomery) plainT(x, y nvec) (s, d nvec)         { return a.sum(x, y), a.difference(x, y) }

func (a *scalarMontgomery) crossT(x, y nvec, t npair) (s, d nvec) {
	s, d = a.plainT(x, y)
	return s, a.mul(d, t)
}

func (a *scalarMontgomery) canonNarrow(x nvec) nvec { return x }

func (a *scalarMontgomery) canon(x nvec) nvec {
	if a.solinas {
		return a.reduce(x, a.p)
	}
	return x
}

// scalarShoup is shoup62, which is lazy, or shoup63.
type scalarShoup struct {
	scalarWords
	lazy bool
	p2   nvec
}

func (a *scalarShoup) begin(m ngp) { a.p, a.p2 = a.pattern(m, 1), a.pattern(m, 1) }

func (a *scalarShoup) mul(x nvec, t npair) nvec {
	return a.makes("MSUB\tR%[4]d, R%[2]d, R%[3]d, R%[1]d", a.low(x, t.w), a.high(x, t.q), a.p)
}

// join returns x + u and x − u of wide x and narrow u.
func (a *scalarShoup) join(x, u nvec) (s, d nvec) {
	if !a.lazy {
		return a.lacking(x, a.sub(a.p2, u), a.p2), a.lacking(x, u, a.p2)
	}
	x = a.reduce(x, a.p2)
	return a.add(x, u), a.sub(a.add(x, a.p2), u)
}

// joinT returns narrow x + y and wide x − y of narrow x, y.
func (a *scalarShoup) joinT(x, y nvec) (s, d nvec) {
	if !a.lazy {
		return a.join(x, y)
	}
	return a.reduce(a.add(x, y), a.p2), a.sub(a.add(x, a.p2), y)
}

// narrow makes a wide value narrow.
func (a *scalarShoup) narrow(x nvec) nvec {
	if a.lazy {
		return a.reduce(x, a.p2)
	}
	return x
}

func (a *scalarShoup) cross(x, y nvec, t npair) (s, d nvec) { return a.join(x, a.mul(y, t)) }
func (a *scalarShoup) plain(x, y nvec) (s, d nvec)          { return a.join(x, a.narrow(y)) }

func (a *scalarShoup) crossT(x, y nvec, t npair) (s, d nvec) {
	s, d = a.joinT(x, y)
	return s, a.mul(d, t)
}

func (a *scalarShoup) plainT(x, y nvec) (s, d nvec) {
	s, d = a.joinT(x, y)
	return s, a.narrow(d)
}

func (a *scalarShoup) canonNarrow(x nvec) nvec   { return a.reduce(x, a.p) }
func (a *scalarShoup) canon(x nvec) nvec         { return a.canonNarrow(a.narrow(x)) }
func (a *scalarShoup) sum(x, y nvec) nvec        { return a.reduce(a.add(x, y), a.p) }
func (a *scalarShoup) difference(x, y nvec) nvec { return a.lacking(x, y, a.p) }

// product multiplies y by 2^64 and then follows Montgomery. It is canonical where x is, and narrow for x < 3p if
// p < 2^62.
func (a *scalarShoup) product(x, y nvec) nvec {
	y = a.mul(y, a.word)
	return a.difference(a.high(x, y), a.high(a.low(a.low(x, y), a.inverse), a.p))
}

// argument loads a parameter into a value, which keeps a register no longer than it is used. keep stores it again.
func (g *neon) argument(name string) nvec {
	return g.makes(fmt.Sprintf("MOVD\t%s+%d(FP), R%%d", name, g.frame[name]))
}

func (g *neon) keep(x nvec, name string) {
	g.reads(fmt.Sprintf("MOVD\tR%%d, %s+%d(FP)", name, g.frame[name]), x)
}

// argumentIn loads a parameter into a register.
func (g *neon) argumentIn(name string, p ngp) { g.text("MOVD\t%s+%d(FP), %s", name, g.frame[name], p) }

// words loads n ≤ 2 words.
func (g *neon) words(p nvec, n int) []nvec {
	if n == 1 {
		return []nvec{g.makes("MOVD\t(R%[2]d), R%[1]d", p)}
	}
	z := g.two("")
	l := &g.lines[len(g.lines)-1]
	l.uses, l.text = []nvec{p}, func(r []any) string { return fmt.Sprintf("LDP\t(R%[3]d), (R%[1]d, R%[2]d)", r...) }
	return z
}

// scalarPass writes k of 1 or 2 levels, two columns at a time. What only rows and blocks need stays in the frame.
func (a *neonKernels) scalarPass(name string, levels int, k kind) {
	radix := 1 << levels
	title := fmt.Sprintf("%sRadix%d%s", name, radix, k.suffix())
	a.head(title, k.doc(levels, false)+".", fmt.Sprintf(layerParams, a.goWord()))
	n, column := a.gp(), a.gp()
	at := make([]ngp, radix)
	for i := range at {
		at[i] = a.gp()
	}
	a.argumentIn("m", n)
	a.begin(n)
	block := func(label string, first bool) {
		factors := make([][]npair, levels)
		off := a.argument("off")
		for l := range factors { // level l has 2^l multipliers, from 2^l·off on
			table := func(name string) []nvec {
				p := a.makes(fmt.Sprintf("ADD\tR%%[2]d<<%d, R%%[3]d, R%%[1]d", 3+l), off, a.argument(name))
				return a.words(p, 1<<l)
			}
			w, q := table("w"), table("q")
			for i := range w {
				factors[l] = append(factors[l], npair{w[i], q[i]})
			}
		}
		a.argumentIn("v", at[0])
		dist := a.argument("dist")
		for i := 1; i < radix; i++ {
			a.reads(fmt.Sprintf("ADD\tR%%d<<3, %s, %s", at[i-1], at[i]), dist)
		}
		a.argumentIn("rows", n)
		a.label(label + "Row")
		a.argumentIn("width", column)
		a.label(label + "Column")
		var x [2][]nvec
		var c nvec
		for _, p := range at {
			for i, v := range a.values(p) {
				x[i] = append(x[i], v)
			}
		}
		for _, x := range x {
			for l := range levels {
				if k.T {
					l = levels - 1 - l
				}
				a.layer(x, radix>>(l+1), factors[l], k.T, first)
			}
		}
		if k.T {
			c = a.argument("c")
			a.reads(fmt.Sprintf("CBNZ\tR%%d, %sProduct", label), c)
		}
		for i := range at {
			a.put([]nvec{x[0][i], x[1][i]}, at[i])
		}
		a.again(column, 2, label+"Column")
		if k.T { // last, so that the values above have their registers no longer than to here
			a.text("B\t%sNext", label)
			a.label(label + "Product")
			last := a.words(c, 2)
			for i := range at {
				f := npair{last[0], last[1]}
				a.put([]nvec{a.canonNarrow(a.mul(x[0][i], f)), a.canonNarrow(a.mul(x[1][i], f))}, at[i])
			}
			a.again(column, 2, label+"Column")
			a.label(label + "Next")
		}
		gap := a.makes("SUB\tR%[3]d, R%[2]d, R%[1]d", a.argument("stride"), a.argument("width"))
		for _, p := range at {
			a.reads(fmt.Sprintf("ADD\tR%%d<<3, %[1]s, %[1]s", p), gap)
		}
		a.again(n, 1, label+"Row")
		next := fmt.Sprintf("ADD\tR%%[3]d<<%d, R%%[2]d, R%%[1]d", 3+levels)
		a.keep(a.makes(next, a.argument("v"), a.argument("dist")), "v")
		a.keep(a.makes("ADD\t$1, R%[2]d, R%[1]d", a.argument("off")), "off")
		a.keep(a.makes("SUBS\t$1, R%[2]d, R%[1]d", a.argument("blocks")), "blocks")
	}
	a.text("MOVBU\thow+%d(FP), %s", a.frame["how"], n)
	a.text("CBZ\t%s, block", n)
	block("first", true)
	a.text("BEQ\tdone")
	a.label("block")
	block("other", false)
	a.branch("BNE", "block")
	a.label("done")
	a.end()
}

// scalarTail writes t for blocks of eight words.
func (a *neonKernels) scalarTail(base string, t tail) {
	const size, k = 8, 3
	a.head(t.name(base, size), t.doc(k, size, 0)+".", fmt.Sprintf(tailParams, a.goWord()))
	v, cnt := a.gp(), a.gp()
	var wl, ql [k]ngp
	for l := range k {
		wl[l], ql[l] = a.gp(), a.gp()
	}
	a.argumentIn("m", v)
	a.begin(v)
	off, w, q := a.argument("off"), a.argument("w"), a.argument("q")
	for l := range k { // layer l has 2^l multipliers in a block, from 2^l·off on
		a.reads(fmt.Sprintf("ADD\tR%%d<<%d, R%%d, %s", l+3, wl[l]), off, w)
		a.reads(fmt.Sprintf("ADD\tR%%d<<%d, R%%d, %s", l+3, ql[l]), off, q)
	}
	a.argumentIn("v", v)
	a.argumentIn("cnt", cnt)
	a.label("block")
	var x []nvec
	for i := 0; i < size; i += 2 {
		x = append(x, a.two(fmt.Sprintf("LDP\t%d(%s), (R%%d, R%%d)", 8*i, v))...)
	}
	for l := range k {
		if t.T {
			l = k - 1 - l
		}
		half := size >> (l + 1)
		for b := 0; b < 1<<l; b += 2 { // factors come in twos
			var w, q []nvec
			if l == 0 {
				w = []nvec{a.makes(fmt.Sprintf("MOVD\t(%s), R%%d", wl[l]))}
				q = []nvec{a.makes(fmt.Sprintf("MOVD\t(%s), R%%d", ql[l]))}
			} else {
				w = a.two(fmt.Sprintf("LDP\t%d(%s), (R%%d, R%%d)", 8*b, wl[l]))
				q = a.two(fmt.Sprintf("LDP\t%d(%s), (R%%d, R%%d)", 8*b, ql[l]))
			}
			var f []npair
			for i := range w {
				f = append(f, npair{w[i], q[i]})
			}
			a.layer(x[2*half*b:][:2*half*len(f)], half, f, t.T, false)
		}
	}
	stores := func(f func(nvec) nvec) {
		for i := 0; i < size; i += 2 {
			a.put([]nvec{f(x[i]), f(x[i+1])}, v)
		}
	}
	m, ok := a.neonArithmetic.(*scalarMontgomery)
	reduces := !t.T && (!ok || m.solinas)
	if reduces {
		canonical := a.makes(fmt.Sprintf("MOVBU\thow+%d(FP), R%%d", a.frame["how"]))
		a.reads("CBNZ\tR%d, canon", canonical)
	}
	stores(func(x nvec) nvec { return x })
	if reduces {
		a.text("B\tnext")
		a.label("canon")
		stores(a.canon)
		a.label("next")
	}
	step := a.argument("step")
	for l := range k {
		a.reads(fmt.Sprintf("ADD\tR%%d<<%d, %[2]s, %[2]s", l+3, wl[l]), step)
		a.reads(fmt.Sprintf("ADD\tR%%d<<%d, %[2]s, %[2]s", l+3, ql[l]), step)
	}
	a.again(cnt, 1, "block")
	a.end()
}
