package poly_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
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
	b.Run("1000000007, through", func(b *testing.B) { benchCrossover(b, prime64(1000000007)) })
	b.Run("2^61-1, through", func(b *testing.B) { benchCrossover(b, prime64(1<<61-1)) })
	b.Run("64 bits, through", func(b *testing.B) { benchCrossover(b, prime64(18446744073709551557)) })
	b.Run("secp256k1, through", func(b *testing.B) { benchCrossover(b, bigprime.Secp256k1()) })
	b.Run("bn254, through", func(b *testing.B) { benchCrossover(b, bigprime.BN254(), fft.WithProducts(fft.CRTProducts)) })
	b.Run("bn254, native", func(b *testing.B) { benchCrossover(b, bigprime.BN254(), fft.WithProducts(fft.NativeProducts)) })
	b.Run("P2, through", func(b *testing.B) { benchCrossover(b, bigprime.P2(), fft.WithProducts(fft.CRTProducts)) })
	b.Run("256 bits, elements", func(b *testing.B) { benchCrossover(b, testfields.NewWord256()) })
	b.Run("256 bits, tiles", func(b *testing.B) { benchCrossover(b, testfields.NewPlain256()) })
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
			for name, r := range map[string]*poly.Ring[E]{"schoolbook": r.WithSchoolbook(n),
				"transforms": r.WithSchoolbook(n - 1)} {
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
	for _, l := range [][2]int{{1000, 1000}, {1024, 1024}, {1025, 1025}, {1031, 1031}, {1079, 1079}, {1100, 1100},
		{100, 100000}, {1000, 100000}} {
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

// BenchmarkThrough sets products through other primes against those of the field's own transforms, for primes of about
// one size with and without roots, both in turn.
func BenchmarkThrough(b *testing.B) {
	for _, pair := range [][2]uint64{{1000000007, smallprime.P30().Characteristic().Uint64()},
		{1<<50 - 27, smallprime.P50().Modulus()}, {1<<61 - 1, smallprime.P62().Modulus()},
		{18446744073709551557, smallprime.P64().Modulus()}} {
		for _, k := range []int{10, 13, 16} {
			b.Run(fmt.Sprintf("%d/2^%d", pair[0], k), func(b *testing.B) {
				var least [2]float64
				for b.Loop() {
					for side, p := range pair {
						f := prime64(p)
						r := must(poly.New(f))
						x, y := random(f, rng(k), 1<<k), random(f, rng(k, 1), 1<<k)
						dst := make([]uint64, 2<<k-1)
						for range max(5, 1<<16>>k) {
							start := time.Now()
							if err := r.MulTo(ctx, dst, x, y); err != nil {
								b.Fatal(err)
							}
							if ns := float64(time.Since(start)); least[side] == 0 || ns < least[side] {
								least[side] = ns
							}
						}
					}
				}
				b.ReportMetric(least[0], "ns/product")
				b.ReportMetric(least[0]/least[1], "of-own")
			})
		}
	}
}

// BenchmarkTruncated shows what products of (8 + i)/8·2^k coefficients cost, i < 8, over those of 2^(k+1), both in
// turn.
func BenchmarkTruncated(b *testing.B) {
	b.Run("p30", func(b *testing.B) { benchTruncated(b, smallprime.P30(), 10, 13, 16, 19) })
	b.Run("p50", func(b *testing.B) { benchTruncated(b, smallprime.P50(), 10, 13, 16, 19) })
	b.Run("p62", func(b *testing.B) { benchTruncated(b, smallprime.P62(), 10, 13, 16, 19) })
	b.Run("k4", func(b *testing.B) { benchTruncated(b, gfpf.K4(), 9, 12, 15) })
	b.Run("secp256k1", func(b *testing.B) { benchTruncated(b, bigprime.Secp256k1(), 6, 8, 10, 13) })
	b.Run("bn254, native", func(b *testing.B) {
		benchTruncated(b, bigprime.BN254(), 6, 8, 10, 13)
	})
	b.Run("p62, elements", func(b *testing.B) { benchTruncated(b, smallprime.P62(), 7, 10, 13) })
}

func benchTruncated[E any](b *testing.B, f field.Field[E], logs ...int) {
	var opts []fft.Option
	if strings.HasSuffix(b.Name(), "elements") {
		opts = append(opts, fft.WithoutPlanner())
	}
	if strings.HasSuffix(b.Name(), "native") {
		opts = append(opts, fft.WithProducts(fft.NativeProducts))
	}
	r := must(poly.New(f, opts...))
	for _, k := range logs {
		for i := 1; i < 8; i++ {
			b.Run(fmt.Sprintf("2^%d/%d", k, i), func(b *testing.B) {
				var least [2]float64
				for b.Loop() {
					for side, total := range []int{(8 + i) << k / 8, 2 << k} {
						x, y := random(f, rng(total), total/2), random(f, rng(total, 1), total-total/2+1)
						dst := make([]E, total)
						for range max(5, 1<<16>>k) {
							start := time.Now()
							if err := r.MulTo(ctx, dst, x, y); err != nil {
								b.Fatal(err)
							}
							if ns := float64(time.Since(start)); least[side] == 0 || ns < least[side] {
								least[side] = ns
							}
						}
					}
				}
				b.ReportMetric(least[0]/least[1], "of-2^"+fmt.Sprint(k+1))
			})
		}
	}
}
