package main

import "github.com/mmcloughlin/avo/operand"

// byteProducts is the arithmetic of bytes by GFNI, which multiplies bytes as they are.
type byteProducts struct {
	m      *machine
	suffix string
}

func (g *byteProducts) declare() {
	g.m.bytesAt("generator"+g.suffix, many(half, func(int) int { return towerY0 }))
}

func (g *byteProducts) vectors() int { return 1 }

func (g *byteProducts) split(x vec) form { return form{g.m.mov(x)} }

func (g *byteProducts) join(x, y form) form { return form{g.m.op2(g.m.ctx3(g.m.VPXOR), y[0], x[0])} }

func (g *byteProducts) joinTo(x, y form) { g.m.VPXOR(y[0], x[0], x[0]) }

func (g *byteProducts) constant(w, to operand.Mem) {
	z := g.m.vec()
	g.m.VPBROADCASTB(w, z)
	g.m.store(z, to)
}

func (g *byteProducts) times(x form, factor operand.Mem, sums ...vec) {
	z := g.product(x[0], factor)
	for _, s := range sums {
		g.m.VPXOR(z, s, s)
	}
}

func (g *byteProducts) product(x vec, y operand.Op) vec {
	return g.m.op2(g.m.ctx3(g.m.VGF2P8MULB), y, x)
}

func (g *byteProducts) mapBytes() int { return 8 }

func (g *byteProducts) image(x []operand.Mem, m operand.Mem) (list []vec) {
	t := g.m.vec()
	g.m.VPBROADCASTQ(m, t)
	for _, from := range x {
		z := g.m.load(from)
		g.m.VGF2P8AFFINEQB(operand.Imm(0), t, z, z)
		list = append(list, z)
	}
	return list
}

func (g *byteProducts) enter(x vec) vec   { return x }
func (g *byteProducts) leave(x vec) vec   { return x }
func (g *byteProducts) preparePair()      {}
func (g *byteProducts) pair(x, y vec) vec { return g.product(x, y) }
func (g *byteProducts) byY0(x vec) vec    { return g.product(x, symbol("generator"+g.suffix, 0)) }
