// Package sixstep is the six-step transform, with explicit transposes and merged.
//
// With N = N1·N2 the input is an N1 × N2 matrix by rows, and
//
//	DFT_N = L_N2 · (I_N1 ⊗ DFT_N2) · L_N1 · D · (I_N2 ⊗ DFT_N1) · L_N2
//
// (the thesis "A Generic Implementation of FFTs for the BPAS Library", equation 5.8, with K = N2 and J = N1; there the
// outer split is always 2): three stride permutations L, that is transposes, two stages of transforms on contiguous
// rows, and twiddle factors D between them. The explicit form runs the six steps one after the other. The merged form
// takes them in two passes over strips of columns, which carry the transposes on their way:
//
//  1. a strip of columns of the N1 × N2 matrix is copied out, transformed (DFT_N1), multiplied by twiddle factors, and
//     written transposed to scratch, an N2 × N1 matrix;
//  2. a strip of columns of that is copied out, transformed (DFT_N2) and written to the result, in natural
//     order as it stands, or transposed for bit-reversed order.
//
// In bit-reversed order the explicit form saves its last transpose, and the merged form transposes once more in
// pass 2.
package sixstep

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/front"
	"github.com/galfft/fft/schemes/internal/base"
	"github.com/galfft/fft/schemes/internal/product"
)

// New makes the merged six-step transform of n points of f, or the explicit one where s.Algorithm says
// field.SixStep. A field with a Planner makes it in its working form.
func New[E any](f field.Field[E], n int, s field.Spec) (field.Transform[E], error) {
	d, err := field.NewCyclic(f, n)
	if err != nil {
		return nil, err
	}
	return Over(f, d, s)
}

// Over is New for any domain.
func Over[E any](f field.Field[E], d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	if s.Algorithm != field.SixStep {
		s.Algorithm = field.SixStepMerged
	}
	return front.Planned(f, d, s, Build)
}

// Build makes the scheme of a problem, for packages of this module: it does not check it.
func Build(p *engine.Problem) (engine.Scheme, error) {
	s, err := product.NewStages(base.Cases(p))
	if p.C.Algorithm == field.SixStep {
		return &explicit{s}, err
	}
	if err != nil {
		return nil, err
	}
	return newMerged(s, p.C.Halves), nil
}
