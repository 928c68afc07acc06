package binary

import (
	"crypto/subtle"
	"sync"
	"unsafe"

	"github.com/galfft/fft/kernels/gf2"
)

// FirstInvalid returns the least i for which x[i] has bits from m on, or as a Number neither ⌈m/64⌉ words nor none, and
// −1 where there is none.
func (f *Field[E]) FirstInvalid(x []E) int {
	if f.core.kind != number && 8*int(unsafe.Sizeof(*new(E))) == f.core.m {
		return -1 // all bits are those of elements
	}
	for i := range x {
		var t [1]uint64
		if !fits(f, &x[i]) || !f.core.valid(wordsIn(f, &x[i], &t)) {
			return i
		}
	}
	return -1
}

// AddVec sets zᵢ = xᵢ + yᵢ: see field.Vectors. Like the others below it panics where x or y is shorter than z.
func (f *Field[E]) AddVec(z, x, y []E) {
	x, y = x[:len(z)], y[:len(z)]
	if f.core.kind != number {
		subtle.XORBytes(bytesOf(z), bytesOf(x), bytesOf(y))
		return
	}
	for i := range z {
		f.Add(&z[i], &x[i], &y[i])
	}
}

// SubVec sets zᵢ = xᵢ − yᵢ, which is xᵢ + yᵢ.
func (f *Field[E]) SubVec(z, x, y []E) { f.AddVec(z, x, y) }

// MulVec sets zᵢ = xᵢ·yᵢ.
func (f *Field[E]) MulVec(z, x, y []E) {
	x, y = x[:len(z)], y[:len(z)]
	for i := productsByWords(f, z, x, y); i < len(z); i++ {
		f.Mul(&z[i], &x[i], &y[i])
	}
}

// MulAddVec sets zᵢ = zᵢ + xᵢ·yᵢ.
func (f *Field[E]) MulAddVec(z, x, y []E) {
	x, y = x[:len(z)], y[:len(z)]
	if f.core.kind != number && len(z) > 0 {
		room := products.Get().(*[1 << 9]uint64)
		t := unsafe.Slice((*E)(unsafe.Pointer(room)), 8*len(room)/int(unsafe.Sizeof(z[0])))
		for len(z) > 0 {
			n := min(len(t), len(z))
			f.MulVec(t[:n], x[:n], y[:n])
			f.AddVec(z[:n], z[:n], t[:n])
			z, x, y = z[n:], x[n:], y[n:]
		}
		products.Put(room)
		return
	}
	var t E
	for i := range z {
		f.Mul(&t, &x[i], &y[i])
		f.Add(&z[i], &z[i], &t)
	}
}

// products are vectors of products, to be added.
var products = sync.Pool{New: func() any { return new([1 << 9]uint64) }}

// productsByWords does MulVec by kernels for words, where there are some for the field and its basis, to the first
// elements, and returns how many.
func productsByWords[E Elements](f *Field[E], z, x, y []E) int {
	set := gf2.ActiveWords()
	if set == nil || f.core.kind == number || f.core.rest == nil || len(z) < lanes {
		return 0
	}
	return mulWords(set.For(f.core.m, f.core.rest), f.core.m/64-1, f.core.rest, bytesOf(z), bytesOf(x), bytesOf(y))
}
