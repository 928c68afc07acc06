package fieldtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field/bulks"
)

// ending checks the passes that end an inverse transform: a transpose, tails or not, then the product by one
// multiplier. Where bulks work on slices of elements these then hold canonical ones.
func (s *bulkSuite) ending(r *rand.Rand, tail bool) error {
	if !s.passes.By || tail && s.tails() == nil {
		return errNotOffered
	}
	p := s.pool(r)
	for _, l := range shapes(r, tail, s.scale) {
		layers := 1 + r.IntN(max(1, s.passes.Layers))
		if tail {
			layers = one(r, s.tails())
		}
		l = s.fewer(r, l, layers)
		w, t, err := s.multipliers(r, p, (l.Off+l.Blocks)<<layers/2)
		if err != nil {
			return err
		}
		c, by, err := s.multipliers(r, p, 1)
		if err != nil {
			return err
		}
		rows := l.Blocks * l.Half << layers
		v := s.vector(r, p, (rows-1)*l.Stride+l.Width)
		l.pass(t, v.view, layers, bulks.Pass{How: bulks.Transposed, By: by})
		s.layersT(layers, v.part, w, l)
		for i := range rows {
			s.scaleRows(v.part[i*l.Stride:], c, 0, 1, l.Width, l.Stride)
		}
		err = s.holds(v)
		for i := 0; i < rows && err == nil && s.b.Traits().InPlace; i++ {
			at := i * l.Stride
			err = s.agree(v.part[at:at+l.Width], s.f.Elements(v.view.Slice(at, at+l.Width)))
		}
		if err != nil {
			return fmt.Errorf("%d layers, %+v: %w", layers, l, err)
		}
	}
	return nil
}
