package gfpf

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// way is one way to multiply.
type way struct {
	name string
	mul  func(z, x, y []uint64)
}

// ways are those that r and k allow.
func (f *ring) ways() []way {
	w := []way{{"mul", f.mul}, {"schoolbook", f.schoolbook}}
	if f.k >= 16 && f.r >= leastSplitRadix {
		w = append(w, way{"karatsuba", f.karatsuba})
	}
	return w
}

// random returns an element drawn from those but −1.
func (f *ring) random(rnd *rand.Rand) []uint64 {
	x := make([]uint64, f.k)
	for i := range x {
		x[i] = rnd.Uint64N(f.r)
	}
	return x
}

// samples are the edge values, random elements, and two kinds that make coefficients of products of halves large:
// digits of 0 or r − 1 in blocks of eight, and digits r − 1 with some r − 2 at ends of blocks, as one borrow makes most
// digits of a difference r − 1 there.
func (o oracle) samples(rnd *rand.Rand) (list [][]uint64) {
	for _, x := range o.edges() {
		list = append(list, o.digits(x))
	}
	for range 8 {
		x, y, mask := make([]uint64, o.f.k), make([]uint64, o.f.k), rnd.Uint32()
		for i := range x {
			x[i] = uint64(mask>>(i/8)&1) * (o.f.r - 1)
			if y[i] = o.f.r - 1; i%8 == 0 || i%8 == 7 {
				y[i] -= rnd.Uint64N(2)
			}
		}
		list = append(list, x, y, o.f.random(rnd))
	}
	return list
}

// Radices are at both ends of what each way takes. By default products of many digits take a quarter of all pairs.
func TestWays(t *testing.T) {
	for k := 2; k <= most; k *= 2 {
		for _, r := range []uint64{1<<64 - 1, 1<<63 + 1<<34, 1<<63 - 1, 1 << 32, leastSplitRadix, leastSplitRadix - 1,
			uint64(4*k + 1)} {
			t.Run(fmt.Sprintf("%s^%d", RadixText(r), k), func(t *testing.T) {
				t.Parallel()
				f := newRing(r, k)
				list := oracle{&f, f.p}.samples(rand.New(rand.NewPCG(r, uint64(k))))
				z, want := make([]uint64, k), make([]uint64, k)
				var a, b big.Int
				full := testscale.Of(t) >= testscale.Full
				for i, x := range list {
					f.toBig(&a, x)
					for j, y := range list {
						if k >= 32 && (i+j)%4 != 0 && !full {
							continue
						}
						f.toBig(&b, y)
						f.fromBig(want, b.Mod(b.Mul(&a, &b), f.p))
						for _, w := range f.ways() {
							w.mul(z, x, y)
							require.Equal(t, want, z, "%s: %x · %x", w.name, x, y)
						}
					}
				}
			})
		}
	}
}

func TestWaysAllocateNothing(t *testing.T) {
	for k := 2; k <= most; k *= 2 {
		f := newRing(1<<63+1<<34, k)
		v := [3][most]uint64{{}, {1, 2, 3}, {4, 5, 6}}
		for _, w := range f.ways() {
			require.Zero(t, testing.AllocsPerRun(10, func() { w.mul(v[0][:k], v[1][:k], v[2][:k]) }), "%s, k = %d",
				w.name, k)
		}
	}
}

// BenchmarkProducts prints the time of each way. Operands change, as the processor would learn the signs of differences
// of halves.
func BenchmarkProducts(b *testing.B) {
	for k := 2; k <= most; k *= 2 {
		const n = 64
		f, z, rnd := newRing(1<<63+1<<34, k), make([]uint64, k), rand.New(rand.NewPCG(1, 2))
		var x, y [n][]uint64
		for i := range x {
			x[i], y[i] = f.random(rnd), f.random(rnd)
		}
		for _, w := range f.ways() {
			b.Run(fmt.Sprintf("k=%d/%s", k, w.name), func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					w.mul(z, x[i%n], y[i%n])
				}
			})
		}
	}
}
