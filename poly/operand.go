package poly

import (
	"context"
	"fmt"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
)

// Operand is a polynomial transformed once, for many products. It is immutable, safe for concurrent use, and
// valid with the ring that prepared it: nil and the zero Operand with none.
type Operand[E any] struct {
	_       [0]*E // no conversion to the operand of other elements
	operand operand
}

// Len is the number of coefficients; nil has none.
func (o *Operand[E]) Len() int {
	if o == nil {
		return 0
	}
	return o.operand.a.N
}

// core returns the operand of views; nil for nil.
func (o *Operand[E]) core() *operand {
	if o == nil {
		return nil
	}
	return &o.operand
}

// Prepare transforms a, which it does not keep, for products of at most n coefficients. A product then takes two
// transforms instead of three, or one where both operands are prepared.
//
// Errors: field.ErrLength for n < len(a), field.ErrNoRoot where the field has no root for n and the schoolbook
// does not serve every product, field.ErrMemory, and the context's.
func (r *Ring[E]) Prepare(ctx context.Context, a []E, n int) (*Operand[E], error) {
	o := new(Operand[E])
	if err := r.core().prepare(ctx, &o.operand, bulks.ViewOf(a), n); err != nil {
		_ = o.Close() // the first error counts
		return nil, err
	}
	return o, nil
}

// MulOperand returns the product of b and a prepared operand, of length len(b) + o.Len() − 1, or 0 where one of
// them has length 0.
//
// Errors: field.ErrVec where o is nil or of another ring, field.ErrLength where the product is longer than o
// was prepared for, field.ErrMemory, and the context's.
func (r *Ring[E]) MulOperand(ctx context.Context, b []E, o *Operand[E]) ([]E, error) {
	return slice[E](r.core().mulOperand(ctx, bulks.ViewOf(b), o.core()))
}

// MulOperandTo sets dst to the product of b and a prepared operand, as [Ring.MulOperand], and allocates nothing once
// warm. The length of dst is exactly that of the product (field.ErrLength), and dst shares no memory with b
// (field.ErrOverlap).
func (r *Ring[E]) MulOperandTo(ctx context.Context, dst, b []E, o *Operand[E]) error {
	return r.core().mulOperandTo(ctx, bulks.ViewOf(dst), bulks.ViewOf(b), o.core())
}

// MulOperands returns the product of two prepared operands, of length x.Len() + y.Len() − 1, or 0 where one of them
// has length 0. It takes one transform.
//
// Errors: field.ErrVec where one is nil or of another ring, field.ErrLength where the product is longer than one
// was prepared for or their transforms differ, as they may where n did, field.ErrMemory, and the context's.
func (r *Ring[E]) MulOperands(ctx context.Context, x, y *Operand[E]) ([]E, error) {
	return slice[E](r.core().mulOperands(ctx, x.core(), y.core()))
}

// MulOperandsTo sets dst to the product of two prepared operands, as [Ring.MulOperands], and allocates nothing once
// warm. The length of dst is exactly that of the product (field.ErrLength).
func (r *Ring[E]) MulOperandsTo(ctx context.Context, dst []E, x, y *Operand[E]) error {
	return r.core().mulOperandsTo(ctx, bulks.ViewOf(dst), x.core(), y.core())
}

// operand is an Operand of views.
type operand struct {
	ring *ring
	n    int               // the length of the longest product
	a    bulks.View        // the coefficients
	t    truncated         // of which a single one is modulo x^n − 1; none where no product needs one
	v    [maxParts]fft.Vec // the values
}

// prepare sets o to a prepared for products of at most n coefficients.
func (r *ring) prepare(ctx context.Context, o *operand, a bulks.View, n int) error {
	if err := r.check(); err != nil {
		return err
	}
	if n < a.N {
		return fmt.Errorf("poly: %w: operand of %d coefficients for products of %d, want at least as many",
			field.ErrLength, a.N, n)
	}
	if err := stopped(ctx); err != nil {
		return err
	}
	if err := r.operand("a", a); err != nil {
		return err
	}
	*o = operand{ring: r, n: n}
	if min(a.N, n-a.N+1) > r.schoolbook {
		if err := r.elements.fits(n); err != nil {
			return err
		}
		if err := o.transform(ctx, a); err != nil {
			return err
		}
	}
	o.a = r.elements.make(a.N)
	r.elements.copy(o.a, a)
	return nil
}

