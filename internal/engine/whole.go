package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine/choice"
)

// Whole is schemes.Whole, the transform of a back end.
type Whole interface {
	Cheapest() field.Order
	Run(ctx context.Context, v View, o field.Order, inverse bool) error
	Report(r *field.Report)
}

// NewWhole is New for the transform that build returns.
func NewWhole(f bulks.Bulk, d Domain, s field.Spec, build func(*Problem) (Whole, error)) (Transform, field.Batch,
	error) {
	if s.Spread != nil {
		return nil, s.Batch, errSpread
	}
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
	t := &whole{one: one, w: w, batch: batch, workers: p.S.Workers}
	t.share = max(1, min((batch.Count+3)/4, groupChunks*one.chunk/one.n))
	t.mover = t.moverOf(batch)
	if one.device != nil && !choice.Wrapped(batch) {
		return &wholeProducts{t}, batch, p.fits(t)
	}
	return t, batch, p.fits(t)
}

// single is a Whole as a scheme without phases: what a transform asks of it beside them.
type single struct{ Whole }

func (single) Steps() int                                                    { return 1 }
func (s single) Report(r *field.Report, _ field.Order)                       { s.Whole.Report(r) }
func (single) Bind(*Call, field.Order) (forward, inverse []Phase, err error) { return nil, nil, nil }

// whole moves the elements of one transform or of a batch into one vector, and leaves the rest to a back end. Where
// there is no memory for such a vector, a batch goes in groups.
type whole struct {
	mover   // one, or a batch of it
	one     *transform
	w       Whole
	batch   field.Batch
	workers int
	share   int // transforms of a group, at most
	vecs    resting
	size    atomic.Int64 // transforms of a group, 0 where the batch was never too large
	many    sync.Mutex   // held by a call in groups: two would take each other's memory
	groups  resting      // of groups, whose size never grows
}

// resting is vectors that wait for the next call. A bulk whose memory is short frees them.
type resting struct{ pool sync.Pool } // *vec

// take is a vector, or nil.
func (r *resting) take() *vec {
	for {
		v, ok := r.pool.Get().(*vec)
		if !ok {
			return nil
		}
		if d := v.plan.device; d == nil || d.Wake(v.v) {
			return v
		}
	}
}

func (r *resting) put(v *vec) {
	if d := v.plan.device; d != nil {
		d.Rest(v.v)
	}
	r.pool.Put(v)
}

// mover is a Transform whose Load and Store can do without a Wait.
type mover interface {
	Transform
	load(ctx context.Context, v field.Vec, a View) error
	store(ctx context.Context, a View, v field.Vec) error
}

// moverOf is that of one in the batch b.
func (t *whole) moverOf(b field.Batch) mover {
	if !choice.Wrapped(b) {
		return t.one
	}
	return &batched{transform: t.one, b: b, Groups: choice.Groups{Group: 1, Steps: 1}, tasks: 1, vectors: t.one.vectors}
}

func (t *whole) Run(ctx context.Context, dst, src View, _, inverse bool) error {
	return t.checked(ctx, dst, src, inverse, nil)
}

// Rows looks for elements that are not canonical in the part of an operand that a batch covers.
type Rows func(src View, b field.Batch) error

// Seeks reports whether Checked is for this transform.
func (t *whole) Seeks() bool {
	return t.one.device != nil && t.one.device.Seeks(t.batch.Count*t.one.n)
}

// Checked is Run for a src that nobody has looked at. Where it has elements that are not canonical, the error is that
// of invalid, which looks for them, and dst stays as it is.
func (t *whole) Checked(ctx context.Context, dst, src View, inverse bool, invalid Rows) error {
	return t.checked(ctx, dst, src, inverse, invalid)
}

// checked is Checked, or Run where invalid is nil.
func (t *whole) checked(ctx context.Context, dst, src View, inverse bool, invalid Rows) error {
	if t.size.Load() > 0 || t.overlaps() {
		return t.inGroups(ctx, dst, src, inverse, invalid)
	}
	v := t.vecs.take()
	loaded := v == nil // a new one is, by loads
	if v == nil {
		var err error
		if v, err = t.loaded(ctx, t.mover, t.batch.Count, src); err != nil {
			if errors.Is(err, field.ErrMemory) && t.batch.Count > 1 {
				return t.inGroups(ctx, dst, src, inverse, invalid)
			}
			return err
		}
	}
	k := check{look: invalid != nil, invalid: func() error { return invalid(src, t.batch) }}
	err := t.call(ctx, t.mover, v, dst, src, inverse, loaded, t.one.progress, k)
	t.vecs.put(v)
	return err
}

