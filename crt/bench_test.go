package crt_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/crt"
)

// BenchmarkResidues and BenchmarkGarner report ns per element and prime, for elements as large as M.
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
		k := c[1]
		b.Run(fmt.Sprintf("bits=%d/primes=%d", c[0], k), func(b *testing.B) {
			s, err := crt.New(generate(b, c[0], 24, k))
			require.NoError(b, err)
			rnd, r, a := newRand(b), s.NewResidues(n), s.NewInts(n)
			for i, p := range s.Primes() {
				for j := range r[i] {
					r[i][j] = rnd.Uint64N(p)
				}
			}
			require.NoError(b, s.Garner(b.Context(), a, r))
			for b.Loop() {
				if err := f(s, a, r); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n/float64(k), "ns/element/prime")
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
