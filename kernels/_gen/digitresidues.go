package main

import (
	"github.com/mmcloughlin/avo/operand"
)

// Products of 16 digits and more go through three primes p below 2^46 that are 1 modulo 256 (residues.go of the package
// has them): coefficients of the product modulo T^k + 1 are less than 2^135, a quarter of the primes' product. The
// steps are kernels of their own, of one tile each:
//
//	values        of the digits, as a polynomial modulo p, at the roots of T^k + 1
//	coefficients  modulo p of the product of two polynomials, from their values
//	recombine     the coefficients, by the Chinese remainder theorem, and digits
//
// Numbers are known modulo 2^52: multiplications read 52 bits, and what is above them may be anything. A factor w has
// w' = ⌊2^52·w/p⌋ before it. With y < 2^52 and q = ⌊y·w'/2^52⌋, wy − qp is in [0, 2p) (D. Harvey, Faster arithmetic for
// number-theoretic transforms, section 2), and a butterfly adds at most 2p to its larger number. Digits become less
// than (1 + 2^−12)p, values of 128 of them less than 16p, products of values, reduced by Montgomery's method, less than
// 256p²/2^52 + p < 5p, sums of eight of those less than 40p, and coefficients less than 48p < 2^52.

// Places of the constants of a prime.
const (
	primeMinus   = iota            // 2^52 − p
	primeInverse                   // 1/p modulo 2^52
	primeTop                       // 2^46 modulo p
	primeBounds                    // p, 2p, 5p, 10p, 20p
	primeEighth  = primeBounds + 5 // the factors ω^−1, ω^−2, ω^−3 for ω of order 8
	primeValues  = primeEighth + 6 // k − 1 factors of values; behind them those of coefficients
)

// Places of the constants that recombine reads, behind those of other products.
const (
	constMinus  = doubleResidue          // 2^52 − p of each prime
	constShares = constMinus + primes    // 2^97/p
	constOthers = constShares + primes   // P/p in two limbs
	constTables = constOthers + 2*primes // three limbs of the offset less eP for e < 8: of coefficient 0, and of others
	constTwists = constTables + 2*3*8    // a factor of each coefficient for each prime
)

const (
	primes    = 3
	perFactor = 16 // bytes of a factor
)

// transform is what transforms modulo a prime use.
type transform struct {
	*product
	minus, twice vec // 2^52 − p, 2p
	k            gp
}

func (g *digits) residues() {
	g.values()
	g.coefficients("coefficientsIFMA", "y", false)
	g.coefficients("coefficientsByIFMA", "y[0], y[8], …, the same for all lanes,", true)
	g.recombine()
}

func (g *digits) newTransform() *transform {
	t := &transform{product: &product{digits: g, m: g.param("m")}, k: g.param("k")}
	t.zero = t.constant(0)
	t.minus, t.twice = t.broadcast(t.constAt(primeMinus)), t.broadcast(t.constAt(primeBounds+1))
	return t
}

// butterfly sets x and y to x + wy and x − wy + 2p, for w at f.
func (t *transform) butterfly(x, y vec, f operand.Mem) {
	q := t.clear()
	t.VPMADD52HUQ_BCST(f, y, q)
	sum := t.addq(t.addq(x, x), t.twice)
	t.VPMADD52LUQ_BCST(f.Offset(8), y, x)
	t.VPMADD52LUQ(t.minus, q, x)
	t.VPSUBQ(x, sum, y)
}

// trivial sets x and y to x + y and x − y + bound, for y at most the bound.
func (t *transform) trivial(x, y vec, bound operand.Mem) {
	difference := t.subq(x, y)
	t.VPADDQ(y, x, x)
	t.VPADDQ_BCST(bound, difference, y)
}

// montgomery returns xy/2^52 + p less a multiple of p below p.
func (t *transform) montgomery(x, y, p, inverse vec) vec {
	low, high, q, less := t.clear(), t.mov(p), t.clear(), t.clear()
	t.VPMADD52LUQ(y, x, low)
	t.VPMADD52HUQ(y, x, high)
	t.VPMADD52LUQ(inverse, low, q)
	t.VPMADD52HUQ(p, q, less)
	return t.subq(high, less)
}

