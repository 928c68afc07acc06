package fieldtest

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// planner checks small transforms of the field's own against the definition, computed by the element methods.
// A type that changes the arithmetic of a field that it embeds, and inherits Plan, fails here.
func (s *suite) planner(r *rand.Rand, f planner) error {
	for _, n := range []int{1, 2, 4, 8, 64} {
		d, err := s.f.Cyclic(n)
		if errors.Is(err, field.ErrNoRoot) {
			continue
		}
		if err != nil {
			return err
		}
		for range 2 {
			for _, order := range []field.Order{field.Natural, field.BitReversed} {
				if err := s.transform(r, f, d, order); err != nil {
					return fmt.Errorf("transform of length %d in order %v with shift %s: %w", n, order,
						s.show(d.Shift()), err)
				}
			}
			for s.f.Set(d.Shift(), s.draw(r)); s.isZero(d.Shift()); {
				s.f.Set(d.Shift(), s.draw(r))
			}
		}
	}
	return nil
}

// transform checks both directions of the plan for d, out of place and in place.
func (s *suite) transform(r *rand.Rand, f planner, d domain, order field.Order) error {
	plan, err := f.Plan(d, field.Spec{Order: order})
	if plan == nil || err != nil { // without a plan element methods make it
		return err
	}
	p := s.pool(r)
	x, ctx := p.fill(r, d.Len()), context.Background()
	y := s.evaluate(d, x, order)
	for _, c := range []struct {
		name     string
		run      func(ctx context.Context, dst, src elements) error
		in, want elements
	}{{"forward", plan.Forward, x, y}, {"inverse", plan.Inverse, y, x}} {
		src, dst := s.clone(c.in), p.fill(r, d.Len())
		if err := c.run(ctx, dst, src); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if err := s.agree(c.want, dst); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if err := s.agree(c.in, src); err != nil {
			return fmt.Errorf("%s changes its source: %w", c.name, err)
		}
		if err := c.run(ctx, src, src); err != nil {
			return fmt.Errorf("%s in place: %w", c.name, err)
		}
		if err := s.agree(c.want, src); err != nil {
			return fmt.Errorf("%s in place: %w", c.name, err)
		}
	}
	return nil
}

// evaluate returns the values at the points of d of the polynomial with coefficients x, by Horner's rule.
func (s *suite) evaluate(d domain, x elements, order field.Order) elements {
	y := s.f.Make(d.Len())
	point := s.f.New()
	for j := range d.Len() {
		d.Point(point, j)
		z := s.f.New()
		for i := d.Len() - 1; i >= 0; i-- {
			s.f.Mul(z, z, point)
			s.f.Add(z, z, x[i])
		}
		at := j
		if order == field.BitReversed {
			at = bulks.Rev(j, bits.Len(uint(d.Len()))-1)
		}
		s.f.Set(y[at], z)
	}
	return y
}
