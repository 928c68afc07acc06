package schemes_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/schemes"
)

// BenchmarkSchemes times the shipped schemes beside each other, by their base cases, over the prime p50: the least time
// of a butterfly. Auto takes one depth-first case.
func BenchmarkSchemes(b *testing.B) {
	f := smallprime.P50()
	for _, k := range []int{12, 16, 20, 22} {
		x := make([]uint64, 1<<k)
		for i := range x {
			x[i] = uint64(i)
		}
		for _, o := range []field.Order{field.Natural, field.BitReversed} {
			run := func(a field.Algorithm, base int) {
				b.Run(fmt.Sprintf("n=2^%d/order=%v/scheme=%v/base=%d", k, o, a, base), func(b *testing.B) {
					d, err := field.NewCyclic[uint64](f, 1<<k)
					if err != nil {
						b.Fatal(err)
					}
					t, err := schemes.New[uint64](f, d, field.Spec{Order: o, Algorithm: a, Base: base})
					if err != nil {
						b.Fatal(err)
					}
					best := time.Hour
					for b.Loop() {
						start := time.Now()
						if err := t.Forward(context.Background(), x, x); err != nil {
							b.Fatal(err)
						}
						best = min(best, time.Since(start))
					}
					b.ReportMetric(0, "ns/op")
					b.ReportMetric(float64(best.Nanoseconds())/float64(k<<(k-1)), "ns/butterfly")
				})
			}
			run(field.Auto, 0)
			for _, a := range []field.Algorithm{field.SixStep, field.SixStepMerged, field.FourStep} {
				for _, base := range []int{2, 4, 8, 16, 32, 64, 256, 1024, 4096} {
					if base*base <= 1<<k || base <= 64 {
						run(a, base)
					}
				}
			}
		}
	}
}
