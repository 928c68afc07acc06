package choice

import (
	"errors"
	"math"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// bulk is what Of sees of one: its traits, and what an element takes, in vectors of a multiple of some elements.
type bulk struct {
	bulks.Traits
	size, multiple int
}

func (b bulk) bytes(n int) int { return b.size * ((n + b.multiple - 1) / b.multiple * b.multiple) }

// of chooses under a memory limit of 1 GiB, where s has none.
func (b bulk) of(n int, s field.Spec) (Choice, error) {
	if s.MemoryLimit == 0 {
		s.MemoryLimit = 1 << 30
	}
	c, err := Of(b.problem(n, s))
	c.Primes, c.Codelet = nil, 0 // TestPrimes and TestCase have them
	return c, err
}

// problem is one over a field that has roots of every order.
func (b bulk) problem(n int, s field.Spec) Problem {
	return Problem{N: n, Traits: b.Traits, Bytes: b.bytes, Spec: s,
		Roots: func(int) (bool, error) { return true, nil }}
}

// words is a bulk of package smallprime, of words of so many bytes.
func words(form string, size, layers int, butterfly float64) bulk {
	passes := bulks.Passes{Layers: layers}
	return bulk{bulks.Traits{InPlace: true, Passes: passes, Butterfly: butterfly, Form: form}, size, 1}
}

// elements is bulks.Slices of elements of so many words.
func elements(form string, words int, shiftOrder uint64) bulk {
	butterfly := float64(10 + 2*words*words)
	return bulk{bulks.Traits{InPlace: true, Single: true, ShiftOrder: shiftOrder, Butterfly: butterfly, Form: form},
		8 * words, 1}
}

// tiles is a bulk of package gfpf, of elements of k digits.
func tiles(form string, k int) bulk {
	return bulk{bulks.Traits{InPlace: true, Passes: bulks.Passes{Layers: bits.Len(uint(1<<15/(8*bulks.Lanes*k))) - 1},
		Columns: bulks.Lanes, ShiftOrder: uint64(2 * k), Butterfly: float64(2 * k), Form: form}, 8 * k, bulks.Lanes}
}

var (
	p30        = words("p30 with AVX-512", 4, 4, 3./16)
	p62        = words("p62 with AVX-512", 8, 4, 4./8)
	generic    = words("p62 in Go", 8, 2, 1.6)
	packed     = bulk{bulks.Traits{Butterfly: 30, Form: "residues of 256 bits, not in place"}, 32, 1}
	single     = elements("element methods of one word", 1, 0)
	four       = elements("element methods of four words", 4, 0)
	large      = elements("element methods of 1024 words", 1024, 0)
	goldilocks = elements("element methods of goldilocks", 1, 192)
	digits     = elements("element methods of gfpf:P3", 8, 16)
	p3         = tiles("gfpf:P3", 8)
	p7         = tiles("gfpf:P7", 128)
	samples    = []bulk{p30, p62, generic, packed, single, four, large, goldilocks, digits, p3, p7}
)

const (
	asked    = "asked for"
	prime    = "an odd prime length"
	little   = "a prime length that is short, or for which there are neither roots nor convolutions"
	radix    = "passes of several layers, and a part for every task"
	whole    = "a length that is one base case"
	short    = "short, over element methods"
	odd      = "odd factors first, then passes of several layers"
	long     = "longer than a base case"
	narrow   = "no power of two that strips of columns could be as wide as"
	reversed = "longer than a base case, and not in natural order"
)

// alone is the choice of a scheme that does not split.
func alone(a field.Algorithm, reason string, tasks, base, cache int) Choice {
	return Choice{a, reason, tasks, base, cache, 0, 1, 0, false, 0, 0, nil, 0, false}
}

func TestOf(t *testing.T) {
	const most, merged = math.MaxInt, field.SixStepMerged
	by := func(a field.Algorithm) field.Spec { return field.Spec{Algorithm: a} }
	auto, bitrev, cheapest := field.Spec{}, field.Spec{Order: field.BitReversed}, field.Spec{Order: field.Scheme}
	eight := field.Spec{Workers: 8}
	for _, c := range []struct {
		bulk bulk
		n    int
		s    field.Spec
		want Choice // algorithm, reason, tasks, base, cache, N1, columns, strip, full
	}{
		// Passes of several layers take powers of two whole.
		{p30, 1, auto, alone(field.DepthFirst, radix, 1, 2, 1<<13)},
		{p30, 1 << 24, auto, alone(field.DepthFirst, radix, 1, 1<<24, 1<<13)},
		{p62, 2, auto, alone(field.DepthFirst, radix, 1, 2, 1<<12)},
		{p62, 8, auto, alone(field.DepthFirst, radix, 1, 8, 1<<12)},
		{p62, 1 << 10, auto, alone(field.DepthFirst, radix, 1, 1<<10, 1<<12)},
		{p62, 1 << 16, cheapest, alone(field.DepthFirst, radix, 1, 1<<16, 1<<12)},
		{p62, 1 << 20, bitrev, alone(field.DepthFirst, radix, 1, 1<<20, 1<<12)},
		{p62, 1 << 20, eight, alone(field.DepthFirst, radix, 8, 1<<20, 1<<12)},
		{p62, 1 << 20, field.Spec{Workers: 64}, alone(field.DepthFirst, radix, 64, 1<<20, 1<<12)},
		{generic, 1 << 20, eight, alone(field.DepthFirst, radix, 8, 1<<20, 1<<12)},
		{p62, 1 << 10, field.Spec{Workers: 9, Grain: 1}, alone(field.DepthFirst, radix, 9, 1<<10, 1<<12)},
		// They do not where a base is asked for, and where memory is short.
		{p62, 1 << 10, field.Spec{Base: 16, Cache: 77},
			Choice{merged, long, 1, 16, 77, 16, 1, 16, false, 0, 0, nil, 0, false}},
		{p62, 1 << 10, field.Spec{Base: 1 << 10}, alone(field.DepthFirst, whole, 1, 1<<10, 1<<12)},
		{p62, 1 << 16, field.Spec{MemoryLimit: 1 << 23}, alone(field.DepthFirst, radix, 1, 1<<16, 1<<12)},
		{p62, 1 << 16, field.Spec{MemoryLimit: 1<<23 - 1},
			Choice{merged, long, 1, 1 << 15, 1 << 12, 1 << 8, 1, 32, false, 0, 0, nil, 0, false}},
		{p62, 1 << 16, field.Spec{MemoryLimit: 1<<23 - 1, Order: field.BitReversed},
			Choice{field.FourStep, reversed, 1, 1 << 15, 1 << 12, 1 << 6, 1, 64, false, 0, 0, nil, 0, false}},
		{p62, 1 << 21, by(field.FourStep), Choice{field.FourStep, asked, 1, 1 << 15, 1 << 12, 1 << 10, 1, 32, false,
			0, 0, nil, 0, false}},
		{p62, 1 << 21, field.Spec{Algorithm: field.FourStep, Order: field.Scheme},
			Choice{field.FourStep, asked, 1, 1 << 15, 1 << 12, 1 << 6, 1, 64, false, 0, 0, nil, 0, false}},
		{p62, 1 << 21, field.Spec{Algorithm: field.FourStep, Order: field.Scheme, Workers: 16},
			Choice{field.FourStep, asked, 16, 1 << 15, 1 << 12, 1 << 6, 1, 64, false, 0, 0, nil, 0, false}},
		{p62, 1 << 24, field.Spec{Algorithm: field.FourStep, Order: field.Scheme},
			Choice{field.FourStep, asked, 1, 1 << 15, 1 << 12, 1 << 9, 1, 64, false, 0, 0, nil, 0, false}},

		// Other lengths.
		{p62, 3, auto, alone(field.Naive, little, 1, 1<<15, 1<<12)},
		{p62, 97, eight, alone(field.Bluestein, prime, 1, 1<<15, 1<<12)},
		{p62, 786433, auto, alone(field.Bluestein, prime, 1, 1<<15, 1<<12)},
		{p62, 10007, field.Spec{Workers: 2}, alone(field.Bluestein, prime, 1, 1<<15, 1<<12)},
		{p62, 10007, field.Spec{Workers: 2, Grain: 1}, alone(field.Bluestein, prime, 2, 1<<15, 1<<12)},
		{p62, 20011, field.Spec{Workers: 2}, alone(field.Bluestein, prime, 1, 1<<15, 1<<12)},
		{p62, 40009, field.Spec{Workers: 2}, alone(field.Bluestein, prime, 2, 1<<15, 1<<12)},
		{p62, 9, auto, alone(field.MixedRadix, whole, 1, 1<<15, 1<<12)},
		{p62, 3 << 10, auto, alone(field.MixedRadix, whole, 1, 1<<15, 1<<12)},
		{p62, 3 << 16, field.Spec{Workers: 8},
			Choice{merged, long, 8, 1 << 15, 1 << 12, 384, 1, 8, false, 0, 0, nil, 0, false}},
		{p62, 3 << 16, auto, alone(field.MixedRadix, odd, 1, 3<<16, 1<<12)},
		{p30, 15 << 20, cheapest, alone(field.MixedRadix, odd, 1, 15<<20, 1<<13)},
		{p62, 3 << 16, field.Spec{MemoryLimit: 1<<24 - 1},
			Choice{merged, long, 1, 1 << 15, 1 << 12, 384, 1, 32, false, 0, 0, nil, 0, false}},
		{p62, 6561 << 5, auto, alone(field.MixedRadix, narrow, 1, 6561<<5, 1<<12)},
		{p62, 6561 << 5, field.Spec{Workers: 4}, alone(field.MixedRadix, narrow, 1, 6561<<5, 1<<12)},
		{p62, 6561 << 5, field.Spec{Workers: 8},
			Choice{merged, long, 8, 1 << 15, 1 << 12, 324, 1, 4, false, 0, 0, nil, 0, false}},
		{p62, 59049 * 25, auto, Choice{merged, long, 1, 1 << 15, 1 << 12, 1215, 1, 1, false, 0, 0, nil, 0, false}},

		// Passes of one layer stop at the second-level cache.
		{packed, 8, auto, alone(field.DepthFirst, whole, 1, 8, 1<<10)},
		{packed, 1 << 13, auto, alone(field.DepthFirst, whole, 1, 1<<13, 1<<10)},
		{packed, 1 << 16, auto, Choice{merged, long, 1, 1 << 13, 1 << 10, 1 << 8, 1, 8, false, 0, 0, nil, 0, false}},
		{packed, 1 << 24, cheapest,
			Choice{field.FourStep, reversed, 1, 1 << 13, 1 << 10, 1 << 12, 1, 8, false, 0, 0, nil, 0, false}},

		// Element methods take straight-line code, and full tables.
		{single, 1, auto, alone(field.DepthFirst, whole, 1, 2, 1<<12)},
		{single, 2, auto, alone(field.Codelet, short, 1, 64, 1<<12)},
		{single, 64, bitrev, alone(field.Codelet, short, 1, 64, 1<<12)},
		{single, 128, auto, alone(field.DepthFirst, whole, 1, 128, 1<<12)},
		{single, 96, auto, alone(field.MixedRadix, whole, 1, 1<<15, 1<<12)},
		{single, 1 << 16, auto, Choice{merged, long, 1, 1 << 15, 1 << 12, 1 << 8, 1, 32, true, 0, 0, nil, 0, false}},
		{single, 1 << 15, eight, Choice{merged, long, 8, 1 << 14, 1 << 12, 1 << 7, 1, 8, true, 0, 0, nil, 0, false}},
		{single, 8, field.Spec{Workers: 2, Grain: 1},
			Choice{merged, long, 2, 4, 1 << 12, 2, 1, 2, true, 0, 0, nil, 0, false}},
		{single, 1 << 16, field.Spec{MemoryLimit: 1 << 22},
			Choice{merged, long, 1, 1 << 15, 1 << 12, 1 << 8, 1, 32, true, 0, 0, nil, 0, false}},
		{single, 1 << 16, field.Spec{MemoryLimit: 1<<22 - 1},
			Choice{merged, long, 1, 1 << 15, 1 << 12, 1 << 8, 1, 32, false, 0, 0, nil, 0, false}},
		{large, 1 << 10, auto, Choice{merged, long, 1, 64, 64, 32, 1, 1, true, 0, 0, nil, 0, false}},
		{four, 1 << 20, bitrev,
			Choice{field.FourStep, reversed, 1, 1 << 13, 1 << 10, 1 << 10, 1, 8, true, 0, 0, nil, 0, false}},

		// Shifts serve short base cases, and at most 64 points over element methods.
		{goldilocks, 64, auto, alone(field.Codelet, short, 1, 64, most)},
		{goldilocks, 1 << 16, auto, Choice{merged, long, 1, 64, most, 64, 1, 32, true, 0, 0, nil, 0, false}},
		{digits, 16, auto, alone(field.Codelet, short, 1, 64, most)},
		{digits, 32, auto, Choice{merged, long, 1, 16, most, 4, 1, 4, true, 0, 0, nil, 0, false}},
		{digits, 96, auto, Choice{merged, long, 1, 16, most, 8, 1, 4, true, 0, 0, nil, 0, false}},

		// Tiles are columns side by side.
		{p3, 8, auto, alone(field.DepthFirst, whole, 1, 8, most)},
		{p3, 64, auto, Choice{merged, long, 1, 8, most, 8, 8, 8, true, 0, 0, nil, 0, false}},
		{p3, 1 << 10, bitrev, Choice{merged, long, 1, 16, most, 16, 8, 16, true, 0, 0, nil, 0, false}},
		{p3, 1 << 16, field.Spec{Strip: 2}, Choice{merged, long, 1, 16, most, 1 << 8, 8, 8, true, 0, 0, nil, 0, false}},
		{p3, 3 << 10, auto, Choice{merged, long, 1, 16, most, 32, 8, 16, true, 0, 0, nil, 0, false}},
		{p7, 64, auto, Choice{merged, long, 1, 8, most, 8, 8, 8, true, 0, 0, nil, 0, false}},
		{p7, 96, auto, alone(field.MixedRadix, whole, 1, 256, most)},
		{p7, 1 << 10, eight, Choice{merged, long, 8, 128, most, 32, 8, 8, true, 0, 0, nil, 0, false}},
		{p7, 1 << 20, field.Spec{Workers: 16},
			Choice{merged, long, 16, 256, most, 256, 8, 8, false, 0, 0, nil, 0, true}},
		{p7, 1 << 20, field.Spec{Workers: 17},
			Choice{merged, long, 17, 256, most, 256, 8, 8, false, 0, 0, nil, 0, true}},
		{p7, 1 << 20, field.Spec{Workers: 8},
			Choice{merged, long, 8, 256, most, 256, 8, 8, false, 0, 0, nil, 0, false}},
		{p7, 1 << 16, field.Spec{Workers: 16},
			Choice{merged, long, 16, 256, most, 256, 8, 8, true, 0, 0, nil, 0, false}},
		{p7, 1 << 20, auto, Choice{merged, long, 1, 256, most, 256, 8, 8, false, 0, 0, nil, 0, false}},

		// A scheme asked for by name lowers its base until two factors are left.
		{p62, 1 << 10, by(field.Naive), alone(field.Naive, asked, 1, 1<<15, 1<<12)},
		{p62, 97, by(field.Naive), alone(field.Naive, asked, 1, 1<<15, 1<<12)},
		{packed, 1 << 20, by(field.DepthFirst), alone(field.DepthFirst, asked, 1, 1<<20, 1<<10)},
		{single, 32, by(field.Codelet), alone(field.Codelet, asked, 1, 64, 1<<12)},
		{single, 96, by(field.MixedRadix), alone(field.MixedRadix, asked, 1, 1<<15, 1<<12)},
		{p62, 3, by(field.Bluestein), alone(field.Bluestein, asked, 1, 1<<15, 1<<12)},
		{p62, 1 << 10, by(field.SixStep),
			Choice{field.SixStep, asked, 1, 1 << 9, 1 << 12, 32, 1, 32, false, 0, 0, nil, 0, false}},
		{p62, 4, by(merged), Choice{merged, asked, 1, 2, 1 << 12, 2, 1, 2, false, 0, 0, nil, 0, false}},
		{p62, 6, by(field.FourStep),
			Choice{field.FourStep, asked, 1, 1 << 15, 1 << 12, 2, 1, 1, false, 0, 0, nil, 0, false}},
		{p3, 64, by(field.FourStep), Choice{field.FourStep, asked, 1, 8, most, 8, 8, 8, true, 0, 0, nil, 0, false}},
		{p62, 1 << 20, field.Spec{Algorithm: merged, Strip: 64, Twiddles: field.FullTwiddles},
			Choice{merged, asked, 1, 1 << 15, 1 << 12, 1 << 10, 1, 64, true, 0, 0, nil, 0, false}},
		{single, 1 << 20, field.Spec{Algorithm: merged, Strip: 4, Twiddles: field.TwoLevel},
			Choice{merged, asked, 1, 1 << 15, 1 << 12, 1 << 10, 1, 4, false, 0, 0, nil, 0, false}},
	} {
		got, err := c.bulk.of(c.n, c.s)
		require.NoError(t, err)
		require.Equal(t, c.want, got, "%s: length %d, %v", c.bulk.Form, c.n, c.s)
	}
}

// A scheme that cannot run says why.
func TestRefusals(t *testing.T) {
	const (
		power   = "want a power of two"
		codelet = "want a power of two from 2 to 64, and element methods"
		factors = "want a length of several prime factors, not all of them 2"
		odd     = "want an odd prime length"
		two     = "it has no two factors to split into"
	)
	for _, c := range []struct {
		bulk bulk
		n    int
		a    field.Algorithm
		want string
	}{
		{p62, 3, field.DepthFirst, "depth-first of length 3: " + power},
		{p3, 96, field.DepthFirst, "depth-first of length 96: " + power},
		{p62, 8, field.Codelet, "codelet of length 8: " + codelet},
		{p3, 8, field.Codelet, "codelet of length 8: " + codelet},
		{single, 1, field.Codelet, "codelet of length 1: " + codelet},
		{single, 6, field.Codelet, "codelet of length 6: " + codelet},
		{single, 128, field.Codelet, "codelet of length 128: " + codelet},
		{p62, 1, field.MixedRadix, "mixed-radix of length 1: " + factors},
		{p62, 8, field.MixedRadix, "mixed-radix of length 8: " + factors},
		{p62, 7, field.MixedRadix, "mixed-radix of length 7: " + factors},
		{p62, 1, field.Bluestein, "bluestein of length 1: " + odd},
		{p62, 2, field.Bluestein, "bluestein of length 2: " + odd},
		{p62, 9, field.Bluestein, "bluestein of length 9: " + odd},
		{p62, 1, field.SixStep, "sixstep of length 1: " + two},
		{p62, 2, field.SixStepMerged, "sixstep-merged of length 2: " + two},
		{single, 786433, field.FourStep, "fourstep of length 786433: " + two},
		{p62, 8, field.Fused, "fused of length 8: there is none of that name"},
		{p62, 8, field.Fused + 1, (field.Fused + 1).String() + " of length 8: there is none of that name"},
	} {
		_, err := c.bulk.of(c.n, field.Spec{Algorithm: c.a})
		require.EqualError(t, err, "fft: bad plan parameter: scheme that does not serve this length: "+c.want)
		require.ErrorIs(t, err, field.ErrSpec)
		require.ErrorIs(t, err, field.ErrScheme)
	}
}

// Words of every arithmetic and tier are depth-first, with 16 workers as with one.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		bulk       bulk
		at12, at16 int // tasks
	}{
		{words("p < 2^30 in Go", 4, 2, 1.2), 4, 16},
		{words("p < 2^30, AVX2", 4, 2, 3./8), 1, 16},
		{words("p < 2^30, NEON", 4, 2, 3./4), 1, 16},
		{p30, 1, 10},
		{words("p < 2^31 in Go", 4, 2, 1.4), 4, 16},
		{words("p < 2^31, AVX-512", 4, 4, 4./16), 1, 16},
		{words("p < 2^32 in Go", 4, 2, 1.6), 4, 16},
		{words("p < 2^32, AVX-512", 4, 4, 5./16), 1, 16},
		{words("p < 2^50, IFMA", 8, 4, 2./8), 1, 16},
		{generic, 4, 16},
		{words("p < 2^62, AVX2", 8, 2, 4./4), 2, 16},
		{p62, 1, 16},
		{words("p < 2^63 in Go", 8, 2, 2), 5, 16},
		{words("p < 2^63, AVX-512", 8, 4, 5./8), 1, 16},
		{words("p < 2^64 in Go", 8, 2, 3), 8, 16},
		{words("p < 2^64, AVX-512", 8, 4, 6./8), 1, 16},
	} {
		for n, tasks := range map[int]int{1 << 12: c.at12, 1 << 16: c.at16, 1 << 20: 16} {
			got, err := c.bulk.of(n, field.Spec{Workers: 16})
			require.NoError(t, err)
			require.Equal(t, tasks, got.Tasks, "%s: length %d", c.bulk.Form, n)
			require.Equal(t, field.DepthFirst, got.Algorithm, "%s: length %d", c.bulk.Form, n)
		}
	}
}

