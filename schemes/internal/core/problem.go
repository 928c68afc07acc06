package core

import (
	"errors"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/choice"
)

// Problem is what a scheme is built for: a field in working form, a domain, the parameters that were asked for, and
// what was chosen.
type Problem struct {
	F field.Bulk
	T field.Traits // of F
	D Domain
	S field.Spec
	C choice.Choice
	M *Making
	// Batched says that the transform is one of several in a call.
	Batched bool
	Ignored string // tuned values that were not taken, and why
}

// Domain is N points that are named by exponents: point j is s^Shift·(w^Root)^j, for the root w and the shift s of
// Points.
type Domain struct {
	N           int
	Root, Shift int64
	Points
}

// Shifted reports whether the shift is not 1.
func (d Domain) Shifted() bool { return d.Shift != 0 && !d.IsOne(Factor{Shift: d.Shift}) }

// Inverse is the domain of inverse root and inverse shift.
func (d Domain) Inverse() Domain {
	d.Root, d.Shift = -d.Root, -d.Shift
	return d
}

// Factor names the element w^Root·s^Shift/Over, for the root w and the shift s of the points that it is asked of; Over
// 0 counts as 1. Exponents may be negative.
type Factor struct {
	Root, Shift int64
	Over        int
}

// Points is the root and the shift of a plan, and what depends on the type of elements. Schemes know no more of
// elements.
type Points interface {
	// Check finds a root of the wrong order, a shift of 0, and values that are no elements.
	Check() error
	// Factors returns a vector of so many elements in working form, and Elements as elements.
	Factors(list ...Factor) (View, error)
	Elements(list ...Factor) (View, error)
	// IsOne reports whether a factor is 1.
	IsOne(f Factor) bool
	// Roots returns the domain of the n-th roots of unity, or ErrNoRoot.
	Roots(n int) (Domain, error)
	// Convolves reports whether the field has convolutions of its own, and Convolution returns that of length n.
	Convolves() bool
	Convolution(n int, s field.Spec) (Convolution, error)
	// Codelet returns the straight-line code for the points of d, or nil where the bulk does not work on
	// elements.
	Codelet(d Domain) (Codelet, error)
	// Host is element methods over views of canonical elements.
	Host() field.Bulk
	// Type is the type of the field in words.
	Type() string
	// Sum sets element j of z to Σᵢ x[i]·w[ij mod n], for views of n canonical elements. It computes in t, of one.
	Sum(z, x, w View, j int, t View)
}

// View is field.View.
type View = field.View

// Convolution is a field.Convolution that takes elements as views.
type Convolution interface {
	NewVec() (field.Vec, error)
	Report() field.Report
	// Times loads x, multiplies by h and stores the product in x, by way of v.
	Times(w *Watch, x View, v, h field.Vec) error
	// Fixed loads x into h, which is then a factor for Times.
	Fixed(w *Watch, h field.Vec, x View) error
}

// Codelet is straight-line code for transforms of the columns of N rows, natural to bit-reversed order, and back; over
// a coset without its shift.
type Codelet interface {
	Columns(v View, width int, inverse bool)
	Bytes() int
}

// HasHalf reports whether 2 has an inverse.
func HasHalf(p Points) (bool, error) {
	_, err := p.Factors(Factor{Over: 2})
	if errors.Is(err, field.ErrNotInvertible) {
		return false, nil
	}
	return err == nil, err
}
