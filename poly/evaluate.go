package poly

import (
	"context"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Evaluate returns the values of a at the n-th roots of unity, in natural order:
//
//	v[j] = Σ a[i]·w^(ij),  0 ≤ j < n,
//
// where w is the field's RootOfUnity(n). a may have any length. For values in other orders or at other points, and
// without allocation, use a plan of package fft.
//
// Errors: field.ErrLength where n < 1, field.ErrNoRoot, field.ErrMemory, and the context's.
func (r *Ring[E]) Evaluate(ctx context.Context, a []E, n int) ([]E, error) {
	return slice[E](r.core().evaluate(ctx, bulks.ViewOf(a), n))
}

// Interpolate returns the polynomial of n = len(v) coefficients with values v at the n-th roots of unity in
// natural order: it undoes [Ring.Evaluate], and has its errors.
func (r *Ring[E]) Interpolate(ctx context.Context, v []E) ([]E, error) {
	return slice[E](r.core().interpolate(ctx, bulks.ViewOf(v)))
}

func (r *ring) evaluate(ctx context.Context, a bulks.View, n int) (dst bulks.View, err error) {
	p, err := r.values(ctx, n)
	if err == nil {
		err = r.operand("a", a)
	}
	if err != nil {
		return dst, err
	}
	dst = r.elements.make(n)
	r.elements.fold(dst, a, false)
	return dst, p.run(ctx, dst, dst, false)
}

func (r *ring) interpolate(ctx context.Context, v bulks.View) (dst bulks.View, err error) {
	p, err := r.values(ctx, v.N)
	if err == nil {
		err = r.operand("v", v)
	}
	if err != nil {
		return dst, err
	}
	dst = r.elements.make(v.N)
	return dst, p.run(ctx, dst, v, true)
}

func (r *ring) values(ctx context.Context, n int) (plan, error) {
	if err := r.check(); err != nil {
		return plan{}, err
	}
	if err := stopped(ctx); err != nil {
		return plan{}, err
	}
	if n < 1 {
		return plan{}, fmt.Errorf("poly: %w: values at %d roots of unity, want at least 1", field.ErrLength, n)
	}
	return r.plans.natural(ctx, n)
}
