package smallprime

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/testscale"
	kernels "github.com/galfft/fft/kernels/word"
	"github.com/stretchr/testify/require"
)

// kernel is a bulk arithmetic beside the element methods that it must agree with.
type kernel[W word] struct {
	b            bulks.Bulk
	f            bulks.Slices[W]
	p            uint64
	wide, narrow uint64 // the largest values
	r            *rand.Rand
}

func newKernel[W word](p uint64, b bulks.Bulk, f field.Field[W]) *kernel[W] {
	k := &kernel[W]{b: b, f: bulks.Slices[W]{Field: f}, p: p, r: newRand()}
	if v, ok := b.(*vectorBulk[W]); ok {
		b = v.Bulk
	}
	switch any(b).(type) {
	case *shoup30Bulk, *shoup50Bulk, *double50Bulk, *shoup62Bulk:
		k.wide, k.narrow = 4*p-1, 2*p-1
	case *shoup31Bulk, *shoup63Bulk:
		k.wide, k.narrow = 2*p-1, 2*p-1
	case *solinas64Bulk:
		k.wide, k.narrow = 1<<64-1, p-1
	default:
		k.wide, k.narrow = p-1, p-1
	}
	return k
}

func eachKernel(t *testing.T, test32 func(*testing.T, *kernel[uint32]), test64 func(*testing.T, *kernel[uint64])) {
	eachTier(t, func(t *testing.T) {
		each(t, func(t *testing.T, f *Field32) { test32(t, newKernel(f.m.p, f.bulk(), f)) },
			func(t *testing.T, f *Field64) { test64(t, newKernel(f.m.p, f.bulk(), f)) })
	})
}

// vector returns n values up to limit, and multipliers returns n canonical values.
func (k *kernel[W]) vector(n int, limit uint64) []W {
	v := make([]W, n)
	for i := range v {
		v[i] = W(edgy(k.r, limit))
	}
	return v
}

func (k *kernel[W]) multipliers(n int, one bool) []W {
	w := k.vector(n, k.p-1)
	if one {
		w[0] = 1
	}
	return w
}

func (k *kernel[W]) tables(t *testing.T, w []W) (got, want bulks.Table) {
	given := slices.Clone(w)
	got, err := k.b.Table(bulks.ViewOf(given), bulks.Alone)
	require.NoError(t, err)
	clear(given) // the table keeps its own
	want, err = k.f.Table(bulks.ViewOf(w), bulks.Alone)
	require.NoError(t, err)
	return got, want
}

// down and up do passes.
func down(t bulks.Table, v bulks.View, l layer, layers int) {
	t.Pass(v, bulks.Pass{Off: l.off, Layers: int32(layers)}, l.Rows)
}

func up(t bulks.Table, v bulks.View, l layer, layers int) { upBy(t, v, l, layers, nil) }

func upBy(t bulks.Table, v bulks.View, l layer, layers int, by bulks.Table) {
	t.Pass(v, bulks.Pass{Off: l.off, Layers: int32(layers), How: bulks.Transposed, By: by}, l.Rows)
}

// canonical returns v mod p.
func (k *kernel[W]) canonical(v []W) []W {
	a := make([]W, len(v))
	for i := range v {
		a[i] = W(uint64(v[i]) % k.p)
	}
	return a
}

// check runs pass on v and model on the canonical v, and compares. No value that pass leaves exceeds limit.
func (k *kernel[W]) check(t *testing.T, what string, v []W, limit uint64, pass, model func(v bulks.View)) {
	t.Helper()
	got, want := slices.Clone(v), k.canonical(v)
	pass(bulks.ViewOf(got))
	for i := range got {
		if uint64(got[i]) > limit {
			t.Fatalf("%s: value %d is %d, want at most %d", what, i, got[i], limit)
		}
	}
	reduced := slices.Clone(got)
	k.b.Reduce(bulks.ViewOf(reduced))
	model(bulks.ViewOf(want))
	for i := range want {
		if reduced[i] != want[i] {
			t.Fatalf("%s: value %d is %d = %d, want %d", what, i, got[i], reduced[i], want[i])
		}
	}
}

// randomLayer returns a layer for radix 4 of the given width: contiguous or not.
func (k *kernel[W]) randomLayer(width int) layer {
	l := layer{k.r.IntN(4), bulks.Rows{Blocks: 1 + k.r.IntN(3), Half: 1 + k.r.IntN(4), Width: width, Stride: width}}
	if k.r.IntN(3) > 0 {
		l.Stride += k.r.IntN(9)
	}
	return l
}

