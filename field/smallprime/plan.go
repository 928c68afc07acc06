package smallprime

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes"
)

// Plan makes the transform over d as s asks, on slices of elements in place.
func (f *Field32) Plan(d field.Domain[uint32], s field.Spec) (field.Transform[uint32], error) {
	return schemes.Build(f, f.bulk(), d, s)
}

// Plan makes the transform over d as s asks, on slices of elements in place.
func (f *Field64) Plan(d field.Domain[uint64], s field.Spec) (field.Transform[uint64], error) {
	return schemes.Build(f, f.bulk(), d, s)
}
