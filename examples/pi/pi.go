package main

import (
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/galfft/fft/intmul"
)

// π is scale·√radicand over the sum of the series.
const (
	scale    = 426880
	radicand = 10005
)

// guard is the number of digits that are computed beyond those printed, and spare that of bits.
const (
	guard = 20
	spare = 64
)

// mostDigits keeps all numbers of terms and digits within 31 bits.
const mostDigits = 1_000_000_000

// steps are what π is computed by, with what proves them. Numbers are cut to the bits that count. For k = digits +
// guard,
//
//	t = t₁·q₂ − p₁·t₂,  q = q₁·q₂,
//	10005·10^2k = root² + rootRest,     0 ≤ rootRest ≤ 2·root
//	426880·q·root = quotient·t + rest,  0 ≤ rest < t
//	quotient = digits·10^guard + tail,  0 ≤ tail < 10^guard
type steps struct {
	terms, middle, k     int
	p1, q1, t1, q2, t2   cut // of the terms before the middle, and behind
	q, t                 cut
	root, rootRest       *big.Int
	quotient, rest       *big.Int
	digits, tail, cutoff *big.Int // cutoff is 10^guard
}

// cut is a number without its low bits: whole = x·2^shift + low. Of whole and low it has residues, and of low whether
// it is out of its range, 0 ≤ low < 2^shift.
type cut struct {
	x          *big.Int
	shift      uint
	whole, low residues
	out        bool
}

// newCut returns x without its low bits, and leaves anything in x where it has some.
func newCut(x *big.Int, shift int) cut {
	c := cut{x: x, whole: residuesOf(x)}
	if shift <= 0 {
		return c
	}
	c.shift, c.x = uint(shift), new(big.Int).Rsh(x, uint(shift))
	x.Sub(x, new(big.Int).Lsh(c.x, c.shift))
	c.low, c.out = residuesOf(x), x.Sign() < 0 || x.BitLen() > shift
	return c
}

// compute returns π with so many digits after the point. The quotient differs from π·10^k by less than 8: for the root,
// for terms left out, for being rounded down, and, by far less than 1, for bits that are cut off.
//
// With b bits for 10^k and spare ones, the sum T/Q = T₁/Q₁ − P₁/Q₁·T₂/Q₂ needs b of T₁, Q₁, T and Q, and as many of
// T₂ and Q₂ as P₁/Q₁ leaves. P₁ is cut as Q₁ is, so that T is made of what has been cut as it is of the whole numbers.
func compute(ctx context.Context, a *intmul.Arithmetic, digits int) (*steps, error) {
	s := &steps{k: digits + guard, root: new(big.Int), rootRest: new(big.Int), quotient: new(big.Int),
		rest: new(big.Int), digits: new(big.Int), tail: new(big.Int)}
	s.terms = s.k/digitsOfTerms + 2
	s.middle = middleOf(0, s.terms)
	b := int(float64(s.k)*math.Log2(10)) + spare
	c := &splitter{ctx: ctx, a: a}
	x, y := c.split(0, s.middle, 1, false), c.split(s.middle, s.terms, 1, true)
	if c.err != nil {
		return nil, c.err
	}
	c.free = nil
	more := x.q.BitLen() - b
	right := y.q.BitLen() - (b - x.q.BitLen() + x.p.BitLen() + spare)
	s.p1, s.q1, s.t1 = newCut(x.p, more), newCut(x.q, more), newCut(x.t, more)
	s.q2, s.t2 = newCut(y.q, right), newCut(y.t, right)
	z := c.join(sums{s.p1.x, s.q1.x, s.t1.x}, sums{nil, s.q2.x, s.t2.x}, 0, true, true)
	if c.err != nil {
		return nil, c.err
	}
	c.free = nil
	more = z.q.BitLen() - b
	s.q, s.t = newCut(z.q, more), newCut(z.t, more)
	power := new(big.Int)
	if err := a.Exp(ctx, power, big.NewInt(5), big.NewInt(int64(2*s.k)), nil); err != nil {
		return nil, err
	}
	power.Mul(power, big.NewInt(radicand))
	power.Lsh(power, uint(2*s.k))
	if err := a.SqrtRem(ctx, s.root, s.rootRest, power); err != nil {
		return nil, err
	}
	if err := a.Mul(ctx, power, s.q.x, s.root); err != nil {
		return nil, err
	}
	power.Mul(power, big.NewInt(scale))
	if err := a.QuoRem(ctx, s.quotient, s.rest, power, s.t.x); err != nil {
		return nil, err
	}
	s.cutoff = new(big.Int).Exp(big.NewInt(10), big.NewInt(guard), nil)
	if err := a.QuoRem(ctx, s.digits, s.tail, s.quotient, s.cutoff); err != nil {
		return nil, err
	}
	const near = 8
	if far := new(big.Int).Sub(s.cutoff, s.tail); s.tail.Cmp(big.NewInt(near)) < 0 || far.Cmp(big.NewInt(near)) < 0 {
		return nil, fmt.Errorf("the last %d digits are %v: they do not tell how to round", guard, s.tail)
	}
	return s, nil
}
