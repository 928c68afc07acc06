package poly

import (
	"context"
	"math"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Mul returns a·b over f, of length len(a) + len(b) − 1, or 0 where one of them has length 0. It makes a [Ring]
// for this one product; errors are those of [New] and [Ring.Mul].
func Mul[E any](f field.Field[E], a, b []E) ([]E, error) {
	r, err := New(f)
	if err != nil {
		return nil, err
	}
	r.ring.plans.single = true
	return r.Mul(context.Background(), a, b)
}

// Square returns a² over f, of length 2·len(a) − 1, or 0 where a has length 0: Mul(f, a, a).
func Square[E any](f field.Field[E], a []E) ([]E, error) { return Mul(f, a, a) }

// Mul returns c = a·b,
//
//	c[k] = Σ a[i]·b[k−i],  0 ≤ k < len(a) + len(b) − 1,
//
// which has length 0 where a or b has. Where a and b are one slice, it is Square.
//
// Errors: field.ErrNoRoot where the shorter operand is too long for the schoolbook and for the roots of the
// field, and the field is no field.Convolver; field.ErrMemory, and the context's.
func (r *Ring[E]) Mul(ctx context.Context, a, b []E) ([]E, error) {
	return slice[E](r.core().mul(ctx, bulks.ViewOf(a), bulks.ViewOf(b)))
}

// MulTo sets dst to a·b, as [Ring.Mul], and allocates nothing once warm but for elements that hold pointers, which are
// fresh. The length of dst is exactly that of the
// product (field.ErrLength), and dst shares no memory with a and b (field.ErrOverlap).
func (r *Ring[E]) MulTo(ctx context.Context, dst, a, b []E) error {
	return r.core().mulTo(ctx, bulks.ViewOf(dst), bulks.ViewOf(a), bulks.ViewOf(b))
}

// Square returns a², of length 2·len(a) − 1, or 0 where a has length 0. It takes two transforms where [Ring.Mul]
// of different operands takes three. Errors are those of Mul.
func (r *Ring[E]) Square(ctx context.Context, a []E) ([]E, error) { return r.Mul(ctx, a, a) }

// SquareTo sets dst to a², as [Ring.MulTo].
func (r *Ring[E]) SquareTo(ctx context.Context, dst, a []E) error { return r.MulTo(ctx, dst, a, a) }

func (r *ring) mul(ctx context.Context, a, b bulks.View) (dst bulks.View, err error) {
	if err := r.check(); err != nil {
		return dst, err
	}
	if dst, err = r.elements.result(productLen(a.N, b.N)); err != nil {
		return dst, err
	}
	return dst, r.mulTo(ctx, dst, a, b)
}

func (r *ring) mulTo(ctx context.Context, dst, a, b bulks.View) error {
	if err := r.check(); err != nil {
		return err
	}
	if err := checkLen(dst.N, productLen(a.N, b.N)); err != nil {
		return err
	}
	if err := r.elements.apart(dst, a, b); err != nil {
		return err
	}
	if err := r.operands(a, b); err != nil {
		return err
	}
	return r.product(ctx, dst, a, b)
}

// product is MulTo with checked lengths.
func (r *ring) product(ctx context.Context, dst, a, b bulks.View) error {
	if err := stopped(ctx); err != nil {
		return err
	}
	if a.N < b.N {
		a, b = b, a
	}
	how, err := r.way(ctx, a.N, b.N)
	switch {
	case err != nil:
		return err
	case how.parts.count > 0:
		return how.parts.times(ctx, dst, a, b)
	case how.t == nil:
		return r.short(ctx, dst, a, b)
	}
	w, err := how.t.work()
	if err != nil {
		return err
	}
	defer w.release()
	n := w.n
	if wraps(n, dst.N, r.schoolbook) {
		if err := w.times(ctx, dst.Slice(0, min(dst.N, n)), 0, a, b, nil); err != nil {
			return err
		}
		return r.unwrap(ctx, dst, a, b, n)
	}
	return w.blocks(ctx, dst, a, b)
}

// way is how a product is made: by the schoolbook where there is neither.
type way struct {
	parts truncated
	t     *transform // of a single block that may wrap around, or of several blocks of the longer operand
}

// way chooses for operands of a and b coefficients, a ≥ b.
func (r *ring) way(ctx context.Context, a, b int) (w way, err error) {
	if b <= r.schoolbook {
		return w, nil
	}
	total := a + b - 1
	if n, _ := transformLen(b, a, r.schoolbook, math.MaxInt); n >= total {
		if w.parts, err = r.truncated(ctx, total, n); err != nil || w.parts.count > 0 {
			return w, err
		}
	}
	w.t, err = r.transform(ctx, b, a, r.schoolbook)
	return w, err
}

// blocks sets dst to the product of a and b. It cuts a so that products do not wrap around, and adds what overlaps: the
// first b.N − 1 coefficients of a product and the last of the one before.
func (w *work) blocks(ctx context.Context, dst, a, b bulks.View) error {
	m, step := b.N, w.n-b.N+1
	for i := 0; i < a.N; i += step {
		block := a.Slice(i, min(a.N, i+step))
		out := dst.Slice(i, i+block.N+m-1)
		if i == 0 {
			if err := w.times(ctx, out, 0, block, b, nil); err != nil {
				return err
			}
			continue
		}
		if err := w.times(ctx, w.room(), 0, block, bulks.View{}, nil); err != nil {
			return err
		}
		w.elements.add(out.Slice(0, m-1), w.buf.Slice(0, m-1))
		w.elements.copy(out.Slice(m-1, out.N), w.buf.Slice(m-1, w.n))
	}
	return nil
}

// productLen is the length of a product, or the greatest int where it is beyond that.
func productLen(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	return a + min(b-1, math.MaxInt-a)
}
