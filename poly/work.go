package poly

import (
	"context"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
)

// work is what one running product holds: two vectors of a transform in working form, and one of elements for
// what is longer than the transform.
type work struct {
	elements   *elements
	t          *transform
	negacyclic bool // the transform is one modulo x^n + 1
	x, y       fft.Vec
	buf        field.View
	halves     field.View // 1/2, repeated
}

func (t *transform) work() (*work, error) {
	if w, ok := t.works.Get().(*work); ok {
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
	return &work{p.elements, t, t.negacyclic, x, y, p.elements.make(t.n), p.halves()}, nil
}

func (w *work) release() { w.t.works.Put(w) }

// forward sets v to the values of a, of any length.
func (w *work) forward(ctx context.Context, v fft.Vec, a field.View) error {
	if a.N > w.buf.N {
		w.elements.fold(w.buf, a, w.negacyclic)
		a = w.buf
	}
	if err := w.t.plan.load(v, a); err != nil {
		return err
	}
	return w.t.plan.ForwardVec(ctx, v)
}

// multiply sets dst to the coefficients from skip on of the product of the polynomials with values x and y. It
// overwrites w.x.
func (w *work) multiply(ctx context.Context, dst field.View, skip int, x, y fft.Vec) error {
	if err := w.t.plan.MulVec(w.x, x, y); err != nil {
		return err
	}
	if err := w.t.plan.InverseVec(ctx, w.x); err != nil {
		return err
	}
	if skip == 0 {
		return w.t.plan.store(dst, w.x)
	}
	if err := w.t.plan.store(w.buf, w.x); err != nil {
		return err
	}
	w.elements.copy(dst, w.buf.Slice(skip, w.buf.N))
	return nil
}
