package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/galfft/fft"
)

// least is the least time of forward transforms.
func least[E any](f ours[E], n int, order fft.Order, budget time.Duration) (float64, error) {
	plan, err := fft.NewPlan[E](f, n, fft.WithOrder(order))
	if err != nil {
		return 0, err
	}
	x, rng := make([]E, n), rand.New(rand.NewPCG(1, uint64(n)))
	for i := range x {
		f.Random(&x[i], rng)
	}
	best := math.Inf(1)
	calls := max(1, 1<<12/n)
	for end, reps := time.Now().Add(budget), 0; reps < 11 || time.Now().Before(end); reps++ {
		start := time.Now()
		for range calls {
			if err := plan.Forward(x, x); err != nil {
				return 0, err
			}
		}
		best = min(best, float64(time.Since(start))/float64(calls))
	}
	return best, nil
}

var units = []struct {
	of   float64 // ns
	name string
}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}

// nanos writes a time with three digits and its unit.
func nanos(ns float64) string {
	for _, u := range units {
		if ns >= u.of {
			return fmt.Sprintf("%.3g %s", ns/u.of, u.name)
		}
	}
	return fmt.Sprintf("%.3g ns", ns)
}