// blocks runs body on k/8 blocks of eight vectors from x on, and stores them from z on.
func (t *transform) blocks(z, x gp, body func(v []vec)) {
	left, next := t.GP64(), t.label("block")
	t.MOVQ(t.k, left)
	t.Label(next)
	v := make([]vec, 8)
	for i := range v {
		v[i] = t.load(operand.Mem{Base: x, Disp: 64 * i})
	}
	body(v)
	for i := range v {
		t.store(v[i], operand.Mem{Base: z, Disp: 64 * i})
	}
	t.ADDQ(operand.U32(512), x)
	if z != x {
		t.ADDQ(operand.U32(512), z)
	}
	t.SUBQ(operand.Imm(8), left)
	t.JNE(operand.LabelRef(next))
}

// columns runs body on eight columns of k/8 rows, eight vectors apart, and stores them from z on. It has a loop for
// each k.
func (t *transform) columns(z, x gp, load func(m operand.Mem) vec, body func(v []vec)) {
	left, done := t.GP64(), t.label("columns")
	t.MOVQ(operand.U32(8), left)
	for rows := 2; rows <= 16; rows *= 2 {
		next, other := t.label("column"), t.label("other")
		t.CMPQ(t.k, operand.U32(8*rows))
		t.JNE(operand.LabelRef(other))
		t.Label(next)
		v := make([]vec, rows)
		for i := range v {
			v[i] = load(operand.Mem{Base: x, Disp: 512 * i})
		}
		body(v)
		for i := range v {
			t.store(v[i], operand.Mem{Base: z, Disp: 512 * i})
		}
		t.ADDQ(operand.Imm(64), x)
		t.ADDQ(operand.Imm(64), z)
		t.DECQ(left)
		t.JNE(operand.LabelRef(next))
		t.JMP(operand.LabelRef(done))
		t.Label(other)
	}
	t.Label(done)
}

// values has decimation in time: a factor for each block, layer after layer.
func (g *digits) values() {
	g.function("valuesIFMA", "sets z to the values of the k digits of the tile x, 16 ≤ k ≤ 128, at the roots ψ^(2j+1) of "+
		"T^k + 1 modulo the prime of m; j has the reversed bits of the place.", "z, x, m *uint64, k int")
	t := g.newTransform()
	z, x := g.param("z"), g.param("x")
	top, mask46 := t.broadcast(t.constAt(primeTop)), t.constant(1<<46-1)
	digit := func(m operand.Mem) vec {
		v := t.load(m)
		low := t.and(v, mask46)
		t.VPMADD52LUQ(top, t.srlq(v, 46), low)
		return low
	}
	layers := func(v []vec, f gp) {
		at := operand.Mem{Base: f}
		for half := len(v) / 2; half > 0; half /= 2 {
			for i := 0; i < len(v); i += 2 * half {
				for j := range half {
					t.butterfly(v[i+j], v[i+j+half], at)
				}
				at.Disp += perFactor
			}
		}
	}
	first, block := t.GP64(), t.GP64()
	t.LEAQ(t.constAt(primeValues), first)
	t.MOVQ(z, block)
	t.columns(z, x, digit, func(v []vec) { layers(v, first) })
	f := t.GP64() // behind the k/8 − 1 factors of the first layers
	t.LEAQ(operand.Mem{Base: first, Index: t.k, Scale: 2, Disp: -perFactor}, f)
	t.blocks(block, block, func(v []vec) {
		layers(v, f)
		t.ADDQ(operand.U32(7*perFactor), f)
	})
	t.end()
}

