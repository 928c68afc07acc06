//go:build cgo && gmp

package gmp

import (
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes"
)

// Plan makes the transform over d as s asks, by passes in C.
func (f *Field[E]) Plan(d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	return schemes.Build(f, f.bulk, d, s)
}

// Mul sets z = xy, by one call of C.
func (f *Field[E]) Mul(z, x, y *E) { f.bulk.vectors(one(z), one(x), one(y), products) }

// one is a vector of one element.
func one[E any](x *E) []E {
	_ = *x // a nil pointer panics, where unsafe.Slice would end a program that checks pointers
	return unsafe.Slice(x, 1)
}

// AddVec sets zᵢ = xᵢ + yᵢ: see field.Vectors. Like the others below it panics where x or y is shorter than z.
func (f *Field[E]) AddVec(z, x, y []E) { f.bulk.vectors(z, x, y, sums) }

// SubVec sets zᵢ = xᵢ − yᵢ.
func (f *Field[E]) SubVec(z, x, y []E) { f.bulk.vectors(z, x, y, differences) }

// MulVec sets zᵢ = xᵢ·yᵢ.
func (f *Field[E]) MulVec(z, x, y []E) { f.bulk.vectors(z, x, y, products) }

// MulAddVec sets zᵢ = zᵢ + xᵢ·yᵢ.
func (f *Field[E]) MulAddVec(z, x, y []E) { f.bulk.vectors(z, x, y, productSums) }

// Butterflies sets (xᵢ, yᵢ) = (xᵢ + w·yᵢ, xᵢ − w·yᵢ): see field.Butterflies. It panics where y is shorter than x.
func (f *Field[E]) Butterflies(x, y []E, w *E) { f.bulk.row(x, y, w, false) }

// ButterfliesT sets (xᵢ, yᵢ) = (xᵢ + yᵢ, (xᵢ − yᵢ)·w).
func (f *Field[E]) ButterfliesT(x, y []E, w *E) { f.bulk.row(x, y, w, true) }
