// Package schemes makes transforms: it chooses a scheme and a working form, and knows no concrete field.
//
// A field with bulk operations answers its Plan method with [Build]; all other fields run on their element methods. The
// schemes themselves are in the packages below this one.
package schemes

import (
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/base"
	"github.com/galfft/fft/schemes/internal/core"
	"github.com/galfft/fft/schemes/internal/fourstep"
	"github.com/galfft/fft/schemes/internal/front"
	"github.com/galfft/fft/schemes/internal/naive"
	"github.com/galfft/fft/schemes/internal/sixstep"
)

// Build makes the transform of f over d as s asks, in the working form of a bulk of f. It is what a field's Plan method
// calls.
func Build[E any](f field.Field[E], b field.Bulk, d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	return front.New(f, b, d, s, choose)
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
	return Build(f, field.Slices[E]{Field: f}, d, s)
}

func choose(p *core.Problem) (core.Scheme, error) {
	if p.S.Algorithm == field.Auto {
		// Passes of high radix go through memory so seldom that splitting, which costs a product and two copies of
		// each element, does not pay (BenchmarkSchemes), as long as every task has a part. Elsewhere both schemes
		// take two passes over memory, and each is free of a permutation in its own order.
		if p.S.Base == 0 && p.D.N&(p.D.N-1) == 0 && p.Tasks <= base.Parts(p.T) && p.F.Bytes(p.D.N) <= p.S.MemoryLimit/16 {
			p.S.Base = max(2, p.D.N)
		}
		p.S.Algorithm = field.FourStep
		if p.S.Order == field.Natural || p.D.N&(p.D.N-1) != 0 || core.Columns(p.T, p.D.N) > 1 { // rows of the four-step are transposed twice where passes want columns
			p.S.Algorithm = field.SixStepMerged
		}
	}
	switch p.S.Algorithm {
	case field.Naive:
		return naive.Build(p)
	case field.SixStep:
		return sixstep.Explicit(p)
	case field.SixStepMerged:
		return sixstep.Merged(p)
	case field.FourStep:
		return fourstep.Build(p)
	}
	return nil, fmt.Errorf("fft: %w: scheme %v", field.ErrSpec, p.S.Algorithm)
}
