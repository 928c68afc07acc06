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
			clear(v) // which is 0 in every form
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
	pass := func(what string, f Pass[W], levels int, how uint8) {
		if levels > s.MaxLayers {
			return
		}
		d := 4 * s.Lanes
		run(what, levels*n/2, func() { f(&v[0], &w[0], &q[0], &m[0], nil, 1, n/d>>levels, d, 1, d, d, how) })
	}
	both := uint8(0)
	if s.Opens {
		both = Open | Leave
	}
	for levels := 1; levels <= s.MaxLayers; levels++ {
		name := fmt.Sprint("radix", 1<<levels)
		pass(name, s.Layers[levels], levels, 0)
		pass(name+"T", s.LayersT[levels], levels, 0)
		if s.Opens {
			pass(name+"Open", s.Layers[levels], levels, both)
			pass(name+"TOpen", s.LayersT[levels], levels, both)
		}
	}
	run("radix4One", n, func() { s.Layers[2](&v[0], &w[0], &q[0], &m[0], nil, 0, 1, n/4, 1, n/4, n/4, One) })
	for _, t := range s.Tails {
		k := bits.Len(uint(t.Size)) - 1
		tail := func(what string, f Tail[W], how uint8) {
			run(fmt.Sprintf("%s%d", what, t.Size), k*n/2, func() {
				f(&v[0], &w[0], &q[0], &m[0], 1, 1, n/t.Size-1, how)
			})
		}
		tail("tail", t.Tail, 0)
		tail("tailReduce", t.Tail, Canonical)
		tail("tailT", t.T, 0)
		if s.Opens {
			tail("tailOpen", t.Tail, Open|Canonical)
			tail("tailTLeave", t.T, Leave)
		}
	}
	if s.Rings != nil {
		run("rings", n, func() { s.Rings(&v[0], &q[0], &w[0], &q[0], &m[0], 0, n/2/s.Lanes, both) })
	}
	run("scale", n, func() { s.Scale(&v[0], &w[0], &q[0], &m[0], n) })
	run("product", n, func() { s.Product(&v[0], &v[0], &w[0], &m[0], n) })
	run("reduce", n, func() { s.Reduce(&v[0], &v[0], &m[0], n) })
}
