package poly

import (
	"context"
	"errors"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Cyclic returns a·b modulo x^n − 1, which has n coefficients,
//
//	c[k] = Σ a[i]·b[j] over i + j ≡ k modulo n,  0 ≤ k < n,
//
// for a and b of any length and n ≥ 1. A power of two n takes transforms of length n; for other n, and where the
// field has no root of that order, the operands are reduced and their whole product is.
//
// Errors: field.ErrLength for n < 1, field.ErrNoRoot, field.ErrMemory, and the context's.
func (r *Ring[E]) Cyclic(ctx context.Context, a, b []E, n int) ([]E, error) {
	return slice[E](r.core().moduloNew(ctx, bulks.ViewOf(a), bulks.ViewOf(b), n, products))
}

// CyclicTo sets dst to a·b modulo x^n − 1 for n = len(dst), as [Ring.Cyclic], and allocates nothing once warm. dst
// shares no memory with a and b (field.ErrOverlap).
func (r *Ring[E]) CyclicTo(ctx context.Context, dst, a, b []E) error {
	return r.core().modulo(ctx, bulks.ViewOf(dst), bulks.ViewOf(a), bulks.ViewOf(b), products)
}

// Negacyclic returns a·b modulo x^n + 1, which has n coefficients,
//
//	c[k] = Σ (−1)^((i+j−k)/n)·a[i]·b[j] over i + j ≡ k modulo n,  0 ≤ k < n,
//
// for a and b of any length and n ≥ 1. A power of two n takes transforms of length n, and a root of order 2n; for
// other n, and where the field has no root of that order, the operands are reduced and their whole product is.
// Errors are those of Cyclic.
func (r *Ring[E]) Negacyclic(ctx context.Context, a, b []E, n int) ([]E, error) {
	return slice[E](r.core().moduloNew(ctx, bulks.ViewOf(a), bulks.ViewOf(b), n, negacyclic))
}

// NegacyclicTo sets dst to a·b modulo x^n + 1 for n = len(dst), as [Ring.CyclicTo].
func (r *Ring[E]) NegacyclicTo(ctx context.Context, dst, a, b []E) error {
	return r.core().modulo(ctx, bulks.ViewOf(dst), bulks.ViewOf(a), bulks.ViewOf(b), negacyclic)
}

func (r *ring) moduloNew(ctx context.Context, a, b bulks.View, n int, k kind) (dst bulks.View, err error) {
	if err := r.check(); err != nil {
		return dst, err
	}
	if n < 1 {
		return dst, exponentError(n)
	}
	if dst, err = r.elements.result(n); err != nil {
		return dst, err
	}
	return dst, r.modulo(ctx, dst, a, b, k)
}

func exponentError(n int) error {
	return fmt.Errorf("poly: %w: product modulo x^%d ± 1, want an exponent of at least 1", field.ErrLength, n)
}

// modulo sets dst to a·b modulo x^n − 1, or modulo x^n + 1 where k is negacyclic.
func (r *ring) modulo(ctx context.Context, dst, a, b bulks.View, k kind) error {
	if err := r.check(); err != nil {
		return err
	}
	n := dst.N
	if n < 1 {
		return exponentError(n)
	}
	if err := r.elements.apart(dst, a, b); err != nil {
		return err
	}
	if err := stopped(ctx); err != nil {
		return err
	}
	if err := r.operands(a, b); err != nil {
		return err
	}
	whole := productLen(a.N, b.N)
	if whole <= n {
		if err := r.product(ctx, dst.Slice(0, whole), a, b); err != nil {
			return err
		}
		r.elements.zero(dst.Slice(whole, n))
		return nil
	}
	if min(a.N, b.N, n) <= r.schoolbook || n&(n-1) != 0 {
		return r.reduce(ctx, dst, a, b, k)
	}
	t, err := r.plans.get(ctx, k, n)
	if errors.Is(err, field.ErrNoRoot) { // the whole product of unlike lengths needs less
		if e := r.reduce(ctx, dst, a, b, k); !errors.Is(e, field.ErrNoRoot) {
			return e
		}
	}
	if err != nil {
		return err
	}
	w, err := t.work()
	if err != nil {
		return err
	}
	defer w.release()
	return w.times(ctx, dst, 0, a, b, nil)
}

// reduce is modulo by way of the whole product of the operands, which it reduces where they are longer than dst.
func (r *ring) reduce(ctx context.Context, dst, a, b bulks.View, k kind) error {
	n, square := dst.N, same(a, b)
	la, lb := min(a.N, n), min(b.N, n)
	s := r.sum(ctx)
	defer r.release(s)
	buf := s.scratch(2*la + 2*lb - 1)
	lc := la + lb - 1
	c, x, y := buf.Slice(0, lc), buf.Slice(lc, lc+la), buf.Slice(lc+la, buf.N)
	r.elements.fold(x, a, k == negacyclic)
	r.elements.fold(y, b, k == negacyclic)
	if square {
		y = x
	}
	if err := r.product(ctx, c, x, y); err != nil {
		return err
	}
	r.elements.fold(dst, c, k == negacyclic)
	return nil
}
