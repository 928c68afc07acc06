package gpu

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/schemes"
)

// additive is gf2 with whole transforms over affine domains, for the degrees and moduli of kernels/cuda/additive.cu.
type additive struct {
	*gf2
	full, narrow    additiveLayers // the second one for factors of GF(2^32), where there are such kernels
	pairs           additiveLayers // and these for two elements as one of twice as many bits
	basis, expand   *device.Function
	copies, reorder *device.Function
	squares         *device.Function // reorder for long vectors; or nil
}

// additiveLayers are kernels of layers, forward and inverse.
type additiveLayers struct {
	shape      additiveShape
	by         int // bytes of a factor
	wide, tile [2]*device.Function
	// where factors are of GF(2^32); else nil
	deep, sliced [2]*device.Function
	heap         *device.Function
}

// additiveShape is what kernels do: so many layers in a wide pass, by tables of so many bytes for a factor, and tiles
// of 2^most elements, of 2^least where a transform alone has few. A block of a wide pass has 2^few columns at least.
// Sliced tiles have runs of 2^rows elements. A block of a deep pass has 2^deep columns at most, 0 for no such passes.
type additiveShape struct{ wide, table, most, least, few, rows, deep int }

var (
	fullShapes = map[int]additiveShape{32: {4, 7 * 128, 12, 10, 8, 8, 7}, 64: {4, 16 * 128, 12, 12, 6, 0, 0},
		128: {2, 0, 11, 11, 6, 0, 0}, 256: {1, 0, 10, 10, 6, 0, 0}}
	narrowShapes = map[int]additiveShape{64: {5, 7 * 128, 12, 10, 7, 8, 6}, 128: {4, 7 * 128, 11, 10, 8, 6, 5}}
)

// withTransforms is b with transforms, where there are kernels for its field; else nil.
func withTransforms(b *gf2) bulk {
	shape, ok := fullShapes[b.m]
	if !ok || b.modulus == nil || !slices.Equal(tapsOf(b.modulus), straights[b.m].taps) {
		return nil
	}
	a := &additive{gf2: b}
	suffix := "_" + strconv.Itoa(b.m)
	a.full.find(b, shape, b.size, suffix, suffix)
	if shape, ok := narrowShapes[b.m]; ok {
		a.narrow.find(b, shape, 4, suffix+"_by_32", "_32")
	}
	if shape, ok := narrowShapes[2*b.m]; ok && a.narrow.shape.most > 0 {
		a.pairs.find(b, shape, 4, "_"+strconv.Itoa(2*b.m)+"_by_32", "_32")
	}
	shared := b.d.Info().SharedOptIn
	b.find(
		kernel{&a.basis, "additive", "additive_basis" + suffix, shared},
		kernel{&a.expand, "additive", "additive_expand" + suffix, shared},
	)
	if b.m > 64 {
		b.find(
			kernel{&a.copies, "additive", "additive_copy" + suffix, 0},
			kernel{&a.reorder, "additive", "additive_reorder" + suffix, 0},
		)
	} else {
		suffix := strconv.Itoa(b.m)
		b.find(
			kernel{&a.copies, "words", "copy" + suffix, 0},
			kernel{&a.reorder, "words", "reorder_short" + suffix, 0},
			kernel{&a.squares, "words", "reorder" + suffix, 0},
		)
	}
	return a
}

// find names the kernels.
func (l *additiveLayers) find(b *gf2, shape additiveShape, by int, suffix, heap string) {
	l.shape, l.by = shape, by
	shared := b.d.Info().SharedOptIn
	for i, inverse := range []string{"", "_inverse"} {
		b.find(
			kernel{&l.wide[i], "additive", "additive_wide" + inverse + suffix, shared},
			kernel{&l.tile[i], "additive", "additive_tile" + inverse + suffix, shared},
		)
		if shape.rows > 0 {
			b.find(
				kernel{&l.deep[i], "additive", "additive_deep" + inverse + suffix, shared},
				kernel{&l.sliced[i], "additive", "additive_sliced" + inverse + suffix, shared},
			)
		}
	}
	b.find(kernel{&l.heap, "additive", "additive_heap" + heap, 0})
}

// most does nothing: blocks have additiveThreads.
func (b *additive) most(int) {}

func (b *additive) Traits() bulks.Traits {
	return bulks.Traits{Affine: true, Butterfly: 0.01, Chunk: chunkBytes / b.size, Device: b.d.Info().Name,
		Form: fmt.Sprintf("elements of %d bits on %s", b.m, b.d.Info().Name)}
}

func (b *additive) Clear(v bulks.View) {
	m := memory(v)
	m.Did(m.Queue().Clear(b.at(v), v.N*b.size))
}

// All bits of an element are its own: none is not canonical.
func (b *additive) Seeks(int) bool                 { return false }
func (b *additive) Seek(bulks.View) bool           { return false }
func (b *additive) Found(bulks.View) (bool, error) { return false, nil }

func (b *additive) VecMul(z, x, y bulks.View) {
	if z.N > 0 {
		onQueueOf(z, x, y, func(s *device.Stream) error { return b.do(s, multiplying, z, x, y, 0) })
	}
}

func (b *additive) Copy(dst, src bulks.View, c bulks.Copy) {
	if c.Rows*c.Width > 0 {
		m := memory(dst)
		m.Did(b.permuted(m.Queue(), c, func(row, col uint64) error {
			return b.each(b.copies, c.Rows*c.Width, b.at(dst), b.at(src), uint64(c.Rows), uint64(c.Width),
				uint64(c.Dst), uint64(c.Src), row, col, flag(c.Transpose))
		}))
		m.NoteFrom(memory(src))
		memory(src).Did(nil)
	}
}

func (b *additive) Reorder(v bulks.View, _, part, _ int) {
	if part == 0 { // the first share is all
		memory(v).Did(b.reversed(b.d.Stream(), v, log2(v.N)))
	}
}

// reversed applies the bit reversal to each 2^n elements of v.
func (b *additive) reversed(s *device.Stream, v bulks.View, n int) error {
	if b.squares != nil && n >= 2*side {
		return b.reversedBySquares(s, b.squares, b.at(v), v.N, n, b.size)
	}
	return b.d.Each(s, b.reorder, v.N, b.at(v), uint64(v.N), uint64(n))
}

// Table is for passes of schemes, which whole transforms leave out.
func (b *additive) Table(bulks.View, bulks.Share) (bulks.Table, error) {
	return nil, fmt.Errorf("gpu: %w: passes of a scheme over a binary field", field.ErrScheme)
}

func (b *additive) whole(d *schemes.Points, n int, of field.Coefficients) (schemes.Whole, error) {
	return newAdditiveTransform(b, d, n, of)
}
