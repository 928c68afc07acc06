package fft

import (
	"context"
	"fmt"
	"io"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/explain"
	"github.com/galfft/fft/schemes"
)

// Plan is a transform of fixed length over a fixed field, in both directions. It is immutable and safe for
// concurrent use; its calls allocate nothing once warm.
//
// In every call dst may be src, which is then transformed in place; otherwise the two must not overlap, and src is left
// intact. A wrong length is ErrLength, partial overlap ErrOverlap, an element that is not canonical, such as a word
// from p on, ErrRange (see [WithoutRangeCheck]), a nil context ErrSpec; all are found before anything is written.
//
// Plans come from NewPlan and Coset alone: nil and the zero Plan are none. What returns an error returns ErrSpec for
// them, String says so, Point panics, and the rest returns zero values.
type Plan[E any] struct {
	f field.Field[E]
	d field.Domain[E]
	s field.Spec
	t field.Transform[E]
}

// NewPlan plans transforms of length n ≥ 1 over f, which has a root of that order, or one is given by WithRoot: n
// divides p − 1 for a prime field. Powers of two are fastest; small odd prime factors cost about as many products as
// they are large, and large ones go by way of transforms of twice their length (Bluestein). E is inferred from the
// field.
//
// Over a binary field n = 2^k takes the field's own subspace (field.Subspaces), or that of WithSubspace: an additive
// FFT, over an [Affine] domain. Odd n that divide the number of units are cyclic there as over every field.
//
// Errors: ErrLength, ErrNoRoot, ErrSpec, ErrMemory (where a size cannot fit, before anything is allocated), with
// WithCoset ErrNotInvertible and ErrRange, and with WithSubspace ErrRange. A power of two above the number of elements
// of a field with subspaces is both ErrLength and ErrNoRoot.
func NewPlan[E any](f field.Field[E], n int, opts ...Option) (*Plan[E], error) {
	return NewPlanContext(context.Background(), f, n, opts...)
}

// NewPlanContext is NewPlan that stops when ctx ends and then returns an error that wraps the context's: the tables of
// long plans take seconds. Calls of the plan have contexts of their own.
func NewPlanContext[E any](ctx context.Context, f field.Field[E], n int, opts ...Option) (*Plan[E], error) {
	if ctx == nil {
		return nil, errContext
	}
	c := collect(opts)
	d, err := domain(ctx, f, n, c)
	if err != nil {
		return nil, err
	}
	c.tune()
	return newPlan(ctx, f, d, c.spec)
}

// Parameters returns what NewPlanContext makes of its arguments: the domain, and what options say beside it. It is for
// packages that make transforms of their own, such as dist; the errors are those of the domain.
func Parameters[E any](ctx context.Context, f field.Field[E], n int, opts ...Option) (Domain[E], field.Spec, error) {
	if ctx == nil {
		return nil, field.Spec{}, errContext
	}
	c := collect(opts)
	d, err := domain(ctx, f, n, c)
	if err != nil {
		return nil, field.Spec{}, err
	}
	c.tune()
	return d, c.spec, nil
}

func newPlan[E any](ctx context.Context, f field.Field[E], d field.Domain[E], s field.Spec) (*Plan[E], error) {
	making := s
	making.Context = ctx
	t, err := schemes.New(f, d, making)
	if err != nil {
		return nil, err
	}
	return &Plan[E]{f, d, s, t}, nil
}

// Errors of plans, made once: what names no element is compiled once, and not for each type of them.
var (
	errNone       = fmt.Errorf("fft: %w: a plan that is nil or zero, want one of NewPlan", ErrSpec)
	errContext    = fmt.Errorf("fft: %w: the context is nil", ErrSpec)
	errMemory     = fmt.Errorf("fft: %w: vectors in memory of others are for plans on a device", ErrSpec)
	errShift      = fmt.Errorf("fft: %w: the shift is nil", ErrSpec)
	errShiftRange = fmt.Errorf("fft: %w: the shift is not a canonical element", ErrRange)
	errWriter     = fmt.Errorf("fft: %w: the writer is nil", ErrSpec)
)

