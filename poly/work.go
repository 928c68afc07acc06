package poly

import (
	"context"

	"github.com/galfft/fft"
)

// work is what one running product holds: two vectors of a transform in working form, and one of elements for
// what is longer than the transform.
type work[E any] struct {
	elements   *elements[E]
	t          *transform[E]
	negacyclic bool // the transform is one modulo x^n + 1
	x, y       fft.Vec
	buf        []E
	halves     []E // 1/2, repeated
}

func (t *transform[E]) work() (*work[E], error) {
	if w, ok := t.works.Get().(*work[E]); ok {
		return w, nil
	}
	x, err := t.plan.NewVec()
	if err != nil {
		return nil, err
	}
	y, err := t.plan.NewVec()
	if err != nil {
		return nil, err
	}
	p := t.of
	return &work[E]{p.elements, t, t.negacyclic, x, y, make([]E, t.n), p.halves()}, nil
}

func (w *work[E]) release() { w.t.works.Put(w) }

// forward sets v to the values of a, of any length.
func (w *work[E]) forward(ctx context.Context, v fft.Vec, a []E) error {
	if len(a) > len(w.buf) {
		w.elements.fold(w.buf, a, w.negacyclic)
		a = w.buf
	}
	if err := w.t.plan.Load(v, a); err != nil {
		return err
	}
	return w.t.plan.ForwardVec(ctx, v)
}

// multiply sets dst to the coefficients from skip on of the product of the polynomials with values x and y. It
// overwrites w.x.
func (w *work[E]) multiply(ctx context.Context, dst []E, skip int, x, y fft.Vec) error {
	if err := w.t.plan.MulVec(w.x, x, y); err != nil {
		return err
	}
	if err := w.t.plan.InverseVec(ctx, w.x); err != nil {
		return err
	}
	if skip == 0 {
		return w.t.plan.Store(dst, w.x)
	}
	if err := w.t.plan.Store(w.buf, w.x); err != nil {
		return err
	}
	w.elements.copy(dst, w.buf[skip:])
	return nil
}
