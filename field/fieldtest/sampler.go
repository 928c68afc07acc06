package fieldtest

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
)

// sampler checks that draws depend on the source alone, which is there, differ, and reach both ends of the field.
func (s *suite) sampler(r *rand.Rand, f sampler) error {
	const draws = 256
	seed := r.Uint64()
	var first []element
	a, b, c := newRand(seed), newRand(seed), newRand(seed+1)
	varied, seeded := false, false
	for range draws {
		x, y, z := s.f.New(), s.one(), s.f.New()
		f.Random(x, a)
		f.Random(y, b)
		f.Random(z, c)
		if err := s.law("two sources with one seed draw the same", x, y); err != nil {
			return err
		}
		first = append(first, x)
		varied = varied || !s.f.Equal(x, first[0])
		seeded = seeded || !s.f.Equal(x, z)
	}
	if !varied || !seeded {
		return fmt.Errorf("%d draws give one value or do not depend on the seed", draws)
	}
	if !panics(func() { f.Random(s.f.New(), nil) }) {
		return errors.New("Random without a source does not panic")
	}
	info := s.has.info
	if info == nil || s.codec == nil {
		return nil
	}
	return cmp.Or(s.ends(info.Order(), first), s.all(f, r, info.Order()))
}

// ends checks that the lowest and the highest quarter of the numbers are drawn; 256 uniform draws miss one
// with a probability of 2^−105.
func (s *suite) ends(order *big.Int, drawn []element) error {
	if order.BitLen() < 8 {
		return nil
	}
	low, high := false, false
	for _, x := range drawn {
		n := s.codec.Big(new(big.Int), x)
		switch n.Lsh(n, 2).Div(n, order).Int64() {
		case 0:
			low = true
		case 3:
			high = true
		}
	}
	if !low || !high {
		return fmt.Errorf("%d draws reach the lowest quarter: %v, the highest: %v", len(drawn), low, high)
	}
	return nil
}

// all checks that a field of at most 257 elements has each of them drawn; 64 times as many uniform draws miss
// one with a probability below 2^−80.
func (s *suite) all(f sampler, r *rand.Rand, order *big.Int) error {
	if order.Cmp(big.NewInt(257)) > 0 {
		return nil
	}
	n := order.Int64()
	seen := make(map[string]bool)
	for range 64 * n {
		z := s.f.New()
		f.Random(z, r)
		seen[string(s.encode(z))] = true
	}
	if int64(len(seen)) != n {
		return errors.New("some elements are never drawn")
	}
	return nil
}