// The number of transforms counts, a grain that is asked for takes the place of the default, and nothing is so cheap
// that it takes no time.
func TestTasks(t *testing.T) {
	for _, c := range []struct {
		n, count int
		s        field.Spec
		butter   float64
		want     int
	}{
		{1 << 20, 1, field.Spec{}, 1, 1},
		{1 << 20, 1, field.Spec{Workers: 1}, 1, 1},
		{1 << 20, 1, field.Spec{Workers: 5000}, 1, 1100}, // 11 ms
		{1 << 10, 1024, field.Spec{Workers: 1000}, 1, 576},
		{1 << 10, 1, field.Spec{Workers: 8, Grain: 300}, 1, 3},
		{1 << 20, 1, field.Spec{Workers: 80}, 0, 55},
	} {
		require.Equal(t, c.want, Tasks(bulks.Traits{Butterfly: c.butter}, c.n, c.s, c.count), "%+v", c)
	}
}

// A prime runs by roots where that takes fewer butterflies than the definition, and by convolutions of the field's own
// from a length that was measured.
func TestOfPrime(t *testing.T) {
	for _, c := range []struct {
		n, bytes                int
		alone, roots, convolves bool
		want                    Prime
	}{
		{19, 8, true, true, true, Definition},
		{23, 8, true, true, true, Definition},
		{29, 8, false, true, false, ByRoots},
		{37, 4, false, true, false, ByRoots},
		{5003, 8, true, true, true, ByRoots},
		{47, 8, true, false, true, Definition},
		{53, 8, true, false, true, ByField},
		{53, 8, false, false, true, Definition},
		{199, 8, false, false, true, Definition},
		{211, 8, false, false, true, ByField},
		{5003, 8, true, false, false, Definition},
		{13, 16, true, false, true, Definition},
		{17, 16, true, false, true, ByField},
		{17, 16, false, false, true, ByField},
		{5003, 16, true, false, false, Definition},
	} {
		require.Equal(t, c.want, OfPrime(c.n, ConvolutionOf(c.n), c.bytes, c.alone, c.roots, c.convolves), "%+v", c)
	}
	require.Equal(t, Definition, OfPrime(53, Convolution{1 << 12, 1}, 8, true, true, true))
}

