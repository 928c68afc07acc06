package binary

import (
	"crypto/subtle"
	"unsafe"
)

// FirstInvalid returns the least i for which x[i] has bits from m on, or as a Number neither ⌈m/64⌉ words nor none, and
// −1 where there is none.
func (f *Field[E]) FirstInvalid(x []E) int {
	if f.kind != number && 8*int(unsafe.Sizeof(*new(E))) == f.m {
		return -1 // all bits are those of elements
	}
	for i := range x {
		var t [1]uint64
		if !f.is(&x[i]) || !f.valid(f.of(&x[i], &t)) {
			return i
		}
	}
	return -1
}

// AddVec sets zᵢ = xᵢ + yᵢ: see field.Vectors. Like the others below it panics where x or y is shorter than z.
func (f *Field[E]) AddVec(z, x, y []E) {
	x, y = x[:len(z)], y[:len(z)]
	if f.kind != number {
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
	for i := range z {
		f.Mul(&z[i], &x[i], &y[i])
	}
}

// MulAddVec sets zᵢ = zᵢ + xᵢ·yᵢ.
func (f *Field[E]) MulAddVec(z, x, y []E) {
	x, y = x[:len(z)], y[:len(z)]
	var t E
	for i := range z {
		f.Mul(&t, &x[i], &y[i])
		f.Add(&z[i], &z[i], &t)
	}
}
