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
		a = w.folded(a)
	}
	if err := w.t.plan.load(v, a); err != nil {
		return err
	}
	return w.t.plan.ForwardVec(ctx, v)
}

// times sets dst to the coefficients from skip on of the cyclic product of a and b, and overwrites w.x. y then has the
// values of b; where b is empty, it has those of the second factor to begin with.
func (w *work) times(ctx context.Context, dst field.View, skip int, a, b field.View, y fft.Vec) error {
	square := b.N > 0 && same(a, b)
	if m := w.t.plan.multiply; m != nil && (b.N <= w.buf.N || square) {
		if a.N > w.buf.N {
			a = w.folded(a)
		}
		if square {
			b = a
		}
		return m(ctx, dst, skip, a, b, w.x, y)
	}
	switch {
	case square:
		y = w.x
	case b.N > 0:
		if err := w.forward(ctx, y, b); err != nil {
			return err
		}
		if w.t.plan.multiply != nil {
			return w.times(ctx, dst, skip, a, field.View{}, y)
		}
	}
	if err := w.forward(ctx, w.x, a); err != nil {
		return err
	}
	return w.multiply(ctx, dst, skip, w.x, y)
}

// folded is a, which is longer than the transform, modulo x^n − 1 or x^n + 1.
func (w *work) folded(a field.View) field.View {
	w.elements.fold(w.buf, a, w.negacyclic)
	return w.buf
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
