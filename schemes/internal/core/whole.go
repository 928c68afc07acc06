package core

import (
	"context"
	"sync"

	"github.com/galfft/fft/field"
)

// Whole is schemes.Whole, the transform of a back end.
type Whole interface {
	Cheapest() field.Order
	Run(ctx context.Context, v View, o field.Order, inverse bool) error
	Report(r *field.Report)
}

// NewWhole is New for the transform that build returns.
func NewWhole(f field.Bulk, d Domain, s field.Spec, build func(*Problem) (Whole, error)) (Transform, field.Batch,
	error) {
	p, batch, err := newProblem(f, d, s)
	if err != nil {
		return nil, batch, err
	}
	w, err := build(p)
	if err != nil {
		return nil, batch, err
	}
	one := newTransform(p, single{w}, p.S)
	one.inPlace = true // its calls need no vector of their own
	t := &whole{mover: one, one: one, w: w}
	if wrapped(batch) {
		t.mover = &batched{transform: one, b: batch, s: p.S, group: 1, steps: 1, tasks: 1}
	}
	return t, batch, p.fits(t)
}

// single is a Whole as a scheme without phases: what a transform asks of it beside them.
type single struct{ Whole }

func (single) Steps() int                                                    { return 1 }
func (s single) Report(r *field.Report, _ field.Order)                       { s.Whole.Report(r) }
func (single) Bind(*Call, field.Order) (forward, inverse []Phase, err error) { return nil, nil, nil }

// whole moves the elements of one transform or of a batch into one vector, and leaves the rest to a back end.
type whole struct {
	mover // one, or a batch of it
	one   *transform
	w     Whole
	vecs  sync.Pool // field.Vec
}

// mover is a Transform whose Load and Store can do without a Wait.
type mover interface {
	Transform
	load(v field.Vec, a View) error
	store(a View, v field.Vec) error
}

func (t *whole) Run(ctx context.Context, dst, src View, _, inverse bool) error {
	v, _ := t.vecs.Get().(*vec)
	if v == nil {
		x, err := t.NewVec()
		if err != nil {
			return err
		}
		v = x.(*vec)
	}
	const steps = 3
	err := t.load(v, src)
	if err == nil {
		err = t.done(ctx, v, 1, steps)
	}
	if err == nil {
		err = t.run(ctx, v, t.one.order, inverse)
	}
	if err == nil {
		err = t.done(ctx, v, 2, steps)
	}
	if err == nil {
		err = t.store(dst, v)
	}
	if w := t.one.wait(v.v); err == nil {
		err = w
	}
	if err == nil {
		err = t.done(context.Background(), v, steps, steps) // an end of ctx comes too late
	}
	t.vecs.Put(v)
	return err
}

// done reports a step, which is over then, and is the error of a context that has ended.
func (t *whole) done(ctx context.Context, v *vec, step, steps int) error {
	if report := t.one.progress; report != nil {
		if err := t.one.wait(v.v); err != nil {
			return err
		}
		report(step, steps)
	}
	if err := ctx.Err(); err != nil {
		return Stopped(err)
	}
	return nil
}

// run transforms v.
func (t *whole) run(ctx context.Context, v *vec, o field.Order, inverse bool) error {
	if v.wide && inverse {
		t.one.f.Reduce(v.v)
	}
	v.wide = true
	err := t.w.Run(ctx, v.v, o, inverse)
	if e := ctx.Err(); e != nil {
		return Stopped(e)
	}
	return err
}

func (t *whole) ForwardVec(ctx context.Context, x field.Vec) error { return t.runVec(ctx, x, false) }

func (t *whole) InverseVec(ctx context.Context, x field.Vec) error { return t.runVec(ctx, x, true) }

func (t *whole) runVec(ctx context.Context, x field.Vec, inverse bool) error {
	v, err := t.one.vec(x)
	if err == nil {
		err = checkContext(ctx)
	}
	if err != nil {
		return err
	}
	err = t.run(ctx, v, t.w.Cheapest(), inverse)
	if w := t.one.wait(v.v); err == nil {
		err = w
	}
	if err == nil {
		err = t.done(context.Background(), v, 1, 1)
	}
	return err
}

func (t *whole) Report() field.Report {
	r := t.mover.Report()
	r.Scratch += r.Vector
	return r
}
