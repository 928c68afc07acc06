package fieldtest

import (
	"fmt"
	"math/rand/v2"
)

// vecMul checks pointwise products of narrow and of wide values with every aliasing, and that operands stay.
func (s *bulkSuite) vecMul(r *rand.Rand) error {
	p := s.pool(r)
	for n := range 41 + 2 {
		if n > 40 {
			n = 60 * (n - 39)
		}
		for _, c := range [][3]int{{2, 0, 1}, {0, 0, 1}, {1, 0, 1}, {2, 0, 0}, {0, 0, 0}} {
			v := [3]*vector{s.vector(r, p, n), s.vector(r, p, n), s.vector(r, p, n)}
			for i := range v {
				if n < 2 || r.IntN(2) == 0 {
					continue
				}
				if err := s.widen(r, p, v[i]); err != nil {
					return err
				}
			}
			z, x, y := v[c[0]], v[c[1]], v[c[2]]
			s.b.VecMul(z.view, x.view, y.view)
			for i := range n {
				s.f.Mul(z.part[i], x.part[i], y.part[i])
			}
			for i := range v {
				if err := s.holds(v[i]); err != nil {
					return fmt.Errorf("VecMul(%c, %c, %c) of %d: %c: %w", "xyz"[c[0]], "xyz"[c[1]], "xyz"[c[2]], n,
						"xyz"[i], err)
				}
			}
		}
	}
	return nil
}

// scales checks Scale for rows that touch and rows that do not.
func (s *bulkSuite) scales(r *rand.Rand) error {
	p := s.pool(r)
	for i := range 80 * s.scale {
		off, rows, width := r.IntN(6), 1+r.IntN(20), 1+i/2%40
		stride := width + i%2*(1+r.IntN(9))
		w, t, err := s.multipliers(r, p, off+rows+r.IntN(3))
		if err != nil {
			return err
		}
		v := s.vector(r, p, (rows-1)*stride+width)
		t.Scale(v.view, off, rows, width, stride)
		s.scaleRows(v.part, w, off, rows, width, stride)
		if err := s.holds(v); err != nil {
			return fmt.Errorf("Scale from %d on, %d rows of %d with stride %d: %w", off, rows, width, stride, err)
		}
	}
	return nil
}
