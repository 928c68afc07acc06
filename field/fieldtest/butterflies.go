package fieldtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field/bulks"
)

// butterflies checks rows of butterflies of all lengths against their definition, and that neither the multiplier nor
// what is beside the rows changes.
func (s *suite) butterflies(r *rand.Rand, f butterflies) error {
	p := s.pool(r)
	for n := range 40 * s.scale {
		w := p.fill(r, 1)
		for _, c := range []struct {
			name string
			do   func(x, y elements, w element)
			def  func(v, w elements, l layer)
		}{{"Butterflies", f.Butterflies, s.radix2}, {"ButterfliesT", f.ButterfliesT, s.radix2T}} {
			v := p.fill(r, 2*n+2) // x, y, and an element behind each
			want, multiplier := s.clone(v), s.clone(w)
			c.def(want, w, layer{0, bulks.Rows{Blocks: 1, Half: 1, Width: n, Stride: n + 1}})
			c.do(v[:n:n+1], v[n+1:2*n+1:2*n+2], w[0])
			if err := s.agree(want, v); err != nil {
				return fmt.Errorf("%s on rows of %d: %w", c.name, n, err)
			}
			if err := s.agree(multiplier, w); err != nil {
				return fmt.Errorf("%s on rows of %d changes its multiplier: %w", c.name, n, err)
			}
		}
	}
	return nil
}
