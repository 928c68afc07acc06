package fieldtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field"
)

// table checks that tables are made for any number of multipliers and do not keep the vector.
func (s *bulkSuite[E]) table(r *rand.Rand) error {
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
		s.b.Pack(of, field.ViewOf(w))
		s.b.Reduce(of)
		v := s.vector(r, p, 2*n)
		l := field.Layer{Off: 0, Blocks: n, Half: 1, Width: 1, Stride: 1}
		t.Radix2T(v.view, l)
		s.radix2T(v.part, old, l)
		if err := s.holds(v); err != nil {
			return fmt.Errorf("table of %d after a change of the vector that it was made of: %w", n, err)
		}
	}
	return nil
}

// elementwise checks tables that claim that their vectors are slices of canonical elements.
func (s *bulkSuite[E]) elementwise(r *rand.Rand) error {
	p := s.pool(r)
	w, t, err := s.multipliers(r, p, 32)
	if err != nil {
		return err
	}
	e, ok := t.(field.Elementwise[E])
	if !ok {
		return errNotOffered
	}
	f, kept := e.Elements()
	if len(kept) != len(w) {
		return fmt.Errorf("%d multipliers, want %d", len(kept), len(w))
	}
	if err := s.agree(w, kept); err != nil {
		return fmt.Errorf("multipliers: %w", err)
	}
	for range 100 {
		x, y, z := s.draw(r), s.draw(r), new(E)
		f.Mul(z, x, y)
		if err := s.law("the field of the table multiplies as the field does", z, s.mul(x, y), x, y); err != nil {
			return err
		}
	}
	l := field.Layer{Off: 0, Blocks: 32, Half: 1, Width: 1, Stride: 1}
	for range 32 {
		v := s.vector(r, p, 64)
		if _, ok := v.view.Buf.(*E); !ok {
			return fmt.Errorf("vectors are of %T, want %T", v.view.Buf, new(E))
		}
		a := field.SliceOf[E](v.view)
		t.Radix2T(v.view, l)
		s.radix2T(v.part, w, l)
		t.Radix2(v.view, l)
		s.radix2(v.part, w, l)
		if err := s.agree(v.part, a); err != nil {
			return fmt.Errorf("elements after passes: %w", err)
		}
	}
	return nil
}
