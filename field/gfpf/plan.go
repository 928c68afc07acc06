package gfpf

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes"
)

// Plan makes the transform over d as s asks, on tiles of eight elements. Where there are no kernels for them, or d has
// no rows and columns of eight, it leaves that to element methods, which take half to a third of the time of digits in
// slices.
func (f *Field[E]) Plan(d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	if err := f.Check(); err != nil || f.prime.tiles.set == nil {
		return nil, err
	}
	return schemes.BuildFirst(f, d, s, f.prime.tiles)
}
