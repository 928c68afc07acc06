//go:build cgo && gmp

package gmp

import (
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/stretchr/testify/require"
)

func BenchmarkTransform(b *testing.B) {
	p := parse(b, "2^1024-1") // odd, and that is all that arithmetic needs
	benchmark[[2]uint64](b, bigprime.P2().Order(), 1<<16)
	benchmark[[4]uint64](b, bigprime.BN254().Order(), 1<<16)
	_ = p
	benchmark[[16]uint64](b, gfpf.P4().Order(), 1<<12)
}

func benchmark[E bigprime.Words](b *testing.B, p *big.Int, n int) {
	f := open[E](b, p)
	x := make([]E, n)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range x {
		f.Random(&x[i], r)
	}
	for _, c := range []struct {
		name string
		f    field.Rooted[E]
	}{{"gmp", f}} {
		b.Run(c.name, func(b *testing.B) {
			p, err := fft.NewPlan(c.f, n)
			require.NoError(b, err)
			for b.Loop() {
				p.Forward(x, x)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n/2*(bits.Len(uint(n))-1)), "ns/butterfly")
		})
	}
}
