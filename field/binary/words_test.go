package binary

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/kernels/gf2"
)

// wordSets are kernels of this processor, and others in Go for vectors of other sizes, which take long.
func wordSets(t *testing.T) (list []*gf2.Words) {
	if s := gf2.ActiveWords(); s != nil {
		list = append(list, s)
	}
	if list == nil || testscale.Of(t) >= testscale.Full {
		list = append(list, gf2.GenericWords(16), gf2.GenericWords(64))
	}
	return list
}

// gapless64 has a modulus with a long rest.
func gapless64() *Field[uint64] {
	p, _ := new(big.Int).SetString("1c000000000000001", 16)
	for ; !Irreducible(p); p.Add(p, big.NewInt(2)) {
	}
	return must(NewModulus[uint64](p))
}

// Words conform with kernels of all sizes, for fields that have them as they stand and for others.
func TestWords(t *testing.T) {
	for _, s := range wordSets(t) {
		t.Run(fmt.Sprintf("%s, %d bytes", s.Form, s.Vector), func(t *testing.T) {
			wordsConform(t, must(New[uint64](64)), s)
			wordsConform(t, GHASH(), s)
			if testscale.Of(t) >= testscale.Full {
				wordsConform(t, must(NewTower[[2]uint64](128)), s)
				wordsConform(t, gapless64(), s)
			}
		})
	}
}

func wordsConform[E Elements](t *testing.T, f *Field[E], s *gf2.Words) {
	t.Run(f.Name(), func(t *testing.T) {
		b, err := newWords(f, s)
		require.NoError(t, err)
		fieldtest.RunBulk(t, f, b, fieldtest.Config[E]{})
	})
}

// Transforms by words are those by element methods.
func TestWordPlans(t *testing.T) {
	for _, s := range wordSets(t) {
		sameWords(t, must(New[uint64](64)), s)
		sameWords(t, gapless64(), s)
		sameWords(t, GHASH(), s)
		sameWords(t, POLYVAL(), s)
	}
}

// Plans take words where multipliers are in no small subfield, and where planes do not win over the own subspace.
func TestWordChoice(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		if gf2.ActiveWords() == nil {
			t.Skip("no kernels for words")
		}
		f, tower := must(New[uint64](64)), must(NewTower[[2]uint64](128))
		r := rand.New(rand.NewPCG(1, 8))
		for _, shift := range []uint64{0, 1 << 63} { // no element of a subfield has the last bit alone
			d, err := field.NewAffine(f, 1<<10)
			require.NoError(t, err)
			d.Shift = shift
			require.Equal(t, shift == 0, isNarrow(f, d))
			requireForm(t, f, d, shift == 0 && gf2.Active().Subfields)
		}
		d, err := field.NewAffine(tower, 1<<10)
		require.NoError(t, err)
		requireForm(t, tower, d, true)
		randomize(tower, &d, r)
		requireForm(t, tower, d, false)
		small, err := field.NewAffine(must(New[uint32](32)), 1<<10)
		require.NoError(t, err)
		randomize(must(New[uint32](32)), &small, r)
		requireForm(t, must(New[uint32](32)), small, true)
	})
}

func requireForm[E Elements](t *testing.T, f *Field[E], d field.Affine[E], planes bool) {
	t.Helper()
	plan, err := f.Plan(d, field.Spec{})
	require.NoError(t, err)
	require.Equal(t, planes, strings.HasPrefix(plan.Report().Form, "planes"), plan.Report().Form)
}

func sameWords[E Elements](t *testing.T, f *Field[E], s *gf2.Words) {
	t.Run(f.Name(), func(t *testing.T) {
		b, err := newWords(f, s)
		require.NoError(t, err)
		r := rand.New(rand.NewPCG(uint64(f.core.m), 6))
		for k := range 9 + 2*testscale.Of(t) {
			d, err := field.NewAffine(f, 1<<k)
			require.NoError(t, err)
			randomize(f, &d, r)
			checkPlan(t, f, b, d, r, fmt.Sprintf("2^%d", k))
		}
	})
}

// Products too long for caches are those of short ones, wherever their vectors begin, and are all that is written.
func TestLongProducts(t *testing.T) {
	set := gf2.ActiveWords()
	if set == nil {
		t.Skip("no kernels for words")
	}
	f, r := GHASH(), rand.New(rand.NewPCG(3, 1))
	const n = streamed/16 + 7
	x, y, z, want := make([][2]uint64, n), make([][2]uint64, n), make([][2]uint64, n+8), make([][2]uint64, n)
	for i := range x {
		x[i], y[i] = [2]uint64{r.Uint64(), r.Uint64()}, [2]uint64{r.Uint64(), r.Uint64()}
	}
	const short = 1 << 10
	for i := 0; i < n; i += short {
		end := min(n, i+short)
		f.MulVec(want[i:end], x[i:end], y[i:end])
	}
	for at := range 5 {
		for _, count := range []int{n, n - 1, n - 6, n - 7} {
			clear(z)
			f.MulVec(z[at:][:count], x[:count], y[:count])
			require.True(t, slices.Equal(want[:count], z[at:][:count]), "%d, %d", at, count)
			require.Equal(t, make([][2]uint64, at), z[:at])
			require.Equal(t, make([][2]uint64, n+8-at-count), z[at+count:])
		}
	}
	for _, in := range [][][2]uint64{x, y} { // z is a factor
		copy(z, in)
		if &in[0] == &x[0] {
			f.MulVec(z[:n], z[:n], y)
		} else {
			f.MulVec(z[:n], x, z[:n])
		}
		require.True(t, slices.Equal(want, z[:n]))
	}
}

// Rows that are more, or longer, than a call of a kernel takes are multiplied and folded like others.
func TestLongScaleFold(t *testing.T) {
	set := gf2.ActiveWords()
	if set == nil || set.TimesFold == nil {
		t.Skip("no kernel for it")
	}
	f := must(New[uint64](64))
	b, r := wordsOver(f, set), rand.New(rand.NewPCG(3, 1))
	for _, c := range []bulks.Scaled{{Rows: 1 << 12, Width: 16}, {Rows: 16, Width: 1 << 13, Twice: true}} {
		c.From, c.To = c.Width, c.Width
		x, list := make([]uint64, c.Rows*c.Width), make([]uint64, c.Rows)
		for _, v := range [][]uint64{x, list} {
			for i := range v {
				v[i] = r.Uint64()
			}
		}
		if c.Twice {
			copy(list[c.Rows/2:], list)
		}
		made, err := b.Table(bulks.ViewOf(list), bulks.Alone)
		require.NoError(t, err)
		want, got := slices.Clone(x), slices.Clone(x)
		made.Scale(bulks.ViewOf(want), 0, c.Rows, c.Width, c.Width)
		b.Fold(bulks.ViewOf(want), []bulks.Fold{{Run: c.Rows, Shift: c.Rows / 4}, {Run: c.Rows / 2, Shift: c.Rows / 8}},
			c.Width, false)
		b.ScaleFold(made, bulks.ViewOf(got), bulks.ViewOf(got), c, false)
		require.True(t, slices.Equal(want, got))
	}
}