// loaded makes a vector of count transforms and loads src into it, which shows whether there is memory for both.
func (t *whole) loaded(ctx context.Context, m mover, count int, src View) (*vec, error) {
	x, err := t.one.newVec(count * t.one.n)
	if err != nil {
		return nil, fmt.Errorf("fft: a vector of %d bytes, for %d × %d elements: %w", t.one.f.Bytes(count*t.one.n),
			count, t.one.n, err)
	}
	v := x.(*vec)
	if err = m.load(ctx, v, src); err == nil {
		err = t.one.wait(ctx, v.v)
	}
	if err != nil && ctx.Err() != nil {
		return nil, err // the garbage collector closes it, as Close would wait for what runs
	}
	if err != nil {
		return nil, cmp.Or(err, v.Close())
	}
	return v, nil
}

// check is what a call does with elements that may not be canonical.
type check struct {
	look    bool                  // the device looks at them on the way
	invalid func() error          // what the host says of them
	door    func(err error) error // whether anything may be written, from what has failed so far; or nil
}

// call transforms what m moves, by way of v, which may have been loaded.
func (t *whole) call(ctx context.Context, m mover, v *vec, dst, src View, inverse, loaded bool,
	progress func(done, total int), k check) error {
	const steps = 3
	var err error
	if !loaded {
		err = m.load(ctx, v, src)
	}
	sought := err == nil && k.look && t.one.device.Seek(v.v)
	if err == nil && k.look && !sought {
		err = k.invalid()
	}
	if err == nil {
		err = t.done(ctx, v, 1, steps, progress)
	}
	if err == nil {
		err = t.run(ctx, v, t.one.order, inverse)
	}
	if err == nil {
		err = t.done(ctx, v, 2, steps, progress)
	}
	// Store would wait to the end, whatever ctx says.
	if err == nil && (sought || k.door != nil || ctx.Done() != nil) {
		err = t.one.wait(ctx, v.v)
	}
	if err == nil && sought {
		err = found(t.one.device, v.v, k.invalid)
	}
	if k.door != nil {
		err = k.door(err)
	}
	if err == nil {
		err = m.store(ctx, dst, v)
	}
	if w := t.one.wait(ctx, v.v); err == nil {
		err = w
	}
	if err == nil {
		err = t.done(context.Background(), v, steps, steps, progress) // an end of ctx comes too late
	}
	return err
}

// found is the error of invalid where s has found something in v.
func found(s bulks.Device, v View, invalid func() error) error {
	any, err := s.Found(v)
	if err != nil || !any {
		return err
	}
	return cmp.Or(invalid(), errChanged)
}

var errChanged = fmt.Errorf("fft: %w: an element of src, which has changed during the call", field.ErrRange)

// done reports a step, which is over then, and is the error of a context that has ended.
func (t *whole) done(ctx context.Context, v *vec, step, steps int, report func(done, total int)) error {
	if report != nil {
		if err := t.one.wait(ctx, v.v); err != nil {
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

func (t *whole) VecIn(make func(f bulks.Bulk, n int) (View, error)) (field.Vec, error) {
	if t.one.device == nil {
		return t.one.VecIn(make)
	}
	v, err := make(t.one.f, t.batch.Count*t.one.n)
	if err != nil {
		return nil, err
	}
	return &vec{v: v, plan: t.one, ahead: true}, nil
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
	if err = t.run(ctx, v, t.w.Cheapest(), inverse); v.ahead {
		return err
	}
	if w := t.one.wait(ctx, v.v); err == nil {
		err = w
	}
	if err == nil {
		err = t.done(context.Background(), v, 1, 1, t.one.progress)
	}
	return err
}

func (t *whole) Report() field.Report {
	r := t.mover.Report()
	r.Scratch += r.Vector
	return r
}