// rowsIn returns n rows of values up to limit; gaps are narrow. The last row has no gap behind it.
func (k *kernel[W]) rowsIn(rows, width, stride int, limit uint64) []W {
	v := k.vector((rows-1)*stride+width, k.narrow)
	for r := range rows {
		copy(v[r*stride:], k.vector(width, limit))
	}
	return v
}

func TestLayers(t *testing.T) { eachKernel(t, testLayers[uint32], testLayers[uint64]) }

func testLayers[W word](t *testing.T, k *kernel[W]) {
	for _, one := range []bool{false, true} {
		got, want := k.tables(t, k.multipliers(64, one))
		for width := 1; width <= 40; width += 1 + width/8 {
			for range min(3, 2*testscale.Of(t)-1) { // fieldtest has more of them
				l := k.randomLayer(width)
				what := fmt.Sprintf("%+v", l)
				rows := 2 * l.Half * l.Blocks
				k.check(t, "Radix2 "+what, k.rowsIn(rows, l.Width, l.Stride, k.wide), k.wide,
					func(v bulks.View) { down(got, v, l, 1) }, func(v bulks.View) { down(want, v, l, 1) })
				k.check(t, "Radix2T "+what, k.rowsIn(rows, l.Width, l.Stride, k.narrow), k.narrow,
					func(v bulks.View) { up(got, v, l, 1) }, func(v bulks.View) { up(want, v, l, 1) })

				for layers := 2; layers <= k.b.Traits().Passes.Layers; layers++ {
					rows := l.Half * l.Blocks << layers
					k.check(t, fmt.Sprintf("%d layers %s", layers, what), k.rowsIn(rows, l.Width, l.Stride, k.wide),
						k.wide,
						func(v bulks.View) { down(got, v, l, layers) }, func(v bulks.View) {
							for i := range layers {
								down(want, v, level(l, i, layers), 1)
							}
						})
					if k.b.Traits().Passes.By {
						c := k.multipliers(1, false)
						by, byWant := k.tables(t, c)
						k.check(t, fmt.Sprintf("%d layers, final %s", layers, what),
							k.rowsIn(rows, l.Width, l.Stride, k.narrow), k.narrow,
							func(v bulks.View) { upBy(got, v, l, layers, by) }, func(v bulks.View) {
								for i := layers - 1; i >= 0; i-- {
									up(want, v, level(l, i, layers), 1)
								}
								for r := range rows {
									byWant.Scale(v.Slice(r*l.Stride, v.N), 0, 1, l.Width, l.Width)
								}
							})
					}
					k.check(t, fmt.Sprintf("%d layers T %s", layers, what),
						k.rowsIn(rows, l.Width, l.Stride, k.narrow), k.narrow,
						func(v bulks.View) { up(got, v, l, layers) }, func(v bulks.View) {
							for i := layers - 1; i >= 0; i-- {
								up(want, v, level(l, i, layers), 1)
							}
						})
				}
			}
		}
	}
}

func TestTail(t *testing.T) { eachKernel(t, testTail[uint32], testTail[uint64]) }

// tailSize is the size of the tail of a transform of rows.
func (k *kernel[W]) tailSize(rows int) int {
	p, size := k.b.Traits().Passes, 1
	for _, layers := range p.Tail(rows, 1) {
		size <<= layers
	}
	return size
}

func testTail[W word](t *testing.T, k *kernel[W]) {
	long, scale := k.r.IntN(2) == 0, testscale.Of(t) // below testscale.Full, which of the two has the long ones
	for _, one := range []bool{false, true} {
		got, want := k.tables(t, k.multipliers(512, one))
		sizes := map[int]bool{}
		for rows := 1; rows <= 64; rows *= 2 {
			size := k.tailSize(rows)
			require.LessOrEqual(t, size, rows)
			if size > 1 && !sizes[size] {
				sizes[size] = true
				for range min(40, 20*scale) {
					testBlocks(t, k, got, want, blocks{k.r.IntN(4), size, k.r.IntN(10), alike{1, k.r.IntN(3) == 0}})
				}
			}
		}
		if k.p>>40 == 0 && k.p > 1<<10 || scale < testscale.Full && one != long {
			continue // long tails take long: the least and the largest moduli see them
		}
		for rows := 1 << 7; rows <= 1<<16; rows *= 2 {
			if size := k.tailSize(rows); !sizes[size] {
				sizes[size] = true
				b := blocks{off: k.r.IntN(2), size: size, count: 1 + 300/size + k.r.IntN(2),
					alike: alike{same: k.r.IntN(3) == 0}}
				long, want := k.tables(t, k.multipliers((b.off+b.count)*size/2, one))
				testBlocks(t, k, long, want, b)
			}
		}
	}
}

