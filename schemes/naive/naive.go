// Package naive is the transform by its definition, X[j] = Σᵢ x[i]·(s·w^j)^i: n² products. It is the
// judge of every other scheme.
package naive

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/engine/front"
)

// New makes the naive transform of n points of f, by element methods alone.
func New[E any](f field.Field[E], n int, s field.Spec) (field.Transform[E], error) {
	d, err := field.NewCyclic(f, n)
	if err != nil {
		return nil, err
	}
	return Over(f, d, s)
}

// Over is New for any domain. Parameters other than order, batch, workers and progress have no effect.
func Over[E any](f field.Field[E], d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	s.Algorithm, s.NoPlanner = field.Naive, true
	return front.Planned(f, d, s, Build)
}
