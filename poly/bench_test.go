package poly_test

import (
	"fmt"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/poly"
)

// BenchmarkCrossover sets the schoolbook against transforms, for products of n by n coefficients and of n by 8n.
// The crossover of a kind of field is where the schoolbook stops being the faster one; as transforms come in powers
// of two, that is a range.
func BenchmarkCrossover(b *testing.B) {
	b.Run("p30, elements", func(b *testing.B) { benchCrossover(b, smallprime.P30(), fft.WithoutPlanner()) })
	b.Run("p62, elements", func(b *testing.B) { benchCrossover(b, smallprime.P62(), fft.WithoutPlanner()) })
	b.Run("p30", func(b *testing.B) { benchCrossover(b, smallprime.P30()) })
	b.Run("p62", func(b *testing.B) { benchCrossover(b, smallprime.P62()) })
	b.Run("p64", func(b *testing.B) { benchCrossover(b, smallprime.P64()) })
	b.Run("goldilocks", func(b *testing.B) { benchCrossover(b, smallprime.Goldilocks()) })
	b.Run("256 bits, elements", func(b *testing.B) { benchCrossover(b, testfields.NewWord256()) })
	b.Run("256 bits, tiles", func(b *testing.B) { benchCrossover(b, testfields.NewTile256()) })
	b.Run("big.Int", func(b *testing.B) {
		f, err := testfields.NewBigInt(smallprime.P62().Characteristic())
		if err != nil {
			b.Fatal(err)
		}
		benchCrossover(b, f)
	})
}

func benchCrossover[E any](b *testing.B, f field.Field[E], opts ...fft.Option) {
	r := must(poly.New(f, opts...))
	for _, by := range []int{1, 8} {
		for _, n := range []int{4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64} {
			x, y := random(f, rng(n), by*n), random(f, rng(n, 1), n)
			dst := make([]E, len(x)+len(y)-1)
			for name, r := range map[string]*poly.Ring[E]{"schoolbook": r.WithSchoolbook(n), "transforms": r.WithSchoolbook(n - 1)} {
				b.Run(fmt.Sprintf("%d by %d/%s", n, by*n, name), func(b *testing.B) {
					for b.Loop() {
						if err := r.MulTo(ctx, dst, x, y); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// BenchmarkLengths shows what lengths around a power of two cost, and unlike operands.
func BenchmarkLengths(b *testing.B) {
	f := smallprime.P62()
	r := must(poly.New(f))
	for _, l := range [][2]int{{1000, 1000}, {1024, 1024}, {1025, 1025}, {1031, 1031}, {1079, 1079}, {1100, 1100}, {100, 100000}, {1000, 100000}} {
		x, y := random(f, rng(l[0]), l[0]), random(f, rng(l[1], 1), l[1])
		dst := make([]uint64, len(x)+len(y)-1)
		b.Run(fmt.Sprintf("%d by %d", l[0], l[1]), func(b *testing.B) {
			for b.Loop() {
				if err := r.MulTo(ctx, dst, x, y); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