// Convolutions of Bluestein's algorithm hold the terms of a part, n and one less than it has values, and there are two
// parts where that halves the length.
func TestConvolutionOf(t *testing.T) {
	for n := 3; n < 5000; n += 2 {
		c := ConvolutionOf(n)
		require.Equal(t, 0, c.Len&(c.Len-1))
		require.LessOrEqual(t, n+(n+c.Parts-1)/c.Parts-1, c.Len, "%d: %+v", n, c)
		require.Greater(t, n+(n+1)/2-1, c.Len/2, "%d: %+v", n, c)
		require.Equal(t, c.Len < 2*n-1, c.Parts == 2, "%d: %+v", n, c)
		require.LessOrEqual(t, c.Len*c.Parts, 4*n, "%d: %+v", n, c)
	}
	require.Equal(t, Convolution{1 << 20, 2}, ConvolutionOf(524309))
	require.Equal(t, Convolution{1 << 17, 2}, ConvolutionOf(1<<17/3*2))
	require.Equal(t, Convolution{1 << 18, 1}, ConvolutionOf(1<<17/3*2+3))
}

// The odd prime factors of a length have their way, and what was asked for by name runs where it can.
func TestPrimes(t *testing.T) {
	none, broken := errors.New("none"), errors.New("broken")
	for _, c := range []struct {
		n         int
		a         field.Algorithm
		roots     error
		convolves bool
		want      map[int]Prime
		runs      field.Algorithm
	}{
		{23, field.Auto, nil, true, map[int]Prime{}, field.Naive},
		{29, field.Auto, nil, true, map[int]Prime{29: ByRoots}, field.Bluestein},
		{53, field.Auto, none, true, map[int]Prime{53: ByField}, field.Bluestein},
		{53, field.Auto, none, false, map[int]Prime{}, field.Naive},
		{3, field.Bluestein, nil, true, map[int]Prime{3: ByRoots}, field.Bluestein},
		{3, field.Bluestein, none, true, map[int]Prime{3: ByField}, field.Bluestein},
		{3 * 29 * 29 * 64, field.Auto, nil, false, map[int]Prime{29: ByRoots}, field.MixedRadix},
		{257, field.Auto, nil, true, map[int]Prime{257: ByUnits}, field.Bluestein},
		{257, field.Bluestein, nil, true, map[int]Prime{257: ByRoots}, field.Bluestein},
		{257, field.Auto, none, false, map[int]Prime{}, field.Naive},
		{3 * 17, field.Auto, nil, false, map[int]Prime{}, field.MixedRadix},
		{17 * 257, field.Auto, nil, false, map[int]Prime{17: ByUnits, 257: ByUnits}, field.MixedRadix},
		{53 * 64, field.MixedRadix, none, true, map[int]Prime{}, field.MixedRadix},
		{211 * 64, field.FourStep, none, true, map[int]Prime{211: ByField}, field.FourStep},
		{64, field.Auto, broken, true, nil, field.DepthFirst},
		{29, field.Naive, broken, true, nil, field.Naive},
	} {
		p := p62.problem(c.n, field.Spec{Algorithm: c.a, MemoryLimit: 1 << 30})
		p.Convolves = c.convolves
		p.Roots = func(l int) (bool, error) {
			require.Equal(t, 0, l&(l-1))
			if c.roots == broken {
				return false, broken
			}
			return c.roots == nil, nil
		}
		got, err := Of(p)
		require.NoError(t, err)
		require.Equal(t, c.want, got.Primes, "%+v", c)
		require.Equal(t, c.runs, got.Algorithm, "%+v", c)
	}
	p := p62.problem(53, field.Spec{Algorithm: field.Bluestein, MemoryLimit: 1 << 30})
	p.Roots = nil
	_, err := Of(p)
	require.ErrorIs(t, err, field.ErrScheme)
	require.ErrorContains(t, err, "the field has no roots of order 128, and no convolutions of its own")
	p.Roots = func(int) (bool, error) { return false, broken }
	_, err = Of(p)
	require.ErrorIs(t, err, broken)
}

