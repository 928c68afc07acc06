// Package sixstep makes the schemes of package schemes/sixstep.
package sixstep

import (
	"github.com/galfft/fft/schemes/internal/base"
	"github.com/galfft/fft/schemes/internal/core"
)

// Merged makes the merged scheme of p.
func Merged[E, V any](p *core.Problem[E, V]) (core.Scheme[V], error) {
	if base.Defaults(p) {
		return base.Alone(p)
	}
	s, err := base.NewStages(p)
	if err != nil {
		return nil, err
	}
	return &merged[E, V]{s}, nil
}

// Explicit makes the scheme of p with explicit transposes.
func Explicit[E, V any](p *core.Problem[E, V]) (core.Scheme[V], error) {
	if base.Defaults(p) {
		return base.Alone(p)
	}
	s, err := base.NewStages(p)
	if err != nil {
		return nil, err
	}
	return &explicit[E, V]{s}, nil
}
