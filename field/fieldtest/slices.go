package fieldtest

import (
	"fmt"
	"math/rand/v2"
)

// pool holds values from which slices are filled.
type pool struct {
	s *suite
	v []element
}

func (s *suite) pool(r *rand.Rand) pool { return pool{s, s.values(r, 32)} }

// fill returns n values: mostly any of the pool, at times one value everywhere, or 0 and −1 in turn, so that
// sums of lazily reduced values come to their limits.
func (p pool) fill(r *rand.Rand, n int) elements {
	a := p.s.f.Make(n)
	kind, one := r.IntN(10), r.IntN(len(p.v))
	for i := range a {
		x := p.v[r.IntN(len(p.v))]
		switch kind {
		case 0:
			x = p.v[3] // −1
		case 1:
			x = p.v[one]
		case 2:
			x = p.v[3*(i%2)] // 0, −1
		}
		p.s.f.Set(a[i], x)
	}
	return a
}

func (s *suite) clone(a elements) elements {
	b := s.f.Make(len(a))
	for i := range a {
		s.f.Set(b[i], a[i])
	}
	return b
}

// agree reports the first place where got is not want.
func (s *suite) agree(want, got elements) error {
	for i := range want {
		if !s.same(want[i], got[i]) {
			return fmt.Errorf("element %d is %s, want %s", i, s.show(got[i]), s.show(want[i]))
		}
	}
	return nil
}
