package main

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"

	"github.com/galfft/fft"
	"github.com/galfft/fft/crt"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/poly"
)

// tau returns the slice t with t[n] = τ(n) for 1 ≤ n ≤ last, and t[0] = 0.
//
// τ(n) is the coefficient of qⁿ in Δ = q·Π(1 − qⁿ)²⁴, that of q^(n−1) in the 8th power of Jacobi's
//
//	Π(1 − qⁿ)³ = Σ (−1)^k (2k+1) q^(k(k+1)/2),  k ≥ 0,
//
// and the 8th power is three squarings. Coefficients from last on reach none below, so each square is cut there.
func tau(ctx context.Context, last, workers int) ([]*big.Int, error) {
	if bytes := float64(last) * bytesPerCoefficient; bytes > float64(memory.Limit()) {
		return nil, fmt.Errorf("%w: τ(n) for n ≤ %d takes about %.0f bytes", field.ErrMemory, last, bytes)
	}
	s, err := crt.NewBounded(ctx, bound(last), bits.Len(uint(2*last-2)), crt.WithWorkers(workers))
	if err != nil {
		return nil, err
	}
	r, err := s.NewResidues(last)
	if err != nil {
		return nil, err
	}
	square := make([]uint64, 2*last-1)
	for i, p := range s.Primes() {
		f, err := smallprime.New64(p)
		if err != nil {
			return nil, err
		}
		ring, err := poly.New(f, fft.WithWorkers(workers))
		if err != nil {
			return nil, err
		}
		jacobi(r[i], p)
		for range 3 {
			if err := ring.SquareTo(ctx, square, r[i]); err != nil {
				return nil, err
			}
			copy(r[i], square)
		}
	}
	t, err := s.NewInts(last + 1)
	if err != nil {
		return nil, err
	}
	return t, s.GarnerSymmetric(ctx, t[1:], r)
}

// bytesPerCoefficient is about what vectors, tables, integers and sieves take.
const bytesPerCoefficient = 256

// bound returns 2·last⁶, which no |τ(n)| with n ≤ last exceeds: it is at most d(n)·n^(11/2) for the number d(n) of
// divisors of n, which Ramanujan conjectured and Deligne proved (La conjecture de Weil I, 1974), and d(n) ≤ 2√n,
// because of d and n/d one is at most √n. For last = 2²⁰ that is 2¹²¹, and two primes near 2⁶² suffice: their product
// is above 2¹²³, more than 2·2¹²¹. Residues in between need no bound: they are those of the exact coefficients.
func bound(last int) *big.Int {
	b := new(big.Int).Exp(big.NewInt(int64(last)), big.NewInt(6), nil)
	return b.Lsh(b, 1)
}

// jacobi sets a, which is zero, to the cube of Π(1 − qⁿ) modulo p.
func jacobi(a []uint64, p uint64) {
	for k := 0; k*(k+1)/2 < len(a); k++ {
		c := uint64(2*k + 1)
		if k%2 == 1 {
			c = p - c
		}
		a[k*(k+1)/2] = c
	}
}
