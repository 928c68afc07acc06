package main

import (
	"context"
	"math/big"
	"math/bits"

	"github.com/galfft/fft/intmul"
)

// The series is 1/π = Σ (−1)^k·(6k)!·(first + step·k)/((3k)!·k!³·640320^(3k))/(426880·√10005). A term has about
// 14.18 digits more than the one before.
const (
	first         = 13591409
	step          = 545140134
	base          = 640320
	square        = base * base / 24
	digitsOfTerms = 14
)

// sums are those of the terms from one to another, absolute values all:
//
//	P = Π p(k), Q = Π q(k), T/Q = ± Σ_k (first + step·k)·Π_(i ≤ k) p(i)/q(i),
//
// with p(k) = −(6k − 5)(2k − 1)(6k − 1) and q(k) = k³·640320³/24, and 1 for k = 0. T has the sign of the first term,
// which counts most: it is negative but for the term 0.
type sums struct{ p, q, t *big.Int }

// splitter computes sums by halves.
type splitter struct {
	ctx  context.Context
	a    *intmul.Arithmetic
	free [][]*big.Int // for each depth, with the memory of numbers of its size
	err  error
}

// take returns an integer for a result at a depth.
func (s *splitter) take(depth int) *big.Int {
	for len(s.free) <= depth {
		s.free = append(s.free, nil)
	}
	l := s.free[depth]
	if len(l) == 0 {
		return new(big.Int)
	}
	s.free[depth] = l[:len(l)-1]
	return l[len(l)-1]
}

// give takes integers back.
func (s *splitter) give(depth int, list ...*big.Int) {
	for _, x := range list {
		if x != nil {
			s.free[depth] = append(s.free[depth], x)
		}
	}
}

// mul sets z = x·y.
func (s *splitter) mul(z, x, y *big.Int) {
	const few = 64 << 6 // bits of which math/big multiplies before a context could be looked at
	switch {
	case s.err != nil:
	case min(x.BitLen(), y.BitLen()) < few:
		z.Mul(x, y)
	default:
		s.err = s.a.Mul(s.ctx, z, x, y)
	}
}

// split returns the sums of terms. Of the last terms nobody needs P: it is nil.
func (s *splitter) split(from, to, depth int, last bool) sums {
	if to-from <= short {
		return s.leaf(uint64(from), uint64(to), depth)
	}
	middle := middleOf(from, to)
	x, y := s.split(from, middle, depth+1, false), s.split(middle, to, depth+1, last)
	z := s.join(x, y, depth, from == 0, last)
	s.give(depth+1, x.p, x.q, x.t, y.p, y.q, y.t)
	return z
}

// middleOf returns where terms are halved: P of those before is positive.
func middleOf(from, to int) int { return (from+to)/2 | 1 }

// join returns the sums of two halves: P and Q are products, and T = T₁·Q₂ + P₁·T₂, or a difference where T₁ has the
// term 0.
func (s *splitter) join(x, y sums, depth int, zero, last bool) (z sums) {
	z.t, z.q = s.take(depth), s.take(depth)
	other := s.take(depth)
	s.mul(z.t, x.t, y.q)
	s.mul(z.q, x.q, y.q)
	if s.mul(other, x.p, y.t); zero {
		z.t.Sub(z.t, other)
	} else {
		z.t.Add(z.t, other)
	}
	if last {
		s.give(depth, other)
		return z
	}
	z.p = other
	s.mul(z.p, x.p, y.p)
	return z
}

// short is the number of terms that are added one by one, by words.
const short = 16

// leaf returns the sums of at most short terms: with each, P and Q get factors more, and T becomes T·q ∓ (first +
// step·k)·P, where the sign changes each time.
func (s *splitter) leaf(from, to uint64, depth int) sums {
	var room [3][4 * short]uint64
	p, q, t := append(room[0][:0], 1), append(room[1][:0], 1), append(room[2][:0], first)
	if s.err == nil {
		s.err = s.ctx.Err()
	}
	for k := max(1, from); k < to; k++ { // k < 2^27
		p = times(times(p, (6*k-5)*(2*k-1)), 6*k-1)
		a, b := square*k, k*k
		if k < 1<<22 {
			b *= base
		} else {
			q = times(q, base)
		}
		if q = times(times(q, a), b); k == from {
			t = timesAdd(append(t[:0], make([]uint64, len(p))...), p, first+step*k)
			continue
		}
		if t = times(times(t, a), b); k >= 1<<22 {
			t = times(t, base)
		}
		if (k-from)%2 == 1 {
			timesSub(t, p, first+step*k)
		} else {
			t = timesAdd(t, p, first+step*k)
		}
	}
	z := sums{s.take(depth), s.take(depth), s.take(depth)}
	set(z.p, p)
	set(z.q, q)
	set(z.t, t)
	return z
}

// times returns x·w, in the memory of x.
func times(x []uint64, w uint64) []uint64 {
	var carry uint64
	for i, v := range x {
		h, l := bits.Mul64(v, w)
		l, c := bits.Add64(l, carry, 0)
		x[i], carry = l, h+c
	}
	if carry > 0 {
		x = append(x, carry)
	}
	return x
}

// timesAdd returns z + x·w, in the memory of z, which has as many words as x or more.
func timesAdd(z, x []uint64, w uint64) []uint64 {
	var carry uint64
	for i, v := range x {
		h, l := bits.Mul64(v, w)
		l, c := bits.Add64(l, carry, 0)
		h += c
		z[i], c = bits.Add64(z[i], l, 0)
		carry = h + c
	}
	for i := len(x); i < len(z) && carry > 0; i++ {
		z[i], carry = bits.Add64(z[i], carry, 0)
	}
	if carry > 0 {
		z = append(z, carry)
	}
	return z
}

// timesSub sets z to z − x·w, which is not negative.
func timesSub(z, x []uint64, w uint64) {
	var carry uint64
	for i, v := range x {
		h, l := bits.Mul64(v, w)
		l, c := bits.Add64(l, carry, 0)
		h += c
		z[i], c = bits.Sub64(z[i], l, 0)
		carry = h + c
	}
	for i := len(x); carry > 0; i++ {
		z[i], carry = bits.Sub64(z[i], carry, 0)
	}
}

// set sets z to a natural number in words.
func set(z *big.Int, x []uint64) {
	w := z.Bits()[:0]
	for _, v := range x {
		w = append(w, big.Word(v))
		if bits.UintSize == 32 {
			w = append(w, big.Word(v>>32))
		}
	}
	z.SetBits(w)
}
