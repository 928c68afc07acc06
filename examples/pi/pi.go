package main

import (
	"context"
	"fmt"
	"math/big"

	"github.com/galfft/fft/intmul"
)

// The series is 1/π = Σ (−1)^k·(6k)!·(first + step·k)/((3k)!·k!³·640320^(3k))/(426880·√10005). A term has about
// 14.18 digits more than the one before.
const (
	first         = 13591409
	step          = 545140134
	cube          = 640320 * 640320 * 640320 / 24
	scale         = 426880
	radicand      = 10005
	digitsOfTerms = 14
)

// guard is the number of digits that are computed beyond those printed.
const guard = 20

// mostDigits keeps all numbers of terms and digits within 31 bits.
const mostDigits = 1_000_000_000

// steps are what π is computed by, with what proves them: for k = digits + guard,
//
//	10005·10^2k = root² + rootRest,     0 ≤ rootRest ≤ 2·root
//	426880·q·root = quotient·t + rest,  0 ≤ rest < t
//	quotient = digits·10^guard + tail,  0 ≤ tail < 10^guard
type steps struct {
	terms, k             int
	q, t                 *big.Int // of all terms
	root, rootRest       *big.Int
	quotient, rest       *big.Int
	digits, tail, cutoff *big.Int // cutoff is 10^guard
}

// compute returns π with so many digits after the point. The quotient differs from π·10^k by less than 8: for the root,
// for terms left out, and for being rounded down.
func compute(ctx context.Context, a *intmul.Arithmetic, digits int) (*steps, error) {
	s := &steps{k: digits + guard, root: new(big.Int), rootRest: new(big.Int), quotient: new(big.Int),
		rest: new(big.Int), digits: new(big.Int), tail: new(big.Int)}
	s.terms = s.k/digitsOfTerms + 2
	var err error
	if _, s.q, s.t, err = split(ctx, a, 0, s.terms, true); err != nil {
		return nil, err
	}
	x := new(big.Int)
	if err := a.Exp(ctx, x, big.NewInt(10), big.NewInt(int64(2*s.k)), nil); err != nil {
		return nil, err
	}
	x.Mul(x, big.NewInt(radicand))
	if err := a.Sqrt(ctx, s.root, x); err != nil {
		return nil, err
	}
	if err := a.Sqr(ctx, s.rootRest, s.root); err != nil {
		return nil, err
	}
	s.rootRest.Sub(x, s.rootRest)
	if err := a.Mul(ctx, x, s.q, s.root); err != nil {
		return nil, err
	}
	x.Mul(x, big.NewInt(scale))
	if err := a.QuoRem(ctx, s.quotient, s.rest, x, s.t); err != nil {
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

// split returns P, Q and T of the terms from one to another:
//
//	P = Π p(k), Q = Π q(k), T/Q = Σ_k (first + step·k)·Π_(i ≤ k) p(i)/q(i),
//
// with p(k) = −(6k − 5)(2k − 1)(6k − 1) and q(k) = k³·640320³/24, and 1 for k = 0. Of two halves, P and Q are products,
// and T = T₁·Q₂ + P₁·T₂. Of the last terms nobody needs P: it is nil.
func split(ctx context.Context, a *intmul.Arithmetic, from, to int, last bool) (p, q, t *big.Int, err error) {
	if to-from <= short {
		if err := ctx.Err(); err != nil {
			return nil, nil, nil, err
		}
		p, q, t = splitShort(int64(from), int64(to))
		return p, q, t, nil
	}
	middle := (from+to)/2 | 1 // P₁ is positive, so that both products of T have one sign but at the first terms
	p1, q1, t1, err := split(ctx, a, from, middle, false)
	if err != nil {
		return nil, nil, nil, err
	}
	p2, q2, t2, err := split(ctx, a, middle, to, last)
	if err != nil {
		return nil, nil, nil, err
	}
	if err := a.MulAdd(ctx, t1, []*big.Int{t1, p1}, []*big.Int{q2, t2}); err != nil {
		return nil, nil, nil, err
	}
	if last {
		p1 = nil
	} else if err := a.Mul(ctx, p1, p1, p2); err != nil {
		return nil, nil, nil, err
	}
	return p1, q1, t1, a.Mul(ctx, q1, q1, q2)
}

// short is the number of terms that math/big splits: numbers of few words.
const short = 64

// splitShort is split for few terms.
func splitShort(from, to int64) (p, q, t *big.Int) {
	if to-from == 1 {
		return term(from)
	}
	middle := (from + to) / 2
	p, q, t = splitShort(from, middle)
	p2, q2, t2 := splitShort(middle, to)
	t.Mul(t, q2)
	t.Add(t, t2.Mul(t2, p))
	return p.Mul(p, p2), q.Mul(q, q2), t
}

// term returns split of one term.
func term(k int64) (p, q, t *big.Int) {
	p, q, t = big.NewInt(1), big.NewInt(1), big.NewInt(first+step*k)
	if k > 0 {
		x := big.NewInt(k)
		p.Mul(big.NewInt(-(6*k - 5)), big.NewInt(2*k-1))
		p.Mul(p, big.NewInt(6*k-1))
		q.Mul(x, x).Mul(q, x).Mul(q, big.NewInt(cube))
	}
	return p, q, t.Mul(t, p)
}
