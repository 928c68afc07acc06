// Package front is the one part of the schemes that is compiled for each type of elements: it checks operands, passes
// them on as views, and makes the elements that factors name.
package front

import (
	"context"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/memory"
)

// New makes the transform of f over d as s asks, in the working form b: a front of what build returns.
func New[E any](f field.Field[E], b bulks.Bulk, d field.Domain[E], s field.Spec,
	build func(b bulks.Bulk, d engine.Domain, s field.Spec) (engine.Transform, field.Batch, error)) (field.Transform[E],
	error) {
	if err := field.Check(f); err != nil {
		return nil, err
	}
	if err := field.CheckValue("bulk", b); err != nil {
		return nil, err
	}
	points, err := NewDomain(f, b, d)
	if err != nil {
		return nil, err
	}
	inner, batch, err := build(b, points, s)
	if err != nil {
		return nil, err
	}
	t := new(transform[E])
	var invalid func(v bulks.View) int
	if c, ok := f.(field.RangeChecker[E]); ok && !s.Unchecked {
		t.check = c
		invalid = func(v bulks.View) int { return c.FirstInvalid(bulks.SliceOf[E](v)) }
	}
	set(&t.core, inner, batch, s.Workers, invalid, memory.HoldsPointers[E]())
	return t, nil
}

// Planned makes the transform of f over d as s asks: by f's own Planner where there is one, by element methods and
// build otherwise or where s.NoPlanner says so.
func Planned[E any](f field.Field[E], d field.Domain[E], s field.Spec, build engine.Builder) (field.Transform[E],
	error) {
	if err := field.Check(f); err != nil {
		return nil, err
	}
	if p, ok := f.(field.Planner[E]); ok && !s.NoPlanner {
		if t, err := p.Plan(d, s); t != nil || err != nil {
			return t, err
		}
	}
	_, affine := d.(field.Affine[E])
	return Chosen(f, bulks.NewSlices(f, affine), d, s, build)
}

// Chosen is New for the scheme that build makes of what is chosen.
func Chosen[E any](f field.Field[E], b bulks.Bulk, d field.Domain[E], s field.Spec, build engine.Builder) (
	field.Transform[E], error) {
	return New(f, b, d, s, func(b bulks.Bulk, d engine.Domain, s field.Spec) (engine.Transform, field.Batch, error) {
		return engine.New(b, d, s, build)
	})
}

// transform is a transform of elements: doors to its core.
type transform[E any] struct {
	core
	check field.RangeChecker[E] // of operands; or nil
}

func (t *transform[E]) Forward(ctx context.Context, dst, src []E) error {
	return call(t, ctx, dst, src, false)
}

func (t *transform[E]) Inverse(ctx context.Context, dst, src []E) error {
	return call(t, ctx, dst, src, true)
}

func call[E any](t *transform[E], ctx context.Context, dst, src []E, inverse bool) error {
	if err := engine.CheckCall(ctx, dst, src, t.length); err != nil {
		return err
	}
	switch {
	case t.alone:
		if i := t.check.FirstInvalid(src); i >= 0 {
			return &field.RangeError{What: "src", Index: i}
		}
	case t.apart:
		return runApart(&t.core, ctx, dst, bulks.ViewOf(src), inverse)
	case t.check != nil:
		return run(&t.core, ctx, bulks.ViewOf(dst), bulks.ViewOf(src), &dst[0] == &src[0], inverse)
	}
	return t.t.Run(ctx, bulks.ViewOf(dst), bulks.ViewOf(src), &dst[0] == &src[0], inverse)
}

func (t *transform[E]) Load(v field.Vec, a []E) error {
	return load(&t.core, context.Background(), v, bulks.ViewOf(a))
}

// LoadContext is Load, which stops where ctx ends.
func (t *transform[E]) LoadContext(ctx context.Context, v field.Vec, a []E) error {
	return load(&t.core, ctx, v, bulks.ViewOf(a))
}

func (t *transform[E]) Store(a []E, v field.Vec) error {
	return t.StoreContext(context.Background(), a, v)
}

// StoreContext is Store, which stops where ctx ends.
func (t *transform[E]) StoreContext(ctx context.Context, a []E, v field.Vec) error {
	if t.apart && len(a) > 0 {
		return storeApart(&t.core, ctx, a, len(a), v)
	}
	return t.t.Store(ctx, bulks.ViewOf(a), v)
}

// Multiply is that of field.Multiplier, where the transform Multiplies.
func (t *transform[E]) Multiply(ctx context.Context, dst []E, from int, a, b []E, x, y field.Vec) error {
	square := len(a) > 0 && len(a) == len(b) && &a[0] == &b[0]
	return multiply(&t.core, ctx, bulks.ViewOf(dst), from, bulks.ViewOf(a), bulks.ViewOf(b), square, x, y)
}

// Convolve sets x to the product of the polynomials whose a and b coefficients x and y begin with, modulo that of the
// domain. Behind the coefficients there may be anything, and then in all of y. For b < 0, y has the values of the
// second one, as Forward leaves them in the cheapest order, and keeps them. x and y have the length of the transform,
// and y may be x, for a square. Elements are not checked. It is for transforms that Convolve, by [Convolves].
func (t *transform[E]) Convolve(ctx context.Context, x, y []E, a, b int) error {
	if t.c == nil {
		return errProducts
	}
	return t.c.Convolve(ctx, bulks.ViewOf(x), bulks.ViewOf(y), a, b, len(x) > 0 && len(y) > 0 && &x[0] == &y[0])
}
