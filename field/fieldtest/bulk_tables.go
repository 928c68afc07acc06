package fieldtest

import (
	"fmt"
	"math/rand/v2"
	"reflect"

	"github.com/galfft/fft/field/bulks"
)

// table checks that tables are made for any number of multipliers and do not keep the vector.
func (s *bulkSuite) table(r *rand.Rand) error {
	p := s.pool(r)
	for n := 1; n <= 33; n++ {
		w, of, t, err := s.multipliersOf(r, p, n)
		if err != nil {
			return err
		}
		if t.Bytes() < 0 {
			return fmt.Errorf("a table of %d takes %d bytes", n, t.Bytes())
		}
		old := s.clone(w)
		s.stir(w)
		s.b.Pack(of, w.view())
		s.b.Reduce(of)
		v := s.vector(r, p, 2*n)
		l := layer{0, bulks.Rows{Blocks: n, Half: 1, Width: 1, Stride: 1}}
		l.pass(t, v.view, 1, bulks.Pass{How: bulks.Transposed})
		s.radix2T(v.part, old, l)
		if err := s.holds(v); err != nil {
			return fmt.Errorf("table of %d after a change of the vector that it was made of: %w", n, err)
		}
	}
	return nil
}

// single checks bulks that claim that their vectors are slices of canonical elements, whatever passes do.
func (s *bulkSuite) single(r *rand.Rand) error {
	if !s.b.Traits().Single {
		return errNotOffered
	}
	p := s.pool(r)
	w, t, err := s.multipliers(r, p, 32)
	if err != nil {
		return err
	}
	l := layer{0, bulks.Rows{Blocks: 32, Half: 1, Width: 1, Stride: 1}}
	for range 32 {
		v := s.vector(r, p, 64)
		if reflect.TypeOf(v.view.Buf) != reflect.TypeOf(s.f.New()) {
			return fmt.Errorf("vectors are of %T, want %T", v.view.Buf, s.f.New())
		}
		a := s.f.Elements(v.view)
		l.pass(t, v.view, 1, bulks.Pass{How: bulks.Transposed})
		s.radix2T(v.part, w, l)
		l.pass(t, v.view, 1, bulks.Pass{})
		s.radix2(v.part, w, l)
		if err := s.agree(v.part, a); err != nil {
			return fmt.Errorf("elements after passes: %w", err)
		}
	}
	return nil
}
