// Package schemes makes transforms, and knows no concrete field.
//
// A field with bulk operations answers its Plan method with [Build]; all other fields run on their element methods. The
// schemes themselves are in the packages below this one.
package schemes

import (
	"errors"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/base"
	"github.com/galfft/fft/schemes/internal/choice"
	"github.com/galfft/fft/schemes/internal/core"
	"github.com/galfft/fft/schemes/internal/front"
	"github.com/galfft/fft/schemes/internal/naive"
	"github.com/galfft/fft/schemes/internal/prime"
	"github.com/galfft/fft/schemes/internal/product"
)

// Build makes the transform of f over d as s asks, in the working form of a bulk of f. It is what a field's Plan method
// calls.
func Build[E any](f field.Field[E], b field.Bulk, d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	return front.New(f, b, d, s, build)
}

// New makes the transform of f over d as s asks: by f's own Planner where there is one, by element methods
// otherwise or where s.NoPlanner says so.
func New[E any](f field.Field[E], d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	if err := field.Check(f); err != nil {
		return nil, err
	}
	if p, ok := f.(field.Planner[E]); ok && !s.NoPlanner {
		if t, err := p.Plan(d, s); t != nil || err != nil {
			return t, err
		}
	}
	_, affine := d.(field.Affine[E])
	return Build(f, &field.Slices[E]{Field: f, Affine: affine}, d, s)
}

// build makes the transform of the scheme that package choice chooses.
func build(b field.Bulk, d core.Domain, s field.Spec) (core.Transform, field.Batch, error) {
	t, batch, err := core.New(b, d, s, scheme)
	if s.Tuning == nil || !errors.Is(err, field.ErrMemory) {
		return t, batch, err
	}
	// Tuned values may take more memory than the defaults, which know the limit.
	s.Tuning = nil
	return core.New(b, d, s, func(p *core.Problem) (core.Scheme, error) {
		p.Ignored = fmt.Sprintf("tuned values: %v", err)
		return scheme(p)
	})
}

func scheme(p *core.Problem) (core.Scheme, error) {
	k := field.TuningKey{Form: p.T.Form, Bytes: p.F.Bytes(field.Lanes) / field.Lanes, N: p.D.N, Order: p.S.Order,
		Workers: max(1, p.S.Workers), Batch: p.Batched}
	if p.T.Single && p.S.Tuning != nil {
		k.Field = p.D.Type()
	}
	c, s, ignored, err := choice.Tuned(choice.Problem{N: p.D.N, Traits: p.T, Bytes: p.F.Bytes, Spec: p.S}, k)
	if err != nil {
		return nil, err
	}
	p.C, p.S = c, s
	if ignored != "" {
		p.Ignored = ignored
	}
	return chosen(p)
}

// chosen makes the scheme of p's choice.
func chosen(p *core.Problem) (core.Scheme, error) {
	cases := base.Cases(p)
	switch p.C.Algorithm {
	case field.Bluestein:
		if p.C.Tasks > 1 {
			s, err := prime.Shared(cases, func(u core.Domain) (core.Scheme, error) { return inner(p, u) })
			if s != nil || err != nil {
				return s, err
			}
		}
	case field.Naive:
		return naive.Build(p)
	case field.SixStep:
		return product.Explicit(cases)
	case field.SixStepMerged:
		return product.Merged(cases)
	case field.FourStep:
		return product.FourStep(cases)
	}
	return base.Alone(cases)
}

// inner makes the scheme of a transform inside those of p, in the order that costs least.
func inner(p *core.Problem, u core.Domain) (core.Scheme, error) {
	q := *p
	q.D = u
	q.S.Algorithm, q.S.Order, q.S.Tuning, q.S.MemoryLimit = field.Auto, field.Scheme, nil, p.M.Left()
	var err error
	if q.C, err = choice.Of(choice.Problem{N: u.N, Traits: q.T, Bytes: q.F.Bytes, Spec: q.S}); err != nil {
		return nil, err
	}
	return chosen(&q)
}
