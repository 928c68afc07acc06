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

// Long passes have fewer layers where rows are copies of others: kernels do those, and not element by element.
func TestBetween(t *testing.T) {
	for _, s := range wordSets(t) {
		counted, calls := *s, 0
		do, undo := s.Layers[1][1], s.LayersT[1][1]
		counted.Layers[1][1] = func(v *byte, blocks, stride, n int, base, delta, rest *byte, at int) {
			calls++
			do(v, blocks, stride, n, base, delta, rest, at)
		}
		counted.LayersT[1][1] = func(v *byte, blocks, stride, n int, base, delta, rest *byte, at int) {
			calls++
			undo(v, blocks, stride, n, base, delta, rest, at)
		}
		b, err := newWords(GHASH(), &counted)
		require.NoError(t, err)
		for layers := 2; layers <= farLayers; layers++ {
			testLong(t, GHASH(), b, layers)
			require.NotZero(t, calls, "%d layers", layers)
			calls = 0
		}
	}
}

func testFar(t *testing.T, f *Field[[2]uint64], b bulks.Bulk) {
	require.Equal(t, farLayers, b.Traits().Passes.Far)
	testLong(t, f, b, farLayers)
}

func testLong(t *testing.T, f *Field[[2]uint64], b bulks.Bulk, layers int) {
	r := rand.New(rand.NewPCG(4, 16))
	const blocks, width, stride = 3, 10 * lanes, 12 * lanes
	d, err := field.NewAffine(f, 1<<10)
	require.NoError(t, err)
	randomize(f, &d, r)
	for _, first := range []int{0, 3, 6} {
		k := first + layers
		list := make([][2]uint64, k*(k+1)/2)
		for i := range list {
			f.Random(&list[i], r)
		}
		g := bulks.ViewOf(list)
		table, err := b.(bulks.Spanner).Span(g, k)
		require.NoError(t, err)
		count := min(blocks, 1<<first)
		off := 1<<first + r.IntN(1<<first-count+1)
		x := make([][2]uint64, count<<layers*stride)
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
			table.Pass(got, bulks.Pass{Off: off, Layers: int32(layers), How: how}, rows)
			for i := range layers {
				l := i
				if how != 0 {
					l = layers - 1 - i
				}
				half := 1 << (layers - 1 - l)
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
