package poly

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// LDE is a low-degree extension: from the values of polynomials of n coefficients at the n-th roots of unity to their
// values on a coset of as many points as the blow-up says. It is immutable and safe for concurrent use. Extensions come
// from NewLDE: nil and the zero LDE are none, of size 0.
type LDE[E any] struct {
	_   [0]*E // no conversion to the extension of other elements
	lde lde
}

// NewLDE plans extensions over f, from n points w_n^j to blowup·n points shift·w_m^j, m = blowup·n and w_m the field's
// RootOfUnity(m). As many polynomials as columns says stand side by side: value j of polynomial c is element j·columns
// + c. Columns may also be the coordinates of elements of an extension of f, as shift and roots are in f.
//
// Over a field with subspaces of its own ([field.Subspaces]), such as a binary one, n and blowup are powers of two and
// the points are those of the subspaces: value j is at the sum of the vectors of the field's basis at the bits of j, to
// which the extension adds shift. Any shift will do there; where it is 0 the first values of the extension are those
// given.
//
// The options go to both plans: an order is that of the values on both sides, BitReversed for powers of two alone.
// Batch and coset are set here.
//
// Errors: field.ErrLength where n, blowup or columns is below 1 or their product no int, field.ErrNotInvertible where
// shift is 0 and points are multiplied by it, field.ErrSpec where it is nil, and those of fft.NewPlan.
func NewLDE[E any](f field.Field[E], n, blowup, columns int, shift *E, opts ...fft.Option) (*LDE[E], error) {
	return extension(f, n, blowup, columns, shift, points{}, opts)
}

// NewSubspaceLDE plans extensions over any subspace of a field of characteristic 2: from n = 2^k points, the sums of
// the first k vectors of basis at the bits of j, to the 2^len(basis) sums of them all, plus shift, which may be 0.
// Columns, options and results are those of NewLDE. It keeps nothing of basis.
//
// Errors: field.ErrLength where n is no power of two or above 2^len(basis), or 2^len(basis)·columns no int,
// field.ErrSpec where shift is nil or the vectors depend on each other, field.ErrRange where one is not canonical, and
// those of fft.NewPlan.
func NewSubspaceLDE[E any](f field.Field[E], basis []E, n, columns int, shift *E, opts ...fft.Option) (*LDE[E], error) {
	k := bits.Len(uint(n)) - 1
	if n < 1 || n&(n-1) != 0 || k > len(basis) || len(basis) >= bits.UintSize-1 {
		return nil, fmt.Errorf("poly: %w: extension of %d values over %d vectors, want a power of two of values, "+
			"of no more vectors", field.ErrLength, n, len(basis))
	}
	p := points{fft.WithSubspace(basis[:k]...), fft.WithSubspace(basis...)}
	return extension(f, n, 1<<(len(basis)-k), columns, shift, p, opts)
}

// points are the options of the subspaces of plans; nil: those of the field, or roots of unity.
type points struct{ given, extended fft.Option }

func extension[E any](f field.Field[E], n, blowup, columns int, shift *E, p points, opts []fft.Option) (*LDE[E],
	error) {
	e, err := newElements("an extension", f)
	if err != nil {
		return nil, err
	}
	if shift == nil {
		return nil, fmt.Errorf("poly: %w: shift nil, want an element", field.ErrSpec)
	}
	var s E
	f.Set(&s, shift)
	l, err := newLDE(e, n, blowup, columns, fft.WithCoset(s), p, opts)
	if err != nil {
		return nil, err
	}
	return &LDE[E]{lde: l}, nil
}

// Size is the length of the destination, blowup·n·columns.
func (l *LDE[E]) Size() int {
	return l.core().size()
}

// ExtendTo sets dst, of Size elements, to the extension of the values v, of n·columns elements. v is the beginning of
// dst, or apart from it and then left intact. It allocates nothing once warm.
//
// Errors: field.ErrLength, field.ErrOverlap, field.ErrRange where a value is not canonical, field.ErrSpec where l is
// none, and the context's.
func (l *LDE[E]) ExtendTo(ctx context.Context, dst, v []E) error {
	return l.core().extendTo(ctx, bulks.ViewOf(dst), bulks.ViewOf(v))
}

// core returns the extension of views; nil for nil.
func (l *LDE[E]) core() *lde {
	if l == nil {
		return nil
	}
	return &l.lde
}

// lde is an LDE of views.
type lde struct {
	elements        *elements
	inverse, values plan
}

// newLDE plans extensions; coset is the option of their shift.
func newLDE(e *elements, n, blowup, columns int, coset fft.Option, p points, opts []fft.Option) (l lde, err error) {
	if n < 1 || blowup < 1 || columns < 1 {
		return l, fmt.Errorf("poly: %w: extension of %d values by %d in %d columns, want at least 1 of each",
			field.ErrLength, n, blowup, columns)
	}
	hi, m := bits.Mul64(uint64(n), uint64(blowup))
	over, size := bits.Mul64(m, uint64(columns))
	if most := uint64(1)<<(bits.UintSize-1) - 1; hi > 0 || over > 0 || size > most {
		return l, fmt.Errorf("poly: %w: extension of %d values by %d in %d columns, want an int of them",
			field.ErrLength, n, blowup, columns)
	}
	opts = append(slices.Clip(opts), fft.WithBatch(fft.Columns(columns, columns)))
	if p.given != nil || e.subspaces && m&(m-1) == 0 {
		opts = append(opts, fft.WithCoefficients(fft.LCH)) // longer polynomials have the same basis: nothing changes it
	}
	ctx := context.Background()
	if l.inverse, err = e.plan(ctx, n, append(opts, p.given)); err != nil {
		return l, fmt.Errorf("poly: values of an extension: %w", err)
	}
	if l.values, err = e.plan(ctx, n*blowup, append(opts, coset, p.extended, fft.WithoutRangeCheck())); err != nil {
		return l, fmt.Errorf("poly: extended values: %w", err)
	}
	e.share(opts)
	l.elements = e
	return l, nil
}

func (l *lde) size() int {
	if l == nil || l.elements == nil {
		return 0
	}
	return l.values.Size()
}

func (l *lde) extendTo(ctx context.Context, dst, v bulks.View) error {
	if l.size() == 0 {
		return fmt.Errorf("poly: %w: an extension that is nil or zero, want one of NewLDE", field.ErrSpec)
	}
	if err := checkLen(dst.N, l.size()); err != nil {
		return err
	}
	head := dst.Slice(0, l.inverse.Size())
	if v.N != head.N {
		return &field.LengthError{What: "values", Want: head.N, Got: v.N}
	}
	if !same(head, v) {
		if err := l.elements.apart(dst, v); err != nil {
			return err
		}
	}
	if err := l.inverse.run(ctx, head, v, true); err != nil {
		return err
	}
	l.elements.zero(dst.Slice(head.N, dst.N))
	return l.values.run(ctx, dst, dst, false)
}
