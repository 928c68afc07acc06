package residues

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/kernels/rns"
)

// BenchmarkDigits measures digits cut out of a number, and coefficients added up: nanoseconds each.
func BenchmarkDigits(b *testing.B) {
	const n = 1 << 13
	for k := 2; k <= 8; k++ {
		size := Bits()*k/2 - 10
		list, _ := Primes(Bits(), n, new(big.Int).Lsh(big.NewInt(1), uint(Bits()*k-8)))
		list = list[:k]
		d, err := NewDigits(context.Background(), list, size)
		if err != nil {
			b.Fatal(err)
		}
		z, rows := make([]uint64, (n*size+63)/64+d.Rest()), make([][]uint64, k)
		for i := range z {
			z[i] = rand.Uint64()
		}
		for i := range rows {
			rows[i] = make([]uint64, n+rns.Block)
			d.Split(i, rows[i][:n], 0, z)
		}
		b.Run(fmt.Sprintf("split/%d primes", k), func(b *testing.B) {
			for b.Loop() {
				d.Split(0, rows[0][:n], 0, z)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/digit")
		})
		rest := make([]uint64, d.Rest())
		b.Run(fmt.Sprintf("carry/%d primes", k), func(b *testing.B) {
			for b.Loop() {
				d.Carry(z, rest, rows, 0, n)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/coefficient")
		})
	}
}
