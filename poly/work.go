package poly

import (
	"context"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/memory"
)

// work is what one running product holds: two vectors of a transform in working form, and one of elements for
// what is longer than the transform. The second and the last are made where a product needs them.
type work struct {
	elements   *elements
	t          *transform
	n          int  // the length of the transform
	negacyclic bool // the transform is one modulo x^n + 1
	x          fft.Vec
	y          fft.Vec    // or nil
	buf        bulks.View // or empty
	halves     bulks.View // 1/2, repeated
}

func (t *transform) work() (*work, error) {
	if w := t.idle(); w != nil {
		return w, nil
	}
	x, err := t.plan.NewVec()
	if err != nil {
		return nil, err
	}
	p := t.of
	return &work{elements: p.elements, t: t, n: t.n, negacyclic: t.negacyclic, x: x, halves: p.halves()}, nil
}

// long is the bytes of vectors from which on works are on a shelf: what a sync.Pool was given on one processor it does
// not find on another, and then a call clears fresh vectors on one worker, which took as long as a product of 2^20
// coefficients by 16.
const long = 1 << 20

func (t *transform) isLong() bool { return t.n >= long/max(1, t.of.elements.size) }

// idle is a work that no product has, or nil.
func (t *transform) idle() *work {
	if t.isLong() {
		w, _ := t.longWorks.Get(memory.Any[*work])
		return w
	}
	w, _ := t.works.Get().(*work)
	return w
}

// keep leaves w to the next product.
func (t *transform) keep(w *work) {
	if t.isLong() {
		t.longWorks.Put(w)
		return
	}
	t.works.Put(w)
}

// second returns w.y.
func (w *work) second() (y fft.Vec, err error) {
	if w.y == nil {
		w.y, err = w.t.plan.NewVec()
	}
	return w.y, err
}

// room returns w.buf, of any values.
func (w *work) room() bulks.View {
	if w.buf.N == 0 {
		w.buf = w.elements.make(w.n)
	}
	return w.buf
}

// forward sets v to the values of a, of any length.
func (w *work) forward(ctx context.Context, v fft.Vec, a bulks.View) error {
	if a.N > w.n {
		a = w.folded(a)
	}
	if err := w.t.plan.Load(ctx, v, a); err != nil {
		return err
	}
	return w.t.plan.ForwardVec(ctx, v)
}

// times sets dst to the coefficients from skip on of the cyclic product of a and b. Where b is empty, the second factor
// has the values y; nil stands for those of the last b of this work.
func (w *work) times(ctx context.Context, dst bulks.View, skip int, a, b bulks.View, y fft.Vec) (err error) {
	square := b.N > 0 && same(a, b)
	if y == nil && !square {
		if y, err = w.second(); err != nil {
			return err
		}
	}
	if !square && b.N > 0 && (b.N > w.n || !w.t.plan.Multiplies()) {
		if err := w.forward(ctx, y, b); err != nil {
			return err
		}
		b = bulks.View{}
	}
	if w.t.plan.Multiplies() {
		if a.N > w.n {
			a = w.folded(a)
		}
		if square {
			b = a
		}
		return w.t.plan.Multiply(ctx, dst, skip, a, b, w.x, y)
	}
	if square {
		y = w.x
	}
	if err := w.forward(ctx, w.x, a); err != nil {
		return err
	}
	return w.multiply(ctx, dst, skip, w.x, y)
}

// folded is a, which is longer than the transform, modulo x^n − 1 or x^n + 1.
func (w *work) folded(a bulks.View) bulks.View {
	w.elements.fold(w.room(), a, w.negacyclic)
	return w.buf
}

// multiply sets dst to the coefficients from skip on of the product of the polynomials with values x and y. It
// overwrites w.x.
func (w *work) multiply(ctx context.Context, dst bulks.View, skip int, x, y fft.Vec) error {
	if err := w.t.plan.MulVec(ctx, w.x, x, y); err != nil {
		return err
	}
	if err := w.t.plan.InverseVec(ctx, w.x); err != nil {
		return err
	}
	if skip == 0 {
		return w.t.plan.Store(ctx, dst, w.x)
	}
	if err := w.t.plan.Store(ctx, w.room(), w.x); err != nil {
		return err
	}
	w.elements.copy(dst, w.buf.Slice(skip, w.n))
	return nil
}
