package fieldtest

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// shifter checks that Shift multiplies by the powers of a root of unity g, for all s up to twice its order
// (4096 of them at most) and for huge s.
func (s *suite) shifter(r *rand.Rand, f shifter) error {
	order := f.ShiftOrder()
	if order == 0 {
		return fmt.Errorf("the shift order is 0")
	}
	g := s.f.New()
	f.Shift(g, s.one(), 1)
	if err := s.exactOrder("the root that Shift multiplies by", g, order); err != nil {
		return err
	}
	v := s.values(r, 4*s.scale)
	power := s.one()
	for n := range min(2*order, 4096) + 1 {
		if err := s.shift(f, v, n, power); err != nil {
			return err
		}
		power = s.mul(power, g)
	}
	big := []uint64{order - 1, order + 1, 2*order - 1, math.MaxUint32, math.MaxUint32 + 1, 1 << 63, math.MaxUint64 - 1,
		math.MaxUint64}
	for range 8 {
		big = append(big, r.Uint64())
	}
	for _, n := range big {
		if err := s.shift(f, v, n, s.pow(g, n%order)); err != nil {
			return err
		}
		shift := op{fmt.Sprintf("Shift by %d of", n), 1, func(z, x, _ element) { f.Shift(z, x, n) }}
		if err := s.aliases(r, []op{shift}); err != nil {
			return err
		}
	}
	return nil
}

// shift checks that Shift by n multiplies each x by power.
func (s *suite) shift(f shifter, v []element, n uint64, power element) error {
	for _, x := range v {
		z := s.f.New()
		f.Shift(z, x, n)
		if err := s.law(fmt.Sprintf("Shift(x, %d) = x·g^%d", n, n), z, s.mul(x, power), x); err != nil {
			return err
		}
	}
	return nil
}
