package intmul

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// BenchmarkShapes measures products by each number of primes and the shortest lengths that serve, with what the choice
// takes them to cost, and the parts of a product: digits of one factor modulo all primes, a transform and its inverse,
// products, and carries, in nanoseconds for a coefficient.
func BenchmarkShapes(b *testing.B) {
	a, ctx := must(b), context.Background()
	r := rand.New(rand.NewPCG(1, 2))
	for _, bits := range []int{1e5, 1e6, 1e7, 1e8} {
		x, y := of(random(r, bits)), of(random(r, bits))
		z := make([]uint64, len(x)+len(y))
		best, _ := choose(1, 64*len(x), 64*len(y))
		for k, shapes := range catalogOf(1) {
			count := 0
			for _, s := range shapes {
				if !s.fits(64*len(x), 64*len(y)) {
					continue
				}
				if count++; count > 2 || count == 2 && s.truncated() {
					break
				}
				mark := ""
				if s == best {
					mark = "/chosen"
				}
				b.Run(fmt.Sprintf("%d/%d×%d%s", bits, k, s.n, mark), func(b *testing.B) {
					e, err := a.newEngine(ctx, s)
					if err != nil {
						b.Fatal(err)
					}
					room := e.room(1)
					var parts [5]time.Duration
					part := func(i int, do func() error) {
						start := time.Now()
						if err := do(); err != nil {
							b.Fatal(err)
						}
						if t := time.Since(start); parts[i] == 0 || t < parts[i] {
							parts[i] = t
						}
					}
					least, digits := time.Duration(0), min(e.digits.Count(len(x)), s.n)
					for b.Loop() {
						start := time.Now()
						if err := e.multiply(ctx, z, x, y); err != nil {
							b.Fatal(err)
						}
						if t := time.Since(start); least == 0 || t < least {
							least = t
						}
						part(0, func() error { _, err := e.cut(ctx, room.rows, x); return err })
						part(1, func() error { return e.forward(ctx, 0, room.rows[0], digits) })
						part(2, func() error { e.times(0, room.rows[0], room.rows[0]); return nil })
						part(3, func() error { return e.inverse(ctx, 0, room.rows[0]) })
						part(4, func() error { return e.carry(ctx, z, room.rows) })
					}
					b.ReportMetric(0, "ns/op")
					b.ReportMetric(float64(least.Nanoseconds())/1e3, "µs")
					b.ReportMetric(s.cost()/1e3, "model")
					for i, name := range []string{"digits", "forward", "products", "inverse", "carries"} {
						b.ReportMetric(float64(parts[i].Nanoseconds())/float64(s.n), name)
					}
				})
			}
		}
	}
}

// must returns an arithmetic of the caller's goroutine alone.
func must(t testing.TB) *Arithmetic {
	a, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return a
}