// Passes that share products of odd lengths do 17 rows themselves.
func TestPrimesInPasses(t *testing.T) {
	p := p62.problem(17*257, field.Spec{MemoryLimit: 1 << 30})
	p.Traits.Passes.OddSums = 15
	p.Roots = func(int) (bool, error) { return true, nil }
	got, err := Of(p)
	require.NoError(t, err)
	require.Equal(t, map[int]Prime{257: ByUnits}, got.Primes)
}

// Cases are made of each other by their lengths alone.
func TestCase(t *testing.T) {
	c := Choice{Base: 256, Codelet: 64}
	for n, want := range map[int]Kind{1: Layers, 2: Straight, 3: Odd, 6: Parts, 9: Parts, 64: Straight,
		97:  Odd,
		128: Layers, 256: Layers, 512: Parts} {
		require.Equal(t, want, c.Case(n), "n %d", n)
	}
	c.Codelet = 0
	require.Equal(t, Layers, c.Case(2))
	c.Odd = 15
	for n, want := range map[int]Kind{9: Odd, 12: Parts, 15: Odd, 21: Parts} {
		require.Equal(t, want, c.Case(n), "n %d", n)
	}
}

// What holds of every choice.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SampledFrom(samples).Draw(t, "bulk")
		power := rapid.SampledFrom([]int{0, 2, 4, 8, 16, 64, 256, 1 << 12})
		s := field.Spec{
			Algorithm:   field.Algorithm(rapid.IntRange(0, int(field.Codelet)+1).Draw(t, "algorithm")),
			Order:       field.Order(rapid.IntRange(0, int(field.Scheme)).Draw(t, "order")),
			Base:        power.Draw(t, "base"),
			Strip:       power.Draw(t, "strip"),
			Twiddles:    field.Twiddles(rapid.IntRange(0, int(field.TwoLevel)).Draw(t, "twiddles")),
			Workers:     rapid.IntRange(0, 20).Draw(t, "workers"),
			Grain:       rapid.SampledFrom([]int{0, 1, 1000}).Draw(t, "grain"),
			MemoryLimit: 1 << rapid.IntRange(10, 30).Draw(t, "memory limit"),
		}
		n := rapid.IntRange(1, 64).Draw(t, "odd or small") << rapid.IntRange(0, 18).Draw(t, "log")
		p := b.problem(n, s)
		c, err := Of(p)

		again, err2 := Of(p)
		require.Equal(t, c, again, "the same call")
		require.Equal(t, err, err2)
		require.Equal(t, s, p.Spec, "the spec stays")
		p.Traits.InPlace, p.Traits.Form = !p.Traits.InPlace, ""
		p.Spec.Unchecked, p.Spec.NoPlanner, p.Spec.Batch = true, true, field.Batch{Count: 3}
		other, _ := Of(p)
		require.Equal(t, c, other, "what does not count")

		if err != nil {
			require.NotEqual(t, field.Auto, s.Algorithm, "a choice that is free finds a scheme")
			require.ErrorIs(t, err, field.ErrSpec)
			require.ErrorIs(t, err, field.ErrScheme)
			return
		}
		if s.Algorithm == field.Auto {
			require.NotEqual(t, field.Auto, c.Algorithm)
			require.NotEqual(t, asked, c.Reason)
		} else {
			require.Equal(t, s.Algorithm, c.Algorithm)
			require.Equal(t, asked, c.Reason)
		}
		require.LessOrEqual(t, 1, c.Tasks)
		require.LessOrEqual(t, c.Tasks, max(1, s.Workers))
		switch c.Algorithm {
		case field.SixStep, field.SixStepMerged, field.FourStep:
			checkSplit(t, b, s, n, c)
		default:
			require.Equal(t, []any{0, 0, false}, []any{c.N1, c.Strip, c.Full}, "nothing is split")
		}
	})
}

