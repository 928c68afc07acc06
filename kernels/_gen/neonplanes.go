package main

import "fmt"

// neonPlanes writes the kernels of package gf2 for planes on arm64, 16 bytes of each plane at a time. A constant is a
// byte's products by the sixteen low halves of bytes and by the high ones, which VTBL looks up. Bytes multiply each
// other as polynomials, and what is above eight bits of the product is looked up in the same way.
type neonPlanes struct {
	*neon
	nibble  nvec
	reduced nhalves // what the high bytes of products are, and
	y0      nhalves // the products by Y_0
}

// nhalves is the halves of bytes, or the tables for both.
type nhalves struct{ low, high nvec }

// nsource returns plane j of an operand.
type nsource func(j int) nvec

func (g *neonPlanes) at(p ngp, offset int) nvec {
	return g.makes(fmt.Sprintf("FMOVQ\t%d(%s), F%%d", offset, p))
}

func (g *neonPlanes) storeAt(x nvec, p ngp, offset int) {
	g.reads(fmt.Sprintf("FMOVQ\tF%%d, %d(%s)", offset, p), x)
}

func (g *neonPlanes) tables(p ngp, i int) nhalves { return nhalves{g.at(p, 32*i), g.at(p, 32*i+16)} }

func (g *neonPlanes) xor(x, y nvec) nvec { return g.op("VEOR", x, y) }

func (g *neonPlanes) split(x nvec) nhalves {
	return nhalves{g.op("VAND", x, g.nibble), g.makes("VUSHR\t$4, V%[2]d.B16, V%[1]d.B16", x)}
}

func (g *neonPlanes) find(table, index nvec) nvec {
	return g.makes("VTBL\tV%[3]d.B16, [V%[2]d.B16], V%[1]d.B16", table, index)
}

func (g *neonPlanes) image(t nhalves, x nvec) nvec {
	s := g.split(x)
	return g.xor(g.find(t.low, s.low), g.find(t.high, s.high))
}

// begin loads the mask of halves.
func (g *neonPlanes) begin() { g.nibble = g.makes("VMOVI\t$15, V%d.B16") }

// beginPairs loads what products of bytes need.
func (g *neonPlanes) beginPairs(tables ngp) {
	g.begin()
	g.reduced, g.y0 = g.tables(tables, 0), g.tables(tables, 1)
}

// pair returns the products of bytes.
func (g *neonPlanes) pair(x, y nvec) nvec {
	l := g.makes("VPMULL\tV%[3]d.B8, V%[2]d.B8, V%[1]d.H8", x, y)
	h := g.makes("VPMULL2\tV%[3]d.B16, V%[2]d.B16, V%[1]d.H8", x, y)
	return g.xor(g.op("VUZP1", l, h), g.image(g.reduced, g.op("VUZP2", l, h)))
}

// times is the product of a vector by byte i of a constant.
type times func(x nvec, i int) nvec

// accumulate returns u plus the products of planes v and a constant of level k whose bytes are from i on: that of
// planes.
func (g *neonPlanes) accumulate(k int, u []nvec, v nsource, by times, i int) {
	if k == 0 {
		u[0] = g.xor(u[0], by(v(0), i))
		return
	}
	h, n := 1<<(k-1), parts(k-1)
	for j, p := range g.product(k-1, g.sums(h, v), by, i+n) {
		u[j], u[h+j] = g.xor(u[j], p), g.xor(u[h+j], p)
	}
	g.accumulate(k-1, u[:h], v, by, i)
	g.accumulate(k-1, u[h:], highPlanes(h, v), by, i+2*n)
}

func (g *neonPlanes) product(k int, v nsource, by times, i int) []nvec {
	if k == 0 {
		return []nvec{by(v(0), i)}
	}
	h, n := 1<<(k-1), parts(k-1)
	u := g.product(k-1, g.sums(h, v), by, i+n)
	u = append(u, u...)
	g.accumulate(k-1, u[:h], v, by, i)
	g.accumulate(k-1, u[h:], highPlanes(h, v), by, i+2*n)
	return u
}

func highPlanes(h int, v nsource) nsource { return func(j int) nvec { return v(h + j) } }

func (g *neonPlanes) sums(h int, v nsource) nsource {
	return func(j int) nvec { return g.xor(v(j), v(h+j)) }
}

// pairs returns the products of elements.
func (g *neonPlanes) pairs(k int, x, y nsource) []nvec {
	if k == 0 {
		return []nvec{g.pair(x(0), y(0))}
	}
	h := 1 << (k - 1)
	low, high := g.pairs(k-1, x, y), g.pairs(k-1, highPlanes(h, x), highPlanes(h, y))
	middle := g.pairs(k-1, g.sums(h, x), g.sums(h, y))
	z := make([]nvec, 2*h)
	for j, t := range g.byGenerator(k-1, high) {
		z[j] = g.xor(low[j], high[j])
		z[h+j] = g.xor(g.xor(middle[j], z[j]), t)
	}
	return z
}

