package crt

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/par"
	"github.com/galfft/fft/internal/residues"
	"github.com/galfft/fft/poly"
)

// Mul returns the product of the polynomials a and b over ℤ, exactly: coefficients of any size and sign, low degree
// first, len(a) + len(b) − 1 of them, or none where a or b has none. Where a and b are one slice, it is the square
// and takes less time. The coefficients of the result are fresh.
//
// Coefficient t is Σ a[i]·b[t−i], a sum of at most m = min(len(a), len(b)) terms, each of absolute value at most A·B,
// where A and B are the greatest absolute values in a and b. So it is in [−mAB, mAB], and the product is taken modulo
// primes whose product is greater than 2mAB. The bound is met where all coefficients of a are A and all of b are B, so
// no lower one follows from A, B and the lengths. The primes have 50 bits where kernels convert from and to residues,
// and 62 bits elsewhere, as those of NewBounded: a fifth more of them, which take half of the time each.
//
// Setting up takes about 0.2 ms for each prime: small products are faster by sums of big.Int products.
//
// A nil coefficient is field.ErrRange; a product that cannot fit in memory is field.ErrMemory, before anything large
// is allocated. When ctx ends, its error is returned.
func Mul(ctx context.Context, a, b []*big.Int, opts ...Option) ([]*big.Int, error) {
	if err := stopped(ctx); err != nil {
		return nil, err
	}
	config, err := collect(opts)
	if err != nil {
		return nil, err
	}
	greatestOfA, errA := config.greatest(ctx, "a", a)
	greatestOfB, errB := config.greatest(ctx, "b", b)
	if err := cmp.Or(errA, errB); err != nil {
		return nil, err
	}
	if len(a) == 0 || len(b) == 0 {
		return nil, nil
	}
	n := len(a) + len(b) - 1
	bound := residues.Least(min(len(a), len(b)), greatestOfA, greatestOfB, residues.Natural)
	// The system of k primes keeps tables of k² words for the mixed radix and for the words of the result. There are
	// residues of a, b and the product.
	k := float64(bound.BitLen())/leastBits + 1
	if bytes := float64(n)*(float64(bound.BitLen())/2+64) + 32*k*k; bytes > float64(memory.Limit()) {
		return nil, fmt.Errorf("crt: %w: a product of %d coefficients of %d bits takes about %.0f bytes",
			field.ErrMemory, n, bound.BitLen(), bytes)
	}
	s, err := newForProducts(ctx, bound, bits.Len(uint(n-1)), opts)
	if err != nil {
		return nil, err
	}
	m := s.room(len(a), len(b), same(a, b))
	var c []*big.Int
	if err := m.makeRows(ctx); err != nil {
		return nil, err
	}
	// One worker clears the slice while the others reduce a: it is one allocation, of which Go clears all at once.
	err = s.reduce(ctx, m.x, a, func() { c = make([]*big.Int, n) })
	if err == nil && !m.square {
		err = s.reduce(ctx, m.y, b, func() {})
	}
	if err == nil {
		err = s.product(ctx, m)
	}
	if err != nil {
		return nil, err
	}
	err = s.each(ctx, n, s.of.Cost(), func(room *residues.SystemRoom, from, to int) {
		s.of.NewInts(ctx, room, c[from:to], m.product, from, true) // each worker clears memory of its own
	})
	if err != nil {
		return nil, err
	}
	m.keep()
	return c, nil
}

// leastBits is less than the bits of any prime of a product, one word's or kernels'.
const leastBits = 49

// newForProducts is NewBounded by primes that kernels serve, where there are enough.
func newForProducts(ctx context.Context, bound *big.Int, twoAdicity int, opts []Option) (*System, error) {
	if residues.Kernels() {
		if s, err := newBounded(ctx, residues.KernelBits, bound, twoAdicity, opts); err == nil && s.of.Kernels() {
			return s, nil
		}
	}
	return NewBounded(ctx, bound, twoAdicity, opts...)
}

// greatest returns the greatest absolute value in a, 0 where there is none.
func (c *config) greatest(ctx context.Context, what string, a []*big.Int) (*big.Int, error) {
	type state struct {
		mu   sync.Mutex
		a    []*big.Int
		g    *big.Int
		none bool // where an element should be
	}
	const ns = 5
	loops := par.Loops[state]{Workers: c.workers, Runner: c.runner}
	p := loops.Get()
	s := &p.State
	s.a, s.g = a, new(big.Int)
	loops.Run(p, len(a), 1, ns, glance, func(s *state, from, to int) {
		g := a[from]
		for i, x := range a[from:to] {
			if x == nil {
				g = nil
				break
			}
			if i%glance == 0 && ctx.Err() != nil {
				break
			}
			if x.CmpAbs(g) > 0 {
				g = x
			}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		switch {
		case g == nil:
			s.none = true
		case g.CmpAbs(s.g) > 0:
			s.g = g
		}
	})
	if s.none {
		return nil, checkInts(what, a)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return new(big.Int).Abs(s.g), nil
}

// product sets the rows of m to the products of its residues modulo each prime: several primes at a time where that
// keeps all workers busy, and one after the other on all workers otherwise, after plans for as many primes as there are
// workers.
func (s *System) product(ctx context.Context, m *productRoom) error {
	const rounds = 4 // of primes, in which workers with and without one more make little difference
	k, workers := len(m.primes), max(1, s.config.workers)
	if k%workers == 0 || k >= rounds*workers {
		return s.across(k, func(i int) error {
			ring, err := m.ring(i, 1)
			if err != nil {
				return err
			}
			return ring.MulTo(ctx, m.product[i], m.x[i], m.y[i])
		})
	}
	for from := 0; from < k; from += workers {
		rings := make([]*poly.Ring[uint64], min(workers, k-from))
		err := s.across(len(rings), func(i int) (err error) {
			if rings[i], err = m.ring(from+i, workers); err == nil {
				_, err = rings[i].Products(ctx, m.a, m.b) // makes the plans
			}
			return err
		})
		for i, ring := range rings {
			if err == nil {
				err = ring.MulTo(ctx, m.product[from+i], m.x[from+i], m.y[from+i])
			}
			rings[i] = nil // it holds vectors
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// across runs f(0), …, f(n−1) on the workers, until one fails.
func (s *System) across(n int, f func(i int) error) error {
	type state struct {
		f      func(i int) error
		failed atomic.Pointer[error]
	}
	loops := par.Loops[state]{Workers: s.config.workers, Grain: 1, Runner: s.config.runner}
	p := loops.Get()
	p.State.f = f
	loops.Run(p, n, 1, 1, 1, func(s *state, from, to int) {
		for i := from; i < to && s.failed.Load() == nil; i++ {
			if err := s.f(i); err != nil {
				s.failed.CompareAndSwap(nil, &err)
			}
		}
	})
	if err := p.State.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// same reports whether a and b, neither empty, are one slice.
func same(a, b []*big.Int) bool { return len(a) == len(b) && &a[0] == &b[0] }
