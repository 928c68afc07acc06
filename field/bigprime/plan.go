package bigprime

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes"
)

// Plan makes the transform over d as s asks, on packed elements.
func (f *Field[E]) Plan(d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	return schemes.Build(f, f.prime.bulk, d, s)
}
