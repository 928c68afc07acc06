package intmul

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

func BenchmarkMul(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, bits := range []int{1e4, 2e4, 1e5, 1e6, 1e7, 1e8} {
		x, y, z := random(r, bits), random(r, bits), new(big.Int)
		for name, f := range map[string]func(){"mul": func() { Mul(z, x, y) }, "sqr": func() { Sqr(z, x) }} {
			b.Run(fmt.Sprintf("%s/%d", name, bits), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
	}
}