func testBlocks[W word](t *testing.T, k *kernel[W], got bulks.Table, want bulks.Table, b blocks) {
	each := func(v bulks.View, do func(v bulks.View, off, count int)) { // the blocks that stand one after the other
		if !b.same {
			do(v, b.off, b.count)
			return
		}
		for i := range b.count {
			do(v.Slice(i*b.size, (i+1)*b.size), b.off, 1)
		}
	}
	what := fmt.Sprintf("%+v", b)
	p := bulks.Pass{Off: b.off, Layers: int32(bits.Len(uint(b.size)) - 1)}
	if b.same {
		p.How = bulks.Same
	}
	rows := bulks.Rows{Blocks: b.count, Half: 1, Width: 1, Stride: 1}
	same := p.How
	for limit, canonical := range map[uint64]bool{k.wide: false, k.p - 1: true} {
		if p.How = same; canonical {
			p.How |= bulks.Reduced
		}
		k.check(t, "Tail "+what, k.vector(b.size*b.count, k.wide), limit,
			func(v bulks.View) { got.Pass(v, p, rows) }, func(v bulks.View) {
				each(v, func(v bulks.View, off, count int) {
					for o, n, h := off, count, b.size/2; h > 0; o, n, h = 2*o, 2*n, h/2 {
						down(want, v, layer{o, bulks.Rows{Blocks: n, Half: 1, Width: h, Stride: h}}, 1)
					}
				})
			})
	}
	transposed := func(v bulks.View) {
		each(v, func(v bulks.View, off, count int) {
			for h := 1; h < b.size; h *= 2 {
				n := b.size / 2 / h
				up(want, v, layer{n * off, bulks.Rows{Blocks: n * count, Half: 1, Width: h, Stride: h}}, 1)
			}
		})
	}
	p.How = same | bulks.Transposed
	k.check(t, "TailT "+what, k.vector(b.size*b.count, k.narrow), k.narrow, func(v bulks.View) { got.Pass(v, p, rows) },
		transposed)
	if k.b.Traits().Passes.By && b.count > 0 {
		by, byWant := k.tables(t, k.multipliers(1, false))
		p.By = by
		n := b.count * b.size
		k.check(t, "tail by "+what, k.vector(n, k.narrow), k.p-1, func(v bulks.View) { got.Pass(v, p, rows) },
			func(v bulks.View) {
				transposed(v)
				byWant.Scale(v, 0, 1, n, n)
			})
	}
}

func TestScale(t *testing.T) { eachKernel(t, testScale[uint32], testScale[uint64]) }

func testScale[W word](t *testing.T, k *kernel[W]) {
	got, want := k.tables(t, k.multipliers(40, true))
	for width := 1; width <= 40; width++ {
		for range 6 {
			off, rows, stride := k.r.IntN(4), 1+k.r.IntN(36), width+k.r.IntN(2)*k.r.IntN(9)
			k.check(t, fmt.Sprintf("off %d, rows %d, width %d, stride %d", off, rows, width, stride),
				k.rowsIn(rows, width, stride, k.wide), k.narrow,
				func(v bulks.View) { got.Scale(v, off, rows, width, stride) },
				func(v bulks.View) { want.Scale(v, off, rows, width, stride) })
		}
	}
}

func TestMove(t *testing.T) { eachKernel(t, testMove[uint32], testMove[uint64]) }

func testMove[W word](t *testing.T, k *kernel[W]) {
	got, want := k.tables(t, k.multipliers(36*40, true))
	rowsGot, rowsWant := k.tables(t, k.multipliers(40, true))
	lanes, moves := 8, false
	if b, ok := k.b.(*vectorBulk[W]); ok {
		lanes, moves = b.k.Lanes, b.k.Twist != nil
	}
	for _, width := range []int{1, lanes, 2 * lanes, 2*lanes + 1} {
		for range 6 {
			off, rows := k.r.IntN(4), 1+k.r.IntN(36)
			c := bulks.Copy{Rows: rows, Width: width, Dst: width + k.r.IntN(9), Src: width + k.r.IntN(9)}
			n := (rows-1)*c.Src + width
			moved := false
			move := func(v bulks.View) {
				to := v.Slice(n, v.N)
				m, ok := got.(bulks.Into)
				if moved = ok && m.ScaleInto(to, v.Slice(0, n), v.Slice(0, n), c, rowsGot, off, c.Src); moved {
					return
				}
				k.b.Copy(to, v.Slice(0, n), c)
				for r := range rows {
					row := to.Slice(r*c.Dst, r*c.Dst+width)
					got.Scale(row, r*width, width, 1, 1)
					rowsGot.Scale(row, off+r, 1, width, width)
				}
			}
			v := k.rowsIn(rows, width, c.Src, k.wide)
			v = append(v, make([]W, (rows-1)*c.Dst+width)...)
			k.check(t, fmt.Sprintf("off %d, %+v", off, c), v, k.wide, move, func(v bulks.View) {
				to := v.Slice(n, v.N)
				k.f.Copy(to, v.Slice(0, n), c)
				for r := range rows {
					row := to.Slice(r*c.Dst, r*c.Dst+width)
					want.Scale(row, r*width, width, 1, 1)
					rowsWant.Scale(row, off+r, 1, width, width)
				}
			})
			if want := moves && width%lanes == 0; moved != want {
				t.Fatalf("width %d: moved is %v, want %v", width, moved, want)
			}
		}
	}
}

