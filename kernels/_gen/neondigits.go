package main

import "fmt"

// neonDigits writes the kernels of package digits for arm64, those of digits without products: a row of 64 bytes is
// four vectors. Masks are vectors as well, of ones in the lanes that they have.
type neonDigits struct {
	*neon
	r, zero nvec
	rows    ngp // of a tile
	n       ngp // tiles left
	labels  int
	word    [2]ngp // room
}

// row is four vectors.
type row [4]nvec

// writeNEONDigits writes the file of arm64 in package digits.
func writeNEONDigits(dir string) error {
	g := &neonDigits{neon: newNEON("digits", 8)}
	g.addition()
	g.subtraction()
	g.cross()
	g.shift()
	return g.save(dir, "")
}

// begin begins a kernel and returns the pointers among its parameters, which are followed by what others names.
func (g *neonDigits) begin(name, doc, pointers, others string) (p []ngp, s ngp) {
	all := g.function(name+"NEON", doc, pointers+" *uint64, r uint64, "+others+" int")
	n := len(all)
	g.rows, g.n = all[n-2], all[n-1]
	if others != "k, n" {
		s, n = all[n-3], n-1
	}
	p = all[:n-3]
	g.r = g.makes(fmt.Sprintf("VDUP\t%s, V%%d.D2", all[len(p)]))
	g.zero = g.none()
	g.labels, g.word = 0, [2]ngp{g.gp(), g.gp()}
	return p, s
}

// name returns one for a place in this function.
func (g *neonDigits) name(name string) string {
	g.labels++
	return fmt.Sprintf("%s%d", name, g.labels)
}

func (g *neonDigits) none() nvec { return g.makes("VEOR\tV%[1]d.B16, V%[1]d.B16, V%[1]d.B16") }
func (g *neonDigits) all() nvec  { return g.makes("VMOVI\t$255, V%d.B16") }

func (g *neonDigits) and(a, b nvec) nvec {
	return g.makes("VAND\tV%[3]d.B16, V%[2]d.B16, V%[1]d.B16", a, b)
}
func (g *neonDigits) or(a, b nvec) nvec {
	return g.makes("VORR\tV%[3]d.B16, V%[2]d.B16, V%[1]d.B16", a, b)
}
func (g *neonDigits) equal(a, b nvec) nvec { return g.op("VCMEQ", a, b) }

// These change a value, which a loop keeps: set makes z x, setIn does so in the lanes of m, and less makes m those
// where a < b.

func (g *neonDigits) set(z, x nvec) { g.reads("VMOV\tV%[2]d.B16, V%[1]d.B16", z, x) }

func (g *neonDigits) setIn(m, z, x nvec) {
	g.reads("VBIT\tV%[3]d.B16, V%[2]d.B16, V%[1]d.B16", z, x, m)
}

func (g *neonDigits) less(m, a, b nvec) {
	g.reads("", m, a, b)
	g.lines[len(g.lines)-1].text = func(r []any) string { return cmhi2.text(r[0], r[2], r[1]) }
}

// times returns four values of f.
func (g *neonDigits) times(f func() nvec) (z row) {
	for i := range z {
		z[i] = f()
	}
	return z
}

func (g *neonDigits) loadRow(p ngp) row { return g.times(func() nvec { return g.loadNext(p) }) }

func (g *neonDigits) storeRow(z row, p ngp) {
	for _, v := range z {
		g.storeNext(v, p)
	}
}

func (g *neonDigits) copy(p ngp) ngp {
	z := g.gp()
	g.move(p, z)
	return z
}

func (g *neonDigits) move(p, z ngp) { g.text("MOVD\t%s, %s", p, z) }

// tiles runs body for each tile.
func (g *neonDigits) tiles(body func()) {
	g.neon.label("tile")
	body()
	g.again(g.n, 1, "tile")
	g.end()
}

// each runs body count times, at least once; left is room.
func (g *neonDigits) each(count, left ngp, body func()) {
	l := g.name("digit")
	g.move(count, left)
	g.neon.label(l)
	body()
	g.again(left, 1, l)
}

