package fieldtest

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field/bulks"
)

// device checks that a device waits for operations that do not fail without an error, that a vector which wakes can be
// used, and that one which is released takes no other with it; that it clears what it is told to, and finds elements
// that are not canonical.
func (s *bulkSuite) device(r *rand.Rand) error {
	d, ok := s.b.(bulks.Device)
	if !ok {
		return errNotOffered
	}
	p := s.pool(r)
	for range 8 * s.scale {
		n := 2 + r.IntN(60)
		v, other := s.vector(r, p, n), s.vector(r, p, n)
		for _, v := range []*vector{v, other} {
			if err := s.widen(r, p, v); err != nil {
				return err
			}
			if err := d.Wait(context.Background(), v.view); err != nil {
				return fmt.Errorf("Wait for a pass over %d elements: %w", n, err)
			}
		}
		d.Clear(v.view)
		for i := range v.part {
			s.f.Set(v.part[i], s.f.New())
		}
		if err := s.holds(v); err != nil {
			return fmt.Errorf("after Clear of %d elements: %w", n, err)
		}
		if err := s.seeks(r, d, v, p.fill(r, n)); err != nil {
			return err
		}
		d.Rest(v.whole)
		if !d.Wake(v.whole) { // it was freed
			continue
		}
		s.b.Pack(v.whole, v.want.view())
		if err := s.holds(v); err != nil {
			return fmt.Errorf("after a rest: %w", err)
		}
		if err := d.Release(v.whole); err != nil {
			return fmt.Errorf("Release of %d elements: %w", len(v.want), err)
		}
		if err := s.holds(other); err != nil {
			return fmt.Errorf("after Release of another vector: %w", err)
		}
	}
	return nil
}

// seeks checks what d finds among the elements a, behind v, and among others of which one is not canonical.
func (s *bulkSuite) seeks(r *rand.Rand, d bulks.Device, v *vector, a elements) error {
	for _, bad := range []bool{false, true, false} {
		x := s.f.Copy(a)
		if bad {
			invalid, ok := s.invalid()
			if !ok {
				continue
			}
			s.f.Assign(x[r.IntN(len(x))], invalid)
		}
		s.b.Pack(v.view, x.view())
		if !d.Seek(v.view) {
			continue
		}
		if err := d.Wait(context.Background(), v.view); err != nil {
			return fmt.Errorf("Wait for Seek among %d elements: %w", len(x), err)
		}
		if found, err := d.Found(v.view); found != bad || err != nil {
			return fmt.Errorf("Found among %d elements is %t, %v, want %t", len(x), found, err, bad)
		}
	}
	s.b.Pack(v.view, a.view())
	return nil
}
