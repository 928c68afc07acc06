package fieldtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field/bulks"
)

// overlays checks that vectors in slices of elements hold what others do, and leave the elements around them alone.
func (s *bulkSuite) overlays(r *rand.Rand) error {
	b, ok := s.b.(bulks.Spanner)
	if !ok {
		return errNotOffered
	}
	p, tile := s.pool(r), b.Tile()
	for range 8 * s.scale {
		before, n := r.IntN(tile+2), tile*(1+r.IntN(4))
		x, y := p.fill(r, before+n+r.IntN(4)), p.fill(r, n)
		want := p.fill(r, len(x))
		for i := range x {
			s.f.Set(want[i], x[i])
		}
		for i := range y {
			s.f.Mul(want[before+i], x[before+i], y[i])
		}
		a := x.view().Slice(before, before+n)
		v, w := b.Overlay(a), s.alloc(n)
		s.b.Pack(v, a)
		s.b.Pack(w, y.view())
		s.b.VecMul(v, v, w)
		s.b.Unpack(a, v)
		if err := s.agree(want, x); err != nil {
			return fmt.Errorf("products in a slice, from element %d on, %d of them: %w", before, n, err)
		}
	}
	return nil
}
