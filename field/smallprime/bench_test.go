package smallprime

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/cpu"
	kernels "github.com/galfft/fft/kernels/word"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

// Benchmarks run on 2^10 elements, in the first-level cache, and report the least time of many calls. Where
// a loop written by hand for the same arithmetic stands beside a pass, the two run in turns.

const benchLen = 1 << 10

// report runs work in turns and reports the least time of each for one of count units.
func report(b *testing.B, count int, unit string, work, hand func()) {
	const calls = 8
	least := func(best time.Duration, f func()) time.Duration {
		start := time.Now()
		for range calls {
			f()
		}
		return min(best, time.Since(start))
	}
	tw, th := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for b.Loop() {
		tw = least(tw, work)
		if hand != nil {
			th = least(th, hand)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(tw.Nanoseconds())/float64(calls*count), "ns/"+unit)
	if hand != nil {
		b.ReportMetric(float64(th.Nanoseconds())/float64(calls*count), "hand-ns/"+unit)
		b.ReportMetric(float64(tw)/float64(th), "ratio")
	}
}

// benchCase is a class with its loops by hand.
type benchCase[W word] struct {
	*kernel[W]
	name  string
	t     bulks.Table
	w     []W // pairs
	hand2 func(a0, a1 []W, p uint64, w []W)
	hand4 func(a0, a1, a2, a3 []W, p uint64, w []W)
}

// benchCases returns one prime of each class, in Go.
func benchCases(tb testing.TB) ([]benchCase[uint32], []benchCase[uint64]) {
	use(tb, cpu.Generic)
	case32 := func(name string, p uint32) benchCase[uint32] {
		f := field32(tb, p)
		return newBenchCase(tb, name, newKernel(f.m.p, f.bulk(), f))
	}
	case64 := func(name string, p uint64) benchCase[uint64] {
		f := field64(tb, p)
		return newBenchCase(tb, name, newKernel(f.m.p, f.bulk(), f))
	}
	shoup31, strict32 := case32("shoup31", 1<<31-1), case32("strict32", 1<<32-5)
	shoup62, shoup63, mont64 := case64("shoup62", p62), case64("shoup63", p63), case64("mont64", p64)
	shoup31.hand2, shoup31.hand4 = handShoup31Radix2, handShoup31Radix4
	strict32.hand2, strict32.hand4 = handStrict32Radix2, handStrict32Radix4
	shoup62.hand2, shoup62.hand4 = handShoup62Radix2, handShoup62Radix4
	shoup63.hand2, shoup63.hand4 = handShoup63Radix2, handShoup63Radix4
	mont64.hand2, mont64.hand4 = handMont64Radix2, handMont64Radix4
	return []benchCase[uint32]{shoup31, strict32}, []benchCase[uint64]{shoup62, shoup63, mont64}
}

func newBenchCase[W word](tb testing.TB, name string, k *kernel[W]) benchCase[W] {
	t, err := k.b.Table(bulks.ViewOf(k.multipliers(benchLen, true)), bulks.Alone)
	require.NoError(tb, err)
	c := benchCase[W]{kernel: k, name: name, t: t}
	p := t.(scalarTable[W]).all()
	for i := range p.w {
		c.w = append(c.w, p.w[i], p.q[i])
	}
	return c
}

// radix2 and radix4 run the loops by hand on a contiguous layer for radix 4, or do so by halves.
func (c *benchCase[W]) radix2(v []W, l layer) {
	for b := range l.Blocks {
		h := 2 * l.Width
		a := v[2*h*b:][:2*h]
		c.hand2(a[:h], a[h:], c.p, c.w[2*(l.off+b):])
	}
}

func (c *benchCase[W]) radix4(v []W, l layer) {
	for b := range l.Blocks {
		h, o := l.Width, l.off+b
		a := v[4*h*b:][:4*h]
		w := [6]W{c.w[2*o], c.w[2*o+1], c.w[4*o], c.w[4*o+1], c.w[4*o+2], c.w[4*o+3]}
		c.hand4(a[:h], a[h:2*h], a[2*h:3*h], a[3*h:], c.p, w[:])
	}
}

// TestHand checks that the loops by hand leave the very values of the passes.
func TestHand(t *testing.T) {
	cases32, cases64 := benchCases(t)
	for _, c := range cases32 {
		testHand(t, c)
	}
	for _, c := range cases64 {
		testHand(t, c)
	}
}

func testHand[W word](t *testing.T, c benchCase[W]) {
	l := layer{1, bulks.Rows{Blocks: 2, Half: 1, Width: benchLen / 8, Stride: benchLen / 8}}
	want := c.vector(benchLen, c.wide)
	got := slices.Clone(want)
	c.radix2(got, l)
	down(c.t, bulks.ViewOf(want), half(l), 1)
	require.Equal(t, want, got, "%s, radix 2", c.name)
	c.radix4(got, l)
	down(c.t, bulks.ViewOf(want), l, 2)
	require.Equal(t, want, got, "%s, radix 4", c.name)
}

// eachClass runs the benchmark for each class.
func eachClass(b *testing.B, bench32 func(*testing.B, benchCase[uint32]), bench64 func(*testing.B, benchCase[uint64])) {
	cases32, cases64 := benchCases(b)
	for _, c := range cases32 {
		b.Run("class="+c.name, func(b *testing.B) { bench32(b, c) })
	}
	for _, c := range cases64 {
		b.Run("class="+c.name, func(b *testing.B) { bench64(b, c) })
	}
}

func BenchmarkRadix2(b *testing.B)  { eachClass(b, benchRadix2[uint32], benchRadix2[uint64]) }
func BenchmarkRadix2T(b *testing.B) { eachClass(b, benchRadix2T[uint32], benchRadix2T[uint64]) }
func BenchmarkRadix4(b *testing.B)  { eachClass(b, benchRadix4[uint32], benchRadix4[uint64]) }
func BenchmarkRadix4T(b *testing.B) { eachClass(b, benchRadix4T[uint32], benchRadix4T[uint64]) }
func BenchmarkTail(b *testing.B)    { eachClass(b, benchTail[uint32], benchTail[uint64]) }
func BenchmarkTailT(b *testing.B)   { eachClass(b, benchTailT[uint32], benchTailT[uint64]) }
func BenchmarkScale(b *testing.B)   { eachClass(b, benchScale[uint32], benchScale[uint64]) }
func BenchmarkVecMul(b *testing.B)  { eachClass(b, benchVecMul[uint32], benchVecMul[uint64]) }
func BenchmarkUnpack(b *testing.B)  { eachClass(b, benchUnpack[uint32], benchUnpack[uint64]) }

// shapes are the layers of benchLen elements that benchmarks take, for blocks of 4·half rows.
var shapes = []struct {
	name         string
	blocks, half int
	width, gap   int
}{
	{"contiguous", 2, 1, benchLen / 8, 0},
	{"short", 16, 1, 16, 0},
	{"strided", 2, 8, 16, 16},
	{"first", 1, 1, benchLen / 4, 0},
}

// eachShape gives the layer for radix 4; the first block of layers named first has the multiplier 1.
func eachShape(b *testing.B, bench func(b *testing.B, l layer)) {
	for _, s := range shapes {
		l := layer{1, bulks.Rows{Blocks: s.blocks, Half: s.half, Width: s.width, Stride: s.width + s.gap}}
		if s.name == "first" {
			l.off = 0
		}
		b.Run("layer="+s.name, func(b *testing.B) { bench(b, l) })
	}
}

// half is the layer for radix 2 on the rows of l.
func half(l layer) layer {
	l.Half *= 2
	return l
}

func benchRadix2[W word](b *testing.B, c benchCase[W]) {
	eachShape(b, func(b *testing.B, l layer) {
		v := c.vector(2*benchLen, c.narrow)
		var hand func()
		if l.off > 0 && l.Half == 1 {
			hand = func() { c.radix2(v, l) }
		}
		report(b, benchLen/2, "butterfly", func() { down(c.t, bulks.ViewOf(v), half(l), 1) }, hand)
	})
}

func benchRadix4[W word](b *testing.B, c benchCase[W]) {
	eachShape(b, func(b *testing.B, l layer) {
		v := c.vector(2*benchLen, c.narrow)
		var hand func()
		if l.off > 0 && l.Half == 1 {
			hand = func() { c.radix4(v, l) }
		}
		report(b, benchLen, "butterfly", func() { down(c.t, bulks.ViewOf(v), l, 2) }, hand)
	})
}

func benchRadix2T[W word](b *testing.B, c benchCase[W]) {
	eachShape(b, func(b *testing.B, l layer) {
		v := c.vector(2*benchLen, c.narrow)
		report(b, benchLen/2, "butterfly", func() { up(c.t, bulks.ViewOf(v), half(l), 1) }, nil)
	})
}

func benchRadix4T[W word](b *testing.B, c benchCase[W]) {
	eachShape(b, func(b *testing.B, l layer) {
		v := c.vector(2*benchLen, c.narrow)
		report(b, benchLen, "butterfly", func() { up(c.t, bulks.ViewOf(v), l, 2) }, nil)
	})
}

// tailOf16 is the blocks of the shortest tails.
var tailOf16 = layer{0, bulks.Rows{Blocks: benchLen / 16, Half: 1, Width: 1, Stride: 1}}

func benchTail[W word](b *testing.B, c benchCase[W]) {
	v := c.vector(benchLen, c.narrow)
	report(b, benchLen*2, "butterfly", func() { down(c.t, bulks.ViewOf(v), tailOf16, 4) }, nil)
}

func benchTailT[W word](b *testing.B, c benchCase[W]) {
	v := c.vector(benchLen, c.narrow)
	report(b, benchLen*2, "butterfly", func() { up(c.t, bulks.ViewOf(v), tailOf16, 4) }, nil)
}

func benchScale[W word](b *testing.B, c benchCase[W]) {
	v := c.vector(benchLen, c.narrow)
	b.Run("width=1", func(b *testing.B) {
		report(b, benchLen, "element", func() { c.t.Scale(bulks.ViewOf(v), 0, benchLen, 1, 1) }, nil)
	})
	b.Run("width=32", func(b *testing.B) {
		report(b, benchLen, "element", func() { c.t.Scale(bulks.ViewOf(v), 0, benchLen/32, 32, 32) }, nil)
	})
}

func benchVecMul[W word](b *testing.B, c benchCase[W]) {
	x, y := c.vector(benchLen, c.narrow), c.vector(benchLen, c.wide)
	report(b, benchLen, "element", func() { c.b.VecMul(bulks.ViewOf(x), bulks.ViewOf(x), bulks.ViewOf(y)) }, nil)
}

func benchUnpack[W word](b *testing.B, c benchCase[W]) {
	v, a := c.vector(benchLen, c.wide), make([]W, benchLen)
	report(b, benchLen, "element", func() { c.b.Unpack(bulks.ViewOf(a), bulks.ViewOf(v)) }, nil)
}

// BenchmarkDoubles prints the time of a forward transform modulo p50 by doubles, as tiers below IFMA take it, in turns
// with that of 62-bit products on the same tier.
func BenchmarkDoubles(b *testing.B) {
	for _, tier := range []cpu.Tier{cpu.AVX2, cpu.AVX512} {
		if !slices.Contains(cpu.Present(), tier) {
			continue
		}
		for k := 10; k <= 22; k += 2 {
			b.Run(fmt.Sprintf("%v/2^%d", tier, k), func(b *testing.B) {
				use(b, tier)
				f := P50()
				d, err := field.NewCyclic(f, 1<<k)
				require.NoError(b, err)
				plain := bulks.Plain[uint64]{Slices: bulks.Slices[uint64]{Field: f}}
				wide, _ := vectors(&shoup62Bulk{plain, "", newShoup62(f.m.p), f.m}, f.m.p, 4, kernels.Shoup62())
				run := func(bulk bulks.Bulk) func() {
					t, err := schemes.Build(f, bulk, d, field.Spec{Order: field.BitReversed})
					require.NoError(b, err)
					v := make([]uint64, d.N)
					for i := range v {
						v[i] = uint64(i) * 0x9e3779b97f4a7c15 % f.m.p
					}
					return func() {
						if err := t.Forward(b.Context(), v, v); err != nil {
							b.Fatal(err)
						}
					}
				}
				report(b, d.N*k/2, "butterfly", run(f.bulk()), run(wide))
			})
		}
	}
}
