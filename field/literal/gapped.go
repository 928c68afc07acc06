package literal

import (
	"fmt"

	"github.com/galfft/fft/field"
)

// Gapped is the ring of polynomials over the integers modulo a prime p, modulo x^m − r of degree m, where r has degree
// at most m/k: the fields GF(p^m) where that modulus is irreducible. Its products are Algorithm 3.2 of M. Hamilis,
// Parallel Additive Fast Fourier Transform Algorithms (2016), for any k, and Algorithm 3.1 for k = 2 and p = 2. It is
// immutable and safe for concurrent use.
type Gapped struct {
	p    uint64
	m, k int
	r    []uint64 // without leading zeros
}

// NewGapped returns the ring for a prime p below 2^31 and the coefficients of r, the lowest first. The error is
// [field.ErrModulus] where p is none, m is below 2, k is not from 2 to m, r has a degree above m/k or a coefficient
// that is not below p. That p is prime and the modulus is irreducible is not looked at: products are right without.
func NewGapped(p uint64, m, k int, r ...uint64) (*Gapped, error) {
	for len(r) > 0 && r[len(r)-1] == 0 {
		r = r[:len(r)-1]
	}
	if p < 2 || p >= 1<<31 || m < 2 || k < 2 || k > m || len(r) > m/k+1 {
		return nil, fmt.Errorf("fft: %w: modulus %d, degree %d, gap %d, rest of degree %d", field.ErrModulus, p, m, k,
			len(r)-1)
	}
	g := &Gapped{p: p, m: m, k: k, r: make([]uint64, len(r))}
	for i, c := range r {
		if c >= p {
			return nil, fmt.Errorf("fft: %w: coefficient %d is %d, want it below %d", field.ErrModulus, i, c, p)
		}
		g.r[i] = c
	}
	return g, nil
}

// Mul sets z = x·y, all of m coefficients below p, and returns how many sums and products of coefficients it took. It
// does not check x and y. z may be either. The error is a [field.LengthError] for slices of other lengths, and
// [field.ErrSpec] for no ring; nothing is written then.
//
// With l = ⌈m/k⌉ it folds l coefficients at a time, from the top: those from m + l·i on, times r, come to their places
// less m, for i = k − 1, …, 0. (The thesis has m/k for l, and loses coefficients where k does not divide m.)
func (g *Gapped) Mul(z, x, y []uint64) (sums, products int, err error) {
	if g == nil || g.p == 0 {
		return 0, 0, fmt.Errorf("fft: %w: no ring", field.ErrSpec)
	}
	for i, s := range [][]uint64{z, x, y} {
		if len(s) != g.m {
			return 0, 0, &field.LengthError{What: "zxy"[i : i+1], Want: g.m, Got: len(s)}
		}
	}
	l := (g.m + g.k - 1) / g.k
	h := make([]uint64, g.m+l*g.k) // coefficients from 2m − 1 on are 0
	sums, products = g.product(h[:2*g.m-1], x, y)
	sums -= 2*g.m - 1 // the sums with the zeros of h
	for i := g.k - 1; i >= 0 && len(g.r) > 0; i-- {
		t := g.m + l*i
		a, m := g.product(h[t-g.m:], h[t:t+l], g.r)
		sums, products = sums+a, products+m
	}
	copy(z, h)
	return sums, products, nil
}

// product adds x·y to z.
func (g *Gapped) product(z, x, y []uint64) (sums, products int) {
	for i := range len(x) + len(y) - 1 {
		for j := max(0, i-len(y)+1); j <= min(i, len(x)-1); j++ {
			z[i] = (z[i] + x[j]*y[i-j]) % g.p
			products++
		}
	}
	return products, products
}
