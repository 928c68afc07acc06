// Package schemes makes transforms: it chooses a scheme and a working form, and knows no concrete field.
//
// A field with bulk operations answers its Plan method with [Build], a field of tiles with [BuildTiled]; all
// other fields run through [Build] over field.Slices. The schemes themselves are in the packages below this one.
package schemes

import (
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/base"
	"github.com/galfft/fft/schemes/internal/core"
	"github.com/galfft/fft/schemes/internal/fourstep"
	"github.com/galfft/fft/schemes/internal/literal"
	"github.com/galfft/fft/schemes/internal/naive"
	"github.com/galfft/fft/schemes/internal/sixstep"
)

// Build makes the transform of f over d as s asks, in the working form V. It is what a field's Plan method
// calls with the field's Bulk.
func Build[E, V any](f field.Bulk[E, V], d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	return core.New(f, d, s, choose[E, V])
}

// New makes the transform of f over d as s asks: by f's own Planner where there is one, by element methods
// otherwise or where s.NoPlanner says so.
func New[E any](f field.Field[E], d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	if s.Literal != nil {
		return core.New(field.Slices[E]{Field: f}, d, s, literal.Build[E])
	}
	if t, err := core.Planned(f, d, s); t != nil || err != nil {
		return t, err
	}
	return Build[E, []E](field.Slices[E]{Field: f}, d, s)
}

// BuildWorking makes the transform of elements E over d as s asks, where vectors are those of f, whose elements U are another
// form of the same field, and u is d in it. A field with many types of elements has the schemes compiled once for all.
func BuildWorking[E, U, V any](w field.Working[E, V], d field.Domain[E], f field.Bulk[U, V], u field.Domain[U], s field.Spec) (field.Transform[E], error) {
	if err := field.Check(f); err != nil {
		return nil, err
	}
	return core.NewWorking(w, d, s, func(m *core.Making, s field.Spec, tasks int) (core.Scheme[V], error) {
		return choose(&core.Problem[U, V]{F: f, D: u, S: s, Tasks: tasks, M: m})
	})
}

func choose[E, V any](p *core.Problem[E, V]) (core.Scheme[V], error) {
	if p.S.Literal != nil {
		return nil, fmt.Errorf("fft: %w: the literal form of a scheme in a field's own, want schemes.New", field.ErrSpec)
	}
	if p.S.Algorithm == field.Auto {
		// Passes of high radix go through memory so seldom that splitting, which costs a product and two copies of
		// each element, does not pay (BenchmarkSchemes), as long as every task has a part. Elsewhere both schemes
		// take two passes over memory, and each is free of a permutation in its own order.
		if p.S.Base == 0 && p.D.N&(p.D.N-1) == 0 && p.Tasks <= base.Parts(p.F) && p.F.VecBytes(p.D.N) <= p.S.MemoryLimit/16 {
			p.S.Base = max(2, p.D.N)
		}
		p.S.Algorithm = field.FourStep
		if p.S.Order == field.Natural || p.D.N&(p.D.N-1) != 0 || core.Columns(p.F, p.D.N) > 1 { // rows of the four-step are transposed twice where passes want columns
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
