package poly

import (
	"context"
	"fmt"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine/front"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/par"
)

// elements is a field as products see it, whose vectors are views of slices of its elements. Only its
// operations depend on the type of these, so that all else is compiled once.
type elements struct {
	operations
	loops   par.Loops[loop]
	f       any // the field
	size    int // bytes of an element
	planner bool
	checks  bool // a field.RangeChecker
	through bool // a field.Convolver
	// subspaces: a field.Subspaces, whose plans of powers of two are over affine domains.
	subspaces bool
	cost      func(n int) float64 // of products through other primes, beside those by the field's own transforms
}

// operations are what products need of a field. Views are of slices of its elements.
type operations struct {
	// make returns n elements that are 0.
	make func(n int) bulks.View
	// copy sets dst to the first dst.N elements of src.
	copy func(dst, src bulks.View)
	zero func(dst bulks.View)
	// add, sub and mul set dst to dst + x, dst − x and dst·x, of one length.
	add func(dst, x bulks.View)
	sub func(dst, x bulks.View)
	mul func(dst, x bulks.View)
	// addMul adds to z the rows of x by the elements of c, under the watch of s.
	addMul func(s *sum, z, x, c bulks.View, r rows) error
	// halves returns n times 1/2, none in characteristic 2.
	halves func(n int) bulks.View
	// overlap reports whether a and b share memory.
	overlap func(a, b bulks.View) bool
	// firstInvalid is that of a field.RangeChecker, −1 for other fields.
	firstInvalid func(a bulks.View) int
	hasRoot      func(order uint64) bool
	convolution  func(ctx context.Context, n int, opts []fft.Option) (*front.Products, error)
	plan         func(ctx context.Context, n int, opts []fft.Option) (plan, error)
}

// plan is a plan of package fft, of views.
type plan struct {
	layout
	run func(ctx context.Context, dst, src bulks.View, inverse bool) error
}

// layout is the part of a plan that does not depend on elements.
type layout interface {
	Size() int
	Order() fft.Order
	Report() fft.Report
}

func noField(what string, err error) error { return fmt.Errorf("poly: %s: %w", what, err) }

// fits is an ErrMemory where the machine cannot hold n elements.
func (e *elements) fits(n int) error {
	if limit := memory.Limit(); n >= limit/max(1, e.size) {
		return fmt.Errorf("poly: %w: %d coefficients of %d bytes, want at most %d bytes", field.ErrMemory, n, e.size,
			limit)
	}
	return nil
}

// result returns n elements that are 0 for the result of a product.
func (e *elements) result(n int) (bulks.View, error) {
	if err := e.fits(n); err != nil {
		return bulks.View{}, err
	}
	return e.make(n), nil
}

// apart is an ErrOverlap when dst shares memory with one of the sources.
func (e *elements) apart(dst bulks.View, src ...bulks.View) error {
	for _, s := range src {
		if e.overlap(dst, s) {
			return fmt.Errorf("poly: %w: dst of %d elements and an operand of %d, want memory apart", field.ErrOverlap,
				dst.N, s.N)
		}
	}
	return nil
}

// same reports whether a and b are one slice.
func same(a, b bulks.View) bool { return a.N == b.N && (a.N == 0 || a == b) }

// checkLen is the length check of a destination.
func checkLen(got, want int) error {
	if got != want {
		return &field.LengthError{What: "dst", Want: want, Got: got}
	}
	return nil
}
