// Package rings hides the type of elements of rings of polynomials.
package rings

import (
	"context"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Ring is a poly.Ring of views of slices, as poly.NewErased makes it: all that it does is compiled once for all
// elements.
type Ring interface {
	// Products is the report of products of a and b coefficients.
	Products(ctx context.Context, a, b int) (field.Report, error)
	// Mul returns x·y, and MulTo sets z to it.
	Mul(ctx context.Context, x, y bulks.View) (bulks.View, error)
	MulTo(ctx context.Context, z, x, y bulks.View) error
	// Cyclic and Negacyclic return x·y modulo x^n − 1 and x^n + 1.
	Cyclic(ctx context.Context, x, y bulks.View, n int) (bulks.View, error)
	Negacyclic(ctx context.Context, x, y bulks.View, n int) (bulks.View, error)
	// WithSchoolbook is the ring with another crossover.
	WithSchoolbook(n int) Ring
}
