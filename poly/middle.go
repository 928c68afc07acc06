package poly

import (
	"context"
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Middle returns the middle product of a and b, the len(a) − len(b) + 1 coefficients of a·b to which every
// coefficient of b contributes:
//
//	c[k] = Σ b[j]·a[k+len(b)−1−j],  0 ≤ k ≤ len(a) − len(b),
//
// that is coefficients len(b) − 1 to len(a) − 1 of the product. It costs a cyclic product of length len(a),
// half of the whole product where a is twice as long as b.
//
// Errors: field.ErrLength unless 1 ≤ len(b) ≤ len(a), field.ErrNoRoot, field.ErrMemory, and the context's.
func (r *Ring[E]) Middle(ctx context.Context, a, b []E) ([]E, error) {
	return slice[E](r.core().middle(ctx, bulks.ViewOf(a), bulks.ViewOf(b)))
}

// MiddleTo sets dst to the middle product of a and b, as [Ring.Middle], and allocates nothing once warm. dst has
// len(a) − len(b) + 1 elements (field.ErrLength) and shares no memory with a and b (field.ErrOverlap).
func (r *Ring[E]) MiddleTo(ctx context.Context, dst, a, b []E) error {
	return r.core().middleTo(ctx, bulks.ViewOf(dst), bulks.ViewOf(a), bulks.ViewOf(b))
}

func (r *ring) middle(ctx context.Context, a, b bulks.View) (dst bulks.View, err error) {
	if err := r.check(); err != nil {
		return dst, err
	}
	if err := checkMiddle(a.N, b.N); err != nil {
		return dst, err
	}
	if dst, err = r.elements.result(a.N - b.N + 1); err != nil {
		return dst, err
	}
	return dst, r.middleTo(ctx, dst, a, b)
}

func (r *ring) middleTo(ctx context.Context, dst, a, b bulks.View) error {
	if err := r.check(); err != nil {
		return err
	}
	if err := checkMiddle(a.N, b.N); err != nil {
		return err
	}
	if err := checkLen(dst.N, a.N-b.N+1); err != nil {
		return err
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
	if min(b.N, dst.N) <= r.schoolbook {
		return r.shortMiddle(ctx, dst, a, b)
	}
	t, err := r.transform(ctx, b.N, dst.N, 0)
	if err != nil {
		return err
	}
	w, err := t.work()
	if err != nil {
		return err
	}
	defer w.release()
	// In a cyclic product of length n the coefficients from b.N − 1 on are those of the whole product.
	m, step := b.N, w.n-b.N+1
	for i := 0; i < dst.N; i += step {
		out := dst.Slice(i, min(dst.N, i+step))
		if err := w.times(ctx, out, m-1, a.Slice(i, i+out.N+m-1), b, nil); err != nil {
			return err
		}
		b = bulks.View{} // its values are known from now on
	}
	return nil
}

func checkMiddle(a, b int) error {
	if b < 1 || a < b {
		return fmt.Errorf("poly: %w: middle product of %d coefficients by %d, want the first to be at least as long as the second, and that not empty", field.ErrLength, a, b)
	}
	return nil
}
