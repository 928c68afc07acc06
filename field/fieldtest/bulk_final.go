package fieldtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field"
)

// final checks the passes that end an inverse transform: a transpose, then the product by one multiplier. Where bulks
// work on slices of elements these then hold canonical ones.
func (s *bulkSuite[E]) final(r *rand.Rand) error {
	return s.ending(r, false, func(t field.Table, l field.Layer, layers int) func(v field.View, by field.Table) {
		f, ok := t.(field.Final)
		if !ok {
			return nil
		}
		return func(v field.View, by field.Table) { f.Final(v, l, layers, by) }
	})
}

func (s *bulkSuite[E]) finalTail(r *rand.Rand) error {
	return s.ending(r, true, func(t field.Table, l field.Layer, layers int) func(v field.View, by field.Table) {
		f, ok := t.(field.FinalTail)
		if !ok {
			return nil
		}
		b := field.Blocks{Off: l.Off, Size: 1 << layers, Count: l.Blocks}
		return func(v field.View, by field.Table) { f.FinalTail(v, b, by) }
	})
}

// ending checks what pass returns, nil for a table that does not offer it, on single layers.
func (s *bulkSuite[E]) ending(r *rand.Rand, tail bool,
	pass func(t field.Table, l field.Layer, layers int) func(v field.View, by field.Table)) error {
	p := s.pool(r)
	for _, l := range shapes(r, tail, s.scale) {
		layers := 1 + r.IntN(5)
		w, t, err := s.multipliers(r, p, (l.Off+l.Blocks)<<layers/2)
		if err != nil {
			return err
		}
		if high, ok := t.(field.HighRadix); !tail && ok {
			layers = min(layers, max(1, high.MaxLayers()))
		} else if !tail {
			layers = 1
		}
		run := pass(t, l, layers)
		if run == nil {
			return errNotOffered
		}
		if tail && t.(field.Tail).TailSize(1<<layers) != 1<<layers {
			continue
		}
		c, by, err := s.multipliers(r, p, 1)
		if err != nil {
			return err
		}
		rows := l.Blocks * l.Half << layers
		v := s.vector(r, p, (rows-1)*l.Stride+l.Width)
		run(v.view, by)
		s.layersT(1<<layers, v.part, w, l)
		for i := range rows {
			s.scaleRows(v.part[i*l.Stride:], c, 0, 1, l.Width, l.Stride)
		}
		err = s.holds(v)
		for i := 0; i < rows && err == nil && s.b.Traits().InPlace; i++ {
			at := i * l.Stride
			err = s.agree(v.part[at:at+l.Width], field.SliceOf[E](v.view)[at:at+l.Width])
		}
		if err != nil {
			return fmt.Errorf("%d layers, %+v: %w", layers, l, err)
		}
	}
	return nil
}