func checkSplit(t *rapid.T, b bulk, s field.Spec, n int, c Choice) {
	n2 := n / c.N1
	require.Equal(t, n, c.N1*n2)
	require.Less(t, 1, c.N1)
	require.LessOrEqual(t, c.N1, n2)
	for _, k := range []int{c.N1, n2} {
		require.Zero(t, k%c.Columns, "columns of N1 and N2")
		require.Zero(t, k%c.Strip, "strips of N1 and N2")
	}
	require.LessOrEqual(t, c.Columns, c.Strip)
	require.Contains(t, []int{1, b.Columns}, c.Columns)
	require.LessOrEqual(t, 2, c.Base)
	if n&(n-1) == 0 {
		require.Less(t, c.Base, n, "something is split")
		require.LessOrEqual(t, c.Base, n/c.Columns)
	}
	if s.Base != 0 {
		require.LessOrEqual(t, c.Base, s.Base)
	} else if shifts := int(b.ShiftOrder & -b.ShiftOrder); shifts > 0 {
		require.LessOrEqual(t, c.Base, shifts, "the longest base case that shifts serve")
	}
	if s.Twiddles != field.AutoTwiddles {
		require.Equal(t, s.Twiddles == field.FullTwiddles, c.Full)
	}
}

// N1 is the square root of a length, or less where that takes fewer base cases; for other lengths the largest divisor
// up to it that leaves wide strips.
func TestFirstFactor(t *testing.T) {
	for _, c := range []struct{ n, base, least, want int }{
		{1 << 20, 1 << 15, 1, 1 << 10}, {1 << 9, 1 << 4, 1, 1 << 4}, {1 << 12, 1 << 5, 1, 1 << 5},
		{1 << 12, 1 << 4, 1, 1 << 4}, {1 << 18, 1 << 6, 1, 1 << 6}, {1 << 5, 1 << 4, 1, 1 << 2}, {4, 2, 1, 2},
		{1 << 7, 2, 1, 1 << 3}, {1 << 9, 1 << 4, 8, 1 << 4}, {1 << 6, 1 << 2, 8, 1 << 3},
		{6, 2, 1, 2}, {7, 2, 1, 1}, {9, 2, 1, 3}, {96, 16, 1, 8}, {3 << 12, 16, 1, 96}, {5 * 64, 16, 8, 8},
		{25 << 10, 16, 1, 160},
	} {
		require.Equal(t, c.want, FirstFactor(c.n, c.base, c.least), "%d in base cases of %d", c.n, c.base)
	}
}

