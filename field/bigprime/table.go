package bigprime

import (
	"github.com/galfft/fft/kernels/mulx"

	"slices"

	"github.com/galfft/fft/field"
)

// table is multipliers in Montgomery's form, with the passes that use them. Products by 1 are left out.
type table struct {
	*bulk
	w    []uint64
	ones []bool
}

func (b *bulk) Table(w field.View) (field.Table, error) {
	t := &table{b, make([]uint64, w.N*b.w), make([]bool, w.N)}
	b.times(t.w, b.vector(w), b.r2, row(w.N))
	for i := range t.ones {
		t.ones[i] = slices.Equal(t.at(i)[:b.w], b.one)
	}
	return t, nil
}

func (t *table) Bytes() int { return t.bulk.Bytes(len(t.ones)) + len(t.ones) }

// at returns the multipliers from i on.
func (t *table) at(i int) []uint64 { return t.w[i*t.bulk.w:] }

// same returns the number of multipliers from i on, up to n, that are 1 if that at i is, or else are not.
func (t *table) same(i, n int) int {
	k := 1
	for k < n && t.ones[i+k] == t.ones[i] {
		k++
	}
	return k
}

func (t *table) Radix2(v field.View, l field.Layer) { t.layer(t.vector(v), l, t.down) }

func (t *table) Radix2T(v field.View, l field.Layer) { t.layer(t.vector(v), l, t.up) }

// layer runs butterflies over the rows of a layer, in as few runs as there can be.
func (t *table) layer(v []uint64, l field.Layer, butterflies func(x, y, w []uint64, r mulx.Rows)) {
	h, contiguous := l.Contiguous()
	for b := 0; b < l.Blocks; {
		r, blocks := mulx.Rows{N: l.Width, Count: l.Half, Step: l.Stride}, 1
		if contiguous {
			blocks = t.same(l.Off+b, l.Blocks-b)
			r = mulx.Rows{N: h, Count: blocks, Step: 2 * h, Factor: 1}
		}
		x := v[2*l.Half*b*l.Stride*t.bulk.w:]
		y := x[l.Half*l.Stride*t.bulk.w:]
		if t.ones[l.Off+b] {
			t.cross(x, y, r)
		} else {
			butterflies(x, y, t.at(l.Off+b), r)
		}
		b += blocks
	}
}

// Scale multiplies rows by one factor each.
func (t *table) Scale(of field.View, off, rows, width, stride int) {
	v := t.vector(of)
	for i := 0; i < rows; {
		n := t.same(off+i, rows-i)
		if !t.ones[off+i] {
			x := v[i*stride*t.bulk.w:]
			t.times(x, x, t.at(off+i), mulx.Rows{N: width, Count: n, Step: stride, Factor: 1})
		}
		i += n
	}
}

// maxLayers is that of a pass: 16 rows meet in it, of which parts stay in the first-level cache.
const maxLayers = 4

// cache is the part of the first-level cache that these take, in bytes.
const cache = 1 << 15

func (t *table) MaxLayers() int { return maxLayers }

func (t *table) Layers(v field.View, l field.Layer, layers int) {
	t.pass(v, l, layers, func(v field.View, l field.Layer) {
		for d := range layers {
			t.Radix2(v, inner(l, layers, d))
		}
	})
}

func (t *table) LayersT(v field.View, l field.Layer, layers int) {
	t.pass(v, l, layers, func(v field.View, l field.Layer) {
		for d := layers - 1; d >= 0; d-- {
			t.Radix2T(v, inner(l, layers, d))
		}
	})
}

// inner is layer d of the layers of a pass l, whose blocks have Half<<layers rows.
func inner(l field.Layer, layers, d int) field.Layer {
	return field.NewLayer(l.Off<<d, l.Blocks<<d, l.Half<<(layers-1-d), l.Width, l.Stride)
}

// pass calls do for a pass that fits in cache, or else for parts of it that do: columns of each block.
func (t *table) pass(v field.View, l field.Layer, layers int, do func(v field.View, l field.Layer)) {
	if t.bulk.Bytes(l.Blocks*l.Half<<layers*l.Width) <= cache {
		do(v, l)
		return
	}
	width := max(1, cache/t.bulk.Bytes(1<<layers))
	for b := range l.Blocks {
		for j := range l.Half {
			row := (l.Half<<layers*b + j) * l.Stride
			for i := 0; i < l.Width; i += width {
				n := min(width, l.Width-i)
				c := field.Layer{Off: l.Off + b, Blocks: 1, Half: 1, Width: n, Stride: l.Half * l.Stride}
				do(v.Slice(row+i, row+i+(1<<layers-1)*c.Stride+n), c)
			}
		}
	}
}
