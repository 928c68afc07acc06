package fieldtest

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/galfft/fft/field"
)

// info checks what a field says of itself against what it does.
func (s *suite) info(r *rand.Rand, f field.Info) error {
	if f.Name() == "" {
		return errors.New("the name is empty")
	}
	if err := cmp.Or(fresh("characteristic", f.Characteristic), fresh("order", f.Order)); err != nil {
		return err
	}
	p, q := f.Characteristic(), f.Order()
	if !p.ProbablyPrime(20) {
		return fmt.Errorf("the characteristic is %v, want a prime", p)
	}
	if !powerOf(p, q) {
		return fmt.Errorf("the order is %v, want a power of the characteristic %v", q, p)
	}
	for _, x := range s.values(r, 8*s.scale) {
		if err := s.law(fmt.Sprintf("x + … + x = 0 with %v terms", p), s.times(x, p), s.f.New(), x); err != nil {
			return err
		}
		y := s.f.New()
		s.f.Pow(y, x, q)
		if err := s.law(fmt.Sprintf("x^%v = x", q), y, x, x); err != nil {
			return err
		}
	}
	return nil
}

// fresh checks that get returns one value, whatever becomes of the last.
func fresh(what string, get func() *big.Int) error {
	x := get()
	want := new(big.Int).Set(x)
	x.Add(x, x)
	if got := get(); got.Cmp(want) != 0 {
		return fmt.Errorf("the %s is %v after a change of what was returned before, %v", what, got, want)
	}
	return nil
}

// powerOf reports whether q is p, p², p³, …
func powerOf(p, q *big.Int) bool {
	x := new(big.Int).Set(p)
	for x.Cmp(q) < 0 {
		x.Mul(x, p)
	}
	return x.Cmp(q) == 0
}

// times returns the sum of n copies of x.
func (s *suite) times(x element, n *big.Int) element {
	z := s.f.New()
	for i := n.BitLen() - 1; i >= 0; i-- {
		s.f.Add(z, z, z)
		if n.Bit(i) == 1 {
			s.f.Add(z, z, x)
		}
	}
	return z
}
