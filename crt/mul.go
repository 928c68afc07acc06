package crt

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"sync"
	"sync/atomic"

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
	config, err := collect(opts)
	if err != nil {
		return nil, err
	}
	bound := new(big.Int).Mul(config.greatest(a), config.greatest(b))
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
	if err := s.combine(ctx, c, r, true); err != nil {
		return nil, err
	}
	return c, nil
}

// greatest returns the element of the greatest absolute value, without its sign.
func (c *config) greatest(a []*big.Int) *big.Int {
	type state struct {
		mu sync.Mutex
		a  []*big.Int
		g  *big.Int
	}
	const (
		ns   = 5
		part = 1 << 10
	)
	loops := par.Loops[state]{Workers: c.workers, Runner: c.runner}
	p := loops.Get()
	s := &p.State
	s.a, s.g = a, a[0]
	loops.Run(p, len(a), 1, ns, part, func(s *state, from, to int) {
		g := s.a[from]
		for _, x := range s.a[from:to] {
			if x.CmpAbs(g) > 0 {
				g = x
			}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if g.CmpAbs(s.g) > 0 {
			s.g = g
		}
	})
	return new(big.Int).Abs(s.g)
}

// product sets r[i] to a·b modulo prime i: several primes at a time where that keeps all workers busy, and one after
// the other on all workers otherwise.
func (s *System) product(ctx context.Context, r [][]uint64, a, b []*big.Int) error {
	const rounds = 4 // of primes, in which workers with and without one more make little difference
	workers := max(1, s.config.workers)
	if len(r)%workers == 0 || len(r) >= rounds*workers {
		return s.across(len(r), func(i int) error {
			p, err := s.multiplier(ctx, i, a, b, 1)
			if err != nil {
				return err
			}
			return p.multiply(ctx, r[i], a, b, make([]uint64, len(a)), make([]uint64, len(b)))
		})
	}
	x, y := make([]uint64, len(a)), []uint64(nil)
	if !same(a, b) {
		y = make([]uint64, len(b))
	}
	for i := range r {
		p, err := s.multiplier(ctx, i, a, b, workers)
		if err != nil {
			return err
		}
		if err := p.multiply(ctx, r[i], a, b, x, y); err != nil {
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

// multiplier is products modulo one prime, on some workers.
type multiplier struct {
	s    *System
	i    int // of the prime
	ring *poly.Ring[uint64]
	one  bool // worker
}

// multiplier makes the plans for a·b modulo prime i.
func (s *System) multiplier(ctx context.Context, i int, a, b []*big.Int, workers int) (*multiplier, error) {
	f, err := smallprime.New64(s.moduli[i].P)
	if err != nil {
		return nil, err
	}
	ring, err := poly.New(f, fft.WithWorkers(workers), fft.WithRunner(s.config.runner), fft.WithoutRangeCheck())
	if err != nil {
		return nil, err
	}
	_, _, err = ring.Products(ctx, len(a), len(b))
	return &multiplier{s, i, ring, workers == 1}, err
}

// multiply sets dst to the product modulo the prime. x and y are room for residues of a and b.
func (p *multiplier) multiply(ctx context.Context, dst []uint64, a, b []*big.Int, x, y []uint64) error {
	if err := p.residues(ctx, x, a); err != nil {
		return err
	}
	if same(a, b) {
		y = x
	} else if err := p.residues(ctx, y, b); err != nil {
		return err
	}
	return p.ring.MulTo(ctx, dst, x, y)
}

func (p *multiplier) residues(ctx context.Context, x []uint64, a []*big.Int) error {
	const ns = 20
	if p.one {
		p.s.residues(x, p.i, a)
		return stopped(ctx)
	}
	return p.s.each(ctx, len(a), ns, func(_ *scratch, from, to int) { p.s.residues(x[from:to], p.i, a[from:to]) })
}

// same reports whether a and b, neither empty, are one slice.
func same(a, b []*big.Int) bool { return len(a) == len(b) && &a[0] == &b[0] }
