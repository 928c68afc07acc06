package poly

import (
	"context"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/rings"
)

// NewErased is New for code of this module that computes over fields of any kind: a ring of views, whose methods are
// not compiled for each type of elements.
func NewErased[E any](f field.Field[E], opts ...fft.Option) (rings.Ring, error) {
	r, err := newRingOf(f, opts)
	if err != nil {
		return nil, err
	}
	return views{&r}, nil
}

// newRingOf returns the ring over f.
func newRingOf[E any](f field.Field[E], opts []fft.Option) (ring, error) {
	e, err := newElements("a ring", f)
	if err != nil {
		return ring{}, err
	}
	var one E
	f.One(&one)
	return newRing(e, fft.WithRoot(one), opts)
}

// views is a rings.Ring.
type views struct{ r *ring }

func (v views) Products(ctx context.Context, a, b int) (field.Report, error) {
	return v.r.ways(ctx, a, b)
}

func (v views) Mul(ctx context.Context, x, y bulks.View) (bulks.View, error) {
	return v.r.mul(ctx, x, y)
}

func (v views) MulTo(ctx context.Context, z, x, y bulks.View) error { return v.r.mulTo(ctx, z, x, y) }

func (v views) Cyclic(ctx context.Context, x, y bulks.View, n int) (bulks.View, error) {
	return v.r.moduloNew(ctx, x, y, n, products)
}

func (v views) Negacyclic(ctx context.Context, x, y bulks.View, n int) (bulks.View, error) {
	return v.r.moduloNew(ctx, x, y, n, negacyclic)
}

func (v views) WithSchoolbook(n int) rings.Ring {
	r := v.r.withSchoolbook(n)
	return views{&r}
}
