package fieldtest

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field/bulks"
)

// device checks that a device waits for operations that do not fail without an error, that a vector which wakes can be
// used, and that one which is released takes no other with it.
func (s *bulkSuite[E]) device(r *rand.Rand) error {
	d, ok := s.b.(bulks.Device)
	if !ok {
		return errNotOffered
	}
	p := s.pool(r)
	for range 8 * s.scale {
		n := 2 + r.IntN(60)
		v, other := s.vector(r, p, n), s.vector(r, p, n)
		for _, v := range []*vector[E]{v, other} {
			if err := s.widen(r, p, v); err != nil {
				return err
			}
			if err := d.Wait(context.Background(), v.view); err != nil {
				return fmt.Errorf("Wait for a pass over %d elements: %w", n, err)
			}
		}
		d.Rest(v.whole)
		if !d.Wake(v.whole) { // it was freed
			continue
		}
		s.b.Pack(v.whole, bulks.ViewOf(v.want))
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
