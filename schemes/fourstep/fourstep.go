// Package fourstep is the four-step transform, cache-blocked.
//
// With N = N1·N2 the input is an N1 × N2 matrix by rows. The steps of
//
//	DFT_N = L_N2 · (I_N1 ⊗ DFT_N2) · D · (DFT_N1 ⊗ I_N2)
//
// (decimation in frequency; the thesis "A Generic Implementation of FFTs for the BPAS Library", equation 5.6,
// has the transpose) are taken in two passes over memory:
//
//  1. strips of columns are copied out, transformed (DFT_N1), multiplied by twiddle factors (D) and copied back;
//  2. rows are transformed where they lie (DFT_N2).
//
// Rows and the values in them are then in bit-reversed order, which is the bit-reversed order of the whole:
// nothing is permuted, and the transform is in place. For natural order pass 1 writes to scratch, and pass 2
// writes the rows, a strip of them at a time, as columns of the result: the permutation L_N2 costs no pass of its
// own. The inverse runs the transposed steps backwards.
package fourstep

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/engine/front"
)

// New makes the four-step transform of n points of f. A field with a Planner makes it in its working form.
func New[E any](f field.Field[E], n int, s field.Spec) (field.Transform[E], error) {
	d, err := field.NewCyclic(f, n)
	if err != nil {
		return nil, err
	}
	return Over(f, d, s)
}

// Over is New for any domain.
func Over[E any](f field.Field[E], d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	s.Algorithm = field.FourStep
	return front.Planned(f, d, s, Build)
}
