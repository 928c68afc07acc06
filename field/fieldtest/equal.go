package fieldtest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
)

// equal checks that Equal says x = y both ways if and only if x − y is 0 and, where there is a codec, if and
// only if the encodings agree.
func (s *suite) equal(r *rand.Rand) error {
	v := s.values(r, 8*s.scale)
	for _, x := range v {
		next := s.add(x, s.one())
		if s.f.Equal(x, next) || s.f.Equal(next, x) {
			return fmt.Errorf("%s is equal to itself plus 1, %s", s.show(x), s.show(next))
		}
		if !s.f.Equal(x, x) || !s.f.Equal(x, s.copy(x)) {
			return fmt.Errorf("%s is not equal to itself or to its copy", s.show(x))
		}
		for _, y := range v {
			want := s.isZero(s.sub(x, y))
			if s.f.Equal(x, y) != want || s.f.Equal(y, x) != want {
				return fmt.Errorf("Equal(%s, %s) is %v, the other way round %v, want %v",
					s.show(x), s.show(y), s.f.Equal(x, y), s.f.Equal(y, x), want)
			}
			if s.codec == nil {
				continue
			}
			if got := bytes.Equal(s.encode(x), s.encode(y)); got != want {
				return fmt.Errorf("encodings of %s and %s are equal: %v, want %v", s.show(x), s.show(y), got, want)
			}
		}
	}
	return nil
}
