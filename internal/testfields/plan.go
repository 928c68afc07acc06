package testfields

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes"
)

// Plan makes transforms on tiles.
func (f *Tile256) Plan(d field.Domain[[4]uint64], s field.Spec) (field.Transform[[4]uint64], error) {
	return schemes.BuildTiled[[4]uint64, Tile](f, d, s)
}
