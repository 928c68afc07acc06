package fieldtest

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/galfft/fft/field"
)

// roots checks the orders of roots, that those of powers of two fit together, and refusals.
func (s *suite) roots(r *rand.Rand, f rooted) error {
	for _, n := range append([]uint64{1}, s.orders...) {
		granted, err := s.root(f, n, s.draw(r))
		if err == nil && !granted {
			err = fmt.Errorf("no root of unity of order %d", n)
		}
		if err != nil {
			return err
		}
	}
	for _, n := range s.oddOrders() {
		if _, err := s.root(f, n, s.draw(r)); err != nil {
			return err
		}
	}
	return s.tower(r, f)
}

// oddOrders lists orders to try beside the powers of two; most fields refuse most of them.
func (s *suite) oddOrders() []uint64 {
	orders := []uint64{1<<63 + 1, math.MaxUint64}
	for n := range uint64(65) {
		orders = append(orders, n)
	}
	for n := uint64(3); n != 0; n *= 2 {
		orders = append(orders, n)
	}
	if i := s.has.info; i != nil { // in characteristic p, all p-th roots of unity are 1
		if p := i.Characteristic(); p.IsUint64() {
			orders = append(orders, p.Uint64())
		}
	}
	return orders
}

// root asks for a root of order n in z, and returns whether it was granted. A root must have order n exactly;
// a refusal must be ErrNoRoot and leave z.
func (s *suite) root(f rooted, n uint64, z element) (granted bool, err error) {
	w := s.witness(z)
	what := fmt.Sprintf("root of unity of order %d", n)
	if err := f.RootOfUnity(z, n); err != nil || n == 0 {
		return false, cmp.Or(wrongError(what, err, field.ErrNoRoot), s.kept("z, after a refused "+what+",", z, w))
	}
	return true, s.exactOrder(what, z, n)
}

// tower checks all powers of two: up to some order each is granted, none after, and squares of roots are the
// roots of half the order.
func (s *suite) tower(r *rand.Rand, f rooted) error {
	var last element // of order 2^(k−1); nil after a refusal
	for k := range 64 {
		z := s.draw(r)
		n := uint64(1) << k
		granted, err := s.root(f, n, z)
		switch {
		case err != nil:
			return err
		case !granted:
			last = nil
			continue
		case k > 0 && last == nil:
			return fmt.Errorf("there is a root of unity of order %d and none of order %d", n, n/2)
		case k > 0:
			if err := s.law(fmt.Sprintf("root(%d)² = root(%d)", n, n/2), s.mul(z, z), last, z); err != nil {
				return err
			}
		}
		last = s.copy(z)
		for _, change := range s.ops() { // a root handed out is the caller's
			change.do(z, z, last)
		}
		if err := f.RootOfUnity(z, n); err != nil {
			return fmt.Errorf("second root of unity of order %d: %w", n, err)
		}
		if err := s.law(fmt.Sprintf("root(%d) is the same again", n), z, last); err != nil {
			return err
		}
	}
	return nil
}

// exactOrder checks that z has order n, for n > 0.
func (s *suite) exactOrder(what string, z element, n uint64) error {
	one := s.one()
	if !s.same(s.pow(z, n), one) {
		return fmt.Errorf("%s: %s to the power of %d is not 1", what, s.show(z), n)
	}
	for _, q := range primes(n) {
		if s.f.Equal(s.pow(z, n/q), one) {
			return fmt.Errorf("%s: %s to the power of %d is 1 already", what, s.show(z), n/q)
		}
	}
	return nil
}

// primes returns the prime divisors of n > 0, by trial division until what is left is a prime.
func primes(n uint64) (list []uint64) {
	for q := uint64(2); n > 1; {
		if new(big.Int).SetUint64(n).ProbablyPrime(0) { // exact below 2^64
			return append(list, n)
		}
		for n%q != 0 {
			q++
		}
		list = append(list, q)
		for n%q == 0 {
			n /= q
		}
	}
	return list
}