// coefficients has decimation in time from the order of reversed bits: a factor for each place in a block.
func (g *digits) coefficients(name, y string, words bool) {
	g.function(name, "sets z to ψⁿ·k/2^52 times coefficient n of the product of the polynomials with the values x and "+
		y+" modulo the prime of m. z may be x.", "z, x, y, m *uint64, k int")
	t := g.newTransform()
	z, x, ys := g.param("z"), g.param("x"), g.param("y")
	p, inverse := t.broadcast(t.constAt(primeBounds)), t.broadcast(t.constAt(primeInverse))
	from, to := t.GP64(), t.GP64()
	t.MOVQ(z, from)
	t.MOVQ(z, to)
	t.blocks(z, x, func(v []vec) {
		for i := range v {
			at, y := operand.Mem{Base: ys, Disp: 64 * i}, vec(nil)
			if words {
				y = t.broadcast(at)
			} else {
				y = t.load(at)
			}
			v[i] = t.montgomery(v[i], y, p, inverse)
		}
		t.ADDQ(operand.U32(512), ys)
		for layer, half := 0, 1; half < 8; layer, half = layer+1, 2*half {
			for j := range half {
				for i := j; i < 8; i += 2 * half {
					if j == 0 {
						t.trivial(v[i], v[i+half], t.constAt(primeBounds+2+layer))
					} else {
						t.butterfly(v[i], v[i+half], t.constAt(primeEighth+2*(j*4/half-1)))
					}
				}
			}
		}
	})
	f := t.GP64() // behind the k − 1 factors of values
	t.MOVQ(t.k, f)
	t.SHLQ(operand.Imm(4), f)
	t.LEAQ(operand.Mem{Base: t.m, Index: f, Scale: 1, Disp: 8*primeValues - perFactor}, f)
	t.columns(to, from, t.load, func(v []vec) {
		at := operand.Mem{Base: f}
		for half := 1; half < len(v); half *= 2 {
			for j := range half {
				for i := j; i < len(v); i += 2 * half {
					t.butterfly(v[i], v[i+half], at)
				}
				at.Disp += perFactor
			}
		}
		t.ADDQ(operand.U32(perFactor*(len(v)-1)), f)
	})
	t.end()
}

// recombine computes a coefficient u from the parts a_i = u·(P/p_i)^−1 modulo p_i, P the product of the primes, as
// Σ a_i·P/p_i − eP, where e is Σ a_i/p_i rounded: the a_i are in [0, 2p_i), and |u| < P/4, so that 45 bits suffice. An
// offset less eP is read from a table.
func (g *digits) recombine() {
	g.function("recombineIFMA", "sets the tile z to the digits of the product with coefficients s, k vectors for each "+
		"prime. m is what Constants returns.", "z, s, m *uint64, k int")
	p := g.newProduct()
	z, s, kb := g.param("z"), g.param("s"), g.count()
	p.q1, p.q0, p.carry = p.clear(), p.clear(), p.all()
	half := p.constant(1 << 44)
	table, twist, to, end := g.GP64(), g.GP64(), g.GP64(), g.GP64()
	g.LEAQ(p.constAt(constTables), table)
	g.LEAQ(p.constAt(constTwists), twist)
	g.MOVQ(z, to)
	g.LEAQ(operand.Mem{Base: z, Index: kb, Scale: 1}, end)
	g.Label("pair")
	t := make([][3]vec, 2)
	for i := range t {
		var a [primes]vec
		for j, at := range []operand.Mem{{Base: s}, {Base: s, Index: kb, Scale: 1}, {Base: s, Index: kb, Scale: 2}} {
			y, q := p.load(at.Offset(64*i)), p.clear()
			f := operand.Mem{Base: twist, Disp: perFactor * (primes*i + j)}
			p.VPMADD52HUQ_BCST(f, y, q)
			a[j] = p.clear()
			p.VPMADD52LUQ_BCST(f.Offset(8), y, a[j])
			p.VPMADD52LUQ_BCST(p.constAt(constMinus+j), q, a[j])
		}
		e := p.mov(half)
		for j := range a {
			p.VPMADD52HUQ_BCST(p.constAt(constShares+j), a[j], e)
		}
		e = p.srlq(e, 45)
		for l := range t[i] {
			t[i][l] = p.vec()
			p.VPERMQ(operand.Mem{Base: table, Disp: 64 * l}, e, t[i][l])
		}
		for j := range a {
			low, high := p.constAt(constOthers+2*j), p.constAt(constOthers+2*j+1)
			p.VPMADD52LUQ_BCST(low, a[j], t[i][0])
			p.VPMADD52HUQ_BCST(low, a[j], t[i][1])
			p.VPMADD52LUQ_BCST(high, a[j], t[i][1])
			p.VPMADD52HUQ_BCST(high, a[j], t[i][2])
		}
		g.LEAQ(operand.Mem{Base: p.m, Disp: 8*constTables + 3*64}, table)
	}
	p.divide(t, to)
	g.ADDQ(operand.U32(2*primes*perFactor), twist)
	g.ADDQ(operand.U32(128), s)
	g.ADDQ(operand.U32(128), to)
	g.CMPQ(to, end)
	g.JNE(operand.LabelRef("pair"))
	p.last(z, kb)
	g.end()
}
