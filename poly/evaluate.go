package poly

import (
	"context"
	"fmt"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
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
	plan, err := r.values(ctx, n)
	if err == nil {
		err = r.operand("a", a)
	}
	if err != nil {
		return nil, err
	}
	dst := make([]E, n)
	r.elements.fold(dst, a, false)
	return result(dst, plan.ForwardContext(ctx, dst, dst))
}

// Interpolate returns the polynomial of n = len(v) coefficients with values v at the n-th roots of unity in
// natural order: it undoes [Ring.Evaluate], and has its errors.
func (r *Ring[E]) Interpolate(ctx context.Context, v []E) ([]E, error) {
	plan, err := r.values(ctx, len(v))
	if err == nil {
		err = r.operand("v", v)
	}
	if err != nil {
		return nil, err
	}
	dst := make([]E, len(v))
	return result(dst, plan.InverseContext(ctx, dst, v))
}

func (r *Ring[E]) values(ctx context.Context, n int) (*fft.Plan[E], error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	if err := stopped(ctx); err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, fmt.Errorf("poly: %w: values at %d roots of unity, want at least 1", field.ErrLength, n)
	}
	return r.plans.natural(ctx, n)
}