// sum adds digits with a carry: its lanes are those that are not in nc. x + y + c < r is x < r − c − y.
func (g *neonDigits) sum(x, y, less, nc nvec) nvec {
	t := g.sub(g.sub(less, y), nc) // less is r − 1
	g.less(nc, x, t)
	return g.add(g.sub(x, t), g.and(nc, g.r))
}

// difference subtracts digits with a borrow.
func (g *neonDigits) difference(x, y, b nvec) nvec {
	t := g.sub(y, b)
	g.less(b, x, t)
	return g.add(g.sub(x, t), g.and(b, g.r))
}

// borrowed subtracts a borrow.
func (g *neonDigits) borrowed(v, b nvec) nvec {
	zero := g.and(b, g.equal(v, g.zero))
	z := g.add(g.add(v, b), g.and(zero, g.r))
	g.set(b, zero)
	return z
}

// carried adds a carry.
func (g *neonDigits) carried(v, c nvec) nvec {
	z := g.sub(v, c)
	full := g.and(c, g.equal(z, g.r))
	g.setIn(full, z, g.zero)
	g.set(c, full)
	return z
}

// jumpNone jumps where no mask has a lane.
func (g *neonDigits) jumpNone(m row, label string) {
	any := g.or(g.or(m[0], m[1]), g.or(m[2], m[3]))
	for i, w := range g.word {
		g.reads(fmt.Sprintf("VMOV\tV%%d.D[%d], %s", i, w), any)
	}
	g.text("ORR\t%s, %s, %s", g.word[0], g.word[1], g.word[1])
	g.text("CBZ\t%s, %s", g.word[1], label)
}

// ripple changes the digits of z from the first on while any lane has a carry, seldom more than one digit, and then the
// whole tile by last where lanes are left.
func (g *neonDigits) ripple(z ngp, m row, change func(v, m nvec) nvec, last func(from, to, left ngp)) {
	done := g.name("done")
	g.jumpNone(m, done)
	from, to, left := g.copy(z), g.copy(z), g.gp()
	g.each(g.rows, left, func() {
		v := g.loadRow(from)
		for i := range v {
			v[i] = change(v[i], m[i])
		}
		g.storeRow(v, to)
		g.jumpNone(m, done)
	})
	g.move(z, from)
	g.move(z, to)
	last(from, to, left)
	// −1 has the last digit r, and others 0.
	g.text("SUB\t$64, %s, %s", from, from)
	g.text("SUB\t$64, %s, %s", to, to)
	v := g.loadRow(from)
	for i := range v {
		g.setIn(m[i], v[i], g.r)
	}
	g.storeRow(v, to)
	g.neon.label(done)
}

// dec subtracts 1 from z in the lanes of m.
func (g *neonDigits) dec(z ngp, m row) {
	g.ripple(z, m, g.borrowed, func(from, to, left ngp) {
		g.each(g.rows, left, func() { // all digits were 0
			v := g.loadRow(from)
			for i := range v {
				g.setIn(m[i], v[i], g.zero)
			}
			g.storeRow(v, to)
		})
	})
}

// inc adds 1 to z in the lanes of m.
func (g *neonDigits) inc(z ngp, m row) {
	g.ripple(z, m, g.carried, func(from, to, left ngp) {
		for _, p := range []ngp{from, to} {
			g.text("ADD\t%s<<6, %s, %s", g.rows, p, p)
		}
	})
}

// not is the lanes that are not in m.
func (g *neonDigits) not(m row) (z row) {
	for i := range m {
		z[i] = g.equal(m[i], g.zero)
	}
	return z
}

func (g *neonDigits) addition() {
	p, _ := g.begin("add", "sets n tiles z to x + y.", "z, x, y", "k, n")
	z, x, y := p[0], p[1], p[2]
	less := g.add(g.r, g.all())
	first, left := g.gp(), g.gp()
	g.tiles(func() {
		g.move(z, first)
		nc := g.times(g.all)
		g.each(g.rows, left, func() {
			u, v := g.loadRow(x), g.loadRow(y)
			for i := range u {
				u[i] = g.sum(u[i], v[i], less, nc[i])
			}
			g.storeRow(u, z)
		})
		g.dec(first, g.not(nc))
	})
}

