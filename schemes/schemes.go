// Package schemes makes transforms, and knows no concrete field.
//
// A field with bulk operations answers its Plan method with [Build]; all other fields run on their element methods. The
// schemes themselves are in the packages below this one, each a list of phases over the engine that runs them.
package schemes

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/internal/engine/front"
	"github.com/galfft/fft/schemes/bluestein"
	"github.com/galfft/fft/schemes/depthfirst"
	"github.com/galfft/fft/schemes/fourstep"
	"github.com/galfft/fft/schemes/internal/base"
	"github.com/galfft/fft/schemes/naive"
	"github.com/galfft/fft/schemes/sixstep"
)

// Build makes the transform of f over d as s asks, in the working form of a bulk of f. It is what a field's Plan method
// calls.
func Build[E any](f field.Field[E], b bulks.Bulk, d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	return front.Chosen(f, b, d, s, scheme)
}

// BuildFirst is [Build] with the first of the bulks whose vectors are for transforms of that length, see bulks.Traits.
// It returns nil, without an error, where there is none: Plan methods leave such transforms to element methods.
func BuildFirst[E any](f field.Field[E], d field.Domain[E], s field.Spec, of ...bulks.Bulk) (field.Transform[E],
	error) {
	for _, b := range of {
		if err := field.CheckValue("bulk", b); err != nil {
			return nil, err
		}
	}
	i := choice.First(field.Length(d), of)
	if i < 0 {
		return nil, nil
	}
	return Build(f, of[i], d, s)
}

// New makes the transform of f over d as s asks: by f's own Planner where there is one, by element methods
// otherwise or where s.NoPlanner says so.
func New[E any](f field.Field[E], d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	return front.Planned(f, d, s, scheme)
}

// scheme makes the scheme of p's choice.
func scheme(p *engine.Problem) (engine.Scheme, error) {
	switch p.C.Algorithm {
	case field.Naive:
		return naive.Build(p)
	case field.SixStep, field.SixStepMerged:
		return sixstep.Build(p)
	case field.FourStep:
		return fourstep.Build(p)
	}
	b := base.Cases(p)
	switch {
	case p.C.Algorithm == field.DepthFirst:
		return depthfirst.Build(b)
	case p.C.Algorithm == field.Bluestein && p.C.Tasks > 1:
		return bluestein.Build(b, scheme)
	}
	c, err := b.New(p.D)
	if err != nil {
		return nil, err
	}
	return depthfirst.Alone(b, c)
}
