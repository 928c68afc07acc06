package erased

import (
	"context"
	"io"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/explain"
	"github.com/galfft/fft/schemes"
)

// Plans makes transforms over a field whose type of elements is hidden.
type Plans struct {
	of        any // the field.Field
	points    func(ctx context.Context, n int, opts []fft.Option) (Domain, field.Spec, error)
	transform func(d any, s field.Spec) (*Transform, error)
}

// PlansOf hides the type of the elements of f. Of would have a copy of it.
//
//go:noinline
func PlansOf[E any](f field.Field[E]) Plans {
	return Plans{f, func(ctx context.Context, n int, opts []fft.Option) (Domain, field.Spec, error) {
		d, s, err := fft.Parameters(ctx, f, n, opts...)
		p := Domain{of: d, point: func(z Element, j int) { d.Point(f, z.(*E), j) }}
		switch d := d.(type) {
		case field.Cyclic[E]:
			p.N, p.root, p.shift = d.N, &d.Root, &d.Shift
		case field.Affine[E]:
			p.N, p.Affine, p.basis, p.shift = d.Len(), true, bulks.ViewOf(d.Basis), &d.Shift
		}
		return p, s, err
	}, func(d any, s field.Spec) (*Transform, error) {
		of, err := schemes.New(f, d.(field.Domain[E]), s)
		if err != nil {
			return nil, err
		}
		return &Transform{of, func(ctx context.Context, o operation, v field.Vec, z, x bulks.View) error {
			switch to, from := bulks.SliceOf[E](z), bulks.SliceOf[E](x); o {
			case forward:
				return of.Forward(ctx, to, from)
			case inverse:
				return of.Inverse(ctx, to, from)
			case load:
				return of.Load(v, from)
			default:
				return of.Store(to, v)
			}
		}, func(inverse bool, z, x bulks.View) func(ctx context.Context) error {
			to, from := bulks.SliceOf[E](z), bulks.SliceOf[E](x)
			return func(ctx context.Context) error {
				if inverse {
					return of.Inverse(ctx, to, from)
				}
				return of.Forward(ctx, to, from)
			}
		}}, nil
	}}
}

// Field is the field itself.
func (f *Plans) Field() any { return f.of }

// Check is field.Check.
func (f *Plans) Check() error { return field.CheckValue("field", f.of) }

// Domain is the points of a transform.
type Domain struct {
	N      int
	Affine bool // else cyclic
	of     any  // the field.Domain
	point  func(z Element, j int)
	root   Element // of a cyclic one
	shift  Element
	basis  bulks.View // of an affine one
}

// Point sets z to point j, of which points N apart are one: j may be negative.
func (d *Domain) Point(z Element, j int) {
	if j %= d.N; j < 0 {
		j += d.N
	}
	d.point(z, j)
}

// Parameters is that of package fft.
func (f *Plans) Parameters(ctx context.Context, n int, opts ...fft.Option) (Domain, field.Spec, error) {
	if err := f.Check(); err != nil {
		return Domain{}, field.Spec{}, err
	}
	return f.points(ctx, n, opts)
}

// Transform is a field.Transform of views.
type Transform struct {
	untyped
	move func(ctx context.Context, o operation, v field.Vec, z, x bulks.View) error
	bind func(inverse bool, z, x bulks.View) func(ctx context.Context) error
}

// untyped is the part of a field.Transform that names no elements.
type untyped interface {
	NewVec() (field.Vec, error)
	ForwardVec(ctx context.Context, v field.Vec) error
	InverseVec(ctx context.Context, v field.Vec) error
	MulVec(z, x, y field.Vec) error
	Permutation() []int
	Report() field.Report
}

// Transform makes the transform over d as s asks.
func (f *Plans) Transform(d Domain, s field.Spec) (*Transform, error) { return f.transform(d.of, s) }

func (t *Transform) Forward(ctx context.Context, z, x bulks.View) error {
	return t.move(ctx, forward, nil, z, x)
}

func (t *Transform) Inverse(ctx context.Context, z, x bulks.View) error {
	return t.move(ctx, inverse, nil, z, x)
}

// Bind returns the function that is Forward or Inverse of these vectors, for measurements of short calls.
func (t *Transform) Bind(inverse bool, z, x bulks.View) func(ctx context.Context) error {
	return t.bind(inverse, z, x)
}

func (t *Transform) Load(v field.Vec, x bulks.View) error {
	return t.move(nil, load, v, x.Slice(0, 0), x)
}

func (t *Transform) Store(z bulks.View, v field.Vec) error {
	return t.move(nil, store, v, z, z.Slice(0, 0))
}

// Plan is an fft.Plan of views.
type Plan struct {
	*Transform
	Domain
	Spec  field.Spec
	field any
}

// Plan is fft.NewPlanContext.
func (f *Plans) Plan(ctx context.Context, n int, opts ...fft.Option) (*Plan, error) {
	d, s, err := f.Parameters(ctx, n, opts...)
	if err != nil {
		return nil, err
	}
	making := s
	making.Context = ctx
	t, err := f.Transform(d, making)
	if err != nil {
		return nil, err
	}
	return &Plan{t, d, s, f.of}, nil
}

// Size is the length of the slices of a call.
func (p *Plan) Size() int {
	_, size, _ := p.Spec.Batch.Layout(p.N) // checked when the plan was made
	return size
}

// Report is that of an fft.Plan.
func (p *Plan) Report() field.Report {
	r := p.Transform.Report()
	explain.Ignored(&r, p.Spec.Tuning)
	return r
}

// Order is the order of the values as asked for.
func (p *Plan) Order() field.Order { return p.Spec.Order }

// Explain is that of an fft.Plan.
func (p *Plan) Explain(w io.Writer) error {
	r := p.Report()
	return explain.Plan(w, p.field, &r, p.Spec.Workers, p.Affine)
}
