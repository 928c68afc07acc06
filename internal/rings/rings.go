// Package rings hides the type of elements of rings of polynomials.
package rings

import (
	"context"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/poly"
)

// Ring is a poly.Ring of views.
type Ring struct {
	untyped
	times      func(ctx context.Context, w way, z, x, y bulks.View, n int) (bulks.View, error)
	schoolbook func(n int) *Ring
}

// untyped is what a ring has that names no elements.
type untyped interface {
	Products(ctx context.Context, a, b int) (field.Report, error)
}

type way uint8

const (
	product way = iota
	productTo
	cyclic
	negacyclic
)

// New makes a ring over f.
func New[E any](f field.Field[E], opts ...fft.Option) (*Ring, error) {
	r, err := poly.New(f, opts...)
	if err != nil {
		return nil, err
	}
	return of(r), nil
}

// of is called from two places, of which each would have a copy.
//
//go:noinline
func of[E any](r *poly.Ring[E]) *Ring {
	return &Ring{r, func(ctx context.Context, w way, z, x, y bulks.View, n int) (bulks.View, error) {
		a, b, c := slice[E](x), slice[E](y), []E(nil)
		var err error
		switch w {
		case product:
			c, err = r.Mul(ctx, a, b)
		case productTo:
			return z, r.MulTo(ctx, slice[E](z), a, b)
		case cyclic:
			c, err = r.Cyclic(ctx, a, b, n)
		case negacyclic:
			c, err = r.Negacyclic(ctx, a, b, n)
		}
		return bulks.ViewOf(c), err
	}, func(n int) *Ring { return of(r.WithSchoolbook(n)) }}
}

// Mul returns x·y.
func (r *Ring) Mul(ctx context.Context, x, y bulks.View) (bulks.View, error) {
	return r.times(ctx, product, bulks.View{}, x, y, 0)
}

// MulTo sets z to x·y.
func (r *Ring) MulTo(ctx context.Context, z, x, y bulks.View) error {
	_, err := r.times(ctx, productTo, z, x, y, 0)
	return err
}

// Cyclic and Negacyclic return the remainder of x·y modulo tⁿ − 1 and tⁿ + 1.
func (r *Ring) Cyclic(ctx context.Context, x, y bulks.View, n int) (bulks.View, error) {
	return r.times(ctx, cyclic, bulks.View{}, x, y, n)
}

func (r *Ring) Negacyclic(ctx context.Context, x, y bulks.View, n int) (bulks.View, error) {
	return r.times(ctx, negacyclic, bulks.View{}, x, y, n)
}

// WithSchoolbook is that of poly.Ring.
func (r *Ring) WithSchoolbook(n int) *Ring { return r.schoolbook(n) }

// slice is a call of its own, as in package erased.
//
//go:noinline
func slice[E any](v bulks.View) []E { return bulks.SliceOf[E](v) }
