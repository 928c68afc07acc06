package main

import (
	"slices"

	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/svg"
)

// montgomery runs the transforms for use over the largest prime of each class of 64-bit words, by the arithmetic that
// the prime has and in Montgomery's form, with the kernels of every tier, all in turn.
func montgomery(s *session) error {
	return s.pinned(1, func() error {
		for e := max(6, s.least&^1); e <= min(22, s.most); e += 2 {
			if !s.takes(e) {
				continue
			}
			var all []contender
			for _, tier := range cpu.Present() {
				if err := onTier(s, tier, 1<<e, &all); err != nil {
					return err
				}
			}
			if err := s.measure(all...); err != nil {
				return err
			}
		}
		return nil
	})
}

// onTier adds the transforms of one tier. Fields and plans keep the kernels that they were made with.
func onTier(s *session, tier cpu.Tier, n int, all *[]contender) error {
	undo, err := cpu.Use(tier)
	if err != nil {
		return err
	}
	defer undo()
	for _, own := range montgomeryFields() {
		other, err := smallprime.Montgomery(own.Modulus())
		if err != nil {
			return err
		}
		for _, f := range []rooted[uint64]{own, other} {
			t, err := newData(f, n)
			if err != nil {
				return err
			}
			c, err := t.forward(s, shipped, form{})
			if err != nil {
				return err
			}
			c.Tier = tier.String()
			*all = append(*all, c)
		}
	}
	return nil
}

// montgomeryFields are of the largest primes of each class of 64-bit words.
func montgomeryFields() []*smallprime.Field64 {
	return []*smallprime.Field64{smallprime.P50(), smallprime.P62(), smallprime.P63(), smallprime.P64()}
}

// montgomeryTable has both times of a prime beside each other, on each tier.
func montgomeryTable(r results, b *grid) {
	lengths := slices.Compact([]int{min(1<<10, r.longest()), min(1<<16, r.longest()), r.longest()})
	head := []string{"tier", "prime"}
	for _, n := range lengths {
		head = append(head, svg.Power(n)+": shipped", "Montgomery's form", "over shipped")
	}
	b.head(head...)
	for _, tier := range values(r, func(l line) string { return l.Tier }) {
		for _, f := range montgomeryFields() {
			cells := []string{tier, f.Name()}
			for _, n := range lengths {
				own := line{Field: f.Name(), Contender: shipped, What: "forward", N: n, Tier: tier}
				other := own
				other.Field = smallprime.MontgomeryPrefix + f.Name()
				cells = append(cells, r.each(own, own.butterflies()), r.each(other, own.butterflies()),
					r.ratio(other, own))
			}
			b.row(cells...)
		}
	}
}