func (g *neonDigits) subtraction() {
	p, _ := g.begin("sub", "sets n tiles z to x − y.", "z, x, y", "k, n")
	z, x, y := p[0], p[1], p[2]
	first, left := g.gp(), g.gp()
	g.tiles(func() {
		g.move(z, first)
		b := g.times(g.none)
		g.each(g.rows, left, func() {
			u, v := g.loadRow(x), g.loadRow(y)
			for i := range u {
				u[i] = g.difference(u[i], v[i], b[i])
			}
			g.storeRow(u, z)
		})
		g.inc(first, b)
	})
}

func (g *neonDigits) cross() {
	p, _ := g.begin("cross", "sets n tiles s to x + y and d to x − y.", "s, d, x, y", "k, n")
	s, d, x, y := p[0], p[1], p[2], p[3]
	less := g.add(g.r, g.all())
	firstS, firstD, left := g.gp(), g.gp(), g.gp()
	g.tiles(func() {
		g.move(s, firstS)
		g.move(d, firstD)
		nc, b := g.times(g.all), g.times(g.none)
		g.each(g.rows, left, func() {
			for i := range nc {
				u, v := g.loadNext(x), g.loadNext(y)
				g.storeNext(g.sum(u, v, less, nc[i]), s)
				g.storeNext(g.difference(u, v, b[i]), d)
			}
		})
		g.dec(firstS, g.not(nc))
		g.inc(firstD, b)
	})
}

// shift is that of digits.
func (g *neonDigits) shift() {
	p, s := g.begin("shift", "sets n tiles z, which are not x, to x·r^s, 0 ≤ s < 2k.", "z, x", "s, k, n")
	z, x := p[0], p[1]
	low, high := g.gp(), g.gp() // rows that go to the first places, and the others
	g.move(s, low)
	g.text("CMP\t%s, %s", g.rows, s)
	g.text("BLT\tonce")
	g.text("SUB\t%s, %s, %s", g.rows, s, low)
	g.neon.label("once")
	g.text("SUB\t%s, %s, %s", low, g.rows, high)
	first, from, left := g.gp(), g.gp(), g.gp()

	negative := func(count ngp, b row) {
		g.each(count, left, func() {
			v := g.loadRow(from)
			for i := range v {
				v[i] = g.sub(v[i], b[i])
				g.less(b[i], g.zero, v[i])
				v[i] = g.add(g.sub(g.zero, v[i]), g.and(b[i], g.r))
			}
			g.storeRow(v, z)
		})
	}
	g.tiles(func() {
		g.move(z, first)
		b, unit := g.times(g.none), g.times(g.none)
		g.text("ADD\t%s<<6, %s, %s", high, x, from)
		g.text("CMP\t%s, %s", g.rows, s)
		g.text("BGE\tabove")

		g.text("CBZ\t%s, high", low)
		negative(low, b)
		g.neon.label("high")
		g.move(x, from)
		g.each(high, left, func() {
			v := g.loadRow(from)
			for i := range v {
				v[i] = g.borrowed(v[i], b[i])
			}
			g.storeRow(v, z)
		})
		g.text("B\tcarry")

		// The digit r of −1, which is the last of the first places, becomes 1 at the next one, where all is 0.
		g.neon.label("above")
		g.text("CBZ\t%s, minus", low)
		g.each(low, left, func() {
			v := g.loadRow(from)
			for i := range v {
				g.set(unit[i], g.equal(v[i], g.r))
				g.setIn(unit[i], v[i], g.zero)
			}
			g.storeRow(v, z)
		})
		g.neon.label("minus")
		g.move(x, from)
		next, to := g.copy(z), g.copy(z)
		negative(high, b)
		v := g.loadRow(next)
		for i := range v {
			v[i] = g.sub(v[i], unit[i])
		}
		g.storeRow(v, to)
		g.neon.label("carry")
		g.inc(first, b)
		g.text("ADD\t%s<<6, %s, %s", g.rows, x, x)
	})
}