// byGenerator returns the product by Y_k.
func (g *neonPlanes) byGenerator(k int, x []nvec) []nvec {
	if k == 0 {
		return []nvec{g.image(g.y0, x[0])}
	}
	h := len(x) / 2
	z := append([]nvec(nil), x[h:]...)
	for j, t := range g.byGenerator(k-1, x[h:]) {
		z = append(z, g.xor(x[j], t))
	}
	return z
}

func (g *neonPlanes) planesAt(p ngp) nsource { return func(j int) nvec { return g.at(p, plane*j) } }

// quarters does body for the four parts of planes at pointers, which are a plane farther behind it.
func (g *neonPlanes) quarters(body func(), pointers ...ngp) {
	n := g.gp()
	g.text("MOVD\t$%d, %s", plane/16, n)
	g.label("quarter")
	body()
	for _, p := range pointers {
		g.text("ADD\t$16, %[1]s, %[1]s", p)
	}
	g.again(n, 1, "quarter")
}

// butterfly does what a layer does to planes at u and v, or undoes it; with neither it adds to u.
func (g *neonPlanes) butterfly(k int, u, v ngp, kind string, by times) {
	d := 1 << k
	if kind == "layerT" {
		for j := range d {
			g.storeAt(g.xor(g.at(v, plane*j), g.at(u, plane*j)), v, plane*j)
		}
	}
	var sums []nvec
	for j := range d {
		sums = append(sums, g.at(u, plane*j))
	}
	g.accumulate(k, sums, g.planesAt(v), by, 0)
	for j, z := range sums {
		g.storeAt(z, u, plane*j)
		if kind == "layer" {
			g.storeAt(g.xor(g.at(v, plane*j), z), v, plane*j)
		}
	}
}

// layers writes butterflies and sums with a constant, and a layer of a tail, with one for each lane.
func (g *neonPlanes) layers(k int) {
	d := 1 << k
	for _, kind := range []string{"layer", "layerT", "addTimes"} {
		doc := "does a layer with one constant to groups of planes at u and v, step bytes apart."
		switch kind {
		case "layerT":
			doc = "undoes that."
		case "addTimes":
			doc = "is Set.AddTimes with the tables of the constant."
		}
		r := g.function(fmt.Sprintf("%s%dNEON", kind, k), doc, "u, v *byte, groups, step int, tables *byte")
		u, v, groups, step, tables := r[0], r[1], r[2], r[3], r[4]
		g.begin()
		g.text("SUB\t$%d, %[2]s, %[2]s", plane, step)
		g.label("group")
		g.quarters(func() {
			g.butterfly(k, u, v, kind, func(x nvec, i int) nvec { return g.image(g.tables(tables, i), x) })
		}, u, v)
		g.text("ADD\t%s, %[2]s, %[2]s", step, u)
		g.text("ADD\t%s, %[2]s, %[2]s", step, v)
		g.again(groups, 1, "group")
		g.end()
		if kind == "addTimes" {
			continue
		}
		doc = "does a layer to planes at u and v, with a plane for each byte of a constant."
		if kind == "layerT" {
			doc = "undoes that."
		}
		r = g.function(fmt.Sprintf("%sLanes%dNEON", kind, k), doc, "u, v, w, tables *byte")
		u, v, w := r[0], r[1], r[2]
		g.beginPairs(r[3])
		g.quarters(func() {
			g.butterfly(k, u, v, kind, func(x nvec, i int) nvec { return g.pair(x, g.at(w, plane*i)) })
		}, u, v, w)
		g.end()
	}
	r := g.function(fmt.Sprintf("mul%dNEON", k), "is Set.Mul.", "z, x, y *byte, tiles int, tables *byte")
	z, x, y, tiles := r[0], r[1], r[2], r[3]
	g.beginPairs(r[4])
	g.label("tile")
	g.quarters(func() {
		for j, p := range g.pairs(k, g.planesAt(x), g.planesAt(y)) {
			g.storeAt(p, z, plane*j)
		}
	}, z, x, y)
	if d > 1 {
		for _, p := range []ngp{z, x, y} {
			g.text("ADD\t$%d, %[2]s, %[2]s", (d-1)*plane, p)
		}
	}
	g.again(tiles, 1, "tile")
	g.end()
}

