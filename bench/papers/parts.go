package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes/literal"
)

// parts times the literal schemes by part, over the small prime and the large one of the thesis, with each number of
// workers: the parts of the transform that took the least time in all.
func parts(s *session) error {
	return s.pinned(s.mostWorkers(), func() error {
		for e := max(8, s.least&^3); e <= min(20, s.most); e += 4 {
			if !s.takes(e) {
				continue
			}
			if err := partsOf(s, smallprime.P1(), 1<<e); err != nil {
				return err
			}
			if err := partsOf(s, bigprime.P2(), 1<<e); err != nil {
				return err
			}
		}
		return nil
	})
}

// clock takes the times of the parts of one call.
type clock struct {
	spent [literal.Done]time.Duration
	part  literal.Part
	since time.Time

	count  func() uint64 // of misses, where they are counted
	missed [literal.Done]uint64
	before uint64
}

func (c *clock) mark(p literal.Part) {
	now, last := time.Now(), c.part
	if last < literal.Done {
		c.spent[last] += now.Sub(c.since)
	}
	c.part, c.since = p, now
	if c.count == nil {
		return
	}
	before := c.before
	if c.before = c.count(); last < literal.Done {
		c.missed[last] += c.before - before
	}
}

func (c *clock) all() (d time.Duration) {
	for _, part := range c.spent {
		d += part
	}
	return d
}

func partsOf[E any](s *session, f rooted[E], n int) error {
	t, err := newData(f, n)
	if err != nil {
		return err
	}
	type run struct {
		line
		transform   field.Transform[E]
		clock, best *clock
		spent       time.Duration
	}
	var all []run
	for _, base := range s.kernels {
		if base > n {
			continue
		}
		for _, a := range literals {
			for _, workers := range s.workers {
				c := new(clock)
				spec := literalOf(a, base, workers)
				spec.literal.Mark = c.mark
				if workers > 1 {
					spec.Runner = s.runner
				}
				p, err := t.transform(spec)
				if err != nil {
					return err
				}
				l := line{Field: f.Name(), Contender: a.String(), N: n, Base: base, Workers: workers}
				all = append(all, run{l, p, c, new(clock), 0})
			}
		}
	}
	end := time.Now().Add(time.Duration(len(all)) * s.budget)
	for again := true; again; {
		again = time.Now().Before(end)
		for i := range all {
			r := &all[i]
			if s.enough(r.Samples, r.spent) && (!again || r.best.all() > s.budget) {
				continue // for another sample there is no time
			}
			*r.clock = clock{part: literal.Done}
			if err := r.transform.Forward(context.Background(), t.y, t.x); err != nil {
				return err
			}
			r.spent += r.clock.all()
			if r.Samples++; r.Samples == 1 || r.clock.all() < r.best.all() {
				*r.best = *r.clock
			}
		}
		again = again || slices.ContainsFunc(all, func(r run) bool { return !s.enough(r.Samples, r.spent) })
	}
	for _, r := range all {
		for p, spent := range r.best.spent {
			if spent > 0 {
				r.What, r.NsMin = literal.Part(p).String(), float64(spent)
				if err := s.print(r.line); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// variants times the explicit six-step with each way to transpose, and the four-step with each pre-shuffle, over the
// small prime.
func variants(s *session) error {
	f := smallprime.P1()
	return s.pinned(1, func() error {
		for e := max(8, s.least&^1); e <= min(20, s.most); e += 2 {
			if !s.takes(e) {
				continue
			}
			t, err := newData(f, 1<<e)
			if err != nil {
				return err
			}
			var all []contender
			add := func(name string, a field.Algorithm, base int, o literal.Options) error {
				spec := literalOf(a, base, 1)
				*spec.literal = o
				c, err := t.forward(s, name, spec)
				all = append(all, c)
				return err
			}
			for _, base := range s.kernels {
				for i, name := range transposeNames {
					o := literal.Options{Transpose: literal.Transposition(i)}
					if err := add("six-step, "+name, field.SixStep, base, o); err != nil {
						return err
					}
				}
				for i, name := range preshuffleNames {
					o := literal.Options{Preshuffle: literal.Permutation(i)}
					if err := add("four-step, "+name, field.FourStep, base, o); err != nil {
						return err
					}
				}
			}
			if err := s.measure(all...); err != nil {
				return fmt.Errorf("length 2^%d: %w", e, err)
			}
		}
		return nil
	})
}

// The ways of package literal, in its order.
var (
	transposeNames  = []string{"plain", "blocked", "recursive"}
	preshuffleNames = []string{"closed form", "iterative", "recursive"}
)
