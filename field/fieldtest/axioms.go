package fieldtest

import (
	"cmp"
	"errors"
	"math/rand/v2"
)

// axioms checks the laws of a commutative ring with 0 ≠ 1; inverse adds the last law of a field.
func (s *suite) axioms(r *rand.Rand) error {
	zero, one := s.f.New(), s.one()
	if s.f.Equal(zero, one) {
		return errors.New("0 = 1")
	}
	v := s.values(r, 4)
	for _, x := range v {
		if err := s.laws1(zero, one, x); err != nil {
			return err
		}
		for _, y := range v {
			if err := s.laws2(x, y); err != nil {
				return err
			}
			for _, z := range v {
				if err := s.laws3(x, y, z); err != nil {
					return err
				}
			}
		}
	}
	for range 1000 * s.scale {
		x, y, z := s.draw(r), s.draw(r), s.draw(r)
		if err := cmp.Or(s.laws1(zero, one, x), s.laws2(x, y), s.laws3(x, y, z)); err != nil {
			return err
		}
	}
	return nil
}

func (s *suite) laws1(zero, one, x element) error {
	return cmp.Or(
		s.law("x + 0 = x", s.add(x, zero), x, x),
		s.law("x·1 = x", s.mul(x, one), x, x),
		s.law("x·0 = 0", s.mul(x, zero), zero, x),
		s.law("x + (−x) = 0", s.add(x, s.neg(x)), zero, x),
		s.law("x − x = 0", s.sub(x, x), zero, x),
		s.law("0 − x = −x", s.sub(zero, x), s.neg(x), x),
		s.law("x − 0 = x", s.sub(x, zero), x, x),
		s.law("−(−x) = x", s.neg(s.neg(x)), x, x),
		s.law("x·(−1) = −x", s.mul(x, s.neg(one)), s.neg(x), x),
	)
}

func (s *suite) laws2(x, y element) error {
	return cmp.Or(
		s.law("x + y = y + x", s.add(x, y), s.add(y, x), x, y),
		s.law("xy = yx", s.mul(x, y), s.mul(y, x), x, y),
		s.law("(x − y) + y = x", s.add(s.sub(x, y), y), x, x, y),
		s.law("x + (−y) = x − y", s.add(x, s.neg(y)), s.sub(x, y), x, y),
		s.law("−(x − y) = y − x", s.neg(s.sub(x, y)), s.sub(y, x), x, y),
	)
}

func (s *suite) laws3(x, y, z element) error {
	return cmp.Or(
		s.law("(x + y) + z = x + (y + z)", s.add(s.add(x, y), z), s.add(x, s.add(y, z)), x, y, z),
		s.law("(xy)z = x(yz)", s.mul(s.mul(x, y), z), s.mul(x, s.mul(y, z)), x, y, z),
		s.law("x(y + z) = xy + xz", s.mul(x, s.add(y, z)), s.add(s.mul(x, y), s.mul(x, z)), x, y, z),
	)
}