// transform makes the values of a.
func (o *operand) transform(ctx context.Context, a bulks.View) (err error) {
	r, n := o.ring, cyclicLen(o.n, o.n, o.ring.schoolbook)
	if n >= o.n {
		if o.t, err = r.truncated(ctx, o.n, n); err != nil {
			return err
		}
	}
	if o.t.count == 0 {
		if o.t.parts[0], err = r.plans.get(ctx, products, n); err != nil {
			return err
		}
		o.t.count = 1
	}
	p, err := o.t.work()
	if err != nil {
		return err
	}
	defer p.release()
	for i, w := range p[:o.t.count] {
		if o.v[i], err = w.t.plan.NewVec(); err != nil {
			return err
		}
		if err := w.forward(ctx, o.v[i], a); err != nil {
			return err
		}
	}
	return nil
}

func (r *ring) mulOperand(ctx context.Context, b bulks.View, o *operand) (dst bulks.View, err error) {
	n, err := r.operandLen(o, b.N)
	if err != nil {
		return dst, err
	}
	if dst, err = r.elements.result(n); err != nil {
		return dst, err
	}
	return dst, r.mulOperandTo(ctx, dst, b, o)
}

func (r *ring) mulOperandTo(ctx context.Context, dst, b bulks.View, o *operand) error {
	n, err := r.operandLen(o, b.N)
	if err != nil {
		return err
	}
	if err := checkLen(dst.N, n); err != nil {
		return err
	}
	if err := r.elements.apart(dst, b); err != nil {
		return err
	}
	if err := r.operand("b", b); err != nil {
		return err
	}
	if min(o.a.N, b.N) <= r.schoolbook {
		return r.product(ctx, dst, o.a, b)
	}
	if o.t.count > 1 {
		return o.t.timesValues(ctx, dst, b, &o.v)
	}
	w, err := o.t.parts[0].work()
	if err != nil {
		return err
	}
	defer w.release()
	if err := w.times(ctx, dst.Slice(0, min(n, w.n)), 0, b, bulks.View{}, o.v[0]); err != nil {
		return err
	}
	return r.unwrap(ctx, dst, o.a, b, w.n)
}

func (r *ring) mulOperands(ctx context.Context, x, y *operand) (dst bulks.View, err error) {
	n, err := r.operandsLen(x, y)
	if err != nil {
		return dst, err
	}
	if dst, err = r.elements.result(n); err != nil {
		return dst, err
	}
	return dst, r.mulOperandsTo(ctx, dst, x, y)
}

func (r *ring) mulOperandsTo(ctx context.Context, dst bulks.View, x, y *operand) error {
	n, err := r.operandsLen(x, y)
	if err != nil {
		return err
	}
	if err := checkLen(dst.N, n); err != nil {
		return err
	}
	if min(x.a.N, y.a.N) <= r.schoolbook {
		return r.product(ctx, dst, x.a, y.a)
	}
	if x.t.count > 1 {
		return x.t.multiply(ctx, dst, &x.v, &y.v)
	}
	w, err := x.t.parts[0].work()
	if err != nil {
		return err
	}
	defer w.release()
	if err := w.multiply(ctx, dst.Slice(0, min(n, w.n)), 0, x.v[0], y.v[0]); err != nil {
		return err
	}
	return r.unwrap(ctx, dst, x.a, y.a, w.n)
}

// operandLen is the length of a product of o with b others.
func (r *ring) operandLen(o *operand, b int) (int, error) {
	if err := r.check(); err != nil {
		return 0, err
	}
	if o == nil || o.ring != r {
		return 0, fmt.Errorf("poly: %w: operand nil or of another ring, want one that this ring prepared", field.ErrVec)
	}
	n := productLen(o.a.N, b)
	if n > o.n {
		return 0, fmt.Errorf("poly: %w: product of %d coefficients, want at most the %d that the operand was prepared for", field.ErrLength, n, o.n)
	}
	return n, nil
}

func (r *ring) operandsLen(x, y *operand) (int, error) {
	if _, err := r.operandLen(y, 0); err != nil {
		return 0, err
	}
	n, err := r.operandLen(x, y.a.N)
	if err == nil {
		_, err = r.operandLen(y, x.a.N)
	}
	if err == nil && min(x.a.N, y.a.N) > r.schoolbook && x.t != y.t {
		err = fmt.Errorf("poly: %w: operands prepared for products of %d and %d coefficients, want the same",
			field.ErrLength, x.n, y.n)
	}
	return n, err
}
