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
	n := inner.Len()
	t := &transform[E]{t: inner, n: n, batch: batch}
	_, t.length, _ = batch.Layout(n) // checked before
	if c, ok := f.(field.RangeChecker[E]); ok && !s.Unchecked {
		t.check, t.alone = c, s.Workers < 2 && t.length == batch.Count*n
		t.invalid = func(v bulks.View) int { return c.FirstInvalid(bulks.SliceOf[E](v)) }
		if s, ok := inner.(seeker); ok && s.Seeks() {
			t.seeker = s
		}
	}
	if memory.HoldsPointers[E]() {
		return apart[E]{t}, nil // products go by way of vectors
	}
	m, ok := inner.(engine.Multiplier)
	if !ok {
		return t, nil
	}
	if c, ok := m.(engine.Convolver); ok {
		return &convolver[E]{multiplier[E]{t, m}, c}, nil
	}
	return &multiplier[E]{t, m}, nil
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
	return Chosen(f, &bulks.Slices[E]{Field: f, Affine: affine}, d, s, build)
}

// Chosen is New for the scheme that build makes of what is chosen.
func Chosen[E any](f field.Field[E], b bulks.Bulk, d field.Domain[E], s field.Spec, build engine.Builder) (
	field.Transform[E], error) {
	return New(f, b, d, s, func(b bulks.Bulk, d engine.Domain, s field.Spec) (engine.Transform, field.Batch, error) {
		return engine.New(b, d, s, build)
	})
}

// transform is a transform of elements.
type transform[E any] struct {
	t       engine.Transform
	check   field.RangeChecker[E]  // of operands; or nil
	invalid func(v bulks.View) int // its FirstInvalid
	alone   bool                   // it looks at operands from end to end, on one worker
	seeker  seeker                 // in place of check where slices are transformed; or nil
	n       int
	length  int // of the slices of a call
	batch   field.Batch
}

// seeker is a transform that looks at the elements of a call by itself.
type seeker interface {
	Seeks() bool
	Checked(ctx context.Context, dst, src bulks.View, inverse bool, invalid engine.Rows) error
}

func (t *transform[E]) Forward(ctx context.Context, dst, src []E) error {
	return t.run(ctx, dst, src, false)
}

func (t *transform[E]) Inverse(ctx context.Context, dst, src []E) error {
	return t.run(ctx, dst, src, true)
}

func (t *transform[E]) run(ctx context.Context, dst, src []E, inverse bool) error {
	if err := engine.CheckCall(ctx, dst, src, t.length); err != nil {
		return err
	}
	if t.seeker != nil {
		return t.seeker.Checked(ctx, bulks.ViewOf(dst), bulks.ViewOf(src), inverse, t.checkRows)
	}
	if t.alone {
		if i := t.check.FirstInvalid(src); i >= 0 {
			return &field.RangeError{What: "src", Index: i}
		}
	} else if t.check != nil {
		if err := t.checkRows(bulks.ViewOf(src), t.batch); err != nil {
			return err
		}
	}
	return t.t.Run(ctx, bulks.ViewOf(dst), bulks.ViewOf(src), &dst[0] == &src[0], inverse)
}

// checkPart is a RangeError where an element of rows of src is not canonical.
func (t *transform[E]) checkPart(what string, src bulks.View, rows, width, stride int) error {
	if i := t.t.First(src, rows, width, stride, t.invalid); i >= 0 {
		return &field.RangeError{What: what, Index: i}
	}
	return nil
}

// checkRows is checkPart for what a batch covers: there may be anything in gaps.
func (t *transform[E]) checkRows(src bulks.View, b field.Batch) error {
	rows, width := b.Count, t.n
	if b.Columns {
		rows, width = t.n, b.Count
	}
	return t.checkPart("src", src, rows, width, b.Stride)
}

func (t *transform[E]) Load(v field.Vec, a []E) error {
	return t.LoadContext(context.Background(), v, a)
}

// LoadContext is Load, which stops where ctx ends.
func (t *transform[E]) LoadContext(ctx context.Context, v field.Vec, a []E) error {
	src := bulks.ViewOf(a)
	if t.check != nil && len(a) <= t.length {
		if err := t.checkLoad(src); err != nil {
			return err
		}
	}
	return t.t.Load(ctx, v, src)
}

// checkLoad checks what Load takes: a part of one transform, or a whole batch.
func (t *transform[E]) checkLoad(src bulks.View) error {
	if src.N == t.length {
		return t.checkRows(src, t.batch)
	}
	return t.checkPart("src", src, 1, src.N, src.N)
}

func (t *transform[E]) Store(a []E, v field.Vec) error {
	return t.StoreContext(context.Background(), a, v)
}

// StoreContext is Store, which stops where ctx ends.
func (t *transform[E]) StoreContext(ctx context.Context, a []E, v field.Vec) error {
	return t.t.Store(ctx, bulks.ViewOf(a), v)
}

func (t *transform[E]) NewVec() (field.Vec, error) { return t.t.NewVec() }

// VecIn is NewVec in the memory that make returns for a vector of the bulk. Calls on it but Store do not wait for what
// they begin.
func (t *transform[E]) VecIn(make func(f bulks.Bulk, n int) (bulks.View, error)) (field.Vec, error) {
	return t.t.VecIn(make)
}

func (t *transform[E]) ForwardVec(ctx context.Context, v field.Vec) error {
	return t.t.ForwardVec(ctx, v)
}

func (t *transform[E]) InverseVec(ctx context.Context, v field.Vec) error {
	return t.t.InverseVec(ctx, v)
}

func (t *transform[E]) MulVec(z, x, y field.Vec) error {
	return t.t.MulVec(context.Background(), z, x, y)
}

// MulVecContext is MulVec, which stops where ctx ends.
func (t *transform[E]) MulVecContext(ctx context.Context, z, x, y field.Vec) error {
	return t.t.MulVec(ctx, z, x, y)
}

func (t *transform[E]) Permutation() []int { return t.t.Permutation() }

func (t *transform[E]) Report() field.Report {
	r := t.t.Report()
	r.Checked = t.check != nil
	return r
}

// multiplier is a transform with a way to products.
type multiplier[E any] struct {
	*transform[E]
	m engine.Multiplier
}

// Multiply is that of field.Multiplier.
func (t *multiplier[E]) Multiply(ctx context.Context, dst []E, from int, a, b []E, x, y field.Vec) error {
	v, w := bulks.ViewOf(a), bulks.ViewOf(b)
	square := len(a) > 0 && len(a) == len(b) && &a[0] == &b[0]
	if t.check != nil {
		if err := t.checkPart("a", v, 1, v.N, v.N); err != nil {
			return err
		}
		if err := t.checkPart("b", w, 1, w.N, w.N); err != nil {
			return err
		}
	}
	return t.m.Multiply(ctx, bulks.ViewOf(dst), from, v, w, square, x, y)
}

// convolver is a multiplier whose vectors are slices.
type convolver[E any] struct {
	multiplier[E]
	c engine.Convolver
}

// Convolve sets x to the product of the polynomials whose a and b coefficients x and y begin with, modulo that of the
// domain. Behind the coefficients there may be anything, and then in all of y. For b < 0, y has the values of the
// second one, as Forward leaves them in the cheapest order, and keeps them. x and y have the length of the transform,
// and y may be x, for a square. Elements are not checked.
func (t *convolver[E]) Convolve(ctx context.Context, x, y []E, a, b int) error {
	return t.c.Convolve(ctx, bulks.ViewOf(x), bulks.ViewOf(y), a, b, len(x) > 0 && len(y) > 0 && &x[0] == &y[0])
}
