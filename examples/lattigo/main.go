// Command lattigo runs the transforms of Lattigo's rings by plans of this library: NewTransformer in transformer.go is
// the whole adapter. The command compares the results with Lattigo's own, word for word, and prints the least times of
// both, taken in turn on one core.
package main

import (
	"fmt"
	"log"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/tuneinsight/lattigo/v6/ring"
)

func main() {
	fmt.Println("bits      n  direction  Lattigo     a plan")
	for _, bits := range []uint64{60, 50, 36} {
		for _, n := range []int{1 << 10, 1 << 12, 1 << 14, 1 << 16} {
			if err := compare(bits, n, 200*time.Millisecond); err != nil {
				log.Fatal(err)
			}
		}
	}
}

// compare transforms random values in the ring of degree n modulo a prime of that many bits, both ways, and prints a
// line for each.
func compare(bits uint64, n int, budget time.Duration) error {
	g := ring.NewNTTFriendlyPrimesGenerator(bits, uint64(2*n))
	p, err := g.NextDownstreamPrime()
	if err != nil {
		return err
	}
	theirs, err := ring.NewRing(n, []uint64{p})
	if err != nil {
		return err
	}
	ours, err := ring.NewRingWithCustomNTT(n, []uint64{p}, NewTransformer, 2*n)
	if err != nil {
		return err
	}
	x := make([]uint64, n)
	for i := range x {
		x[i] = rand.Uint64N(p)
	}
	for _, d := range []struct {
		name      string
		transform func(s *ring.SubRing, src, dst []uint64)
	}{
		{"forward", (*ring.SubRing).NTT},
		{"backward", (*ring.SubRing).INTT},
	} {
		y, z := make([]uint64, n), make([]uint64, n)
		a := func() { d.transform(theirs.SubRings[0], x, y) }
		b := func() { d.transform(ours.SubRings[0], x, z) }
		slow, fast := inTurn(budget, a, b)
		if !slices.Equal(y, z) {
			return fmt.Errorf("%s of length %d modulo %d: the results differ", d.name, n, p)
		}
		fmt.Printf("%4d %6d  %-9s %8.1f µs %7.1f µs\n", bits, n, d.name, micros(slow), micros(fast))
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