// none reports whether p is nil or the zero Plan. A method would be compiled three times for each type of elements.
func none[E any](p *Plan[E]) bool { return p == nil || p.t == nil }

// Must returns p, and panics where err is not nil. It is for plans that cannot fail.
func Must[E any](p *Plan[E], err error) *Plan[E] {
	if err != nil {
		panic(err)
	}
	return p
}

// Coset returns the plan for the points of p's domain times shift, or plus shift where it is affine, everything else as
// in p. The shift is relative to p's own, not nil (ErrSpec), canonical (ErrRange) and, over a cyclic domain, not 0
// (ErrNotInvertible).
func (p *Plan[E]) Coset(shift *E) (*Plan[E], error) {
	switch {
	case none(p):
		return nil, errNone
	case shift == nil:
		return nil, errShift
	case !field.Canonical(p.f, shift):
		return nil, errShiftRange
	}
	d := p.Domain()
	switch of := d.(type) {
	case field.Cyclic[E]:
		p.f.Mul(&of.Shift, &of.Shift, shift)
		d = of
	case field.Affine[E]:
		p.f.Add(&of.Shift, &of.Shift, shift)
		d = of
	}
	return newPlan(context.Background(), p.f, d, p.s)
}

// Len is the length of one transform.
func (p *Plan[E]) Len() int {
	if none(p) {
		return 0
	}
	return p.d.Len()
}

// Size is the length of the slices of a call: Len, or what the batch covers.
func (p *Plan[E]) Size() int {
	if none(p) {
		return 0
	}
	_, size, _ := p.s.Batch.Layout(p.d.Len()) // checked when the plan was made
	return size
}

// Forward sets dst to the values of the polynomial src at the points of the domain: value j, at the index that
// the order says, is Σᵢ src[i]·pointⱼⁱ, or with [LCH] coefficients Σᵢ src[i]·Xᵢ(pointⱼ).
func (p *Plan[E]) Forward(dst, src []E) error {
	return p.ForwardContext(context.Background(), dst, src)
}

// Inverse sets dst to the polynomial with the values src: it undoes Forward, division by n included.
func (p *Plan[E]) Inverse(dst, src []E) error {
	return p.InverseContext(context.Background(), dst, src)
}

// ForwardContext is Forward that stops when ctx ends and then returns an error that wraps the context's. An
// out-of-place dst, or the slice transformed in place, is unspecified after that.
func (p *Plan[E]) ForwardContext(ctx context.Context, dst, src []E) error {
	if none(p) {
		return errNone
	}
	return p.t.Forward(ctx, dst, src)
}

// InverseContext is Inverse under a context, as ForwardContext.
func (p *Plan[E]) InverseContext(ctx context.Context, dst, src []E) error {
	if none(p) {
		return errNone
	}
	return p.t.Inverse(ctx, dst, src)
}

// NewVec makes a vector of Len elements for each transform of the batch in the field's working form, zero, valid with p
// alone. Products of polynomials stay in it, in whatever order is cheapest: Load, ForwardVec, MulVec, InverseVec,
// Store. It fails where the memory of the working form does, such as that of a device.
func (p *Plan[E]) NewVec() (Vec, error) {
	if none(p) {
		return nil, errNone
	}
	return p.t.NewVec()
}

// VecIn is NewVec in the memory that make returns for a vector of n elements of a bulk. It is for back ends, as that of
// package gpu: calls on the vector return before they are over, but for Store, and who has made the memory waits for
// them. It is ErrSpec where the plan has no such back end.
func (p *Plan[E]) VecIn(make func(b bulks.Bulk, n int) (bulks.View, error)) (Vec, error) {
	if none(p) {
		return nil, errNone
	}
	t, ok := p.t.(interface {
		VecIn(make func(b bulks.Bulk, n int) (bulks.View, error)) (Vec, error)
	})
	if !ok || make == nil {
		return nil, errMemory
	}
	return t.VecIn(make)
}

// Load sets the first len(a) ≤ Len elements of v to a, and all others to 0: a polynomial of fewer than n coefficients
// needs no padding. With a batch a has its layout, and is of length Size.
func (p *Plan[E]) Load(v Vec, a []E) error {
	if none(p) {
		return errNone
	}
	return p.t.Load(v, a)
}

