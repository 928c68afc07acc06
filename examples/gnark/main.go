// Command gnark runs transforms over vectors of gnark-crypto, in its memory and its form of elements, by plans of this
// library: Domain in domain.go is the whole adapter. The command compares the results with those of gnark-crypto, word
// for word, and prints the least times of both, taken in turn on one core.
package main

import (
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"time"
)

func main() {
	fmt.Println("field           n  transform           gnark-crypto      a plan")
	for _, newPair := range pairs {
		for _, n := range []int{1 << 10, 1 << 12, 1 << 16} {
			p, err := newPair(n)
			if err != nil {
				log.Fatal(err)
			}
			if err := compare(p, n, 100*time.Millisecond); err != nil {
				log.Fatal(err)
			}
		}
	}
}

// compare prints a line for each transform of random vectors, which calls of both transform again and again.
func compare(p pair, n int, budget time.Duration) error {
	rnd := rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	for _, t := range transforms() {
		p.fill(rnd)
		var err error
		slow, fast := inTurn(budget, func() { p.theirs(t) }, func() { err = errors.Join(err, p.ours(t)) })
		if err != nil {
			return err
		}
		if !p.equal() { // after as many calls of each
			return fmt.Errorf("%v, length %d, %v: the results differ", p, n, t)
		}
		fmt.Printf("%-10v %6d  %-19v %9.1f µs %8.1f µs\n", p, n, t, micros(slow), micros(fast))
	}
	return nil
}

func micros(d time.Duration) float64 { return d.Seconds() * 1e6 }

// inTurn calls a and b in turn for a while, and returns the least time that each of them took.
func inTurn(budget time.Duration, a, b func()) (leastA, leastB time.Duration) {
	leastA, leastB = timed(a), timed(b)
	for end := time.Now().Add(budget); time.Now().Before(end); {
		leastA, leastB = min(leastA, timed(a)), min(leastB, timed(b))
	}
	return leastA, leastB
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}
