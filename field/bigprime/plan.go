package bigprime

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes"
)

// Plan makes the transform over d as s asks: on tiles of eight elements where there are kernels for them and d has rows
// and columns of eight, and on packed elements elsewhere.
func (f *Field[E]) Plan(d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	if f.prime.tiles == nil {
		return schemes.Build(f, f.prime.bulk, d, s)
	}
	return schemes.BuildFirst(f, d, s, f.prime.tiles, f.prime.bulk)
}
