package field

import (
	"fmt"
	"math/bits"
)

// Affine is the domain whose point j is Shift plus the sum of Basis[i] over the bits i of j that are set: an affine
// subspace of a field of characteristic 2 over its prime field, of 2^m points for m vectors, which are linearly
// independent. Transforms over it are additive FFTs; they need no roots of unity and no 1/N.
type Affine[E any] struct {
	Basis []E
	Shift E
}

// Len is 2^m, and 0 where that is no int.
func (d Affine[E]) Len() int { return max(0, 1<<len(d.Basis)) }

// Point sets z to point j.
func (d Affine[E]) Point(f Field[E], z *E, j int) {
	f.Set(z, &d.Shift)
	for i := range d.Basis {
		if j>>i&1 == 1 {
			f.Add(z, z, &d.Basis[i])
		}
	}
}

// Subspaces is offered by fields of characteristic 2 that have a basis of their own, for affine domains.
type Subspaces[E any] interface {
	Field[E]
	// Subspace sets b to the first vectors of the basis, the same for shorter and longer b. The error is an ErrLength
	// where b is longer than the field has dimensions, and nothing is written.
	Subspace(b []E) error
}

// SubspacesOf returns f, or the field that f wraps (a method Unwrap, as fields on devices have), where that offers
// Subspaces.
func SubspacesOf[E any](f Field[E]) (s Subspaces[E], ok bool) {
	if s, ok = f.(Subspaces[E]); ok {
		return s, ok
	}
	if w, wraps := f.(interface{ Unwrap() Rooted[E] }); wraps {
		s, ok = w.Unwrap().(Subspaces[E])
	}
	return s, ok
}

// NewAffine returns the domain of n points of the field's own basis, with the shift 0. The error is ErrLength where n
// is no power of two, or more than the field has points.
func NewAffine[E any](f Subspaces[E], n int) (Affine[E], error) {
	var d Affine[E]
	if err := checkDomain(f, n); err != nil {
		return d, err
	}
	if n&(n-1) != 0 {
		return d, fmt.Errorf("fft: %w: %d points of a subspace, want a power of two", ErrLength, n)
	}
	b := make([]E, bits.Len(uint(n))-1)
	if err := f.Subspace(b); err != nil {
		return d, err
	}
	d.Basis = b
	return d, nil
}
