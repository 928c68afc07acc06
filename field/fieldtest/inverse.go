package fieldtest

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field"
)

// inverse checks that all values but 0 have an inverse.
func (s *suite) inverse(r *rand.Rand) error {
	one := s.one()
	for _, x := range s.values(r, 32*s.scale) {
		z := s.draw(r)
		if s.isZero(x) {
			if err := cmp.Or(s.refused(z, x), s.refused(x, x)); err != nil {
				return err
			}
			continue
		}
		if err := s.f.Inv(z, x); err != nil {
			return fmt.Errorf("inverse of %s: %w", s.show(x), err)
		}
		if err := s.law("x·(1/x) = 1", s.mul(x, z), one, x); err != nil {
			return err
		}
	}
	return nil
}

// refused checks that x = 0 has no inverse. z may be x.
func (s *suite) refused(z, x element) error {
	w := s.witness(z)
	return cmp.Or(
		wrongError("inverse of 0", s.f.Inv(z, x), field.ErrNotInvertible),
		s.kept("z, after the inverse of 0 was refused,", z, w),
	)
}
