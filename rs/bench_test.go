package rs

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkEncode and BenchmarkReconstruct are of the shapes of docs/rs.md; bytes are those of the data.
func benchmark(b *testing.B, do func(p *Plan, shards [][]byte)) {
	for _, w := range []struct {
		c                  Code
		data, parity, size int
	}{{Vandermonde, 10, 4, 8 << 10}, {Vandermonde, 10, 4, 1 << 20}, {Leopard8, 128, 128, 8 << 10},
		{Leopard16, 1000, 200, 1 << 10}, {Leopard16, 1024, 1024, 4 << 10}} {
		b.Run(fmt.Sprintf("%v/%d+%d×%d", w.c, w.data, w.parity, w.size), func(b *testing.B) {
			p := plan(b, w.data, w.parity, WithCode(w.c))
			shards := encoded(b, rand.New(rand.NewPCG(1, 2)), p, w.size)
			do(p, shards)
			b.SetBytes(int64(w.data * w.size))
			for b.Loop() {
				do(p, shards)
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	benchmark(b, func(p *Plan, shards [][]byte) { _ = p.Encode(ctx, shards) })
}

// BenchmarkReconstruct is of all that may be lost, the first shards.
func BenchmarkReconstruct(b *testing.B) {
	benchmark(b, func(p *Plan, shards [][]byte) {
		for i := range p.parity {
			shards[i] = shards[i][:0]
		}
		_ = p.Reconstruct(ctx, shards)
	})
}
