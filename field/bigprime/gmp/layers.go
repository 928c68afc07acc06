//go:build cgo && gmp

package gmp

import "github.com/galfft/fft/field/bulks"

// maxLayers is that of a pass: 16 rows meet in it, of which parts stay in the first-level cache.
const maxLayers = 4

// cache is the part of the first-level cache that these take, in bytes.
const cache = 1 << 15

// Pass takes as many blocks at a time as fit in cache, or as many columns of one block.
func (t *table[E]) Pass(v bulks.View, p bulks.Pass, l bulks.Rows) {
	layers, up := int(p.Layers), p.Has(bulks.Transposed)
	if layers == 1 {
		t.layer(v, p.Off, l, up)
		return
	}
	fit := max(1, cache/t.bulk.Bytes(1)>>layers) // columns
	if width := l.Half * l.Width; width <= fit {
		blocks := fit / width
		for b := 0; b < l.Blocks; b += blocks {
			n := min(blocks, l.Blocks-b)
			from := l.Half << layers * b * l.Stride
			part := bulks.Rows{Blocks: n, Half: l.Half, Width: l.Width, Stride: l.Stride}
			t.all(v.Slice(from, v.N), p.Off+b, part, layers, up)
		}
		return
	}
	for b := range l.Blocks {
		for j := range l.Half {
			row := (l.Half<<layers*b + j) * l.Stride
			for i := 0; i < l.Width; i += fit {
				n := min(fit, l.Width-i)
				part := bulks.Rows{Blocks: 1, Half: 1, Width: n, Stride: l.Half * l.Stride}
				t.all(v.Slice(row+i, v.N), p.Off+b, part, layers, up)
			}
		}
	}
}

// all runs the layers of a pass one after the other.
func (t *table[E]) all(v bulks.View, off int, l bulks.Rows, layers int, up bool) {
	for d := range layers {
		if up {
			d = layers - 1 - d
		}
		t.layer(v, off<<d, bulks.NewRows(l.Blocks<<d, l.Half<<(layers-1-d), l.Width, l.Stride), up)
	}
}
