//go:build cgo && gmp

package gmp

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/gfpf"
	"github.com/stretchr/testify/require"
)

// BenchmarkForward prints the time of a butterfly with GMP, and with package bigprime.
func BenchmarkForward(b *testing.B) {
	benchForward[[2]uint64](b, bigprime.P2().Order(), 1<<16)
	benchForward[[4]uint64](b, bigprime.BN254().Order(), 1<<16)
	benchForward[[16]uint64](b, parse(b, "2^1024-2^880+1"), 1<<10)
	benchForward[[64]uint64](b, gfpf.P6().Order(), 1<<8)
}

func benchForward[E bigprime.Words](b *testing.B, p *big.Int, n int) {
	f, x := open[E](b, p), make([]E, n)
	randomize(f, x)
	for name, g := range map[string]field.Rooted[E]{"gmp": f, "bigprime": f.Field} {
		b.Run(fmt.Sprintf("bits=%d/%s", p.BitLen(), name), func(b *testing.B) {
			plan := fft.Must(fft.NewPlan(g, n))
			for b.Loop() {
				if err := plan.Forward(x, x); err != nil {
					b.Fatal(err)
				}
			}
			perItem(b, n/2*(bits.Len(uint(n))-1), "ns/butterfly")
		})
	}
}

func randomize[E any](f field.Sampler[E], x ...[]E) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, v := range x {
		for i := range v {
			f.Random(&v[i], rnd)
		}
	}
}

func perItem(b *testing.B, items int, unit string) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(items), unit)
}

// BenchmarkVectors prints the time of a product by a multiplier of a table, and of one of two elements.
func BenchmarkVectors(b *testing.B) {
	benchVectors[[2]uint64](b, bigprime.P2().Order())
	benchVectors[[4]uint64](b, bigprime.BN254().Order())
	benchVectors[[8]uint64](b, gfpf.P3().Order())
	benchVectors[[16]uint64](b, parse(b, "2^1024-2^880+1"))
	benchVectors[[32]uint64](b, gfpf.P5().Order())
	benchVectors[[64]uint64](b, gfpf.P6().Order())
	benchVectors[[128]uint64](b, gfpf.P7().Order())
}

func benchVectors[E bigprime.Words](b *testing.B, p *big.Int) {
	f := open[E](b, p)
	n := max(8, 1024/len(*new(E)))
	x, y, z := make([]E, n), make([]E, n), make([]E, n)
	randomize(f, x, y)
	table, err := f.bulk.Table(bulks.ViewOf(y), bulks.Alone)
	require.NoError(b, err)
	for name, do := range map[string]func(){
		"table":  func() { table.Scale(bulks.ViewOf(x), 0, n, 1, 1) },
		"MulVec": func() { f.MulVec(z, x, y) },
	} {
		b.Run(fmt.Sprintf("bits=%d/%s", p.BitLen(), name), func(b *testing.B) {
			for b.Loop() {
				do()
			}
			perItem(b, n, "ns/element")
		})
	}
}
