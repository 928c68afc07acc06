package literal_test

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/schemes"
	"github.com/galfft/fft/schemes/literal"
	"github.com/galfft/fft/schemes/schemetest"
	"github.com/stretchr/testify/require"
)

// literals are all variants of the literal form, serial grains and larger ones.
func literals() []literal.Options {
	var all []literal.Options
	for _, p := range []literal.Permutation{literal.ClosedForm, literal.Iterative, literal.Recursive} {
		for _, t := range []literal.Transposition{literal.PlainTranspose, literal.BlockedTranspose,
			literal.RecursiveTranspose} {
			all = append(all, literal.Options{Preshuffle: p, Transpose: t},
				literal.Options{Preshuffle: p, Transpose: t, Online: true, Grain: 3})
		}
	}
	return all
}

// Every literal variant is the shipped form bit for bit, for all lengths, with schemes, base cases and numbers of
// workers. TestWordLiteral has elements of a word.
func TestLiteral(t *testing.T) {
	literalEquals(t, smallprime.P1(), 1<<8)
	literalEquals(t, testfields.NewPlain256(), 1<<5)
	literalEquals(t, gfpf.K4(), 1<<6)
}

func literalEquals[E any](t *testing.T, f interface {
	field.Rooted[E]
	field.Sampler[E]
}, most int) {
	r := rand.New(rand.NewPCG(1, 2))
	algorithms, bases, workers := []field.Algorithm{field.Auto, field.SixStep, field.SixStepMerged, field.FourStep},
		[]int{0, 2, 4, 16}, []int{1, 3}
	for n := 1; n <= most; n *= 2 {
		d, err := field.NewCyclic[E](f, n)
		require.NoError(t, err)
		if n%3 == 2 { // a coset
			f.Random(&d.Shift, r)
		}
		x, want, got := make([]E, n), make([]E, n), make([]E, n)
		for i := range x {
			f.Random(&x[i], r)
		}
		shipped, err := schemes.New(f, d, field.Spec{})
		require.NoError(t, err)
		require.NoError(t, shipped.Forward(context.Background(), want, x))
		for _, c := range testscale.Combinations(testscale.Of(t), r, len(literals()), len(algorithms), len(bases),
			len(workers)) {
			l := literals()[c[0]]
			s := field.Spec{Algorithm: algorithms[c[1]], Base: bases[c[2]], Workers: workers[c[3]], Grain: 1}
			p, err := literal.Over(f, d, s, l)
			require.NoError(t, err)
			what := fmt.Sprintf("%+v, n %d, %v, base %d, %d workers", l, n, s.Algorithm, s.Base, s.Workers)
			require.NoError(t, p.Forward(context.Background(), got, x))
			require.Equal(t, want, got, what)
			require.NoError(t, p.Inverse(context.Background(), got, got))
			require.Equal(t, x, got, what)
		}
	}
}

// Marks tell the parts of a call in order, with any number of workers; the parts are those of the scheme.
func TestLiteralMarks(t *testing.T) {
	f := smallprime.P1()
	x := make([]uint32, 64)
	level := map[field.Algorithm][]literal.Part{
		field.SixStep:       {literal.Twiddles, literal.Permutations, literal.Butterflies, literal.Permutations},
		field.SixStepMerged: {literal.Butterflies, literal.Permutations},
		field.FourStep:      {literal.Butterflies},
	}
	for a, parts := range level {
		for _, workers := range []int{1, 3} {
			var got []literal.Part
			p, err := literal.New(f, len(x), field.Spec{Algorithm: a, Base: 16, Workers: workers, Grain: 1},
				literal.Options{Mark: func(p literal.Part) { got = append(got, p) }})
			require.NoError(t, err)
			want := slices.Concat([]literal.Part{literal.Permutations, literal.BaseCases}, parts, parts)
			require.NoError(t, p.Forward(context.Background(), x, x))
			require.Equal(t, append(slices.Clone(want), literal.Done), got, "%v, %d workers", a, workers)
			got = nil
			require.NoError(t, p.Inverse(context.Background(), x, x))
			require.Equal(t, append(want, literal.Scaling, literal.Done), got, "%v, %d workers", a, workers)
		}
	}
	require.Equal(t, "base cases", literal.BaseCases.String())
	require.Equal(t, "Part(9)", literal.Part(9).String())
}

// The literal form passes the suite of transforms, where it serves what the suite asks.
func TestLiteralConformance(t *testing.T) {
	f := smallprime.P1()
	for _, l := range []literal.Options{{}, {Preshuffle: literal.Recursive, Transpose: literal.RecursiveTranspose,
		Online: true}} {
		schemetest.Run(t, f, schemetest.Config[uint32]{MaxN: 256, Bases: []int{2, 8, 64, 0},
			New: func(d field.Domain[uint32], s field.Spec) (field.Transform[uint32], error) {
				n := field.Length(d)
				if s.Algorithm != field.Naive && s.Algorithm <= field.FourStep && n > 0 && n&(n-1) == 0 {
					return literal.Over(f, d, s, l)
				}
				return schemes.New(f, d, s)
			}})
	}
}

