package binary

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Passes by strips are the passes they are made of, on rows of several strips and a part of one, and leave what is
// between rows as it is.
func TestFar(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		testFar(t, GHASH(), newBulk(GHASH()))
		for _, s := range wordSets(t) {
			b, err := newWords(GHASH(), s)
			require.NoError(t, err)
			testFar(t, GHASH(), b)
		}
	})
}

func testFar(t *testing.T, f *Field[[2]uint64], b bulks.Bulk) {
	r := rand.New(rand.NewPCG(4, 16))
	require.Equal(t, farLayers, b.Traits().Passes.Far)
	const blocks, width, stride = 3, 10 * lanes, 12 * lanes
	d, err := field.NewAffine(f, 1<<10)
	require.NoError(t, err)
	randomize(f, &d, r)
	for _, first := range []int{0, 3, 6} {
		k := first + farLayers
		list := make([][2]uint64, k*(k+1)/2)
		for i := range list {
			f.Random(&list[i], r)
		}
		g := bulks.ViewOf(list)
		table, err := b.(bulks.Spanner).Span(g, k)
		require.NoError(t, err)
		count := min(blocks, 1<<first)
		off := 1<<first + r.IntN(1<<first-count+1)
		x := make([][2]uint64, count<<farLayers*stride)
		for i := range x {
			f.Random(&x[i], r)
		}
		var got, want bulks.View
		for _, v := range []*bulks.View{&got, &want} {
			*v, err = b.Make(len(x))
			require.NoError(t, err)
			b.Pack(*v, bulks.ViewOf(x))
		}
		y, z := make([][2]uint64, len(x)), make([][2]uint64, len(x))
		for _, how := range []bulks.How{0, bulks.Transposed} {
			rows := bulks.Rows{Blocks: count, Half: 1, Width: width, Stride: stride}
			table.Pass(got, bulks.Pass{Off: off, Layers: farLayers, How: how}, rows)
			for i := range farLayers {
				l := i
				if how != 0 {
					l = farLayers - 1 - i
				}
				half := 1 << (farLayers - 1 - l)
				table.Pass(want, bulks.Pass{Off: off << l, Layers: 1, How: how},
					bulks.Rows{Blocks: count << l, Half: half, Width: width, Stride: stride})
			}
			b.Unpack(bulks.ViewOf(y), got)
			b.Unpack(bulks.ViewOf(z), want)
			require.True(t, slices.Equal(z, y), "%s, %d layers before, pass %d", b.Traits().Form, first, how)
			require.Equal(t, how != 0, slices.Equal(x, y), "forward, and back")
		}
	}
}