// TestSmall takes every pair of wide values, and every multiplier, of small primes.
func TestSmall(t *testing.T) { eachKernel(t, testSmall[uint32], testSmall[uint64]) }

func testSmall[W word](t *testing.T, k *kernel[W]) {
	if k.p > 17 {
		t.Skip("all pairs of wide values are too many above p = 17")
	}
	pairs := func(limit uint64) (v []W) { // x in the first half, y in the second
		n := limit + 1
		v = make([]W, 2*n*n)
		for i := range n * n {
			v[i], v[n*n+i] = W(i/n), W(i%n)
		}
		return v
	}
	for w := range k.p {
		got, want := k.tables(t, []W{W(w)})
		wide, narrow := pairs(k.wide), pairs(k.narrow)
		l, lT := layer{0, bulks.NewRows(1, len(wide)/2, 1, 1)}, layer{0, bulks.NewRows(1, len(narrow)/2, 1, 1)}
		k.check(t, "Radix2", wide, k.wide, func(v bulks.View) { down(got, v, l, 1) },
			func(v bulks.View) { down(want, v, l, 1) })
		k.check(t, "Radix2T", narrow, k.narrow, func(v bulks.View) { up(got, v, lT, 1) },
			func(v bulks.View) { up(want, v, lT, 1) })
		k.check(t, "Scale", wide, k.narrow, func(v bulks.View) { got.Scale(v, 0, 1, v.N, v.N) },
			func(v bulks.View) { want.Scale(v, 0, 1, v.N, v.N) })
	}
	k.check(t, "VecMul", pairs(k.wide), k.wide, func(v bulks.View) {
		k.b.VecMul(v.Slice(0, v.N/2), v.Slice(0, v.N/2),
			v.Slice(v.N/2, v.N))
	},
		func(v bulks.View) { k.f.VecMul(v.Slice(0, v.N/2), v.Slice(0, v.N/2), v.Slice(v.N/2, v.N)) })
}

func TestVectors(t *testing.T) { eachKernel(t, testVectors[uint32], testVectors[uint64]) }

func testVectors[W word](t *testing.T, k *kernel[W]) {
	for n := range 40 {
		y := k.vector(n, k.wide)
		other := func(v bulks.View) { k.b.VecMul(v, v, bulks.ViewOf(y)) }
		product := func(v bulks.View) { k.f.VecMul(v, v, bulks.ViewOf(k.canonical(y))) }
		k.check(t, "VecMul", k.vector(n, k.wide), k.narrow, other, product)
		k.check(t, "square", k.vector(n, k.wide), k.narrow, func(v bulks.View) { k.b.VecMul(v, v, v) },
			func(v bulks.View) { k.f.VecMul(v, v, v) })

		v := k.vector(n, k.wide)
		want, a := k.canonical(v), make([]W, n)
		k.b.Unpack(bulks.ViewOf(a), bulks.ViewOf(v))
		require.Equal(t, want, a)
		k.b.Pack(bulks.ViewOf(a), bulks.ViewOf(v))
		require.Equal(t, v, a)
		require.True(t, k.b.Traits().InPlace)
		in := bulks.ViewOf(a)
		k.b.Pack(in, in)
		k.b.Reduce(in)
		require.Equal(t, want, a)
		copy(a, v)
		k.b.Unpack(in, in)
		require.Equal(t, want, a)

		got, _ := k.tables(t, want)
		require.Equal(t, 2*k.b.Bytes(n), got.Bytes())
	}
}

func TestForm(t *testing.T) {
	forms := map[string]bool{}
	for _, p := range []uint64{1<<50 - 27, 1<<62 - 57, 1<<63 - 25, 1<<64 - 59} {
		forms[field64(t, p).bulk().Traits().Form] = true
	}
	classes := 3
	if kernels.Double50() != nil {
		classes++ // p < 2^50
	}
	require.Len(t, forms, classes)
}