// Products are l·N/2 − (2^l − 1) above the base cases, and those of the base cases; sums are those of any transform.
// Over GFPF base cases of 2k points take none: specification of the thesis' experiments, section 6.4.
func TestLiteralCounts(t *testing.T) {
	for _, base := range []int{2, 4, 8, 16, 32, 64} {
		for n := base; n <= 1<<12; n *= 2 {
			levels, log := bits.Len(uint(n/base))-1, bits.Len(uint(base))-1
			kernel := log*base/2 - base + 1
			countLiteral(t, smallprime.P1(), n, base, levels*n/2-(1<<levels-1)+n/base*kernel)
		}
	}
	countLiteral(t, gfpf.K4(), 64, 8, 89)
	countLiteral(t, gfpf.K4(), 512, 8, 1473)
}

func countLiteral[E any](t *testing.T, f field.Rooted[E], n, base, want int) {
	c := testfields.NewCounting(f)
	d, err := field.NewCyclic(c, n)
	require.NoError(t, err)
	x := slices.Repeat([]E{d.Root}, n)
	for _, a := range []field.Algorithm{field.SixStep, field.SixStepMerged, field.FourStep} {
		p, err := literal.Over(c.Field(), d, field.Spec{Algorithm: a, Base: base}, literal.Options{})
		require.NoError(t, err)
		c.Reset()
		require.NoError(t, p.Forward(context.Background(), x, x))
		require.EqualValues(t, n*(bits.Len(uint(n))-1), c.Adds.Load(), "sums, %d points, base %d, %v", n, base, a)
		require.EqualValues(t, want, c.Muls.Load(), "products, %d points, base %d, %v", n, base, a)
		c.Reset()
		require.NoError(t, p.Inverse(context.Background(), x, x))
		require.EqualValues(t, want+n, c.Muls.Load(), "products of the inverse, %d points, base %d, %v", n, base, a)
	}
}

func TestLiteralRefuses(t *testing.T) {
	f := smallprime.P1()
	for _, c := range []struct {
		n int
		s field.Spec
		o literal.Options
	}{
		{n: 8, o: literal.Options{Preshuffle: 3}}, {n: 8, o: literal.Options{Transpose: 3}},
		{n: 8, o: literal.Options{Grain: -1}},
		{n: 10}, {n: 8, s: field.Spec{Algorithm: field.Naive}}, {n: 256, s: field.Spec{Base: 128}},
	} {
		p, err := literal.New(f, c.n, c.s, c.o)
		require.ErrorIs(t, err, field.ErrSpec, "n %d, %+v, %+v", c.n, c.s, c.o)
		require.Nil(t, p)
	}
}

// Matrices and blocks of wrong sizes are refused, and nothing is written.
func TestLiteralPermutations(t *testing.T) {
	f := smallprime.P1()
	src, dst := make([]uint32, 12), make([]uint32, 12)
	for i := range src {
		src[i] = uint32(i + 1)
	}
	for _, how := range []literal.Transposition{literal.PlainTranspose, literal.BlockedTranspose,
		literal.RecursiveTranspose} {
		for _, c := range [][2]int{{3, 5}, {-3, -4}, {0, 12}, {12, 0}, {5, 2}} {
			require.ErrorIs(t, literal.Transpose(f, dst, src, c[0], c[1], how), field.ErrLength, "%v", c)
		}
		require.ErrorIs(t, literal.Transpose(f, dst[:11], src, 3, 4, how), field.ErrLength)
		require.NoError(t, literal.Transpose(f, dst[:0], src[:0], 0, 0, how))
		require.Equal(t, make([]uint32, 12), dst)
		require.NoError(t, literal.Transpose(f, dst, src, 3, 4, how))
		require.Equal(t, []uint32{1, 5, 9, 2, 6, 10, 3, 7, 11, 4, 8, 12}, dst)
		clear(dst)
	}
	for _, base := range []int{0, -1, 2, 5, 24} {
		require.ErrorIs(t, literal.Preshuffle(f, dst, src, base), field.ErrLength, "%d", base)
	}
	require.ErrorIs(t, literal.Preshuffle(f, dst[:8], src, 3), field.ErrLength)
	require.Equal(t, make([]uint32, 12), dst)
	require.NoError(t, literal.Preshuffle(f, dst, src, 3))
	require.Equal(t, []uint32{1, 5, 9, 3, 7, 11, 2, 6, 10, 4, 8, 12}, dst)
}
