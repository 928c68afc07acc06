//go:build cgo && gmp

package gmp

// #include "mpn.h"
import "C"

import (
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/bulks"
)

// table is multipliers, in Montgomery's form but for the longest primes, with the passes that use them. Products by 1
// are left out.
type table[E bigprime.Words] struct {
	*bulk[E]
	w    []E
	ones []uint8 // 1 where a multiplier is
}

func (b *bulk[E]) Table(of bulks.View, _ bulks.Share) (bulks.Table, error) {
	t := &table[E]{b, make([]E, of.N), make([]uint8, of.N)}
	var one E
	b.Field.One(&one)
	for i, w := range bulks.SliceOf[E](of) {
		if t.w[i] = w; w == one {
			t.ones[i] = 1
		}
	}
	if b.m.divide == 0 {
		b.multiples(t.w, &b.r2)
	}
	return t, nil
}

func (t *table[E]) Bytes() int { return t.bulk.Bytes(len(t.w)) + len(t.ones) }

// multiples multiplies a vector by one multiplier, which is not 1.
func (b *bulk[E]) multiples(v []E, w *E) {
	t := table[E]{b, one(w), []uint8{0}}
	t.Scale(bulks.ViewOf(v), 0, 1, len(v), len(v))
}

// layer runs butterflies over the rows of a layer: of whole blocks in each call, or of parts of one.
func (t *table[E]) layer(of bulks.View, off int, l bulks.Rows, up bool) {
	v := bulks.SliceOf[E](of)
	blocks, rows, width := clamp(t.most/(l.Half*l.Width), l.Blocks), clamp(t.most/l.Width, l.Half), min(t.most, l.Width)
	p := C.pass{step: C.size_t(2 * l.Half * l.Stride), stride: C.size_t(l.Stride)}
	for b := 0; b < l.Blocks; b += blocks {
		p.blocks = C.size_t(min(blocks, l.Blocks-b))
		w, ones := limbs(t.w[off+b:]), (*C.uint8_t)(&t.ones[off+b])
		for j := 0; j < l.Half; j += rows {
			p.rows = C.size_t(min(rows, l.Half-j))
			for i := 0; i < l.Width; i += width {
				p.width = C.size_t(min(width, l.Width-i))
				x := v[(2*l.Half*b+j)*l.Stride+i:]
				t.butterflies(p, x, x[l.Half*l.Stride:], w, ones, up)
			}
		}
	}
}

// butterflies is a call of C.
func (b *bulk[E]) butterflies(p C.pass, x, y []E, w *C.mp_limb_t, ones *C.uint8_t, up bool) {
	if up {
		C.galfft_up(&b.m, p, limbs(x), limbs(y), w, ones)
	} else {
		C.galfft_down(&b.m, p, limbs(x), limbs(y), w, ones)
	}
}

// row runs butterflies with one multiplier, as an element.
func (b *bulk[E]) row(x, y []E, w *E, up bool) {
	y = y[:len(x)]
	t, ones := *w, C.uint8_t(0)
	if b.m.divide == 0 {
		b.multiples(one(&t), &b.r2)
	}
	for len(x) > 0 {
		n := min(b.most, len(x))
		b.butterflies(C.pass{blocks: 1, rows: 1, width: C.size_t(n)}, x, y, limbs(one(&t)), &ones, up)
		x, y = x[n:], y[n:]
	}
}

// clamp returns n, at least 1 and at most limit.
func clamp(n, limit int) int { return min(max(1, n), limit) }

// Scale multiplies rows by one multiplier each.
func (t *table[E]) Scale(of bulks.View, off, rows, width, stride int) {
	v := bulks.SliceOf[E](of)
	blocks, part := clamp(t.most/max(1, width), rows), min(t.most, width)
	p := C.pass{step: C.size_t(stride)}
	for b := 0; b < rows; b += blocks {
		p.blocks = C.size_t(min(blocks, rows-b))
		for i := 0; i < width; i += part {
			p.width = C.size_t(min(part, width-i))
			C.galfft_scale(&t.m, p, limbs(v[b*stride+i:]), limbs(t.w[off+b:]), (*C.uint8_t)(&t.ones[off+b]))
		}
	}
}
