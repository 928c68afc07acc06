package gfpf

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/kernels/digits"
	"github.com/stretchr/testify/require"
)

// Vectors conform without kernels, with those of the tier, and with those but products.
func TestBulk(t *testing.T) {
	set := digits.Active()
	if set == nil {
		t.Skip("this tier has no kernels: ", cpu.Active())
	}
	sets := map[string]*digits.Set{cpu.Active().String(): set}
	if set.Mul != nil {
		without := *set
		without.Mul, without.MulBy = nil, nil
		sets["no products"] = &without
	}
	for name, set := range sets {
		t.Run(name, func(t *testing.T) {
			if name != "no products" || testscale.Of(t) > testscale.Full {
				vectorsConform(t, P1(), set)
				vectorsConform(t, K4(), set)
				vectorsConform(t, K16(), set)
			}
			vectorsConform(t, P3(), set)
			t.Run("packed", func(t *testing.T) { // elements in place
				fieldtest.RunBulk(t, P3(), newBulk(&P3().prime.ring, set), fieldtest.Config[[8]uint64]{})
			})
			small, err := New[[2]uint64](1<<29 - 1<<5) // below the radices of the kernels' product
			require.NoError(t, err)
			vectorsConform(t, small, set)
		})
	}
}

func vectorsConform[E Digits](t *testing.T, f *Field[E], set *digits.Set) {
	t.Run(f.Name(), func(t *testing.T) {
		n := numbers{&f.prime.ring}
		fieldtest.RunBulk(t, n, numberBulk{newBulk(&f.prime.ring, set)},
			fieldtest.Config[Number]{Random: func(z *Number, r *rand.Rand) {
				var x E
				f.Random(&x, r)
				if r.IntN(8) == 0 {
					f.One(&x)
					f.Neg(&x, &x)
				}
				copy(n.room(z), words(&x))
			}})
	})
}

// Columns of tiles, rows of packed elements and both at once move as the definition says, by every way there is.
func TestCopy(t *testing.T) {
	set := digits.Active()
	if set == nil {
		t.Skip("this tier has no kernels: ", cpu.Active())
	}
	f := P3()
	b := newBulk(&f.prime.ring, set)
	rnd := rand.New(rand.NewPCG(1, 2))
	const rows, width = 16, 24
	perm := func(n int, inverse bool) []int32 {
		p := make([]int32, n)
		for i := range p {
			p[i] = int32(i)
		}
		for i := range p {
			if j := rnd.IntN(n); !inverse || p[i] == int32(i) && p[j] == int32(j) {
				p[i], p[j] = p[j], p[i]
			}
		}
		return p
	}
	for kind := range 32 {
		c := bulks.Copy{Rows: rows, Width: width, Dst: width + 8, Transpose: kind&1 != 0}
		sourceRows, sourceWidth := rows, width
		if c.Transpose {
			sourceRows, sourceWidth = width, rows
		}
		c.Src = sourceWidth + 16
		if kind&2 != 0 {
			c.RowPerm = perm(rows, c.Transpose)
		}
		if kind&4 != 0 {
			c.ColPerm = perm(width, false)
		}
		make := func(packed bool, n int) (bulks.View, [][8]uint64) {
			a := make([][8]uint64, n)
			for i := range a {
				f.Random(&a[i], rnd)
			}
			if packed {
				return bulks.ViewOf(slices.Clone(a)), a
			}
			v, err := b.Make(n)
			require.NoError(t, err)
			b.Pack(v, bulks.ViewOf(a))
			return v, a
		}
		src, from := make(kind&8 != 0, (sourceRows-1)*c.Src+sourceWidth+7)
		dst, want := make(kind&16 != 0, rows*c.Dst)
		b.Copy(dst, src, c)
		for i := range rows {
			for j := range width {
				want[i*c.Dst+j] = from[c.From(i, j)]
			}
		}
		got := slices.Clone(want)
		b.Unpack(bulks.ViewOf(got), dst)
		require.Equal(t, want, got, "%+v", c)
	}
}
