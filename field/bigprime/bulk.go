package bigprime

import (
	"math/bits"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/arith"
)

// bulk is packed vectors of a modulus, which are slices of elements as they stand.
type bulk struct{ *modulus }

func newBulk(f *modulus) *bulk { return &bulk{f} }

func (b *bulk) Traits() field.Traits {
	return field.Traits{
		InPlace:   true,
		MaxLayers: maxLayers,
		Butterfly: 3 + float64(b.w*b.w)/2,
		Form:      "packed elements; " + b.form(),
	}
}

// form names the arithmetic.
func (b *bulk) form() string {
	if b.kernels != nil {
		return "Montgomery products by MULX"
	}
	return "Montgomery products in Go"
}

func (b *bulk) Make(n int) (field.View, error) {
	if n == 0 {
		return field.View{Buf: (*word)(nil)}, nil
	}
	return field.View{Buf: (*word)(unsafe.SliceData(arith.Aligned(n * b.w))), N: n}, nil
}

func (b *bulk) Bytes(n int) int { return 8 * b.w * n }

func (b *bulk) Reduce(field.View) {}

func (b *bulk) Pack(v, a field.View) { copy(b.vector(v), b.vector(a)) }

func (b *bulk) Unpack(a, v field.View) { copy(b.vector(a), b.vector(v)) }

func (b *bulk) VecMul(z, x, y field.View) { b.products(b.vector(z), b.vector(x), b.vector(y)) }

// products sets z = xy in packed elements; z may be x or y.
func (f *modulus) products(z, x, y []uint64) {
	const block = 1 << 11 // words, which stay in the first-level cache between the two products
	x, y = x[:len(z)], y[:len(z)]
	for len(z) > 0 {
		n := min(max(1, block/f.w), len(z)/f.w)
		f.times(z, x, y, pairs(n))
		f.times(z, z, f.r2, row(n))
		z, x, y = z[n*f.w:], x[n*f.w:], y[n*f.w:]
	}
}

func (b *bulk) Copy(to, from field.View, c field.Copy) {
	dst, src := b.vector(to), b.vector(from)
	step := 1
	if c.Transpose {
		step = c.Src
	}
	for i := range c.Rows {
		d := dst[i*c.Dst*b.w:][:c.Width*b.w]
		s := src[(&field.Copy{Src: c.Src, Transpose: c.Transpose, RowPerm: c.RowPerm}).From(i, 0)*b.w:]
		if step == 1 && c.ColPerm == nil {
			copy(d, s)
			continue
		}
		for j := range c.Width {
			at := j
			if c.ColPerm != nil {
				at = int(c.ColPerm[j])
			}
			copy(d[j*b.w:][:b.w], s[at*step*b.w:])
		}
	}
}

func (b *bulk) Reorder(of field.View, part, parts int) {
	v, n := b.vector(of), of.N
	length := bits.Len(uint(n - 1))
	for i := part; i < n; i += parts {
		if j := field.Rev(i, length); i < j {
			x, y := v[i*b.w:][:b.w], v[j*b.w:][:b.w]
			for k := range x {
				x[k], y[k] = y[k], x[k]
			}
		}
	}
}