// Store sets a to the first len(a) ≤ Len elements of v; with a batch, all of its layout but the gaps.
func (p *Plan[E]) Store(a []E, v Vec) error {
	if none(p) {
		return errNone
	}
	return p.t.Store(a, v)
}

// ForwardVec transforms v in place, into p's cheapest order.
func (p *Plan[E]) ForwardVec(ctx context.Context, v Vec) error {
	if none(p) {
		return errNone
	}
	return p.t.ForwardVec(ctx, v)
}

// InverseVec undoes ForwardVec.
func (p *Plan[E]) InverseVec(ctx context.Context, v Vec) error {
	if none(p) {
		return errNone
	}
	return p.t.InverseVec(ctx, v)
}

// MulVec sets z to the products of the elements of x and y; z may be x or y. Between ForwardVec and InverseVec that is
// the product of polynomials modulo the one that vanishes on the domain: x^n − s^n over a cyclic domain of shift s, and
// over an affine one the product of x − point over the points.
func (p *Plan[E]) MulVec(z, x, y Vec) error {
	if none(p) {
		return errNone
	}
	return p.t.MulVec(z, x, y)
}

// Field is the field that p was made for.
func (p *Plan[E]) Field() field.Field[E] {
	if none(p) {
		return nil
	}
	return p.f
}

// Domain is the set of points, a fresh copy: a [Cyclic] or an [Affine] one. It is nil where p is no plan.
func (p *Plan[E]) Domain() Domain[E] {
	if none(p) {
		return nil
	}
	switch d := p.d.(type) {
	case field.Cyclic[E]:
		c := field.Cyclic[E]{N: d.N, Roots: d.Roots}
		p.f.Set(&c.Root, &d.Root)
		p.f.Set(&c.Shift, &d.Shift)
		return c
	case field.Affine[E]:
		a := field.Affine[E]{Basis: make([]E, len(d.Basis))}
		for i := range d.Basis {
			p.f.Set(&a.Basis[i], &d.Basis[i])
		}
		p.f.Set(&a.Shift, &d.Shift)
		return a
	}
	return nil
}

// Point sets z to point j of the domain, of which points Len apart are one: j may be negative. It panics where z is nil
// or p is no plan.
func (p *Plan[E]) Point(z *E, j int) {
	if j %= p.Len(); j < 0 {
		j += p.Len()
	}
	p.d.Point(p.f, z, j)
}

// Order is the order of the values as asked for.
func (p *Plan[E]) Order() Order {
	if none(p) {
		return Natural
	}
	return p.s.Order
}

// Permutation lists, for each index of the values, the number j of the point whose value stands there.
func (p *Plan[E]) Permutation() []int {
	if none(p) {
		return nil
	}
	return p.t.Permutation()
}

// MemoryUse is the bytes of p's tables and of the scratch of one running call.
func (p *Plan[E]) MemoryUse() int {
	if none(p) {
		return 0
	}
	r := p.t.Report()
	return r.Tables + r.Scratch
}

// Report says what was chosen. What was ignored may be the environment variable GALFFT_CPU, where it names no tier of
// kernels that there is, and a file of tuned values that is not usable on this machine.
func (p *Plan[E]) Report() Report {
	var r Report
	var t field.Tuning
	if !none(p) {
		r, t = p.t.Report(), p.s.Tuning
	}
	explain.Ignored(&r, t)
	return r
}

// String is Explain's first line.
func (p *Plan[E]) String() string {
	if none(p) {
		return "no plan"
	}
	r := p.t.Report()
	return explain.Title(p.f, &r)
}

// Explain writes what was chosen, for people. A nil w is ErrSpec.
func (p *Plan[E]) Explain(w io.Writer) error {
	switch {
	case none(p):
		return errNone
	case w == nil:
		return errWriter
	}
	r := p.Report()
	_, affine := p.d.(field.Affine[E])
	return explain.Plan(w, p.f, &r, p.s.Workers, affine)
}
