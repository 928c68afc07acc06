package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// mask is a set of 64-bit lanes: a mask register, or with AVX2 a vector of −1 in them and 0 in others.
type mask struct {
	k reg.OpmaskVirtual
	v vec
}

func (g *digits) newMask() mask {
	if g.avx512 {
		return mask{k: g.K()}
	}
	return mask{v: g.vec()}
}

func (g *digits) none() mask {
	m := g.newMask()
	if g.avx512 {
		g.KXORB(m.k, m.k, m.k)
	} else {
		g.VMOVDQA(g.zero, m.v)
	}
	return m
}

func (g *digits) all() mask {
	m := g.newMask()
	if g.avx512 {
		g.KXNORB(m.k, m.k, m.k)
	} else {
		g.VPCMPEQQ(g.zero, g.zero, m.v)
	}
	return m
}

func (g *digits) not(m mask) {
	if g.avx512 {
		g.KNOTB(m.k, m.k)
	} else {
		g.VPCMPEQQ(g.zero, m.v, m.v)
	}
}

func (g *digits) copyMask(from, to mask) {
	if g.avx512 {
		g.KMOVB(from.k, to.k)
	} else {
		g.VMOVDQA(from.v, to.v)
	}
}

// isLess sets m to the lanes in which x < t, unsigned.
func (g *digits) isLess(m mask, x, t vec) {
	if g.avx512 {
		g.VPCMPUQ(operand.Imm(1), t, x, m.k)
	} else {
		g.VMOVDQA(g.lessMask(x, t), m.v)
	}
}

// zeroIn returns the lanes of m in which v is 0.
func (g *digits) zeroIn(m mask, v vec) mask {
	if !g.avx512 {
		return g.equalIn(m, v, g.zero)
	}
	z := g.newMask()
	g.VPTESTNMQ(v, v, m.k, z.k)
	return z
}

// equalIn returns the lanes of m in which v is x.
func (g *digits) equalIn(m mask, v, x vec) mask {
	z := g.newMask()
	if g.avx512 {
		g.VPCMPUQ(operand.Imm(0), x, v, m.k, z.k)
	} else {
		g.VPCMPEQQ(x, v, z.v)
		g.VPAND(m.v, z.v, z.v)
	}
	return z
}

// addIn adds b to a in the lanes of m.
func (g *digits) addIn(m mask, a, b vec) vec {
	if g.avx512 {
		return g.addWhere(m.k, a, b)
	}
	t := g.vec()
	g.VPAND(m.v, b, t)
	g.VPADDQ(t, a, a)
	return a
}

// addOne adds 1 to a in the lanes of m, and subOne subtracts it.
func (g *digits) addOne(m mask, a vec) {
	if g.avx512 {
		g.addWhere(m.k, a, g.one)
	} else {
		g.VPSUBQ(m.v, a, a)
	}
}

func (g *digits) subOne(m mask, a vec) {
	if g.avx512 {
		g.subWhere(m.k, a, g.one)
	} else {
		g.VPADDQ(m.v, a, a)
	}
}

// setIn sets a to x in the lanes of m.
func (g *digits) setIn(m mask, a, x vec) {
	if g.avx512 {
		g.VMOVDQA64(x, m.k, a)
	} else {
		g.VBLENDVPD(m.v, x, a, a)
	}
}

// jumpNone jumps to label where m has no lane.
func (g *digits) jumpNone(m mask, label string) {
	if g.avx512 {
		g.KTESTB(m.k, m.k)
	} else {
		g.VPTEST(m.v, m.v)
	}
	g.JEQ(operand.LabelRef(label))
}
