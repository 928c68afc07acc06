package bigprime

import (
	"context"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes"
	"math/rand/v2"
	"testing"
)

func BenchmarkProf(b *testing.B) {
	f := BN254()
	for _, n := range []int{1 << 12, 1 << 16} {
		for _, o := range []field.Order{field.BitReversed, field.Natural} {
			for _, tw := range []field.Twiddles{field.TwoLevel, field.FullTwiddles} {
				d, _ := field.Cyclic(f, n)
				p, err := schemes.New(f, d, field.Spec{Order: o, Twiddles: tw})
				if err != nil {
					b.Fatal(err)
				}
				x := make([][4]uint64, n)
				r := rand.New(rand.NewPCG(1, 2))
				for i := range x {
					f.Random(&x[i], r)
				}
				b.Run(p.Report().Algorithm.String()+o.String()+tw.String(), func(b *testing.B) {
					for b.Loop() {
						p.Forward(context.Background(), x, x)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n/2)/map[int]float64{1 << 12: 12, 1 << 16: 16}[n], "ns/butterfly")
				})
			}
		}
	}
}
