package main

import (
	"github.com/mmcloughlin/avo/operand"
)

// product52 multiplies words of 52 bits, lane by lane.
type product52 interface {
	// suffix names the instructions in the names of kernels.
	suffix() string
	// begin begins a kernel.
	begin()
	// start returns what the sums of low and of high halves of n products begin with.
	start(n gp) (low, high vec)
	// factor makes a factor of words below 2^52.
	factor(x operand.Op) operand.Op
	// add adds the halves of wx to sums.
	add(w, x operand.Op, low, high vec)
	// low returns the low half of w times the low 52 bits of x. word makes a word of that, and again a factor.
	low(w operand.Op, x vec) vec
	word(low vec) vec
	again(low vec) operand.Op
	// addHigh adds the high half of wx to a word.
	addHigh(w, x operand.Op, to vec)
	// scaler returns what kernel scale does, with the words at m.
	scaler(m gp) func(x operand.Mem) vec
}

// ifma52 has instructions for both halves, which read 52 bits of words.
type ifma52 struct{ *machine }

func (g *ifma52) suffix() string { return "IFMA" }
func (g *ifma52) begin()         { g.zero = g.constant(0) }

func (g *ifma52) start(gp) (low, high vec)       { return g.zero, g.zero }
func (g *ifma52) factor(x operand.Op) operand.Op { return x }

func (g *ifma52) add(w, x operand.Op, low, high vec) {
	g.VPMADD52LUQ(x, w, low)
	g.VPMADD52HUQ(x, w, high)
}

func (g *ifma52) low(w operand.Op, x vec) vec {
	z := g.mov(g.zero)
	g.VPMADD52LUQ(w, x, z)
	return z
}

func (g *ifma52) word(low vec) vec                { return low }
func (g *ifma52) again(low vec) operand.Op        { return low }
func (g *ifma52) addHigh(w, x operand.Op, to vec) { g.VPMADD52HUQ(x, w, to) }

func (g *ifma52) scaler(m gp) func(x operand.Mem) vec {
	w, q, minus := g.broadcast(operand.Mem{Base: m}), g.broadcast(operand.Mem{Base: m, Disp: 8}),
		g.broadcast(operand.Mem{Base: m, Disp: 16})
	mask := g.mask52()
	return func(x operand.Mem) vec {
		t, high, low := g.load(x), g.mov(g.zero), g.mov(g.zero)
		g.VPMADD52HUQ(q, t, high)
		g.VPMADD52LUQ(w, t, low)
		g.VPMADD52LUQ(minus, high, low)
		return g.and(low, mask)
	}
}

// double52 has factors as doubles, and the halves as limbdouble.go has them: with exponents in the upper 12 bits, which
// sums of words begin with the negative of.
type double52 struct {
	*machine
	unit52, base, sum vec // 2^52, 2^104, 2^104 + 2^52
}

func (g *double52) suffix() string {
	if g.avx512 {
		return "AVX512"
	}
	return "AVX2"
}

func (g *double52) begin() {
	g.unit52 = nil
	if !g.avx512 {
		g.towardsZero(g.GP32())
		g.unit() // which loops use
	}
}

// unit returns 2^52.
func (g *double52) unit() vec {
	if g.unit52 == nil {
		g.unit52 = g.constant(bits52)
	}
	return g.unit52
}

func (g *double52) start(n gp) (low, high vec) {
	g.base, g.sum = g.constant(bits104), g.constant(bits104+1)
	minus := func(exponent uint64) vec {
		r, x, z := g.GP64(), g.XMM(), g.vec()
		g.MOVQ(operand.U64(-exponent), r)
		g.IMULQ(n, r)
		g.VMOVQ(r, x)
		g.VPBROADCASTQ(x, z)
		return z
	}
	return minus(bits52), minus(bits104)
}

func (g *double52) factor(x operand.Op) operand.Op {
	z := g.vec()
	if g.avx512 {
		g.VCVTUQQ2PD(x, z)
		return z
	}
	g.VPOR(x, g.unit(), z)
	g.VSUBPD(g.unit(), z, z)
	return z
}

// multiplyAdd adds wx to z, rounded towards zero.
func (g *double52) multiplyAdd(w, x operand.Op, z vec) {
	if g.avx512 {
		g.VFMADD231PD_RZ_SAE(w, x, z)
	} else {
		g.VFMADD231PD(w, x, z)
	}
}

// halves returns those of wx, with exponents.
func (g *double52) halves(w, x operand.Op) (low, high vec) {
	high = g.mov(g.base)
	g.multiplyAdd(w, x, high)
	low = g.op2(g.ctx3(g.VSUBPD), high, g.sum)
	g.multiplyAdd(w, x, low)
	return low, high
}

func (g *double52) add(w, x operand.Op, low, high vec) {
	l, h := g.halves(w, x)
	g.VPADDQ(h, high, high)
	g.VPADDQ(l, low, low)
}

func (g *double52) low(w operand.Op, x vec) vec {
	low, _ := g.halves(w, g.factor(g.and(x, g.mask52())))
	return low
}

func (g *double52) word(low vec) vec         { return g.and(low, g.mask52()) }
func (g *double52) again(low vec) operand.Op { return g.op2(g.ctx3(g.VSUBPD), g.unit(), low) }

func (g *double52) addHigh(w, x operand.Op, to vec) {
	high := g.mov(g.base)
	g.multiplyAdd(w, x, high)
	g.VPADDQ(g.subq(high, g.base), to, to)
}

// scaler takes the quotient as ⌊x·(q/2^52)⌋.
func (g *double52) scaler(m gp) func(x operand.Mem) vec {
	load := func(i int) vec { return g.factor(g.broadcast(operand.Mem{Base: m, Disp: 8 * i})).(vec) }
	d := &double50{machine: g.machine}
	w, q, down := load(0), load(1), g.constant((0x3ff-52)<<52)
	q = d.times(q, down) // q/2^52
	d.kept[prime], d.kept[exponent] = d.minus(g.unit(), load(2)), g.unit()
	return func(x operand.Mem) vec {
		t, high := g.factor(x).(vec), g.mov(g.unit())
		g.multiplyAdd(q, t, high)
		return d.toWords(d.residue(t, w, d.minus(high, g.unit()), d.times(t, w)), g.unit())
	}
}
