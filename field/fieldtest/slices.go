package fieldtest

import (
	"fmt"
	"math/bits"
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
	a, at := p.s.f.Make(n), make([]int, n)
	kind, one := r.IntN(10), r.IntN(len(p.v))
	random := r.Uint64() | 1 // xorshift is enough for a choice, in a fifth of the time
	for i := range at {
		switch kind {
		case 0:
			at[i] = 3 // −1
		case 1:
			at[i] = one
		case 2:
			at[i] = 3 * (i % 2) // 0, −1
		default:
			random ^= random << 13
			random ^= random >> 7
			random ^= random << 17
			j, _ := bits.Mul64(random, uint64(len(p.v)))
			at[i] = int(j)
		}
	}
	p.s.f.Pick(a, p.v, at)
	return a
}

func (s *suite) clone(a elements) elements { return s.f.Clone(a) }

// agree reports the first place where got is not want.
func (s *suite) agree(want, got elements) error {
	for i := s.f.Differs(want, got, 0); i >= 0; i = s.f.Differs(want, got, i+1) {
		if !s.same(want[i], got[i]) {
			return fmt.Errorf("element %d is %s, want %s", i, s.show(got[i]), s.show(want[i]))
		}
	}
	return nil
}