func TestMixedFactor(t *testing.T) {
	for n, want := range map[int]int{6: 3, 9: 3, 12: 3, 24: 6, 36: 6, 45: 5, 96: 12, 2 * 97: 97, 1001: 13, 2025: 45,
		15625: 125, 3 << 6: 1, 81 << 10: 1, 6561 << 5: 432, 48: 6, 32 * 27: 27} {
		require.Equal(t, want, new(Choice).MixedFactor(n), "n %d", n)
	}
	for n, want := range map[int]int{225: 15, 675: 15, 2025: 15, 45: 5, 135: 9, 1001: 13, 36: 6} {
		require.Equal(t, want, (&Choice{Odd: 15}).MixedFactor(n), "n %d, cases of up to 15", n)
	}
}

// Factors that come before a power of two are primes, or several of them that are one case.
func TestOddFactor(t *testing.T) {
	for n, want := range map[int][2]int{3 << 8: {3, 3}, 9 << 8: {3, 9}, 15 << 8: {5, 15}, 45 << 8: {5, 15},
		27 << 8: {3, 9}, 77 << 8: {11, 11}, 39 << 8: {13, 13}, 17 * 9 << 8: {17, 17}} {
		require.Equal(t, want[0], new(Choice).OddFactor(n), "n %d", n)
		require.Equal(t, want[1], (&Choice{Odd: 15}).OddFactor(n), "n %d, cases of up to 15", n)
	}
}
