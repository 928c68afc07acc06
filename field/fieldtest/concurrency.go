package fieldtest

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"sync"
)

// concurrency runs the methods from several goroutines on shared operands, among them a zero that was never
// written, and the checks of optional interfaces side by side.
func (s *suite) concurrency(r *rand.Rand, optional []check) error {
	tasks := s.tasks(r)
	seed := r.Uint64()
	err := together(4, func(g int) error {
		for i := range 4 * len(tasks) { // each goroutine starts elsewhere
			if err := tasks[(i+g*len(tasks)/4)%len(tasks)](); err != nil {
				return fmt.Errorf("not as in one goroutine: %w", err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return together(2, func(g int) error {
		for _, c := range optional {
			if err := c.run(newRand(seed + uint64(g))); err != nil && !errors.Is(err, errNotOffered) {
				return fmt.Errorf("%s beside another goroutine: %w", c.name, err)
			}
		}
		return nil
	})
}

// tasks returns calls of methods on shared operands, which fail when they do not give what they gave before.
func (s *suite) tasks(r *rand.Rand) (tasks []func() error) {
	repeat := func(name string, do func(z element) error, args ...element) {
		want := s.f.New()
		if do(want) != nil {
			return
		}
		tasks = append(tasks, func() error {
			z := s.f.New()
			if err := do(z); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return s.law(name+" is the same again", z, want, args...)
		})
	}
	v := s.values(r, 4)
	for _, x := range v {
		for _, o := range s.ops() {
			for i, y := range v {
				if i == 0 || o.operands == 2 {
					repeat(o.name, func(z element) error { o.do(z, x, y); return nil }, x, y)
				}
			}
		}
		if c := s.codec; c != nil {
			repeat("SetBytes", func(z element) error { return c.SetBytes(z, s.encode(x)) }, x)
			repeat("SetText", func(z element) error { return c.SetText(z, c.AppendText(nil, x)) }, x)
			repeat("SetBig", func(z element) error { return c.SetBig(z, c.Big(new(big.Int), x)) }, x)
		}
		if f := s.has.shifter; f != nil {
			repeat("Shift by 5", func(z element) error { f.Shift(z, x, 5); return nil }, x)
		}
	}
	if f := s.has.rooted; f != nil {
		for n := uint64(1); n <= 1<<12; n *= 2 {
			repeat(fmt.Sprintf("root(%d)", n), func(z element) error { return f.RootOfUnity(z, n) })
		}
	}
	return tasks
}

// together runs f(0), …, f(n−1) at once and returns the first error.
func together(n int, f func(i int) error) error {
	var wg sync.WaitGroup
	var once sync.Once
	var first error
	for i := range n {
		wg.Go(func() {
			if err := guarded(func() error { return f(i) }); err != nil {
				once.Do(func() { first = err })
			}
		})
	}
	wg.Wait()
	return first
}
