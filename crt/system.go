package crt

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"sync"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/factor"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/par"
	"github.com/galfft/fft/internal/residues"
)

// System is a residue number system: distinct odd primes below 2⁶³. It is immutable and safe for concurrent use.
//
// Systems come from New and NewBounded: nil and the zero System have no primes. What returns an error returns
// field.ErrSpec for them, and the rest is 0 or empty.
type System struct {
	of     *residues.System
	config config
	rooms  *sync.Pool // *residues.SystemRoom
	loops  *par.Loops[loop]
}

// New makes the system of the primes, which stay in the order given: it is the order of residues. They are
// distinct odd primes below 2⁶³ (field.ErrModulus) and at least one (field.ErrLength). Time and memory are quadratic in
// their number. When ctx ends, its error is returned.
func New(ctx context.Context, primes []uint64, opts ...Option) (*System, error) {
	if err := stopped(ctx); err != nil {
		return nil, err
	}
	if len(primes) == 0 {
		return nil, fmt.Errorf("crt: %w: no primes, want at least one", field.ErrLength)
	}
	c, err := collect(opts)
	if err != nil {
		return nil, err
	}
	s := &System{config: c}
	seen := make(map[uint64]int, len(primes))
	for i, p := range primes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		j, twice := seen[p]
		switch {
		case p >= 1<<63:
			return nil, fmt.Errorf("crt: %w: %d is too large, want primes below 2^63", field.ErrModulus, p)
		case p%2 == 0 || !factor.IsPrime(p):
			return nil, fmt.Errorf("crt: %w: %d is not an odd prime", field.ErrModulus, p)
		case twice:
			return nil, fmt.Errorf("crt: %w: %d is prime %d and again prime %d, want distinct primes",
				field.ErrModulus, p, j, i)
		}
		seen[p] = i
	}
	if s.of, err = residues.NewSystem(ctx, primes); err != nil {
		return nil, err
	}
	s.rooms = &sync.Pool{New: func() any { return s.of.NewRoom() }}
	s.loops = &par.Loops[loop]{Workers: c.workers, Runner: c.runner}
	return s, nil
}

// NewBounded makes a system for the integers from −bound to bound, which GarnerSymmetric returns exactly: of all
// integers with the same residues, one alone is in [−M/2, M/2), and bound is there because M > 2·bound. It has the
// first primes of Primes(62, twoAdicity, …), as few as that takes. bound is not nil and not negative, and there are
// so many primes (field.ErrRange). When ctx ends, its error is returned.
func NewBounded(ctx context.Context, bound *big.Int, twoAdicity int, opts ...Option) (*System, error) {
	if err := stopped(ctx); err != nil {
		return nil, err
	}
	if bound == nil || bound.Sign() < 0 {
		return nil, fmt.Errorf("crt: %w: bound %v, want one that is not negative", field.ErrRange, bound)
	}
	return newBounded(ctx, 62, bound, twoAdicity, opts)
}

// newBounded is NewBounded by primes of so many bits.
func newBounded(ctx context.Context, size int, bound *big.Int, twoAdicity int, opts []Option) (*System, error) {
	all, err := primesBelow(ctx, size, twoAdicity)
	if err != nil {
		return nil, err
	}
	primes, ok := residues.Few(all, new(big.Int).Lsh(bound, residues.Signed))
	if ok {
		return New(ctx, primes, opts...)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("crt: %w: a bound of %d bits is beyond the product of all %d primes of %d bits with 2-adicity %d",
		field.ErrRange, bound.BitLen(), len(primes), size, twoAdicity)
}

// orNone returns s, or in place of nil and the zero System one without primes.
func (s *System) orNone() *System {
	if s == nil || s.of == nil {
		return &System{of: &residues.System{M: new(big.Int)}}
	}
	return s
}

// check is an ErrSpec for systems without primes.
func (s *System) check() error {
	if len(s.orNone().of.Moduli) == 0 {
		return fmt.Errorf("crt: %w: a system that is nil or zero, want one of New", field.ErrSpec)
	}
	return nil
}

// Primes returns the primes in order, a fresh slice.
func (s *System) Primes() []uint64 {
	s = s.orNone()
	p := make([]uint64, len(s.of.Moduli))
	for i, m := range s.of.Moduli {
		p[i] = m.P
	}
	return p
}

// Modulus returns M, the product of the primes, a fresh value.
func (s *System) Modulus() *big.Int { return new(big.Int).Set(s.orNone().of.M) }

// Bits is the bit length of M: every integer of absolute value below 2^(Bits−2) is in [−M/2, M/2).
func (s *System) Bits() int { return s.orNone().of.M.BitLen() }

// NewResidues returns a row of n zeros for each prime, in one piece of memory. A negative n is field.ErrLength, and one
// that cannot fit in memory field.ErrMemory.
func (s *System) NewResidues(n int) ([][]uint64, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if err := checkSize(n, 8*len(s.of.Moduli)); err != nil {
		return nil, err
	}
	r, all := make([][]uint64, len(s.of.Moduli)), make([]uint64, len(s.of.Moduli)*n)
	for i := range r {
		r[i] = all[i*n : (i+1)*n : (i+1)*n]
	}
	return r, nil
}

// checkSize refuses n elements of so many bytes that there cannot be.
func checkSize(n, bytes int) error {
	if n < 0 {
		return fmt.Errorf("crt: %w: %d elements, want none negative", field.ErrLength, n)
	}
	if limit := memory.Limit(); n > limit/max(1, bytes) {
		return fmt.Errorf("crt: %w: %d elements of %d bytes, the limit is %d bytes", field.ErrMemory, n, bytes, limit)
	}
	return nil
}

// NewInts returns n zeros, in pieces of memory of many, each with room for any integer of the system: Garner into them
// allocates none. A negative n is field.ErrLength, and one that cannot fit in memory field.ErrMemory.
func (s *System) NewInts(n int) ([]*big.Int, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if err := checkSize(n, 8*s.of.Words()+int(unsafe.Sizeof(big.Int{}))+int(unsafe.Sizeof(new(big.Int)))); err != nil {
		return nil, err
	}
	a := make([]*big.Int, n)
	const ns = 20
	_ = s.each(context.Background(), n, ns, func(_ *residues.SystemRoom, from, to int) {
		// Each worker clears memory of its own.
		s.newInts(a[from:to])
	})
	return a, nil
}

// newInts sets the elements of a to zeros.
func (s *System) newInts(a []*big.Int) {
	w := s.of.Words() * residues.WordsPerUint64
	ints, all := make([]big.Int, len(a)), make([]big.Word, len(a)*w)
	for i := range ints {
		a[i] = ints[i].SetBits(all[i*w : i*w : (i+1)*w])
	}
}

// checkRows reports whether the rows are one for each prime and of n elements each.
func (s *System) checkRows(what string, rows [][]uint64, n int) error {
	if len(rows) != len(s.of.Moduli) {
		return &field.LengthError{What: what, Want: len(s.of.Moduli), Got: len(rows)}
	}
	for i, row := range rows {
		if len(row) != n {
			return &field.LengthError{What: fmt.Sprintf("%s[%d]", what, i), Want: n, Got: len(row)}
		}
	}
	return nil
}

// checkInts reports nil pointers.
func checkInts(what string, a []*big.Int) error {
	if i := slices.Index(a, nil); i >= 0 {
		return fmt.Errorf("crt: %w: %s[%d] is nil", field.ErrRange, what, i)
	}
	return nil
}
