package bigprime

import (
	"github.com/galfft/fft/kernels/mulx"

	"slices"

	"github.com/galfft/fft/field/bulks"
)

// table is multipliers in Montgomery's form, with the passes that use them. Products by 1 are left out.
type table struct {
	*bulk
	w    []uint64
	ones []bool
}

func (b *bulk) Table(w bulks.View, share bulks.Share) (bulks.Table, error) {
	t := &table{b, make([]uint64, w.N*b.w), make([]bool, w.N)}
	v := b.vector(w)
	share(w.N, func(from, to int) {
		b.times(t.at(from), v[from*b.w:], b.r2, row(to-from))
		for i := from; i < to; i++ {
			t.ones[i] = slices.Equal(t.at(i)[:b.w], b.one)
		}
	})
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

// layer runs butterflies over the rows of a layer, in as few runs as there can be.
func (t *table) layer(v []uint64, off int, l bulks.Rows, butterflies func(x, y, w []uint64, r mulx.Rows)) {
	h, contiguous := l.Contiguous()
	for b := 0; b < l.Blocks; {
		r, blocks := mulx.Rows{N: l.Width, Count: l.Half, Step: l.Stride}, 1
		if contiguous {
			blocks = t.same(off+b, l.Blocks-b)
			r = mulx.Rows{N: h, Count: blocks, Step: 2 * h, Factor: 1}
		}
		x := v[2*l.Half*b*l.Stride*t.bulk.w:]
		y := x[l.Half*l.Stride*t.bulk.w:]
		if t.ones[off+b] {
			t.cross(x, y, r)
		} else {
			butterflies(x, y, t.at(off+b), r)
		}
		b += blocks
	}
}

// Scale multiplies rows by one factor each.
func (t *table) Scale(of bulks.View, off, rows, width, stride int) {
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

// Pass does the layers of a pass that fits in cache one by one, or else those of parts that do: columns of each block.
func (t *table) Pass(v bulks.View, p bulks.Pass, r bulks.Rows) {
	layers := int(p.Layers)
	if layers == 1 || t.bulk.Bytes(r.Blocks*r.Half<<layers*r.Width) <= cache {
		t.layers(v, p, r)
		return
	}
	width := max(1, cache/t.bulk.Bytes(1<<layers))
	for b := range r.Blocks {
		for j := range r.Half {
			row := (r.Half<<layers*b + j) * r.Stride
			for i := 0; i < r.Width; i += width {
				n := min(width, r.Width-i)
				c := bulks.Rows{Blocks: 1, Half: 1, Width: n, Stride: r.Half * r.Stride}
				t.layers(v.Slice(row+i, row+i+(1<<layers-1)*c.Stride+n), p, c)
			}
		}
		p.Off++
	}
}

func (t *table) layers(of bulks.View, p bulks.Pass, r bulks.Rows) {
	v, layers := t.vector(of), int(p.Layers)
	for d := range layers {
		butterflies := t.down
		if p.Has(bulks.Transposed) {
			d, butterflies = layers-1-d, t.up
		}
		t.layer(v, p.Off<<d, bulks.NewRows(r.Blocks<<d, r.Half<<(layers-1-d), r.Width, r.Stride), butterflies)
	}
}
