package gfpf

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/field/internal/tiles"
)

// BenchmarkVectors prints the time of an operation on packed elements of each size, in the first-level cache, beside
// that of the shift by a power of r, element by element and on tiles.
func BenchmarkVectors(b *testing.B) {
	benchVectors(b, P1())
	benchVectors(b, P2())
	benchVectors(b, P3())
	benchVectors(b, P4())
	benchVectors(b, P5())
	benchVectors(b, P6())
	benchVectors(b, P7())
}

func benchVectors[E Digits](b *testing.B, f *Field[E]) {
	n := max(8, 64*8/f.prime.k)
	v, rnd := [3][]E{}, rand.New(rand.NewPCG(1, 2))
	for i := range v {
		v[i] = make([]E, n)
		for j := range v[i] {
			f.Random(&v[i][j], rnd)
		}
	}
	z, x, y := v[0], v[1], v[2]
	tile := tiles.New(n, f.prime.k)
	for _, op := range []struct {
		name string
		do   func()
	}{
		{"add", func() { f.AddVec(z, x, y) }}, {"sub", func() { f.SubVec(z, x, y) }},
		{"mul", func() { f.MulVec(z, x, y) }},
		{"shift", func() {
			for i := range z {
				f.Shift(&z[i], &x[i], uint64(f.prime.k/2+1))
			}
		}},
		{"shift-tiles", func() {
			if set := f.prime.tiles.set; set != nil {
				for i := 0; i < n; i += lanes {
					set.Shift(&tile.W[0], &f.prime.tiles.Tile(tile.W, i/lanes%(n/lanes))[0], f.prime.r, f.prime.k/2+1,
						f.prime.k, 1)
				}
			}
		}},
		{"mul-one-by-one", func() {
			for i := range z {
				f.Mul(&z[i], &x[i], &y[i])
			}
		}},
	} {
		b.Run(fmt.Sprintf("k=%d/%s", f.prime.k, op.name), func(b *testing.B) {
			for b.Loop() {
				op.do()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/element")
		})
	}
}
