package crt_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/crt"
	"github.com/galfft/fft/internal/cpu"
)

// BenchmarkResidues and BenchmarkGarner report the least ns per element and prime, for elements as large as M: on every
// tier, in turn, where these differ.
func BenchmarkResidues(b *testing.B) {
	benchmark(b, func(s *crt.System, a []*big.Int, r [][]uint64) error { return s.Residues(b.Context(), r, a) })
}

func BenchmarkGarner(b *testing.B) {
	benchmark(b, func(s *crt.System, a []*big.Int, r [][]uint64) error { return s.Garner(b.Context(), a, r) })
}

func BenchmarkGarnerSymmetric(b *testing.B) {
	benchmark(b, func(s *crt.System, a []*big.Int, r [][]uint64) error { return s.GarnerSymmetric(b.Context(), a, r) })
}

func benchmark(b *testing.B, f func(s *crt.System, a []*big.Int, r [][]uint64) error) {
	const n = 4096
	for _, c := range [][2]int{{62, 1}, {62, 2}, {62, 4}, {62, 8}, {62, 16}, {62, 64}, {62, 256}, {50, 1}, {50, 5},
		{50, 11}, {50, 80}, {50, 320}} {
		size, k := c[0], c[1]
		b.Run(fmt.Sprintf("bits=%d/primes=%d", size, k), func(b *testing.B) {
			tiers := []cpu.Tier{cpu.Active()}
			if size == 50 {
				tiers = cpu.Present()
			}
			primes, systems := generate(b, size, 24, k), make([]*crt.System, len(tiers))
			for i, tier := range tiers {
				systems[i] = onTier(b, tier, primes)
			}
			s := systems[0]
			rnd, r, a := newRand(b), must(s.NewResidues(n)), must(s.NewInts(n))
			for i, p := range primes {
				for j := range r[i] {
					r[i][j] = rnd.Uint64N(p)
				}
			}
			require.NoError(b, s.Garner(b.Context(), a, r))
			least := make([]time.Duration, len(tiers))
			for b.Loop() {
				for i, s := range systems {
					start := time.Now()
					if err := f(s, a, r); err != nil {
						b.Fatal(err)
					}
					if t := time.Since(start); least[i] == 0 || t < least[i] {
						least[i] = t
					}
				}
			}
			for i, tier := range tiers {
				b.ReportMetric(float64(least[i].Nanoseconds())/n/float64(k), "ns/"+tier.String())
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkMul multiplies n coefficients by n, all of as many bits.
func BenchmarkMul(b *testing.B) {
	for _, c := range [][2]int{{1, 64}, {64, 64}, {64, 1000}, {1024, 1000}, {1 << 16, 200}} {
		b.Run(fmt.Sprintf("n=%d/bits=%d", c[0], c[1]), func(b *testing.B) {
			rnd := newRand(b)
			x, y := polynomial(rnd, c[0], c[1]), polynomial(rnd, c[0], c[1])
			for b.Loop() {
				if _, err := crt.Mul(b.Context(), x, y); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
