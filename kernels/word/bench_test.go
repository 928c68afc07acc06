//go:build amd64 && !purego

package word

import (
	"fmt"
	"math/bits"
	"testing"
	"time"
)

// BenchmarkPasses prints the time of a butterfly, in words that stay in the first and in the second-level cache.
func BenchmarkPasses(b *testing.B) {
	for _, k := range []int{11, 15} {
		benchPasses(b, "shoup30", Shoup30(), 1<<30-35, 1<<k)
		benchPasses(b, "shoup31", Shoup31(), 1<<31-1, 1<<k)
		benchPasses(b, "mont32", Montgomery32(), 1<<32-5, 1<<k)
		benchPasses(b, "ifma50", IFMA50(), 1<<50-27, 1<<k)
		benchPasses(b, "double50", Double50(), 1<<50-27, 1<<k)
		benchPasses(b, "shoup62", Shoup62(), 1<<62-57, 1<<k)
		benchPasses(b, "shoup63", Shoup63(), 1<<63-25, 1<<k)
		benchPasses(b, "mont64", Montgomery64(), 1<<64-59, 1<<k)
		benchPasses(b, "goldilocks", Goldilocks(), 1<<64-1<<32+1, 1<<k)
	}
}

func benchPasses[W uint32 | uint64](b *testing.B, name string, s *Set[W], p uint64, n int) {
	if s == nil {
		return
	}
	v, w, q, m := make([]W, n), make([]W, n), make([]W, n), s.Mod(p)
	run := func(what string, butterflies int, f func()) {
		b.Run(fmt.Sprintf("%s/%s/%d", name, what, n), func(b *testing.B) {
			best := time.Hour
			for range b.N {
				start := time.Now()
				for range 16 {
					f()
				}
				best = min(best, time.Since(start))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(best.Nanoseconds())/float64(16*butterflies), "ns/butterfly")
		})
	}
	pass := func(what string, f Pass[W], levels int) {
		if levels > s.MaxLayers {
			return
		}
		d := 4 * s.Lanes
		run(what, levels*n/2, func() { f(&v[0], &w[0], &q[0], &m[0], nil, 1, n/d>>levels, d, 1, d, d, false) })
	}
	pass("radix2", s.Layers[1], 1)
	pass("radix4", s.Layers[2], 2)
	pass("radix8", s.Layers[3], 3)
	pass("radix16", s.Layers[4], 4)
	pass("radix4T", s.LayersT[2], 2)
	pass("radix8T", s.LayersT[3], 3)
	pass("radix16T", s.LayersT[4], 4)
	run("radix4One", n, func() { s.Layers[2](&v[0], &w[0], &q[0], &m[0], nil, 0, 1, n/4, 1, n/4, n/4, true) })
	for _, t := range s.Tails {
		k := bits.Len(uint(t.Size)) - 1
		tail := func(what string, f Tail[W], canonical bool) {
			run(fmt.Sprintf("%s%d", what, t.Size), k*n/2, func() {
				f(&v[0], &w[0], &q[0], &m[0], 1, 1, n/t.Size-1, canonical)
			})
		}
		tail("tail", t.Tail, false)
		tail("tailReduce", t.Tail, true)
		tail("tailT", t.T, false)
	}
	run("scale", n, func() { s.Scale(&v[0], &w[0], &q[0], &m[0], n) })
	run("product", n, func() { s.Product(&v[0], &v[0], &w[0], &m[0], n) })
	run("reduce", n, func() { s.Reduce(&v[0], &v[0], &m[0], n) })
}
