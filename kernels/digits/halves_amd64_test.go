//go:build amd64 && !purego

package digits

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/internal/cpu"
)

// products are both ways to multiply, for every number of digits that they serve.
var products = []struct {
	name       string
	least      int
	mul, mulBy func(z, x, y, scratch, m *uint64, k, n int)
}{{"digits", 2, mulIFMA, mulByIFMA}, {"halves", 4, mulHalves, mulByHalves}}

func TestProducts(t *testing.T) {
	if cpu.Active() != cpu.IFMA {
		t.Skip("this processor has no multiplications of 52 bits: ", cpu.Active())
	}
	for _, p := range products {
		s := setIFMA
		s.Mul, s.MulBy = p.mul, p.mulBy
		t.Run(p.name, func(t *testing.T) {
			for _, x := range radices {
				if x.k < p.least {
					continue
				}
				rnd := rand.New(rand.NewPCG(x.r, uint64(x.k)))
				for range max(4, 400/x.k) {
					newOracle(x.r, x.k).mul(t, &s, rnd)
					newOracle(x.r, x.k).mulBy(t, &s, rnd)
				}
			}
		})
	}
}

// BenchmarkProducts prints the time of both products for one element.
func BenchmarkProducts(b *testing.B) {
	if cpu.Active() != cpu.IFMA {
		b.Skip("this processor has no multiplications of 52 bits: ", cpu.Active())
	}
	for _, k := range []int{8, 16, 32, 64, 128} {
		const r = 1<<63 + 1<<34
		x, scratch, m := NewScratch(2*k), NewScratch(k), Constants(r, k)
		for i := range x {
			x[i] = rand.Uint64N(r)
		}
		for _, p := range products {
			b.Run(fmt.Sprintf("k=%d/%s", k, p.name), func(b *testing.B) {
				for b.Loop() {
					p.mul(&x[0], &x[8*k], &x[16*k], &scratch[0], &m[0], k, 1)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*8), "ns/element")
			})
		}
	}
}
