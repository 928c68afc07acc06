package bigprime

import (
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/internal/tiles"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

// BenchmarkOperations prints the time of an operation on packed elements of each size, in the first-level cache: of one
// product (two of Montgomery's) and of rows. BenchmarkLongOperations has longer elements.
func BenchmarkOperations(b *testing.B) {
	benchmark[[2]uint64](b)
	benchmark[[4]uint64](b)
}

func benchmark[E Words](b *testing.B) {
	var e E
	p := new(big.Int).Lsh(big.NewInt(1), uint(64*len(e)-1)) // odd, and that is all that arithmetic needs
	f := newField[E](p.Sub(p, big.NewInt(1)))
	n := max(8, 512/len(e))
	v, rnd := [3][]E{}, rand.New(rand.NewPCG(1, 2))
	for i := range v {
		v[i] = make([]E, n)
		for j := range v[i] {
			f.Random(&v[i][j], rnd)
		}
	}
	x, y, z := v[0], v[1], v[2]
	w, m := words(&z[0]), &f.prime
	one := row(n)
	for _, op := range []struct {
		name string
		do   func()
	}{
		{"Mul", func() {
			for i := range z {
				f.Mul(&z[i], &x[i], &y[i])
			}
		}},
		{"times", func() { m.times(packed(x), packed(y), w, one) }},
		{"down", func() { m.down(packed(x), packed(y), w, one) }},
		{"up", func() { m.up(packed(x), packed(y), w, one) }},
		{"cross", func() { m.cross(packed(x), packed(y), one) }},
		{"MulVec", func() { f.MulVec(z, x, y) }},
		{"MulMontgomery", func() { m.mulMontgomery(packed(z), packed(x), packed(y)) }},
		{"AddVec", func() { f.AddVec(z, x, y) }},
		{"SubVec", func() { f.SubVec(z, x, y) }},
	} {
		b.Run(fmt.Sprintf("words=%d/%s", len(e), op.name), func(b *testing.B) {
			for b.Loop() {
				op.do()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/element")
		})
	}
}

// BenchmarkTiers prints the least time of a butterfly of transforms, and of a product in packed vectors, by words and
// by tiles on every tier that has them. BenchmarkLongTiers has longer elements.
func BenchmarkTiers(b *testing.B) {
	benchTiers[[2]uint64](b, 127)
	benchTiers[[4]uint64](b, 254)
}

func benchTiers[E Words](b *testing.B, size uint) {
	p := new(big.Int).Lsh(big.NewInt(1), size)
	for p.SetBit(p, 0, 1); !p.ProbablyPrime(20); p.Sub(p, big.NewInt(1<<16)) { // with roots of order 2^16
	}
	for _, tier := range cpu.Present() {
		undo, err := cpu.Use(tier)
		require.NoError(b, err)
		f, rnd := newField[E](p), rand.New(rand.NewPCG(1, 2))
		for _, form := range []bulks.Bulk{f.prime.bulk, f.prime.tiles} {
			t, tiled := form.(*tileBulk)
			if tiled && t == nil {
				continue
			}
			name := fmt.Sprintf("bits=%d/%v/%s", p.BitLen(), tier, map[bool]string{false: "words", true: "tiles"}[tiled])
			x, y := make([]E, 1<<12), make([]E, 1<<12)
			for i := range x {
				f.Random(&x[i], rnd)
				f.Random(&y[i], rnd)
			}
			for _, n := range []int{1 << 6, 1 << 8, 1 << 9, 1 << 12} {
				d, err := field.NewCyclic(f, n)
				require.NoError(b, err)
				plan, err := schemes.Build(f, form, d, field.Spec{})
				require.NoError(b, err)
				b.Run(fmt.Sprintf("%s/n=%d", name, n), func(b *testing.B) {
					least(b, n/2*(bits.Len(uint(n))-1), "ns/butterfly", func() {
						_ = plan.Forward(b.Context(), x[:n], x[:n])
					})
				})
			}
			b.Run(name+"/product", func(b *testing.B) {
				least(b, len(x), "ns/element", func() {
					if tiled {
						t.multiply(vector(x), vector(x), vector(y), len(x), false)
					} else {
						f.prime.products(packed(x), packed(x), packed(y))
					}
				})
			})
		}
		undo()
	}
}

// least reports the least time of a call.
func least(b *testing.B, items int, unit string, do func()) {
	best := time.Hour
	for b.Loop() {
		start := time.Now()
		do()
		best = min(best, time.Since(start))
	}
	b.ReportMetric(float64(best.Nanoseconds())/float64(items), unit)
}

func vector[E Words](x []E) tiles.Vector { return tiles.Vector{W: packed(x)} }