// turn writes Set.Interleave and Set.Separate.
func (g *neonPlanes) turn(name string, exchange func(x []nvec) []nvec) {
	r := g.function(name+"PlanesNEON", "is that of Set.", "x, y *byte, planes int")
	g.label("plane")
	var all []nvec
	for _, p := range r[:2] {
		for i := range 4 {
			all = append(all, g.at(p, 16*i))
		}
	}
	for i, z := range exchange(all) {
		g.storeNext(z, r[i/4])
	}
	g.again(r[2], 1, "plane")
	g.end()
}

// matrix writes the products of planes by a matrix of maps, each of which is two tables.
func (g *neonPlanes) matrix() {
	r := g.function("matrixNEON", "sets n planes of z to the products of n planes of x by the matrix m of tables.",
		"z, x, m *byte, n int")
	z, x, m, n := r[0], r[1], r[2], r[3]
	g.begin()
	var sums []nvec
	for range 4 {
		sums = append(sums, g.makes("VMOVI\t$0, V%d.B16"))
	}
	from, rows, left := g.gp(), g.gp(), g.gp()
	g.text("MOVD\t%s, %s", n, rows)
	g.label("row")
	for _, s := range sums {
		g.reads("VEOR\tV%[1]d.B16, V%[1]d.B16, V%[1]d.B16", s)
	}
	g.text("MOVD\t%s, %s", x, from)
	g.text("MOVD\t%s, %s", n, left)
	g.label("column")
	t := nhalves{g.loadNext(m), g.loadNext(m)}
	for _, s := range sums {
		g.reads("VEOR\tV%[2]d.B16, V%[1]d.B16, V%[1]d.B16", s, g.image(t, g.loadNext(from)))
	}
	g.again(left, 1, "column")
	for _, s := range sums {
		g.storeNext(s, z)
	}
	g.again(rows, 1, "row")
	g.end()
}

// lanes writes sums of lanes by VTBL of whole planes, which are in V0 to V3 and V4 to V7: tables of four vectors.
func (g *neonPlanes) lanes4() {
	r := g.function("lanesNEON", "adds to lane i of each plane of z the lanes index[i] of that of x and index[64 + i] of "+
		"that of y, where these numbers are below 64. Planes of x and y may be those of z.",
		"z, x, y *byte, planes int, index *byte")
	z, x, y, planes, index := r[0], r[1], r[2], r[3], r[4]
	g.text("VLD1.P\t64(%s), [V16.B16, V17.B16, V18.B16, V19.B16]", index)
	g.text("VLD1\t(%s), [V20.B16, V21.B16, V22.B16, V23.B16]", index)
	g.label("plane")
	g.text("VLD1.P\t64(%s), [V0.B16, V1.B16, V2.B16, V3.B16]", x)
	g.text("VLD1.P\t64(%s), [V4.B16, V5.B16, V6.B16, V7.B16]", y)
	g.text("VLD1\t(%s), [V8.B16, V9.B16, V10.B16, V11.B16]", z)
	for i := range 4 {
		for part := range 2 {
			first := 4 * part
			g.text("VTBL\tV%d.B16, [V%d.B16, V%d.B16, V%d.B16, V%d.B16], V12.B16", 16+first+i, first, first+1, first+2,
				first+3)
			g.text("VEOR\tV12.B16, V%[1]d.B16, V%[1]d.B16", 8+i)
		}
	}
	g.text("VST1.P\t[V8.B16, V9.B16, V10.B16, V11.B16], 64(%s)", z)
	g.again(planes, 1, "plane")
	g.end()
}

// spreadBytes writes the constants of a layer of a tail for each lane.
func (g *neonPlanes) spreadBytes() {
	r := g.function("laneConstantsNEON", "sets n planes of z to those of x plus byte i of w in all lanes of plane i.",
		"z, x, w *byte, n int")
	z, x, w, n := r[0], r[1], r[2], r[3]
	g.label("plane")
	b := g.makes(fmt.Sprintf("VLD1R.P\t1(%s), [V%%d.B16]", w))
	for range 4 {
		g.storeNext(g.xor(g.loadNext(x), b), z)
	}
	g.again(n, 1, "plane")
	g.end()
}

// writeNEONPlanes writes these kernels.
func writeNEONPlanes(dir string) error {
	g := &neonPlanes{neon: newNEON("gf2", 1)}
	for k := range planeLayers {
		g.layers(k)
	}
	g.turn("interleave", func(x []nvec) (z []nvec) {
		for i := range 4 {
			l, h := g.interleave(x[i], x[4+i])
			z = append(z, l, h)
		}
		return z
	})
	g.turn("separate", func(x []nvec) []nvec {
		z := make([]nvec, 8)
		for i := range 4 {
			z[i], z[4+i] = g.separate(x[2*i], x[2*i+1])
		}
		return z
	})
	g.matrix()
	g.lanes4()
	g.spreadBytes()
	return g.save(dir, "planes")
}
