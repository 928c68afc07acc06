package crt

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"math/bits"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/par"
	"github.com/galfft/fft/poly"
)

// Mul returns the product of the polynomials a and b over ℤ, exactly: coefficients of any size and sign, low degree
// first, len(a) + len(b) − 1 of them, or none where a or b has none. Where a and b are one slice, it is the square
// and takes less time. The coefficients of the result are fresh.
//
// The product is taken modulo enough primes of 62 bits. Coefficient t is Σ a[i]·b[t−i], a sum of at most m =
// min(len(a), len(b)) terms, each of absolute value at most A·B, where A and B are the greatest absolute values in a
// and b. So it is in [−mAB, mAB], for which NewBounded chooses the primes, about log₂(2mAB)/62 of them. The bound is
// met where all coefficients of a are A and all of b are B, so no lower one follows from A, B and the lengths.
//
// Setting up takes about 0.2 ms for each prime: small products are faster by sums of big.Int products.
//
// A nil coefficient is field.ErrRange; a product that cannot fit in memory is field.ErrMemory, before anything large
// is allocated. When ctx ends, its error is returned; the primes of a system, of about bits/62, are chosen
// without a look at it, in time and memory quadratic in their number.
func Mul(ctx context.Context, a, b []*big.Int, opts ...Option) ([]*big.Int, error) {
	if err := cmp.Or(checkInts("a", a), checkInts("b", b)); err != nil {
		return nil, err
	}
	if err := stopped(ctx); err != nil {
		return nil, err
	}
	if len(a) == 0 || len(b) == 0 {
		return nil, nil
	}
	n := len(a) + len(b) - 1
	bound := new(big.Int).Mul(greatest(a), greatest(b))
	bound.Mul(bound, big.NewInt(int64(min(len(a), len(b)))))
	// The system of k primes keeps tables of k² words for the mixed radix and for the words of the result.
	k := float64(bound.BitLen())/61 + 1
	if bytes := float64(n)*(float64(bound.BitLen())/4+64) + 32*k*k; bytes > float64(memory.Limit()) {
		return nil, fmt.Errorf("crt: %w: a product of %d coefficients of %d bits takes about %.0f bytes",
			field.ErrMemory, n, bound.BitLen(), bytes)
	}
	s, err := NewBounded(bound, bits.Len(uint(n-1)), opts...)
	if err != nil {
		return nil, err
	}
	r := s.NewResidues(n)
	if err := s.product(ctx, r, a, b); err != nil {
		return nil, err
	}
	c := s.NewInts(n)
	if err := s.GarnerSymmetric(ctx, c, r); err != nil {
		return nil, err
	}
	return c, nil
}

// greatest returns the element of the greatest absolute value, without its sign.
func greatest(a []*big.Int) *big.Int {
	g := a[0]
	for _, x := range a[1:] {
		if x.CmpAbs(g) > 0 {
			g = x
		}
	}
	return new(big.Int).Abs(g)
}

// product sets r[i] to a·b modulo prime i: several primes at a time where there are as many as workers, and one
// after the other on all workers otherwise.
func (s *System) product(ctx context.Context, r [][]uint64, a, b []*big.Int) error {
	tasks, inner := 1, []fft.Option{fft.WithWorkers(s.config.workers), fft.WithRunner(s.config.runner)}
	if len(r) >= s.config.workers {
		tasks, inner = s.config.workers, nil
	}
	errs := make([]error, tasks)
	s.config.runner.Run(tasks, func(t int) {
		x := make([]uint64, len(a))
		y := x
		if !same(a, b) {
			y = make([]uint64, len(b))
		}
		from, to := par.Share(t, tasks, len(r))
		for i := from; i < to && errs[t] == nil; i++ {
			s.residues(x, i, a)
			if !same(a, b) {
				s.residues(y, i, b)
			}
			errs[t] = s.multiply(ctx, r[i], i, x, y, inner)
		}
	})
	return cmp.Or(errs...)
}

// multiply sets dst to x·y modulo prime i.
func (s *System) multiply(ctx context.Context, dst []uint64, i int, x, y []uint64, opts []fft.Option) error {
	f, err := smallprime.New64(s.moduli[i].P)
	if err != nil {
		return err
	}
	ring, err := poly.New(f, append(opts[:len(opts):len(opts)], fft.WithoutRangeCheck())...)
	if err != nil {
		return err
	}
	return ring.MulTo(ctx, dst, x, y)
}

// same reports whether a and b, neither empty, are one slice.
func same(a, b []*big.Int) bool { return len(a) == len(b) && &a[0] == &b[0] }
