package bigprime

import (
	"unsafe"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/arith"
)

// bulk is packed vectors of a modulus, which are slices of elements as they stand.
type bulk struct {
	*modulus
	moves moves
}

func newBulk(f *modulus) *bulk { return &bulk{f, newMoves(f.w)} }

// Traits says what vectors are; times are those of BenchmarkOperations.
func (b *bulk) Traits() bulks.Traits {
	t := bulks.Traits{InPlace: true, Canonical: true, Passes: bulks.Passes{Layers: maxLayers}}
	if words := float64(b.w); b.kernels != nil {
		t.Butterfly, t.Form = 2+words*words, "packed elements; Montgomery's products by MULX"
	} else {
		t.Butterfly, t.Form = 10+2.3*words*words, "packed elements; Montgomery's products in Go"
	}
	return t
}

func (b *bulk) Make(n int) (bulks.View, error) {
	if n == 0 {
		return bulks.View{Buf: (*word)(nil)}, nil
	}
	return bulks.View{Buf: (*word)(unsafe.SliceData(arith.Aligned(n * b.w))), N: n}, nil
}

func (b *bulk) Bytes(n int) int { return 8 * b.w * n }

func (b *bulk) Memory(v bulks.View) ([]byte, bool) { return arith.Bytes(b.vector(v)), true }

func (b *bulk) Reduce(bulks.View) {}

func (b *bulk) Pack(v, a bulks.View) { copy(b.vector(v), b.vector(a)) }

func (b *bulk) Unpack(a, v bulks.View) { copy(b.vector(a), b.vector(v)) }

func (b *bulk) VecMul(z, x, y bulks.View) { b.products(b.vector(z), b.vector(x), b.vector(y)) }

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

func (b *bulk) Copy(to, from bulks.View, c bulks.Copy) { b.moves.copy(b.vector(to), b.vector(from), c) }

func (b *bulk) Reorder(v bulks.View, _, part, parts int) { b.moves.reorder(b.vector(v), part, parts) }

// numberBulk is the bulk for elements of type Number, which lie apart.
type numberBulk struct{ *bulk }

func (b numberBulk) Traits() bulks.Traits {
	t := b.bulk.Traits()
	t.InPlace = false
	return t
}

func (b numberBulk) Pack(to, from bulks.View) {
	v := b.vector(to)
	for i, x := range bulks.SliceOf[Number](from) {
		copy(v[i*b.w:], numbers{b.modulus}.of(&x))
	}
}

func (b numberBulk) Unpack(to, from bulks.View) {
	v, a := b.vector(from), bulks.SliceOf[Number](to)
	numbers{b.modulus}.rooms(a)
	for i := range a {
		copy(a[i], v[i*b.w:])
	}
}
