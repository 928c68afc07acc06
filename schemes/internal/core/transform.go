// Package core is what all schemes share: the checks of a call, its pooled state, its phases run by workers
// under a context, and the tables between stages. A scheme adds only its list of phases.
package core

import (
	"context"
	"fmt"
	"math/bits"
	"sync"

	"github.com/galfft/fft/field"
)

// Problem is what a scheme is built for: a field in working form, a domain, and parameters, whose defaults the
// scheme fills in where they depend on it.
type Problem[E, V any] struct {
	F     field.Bulk[E, V]
	D     field.Domain[E]
	S     field.Spec
	Tasks int // that a call uses
	M     *Making
}

// Scheme is an algorithm bound to its tables, over vectors in working form.
type Scheme[V any] interface {
	// Cheapest is the order in which the values come at no extra cost: Natural, BitReversed, or field.Scheme,
	// and then the scheme is a Permuter.
	Cheapest() field.Order
	// Bind makes the scratch of one call and the phases of both directions, as closures over c, for values in
	// order Natural, BitReversed or Cheapest.
	Bind(c *Call[V], o field.Order) (forward, inverse []Phase)
	// Steps is the most tasks that are of use.
	Steps() int
	// Report fills in Algorithm, Split, Base, Strip, Tables and Scratch (for order o).
	Report(r *field.Report, o field.Order)
}

// Immediate is a scheme of one case, which needs no scratch and works in place.
type Immediate[V any] interface {
	// Immediate reports whether Columns serves, because a transform is one step, and whether Now does, because that step is
	// over before a cancellation matters.
	Immediate() (one, now bool)
	// Now transforms count vectors, one after the other in v, as Forward or Inverse of order o do.
	Now(v V, count int, o field.Order, inverse, canonical bool)
	// Columns transforms the columns of N rows of width elements, in the cheapest order.
	Columns(w *Watch, v V, width int, inverse, canonical bool)
}

// Permuter is a scheme with an order of its own: the point whose value stands at index i, for each i.
type Permuter interface{ Permutation() []int }

// Phase is one parallel loop: Do(step, task) for every step < Steps, in any order, where calls with the same
// task never overlap. Phases follow each other. A step reads c.In or what an earlier phase wrote.
type Phase struct {
	Steps int
	Do    func(step, task int)
	If    func() bool // whether this call needs the phase; nil: every call does
}

// Call is the state of one running transform.
type Call[V any] struct {
	// In is the input, which stays intact, and Out the output; one vector where InPlace. Where V is not the
	// slice itself, a scheme may exchange Out for a vector of its own.
	In, Out V
	InPlace bool
	Reduce  bool // the output is the caller's slice: leave it canonical
	Tasks   int  // the largest task number that a phase may see is Tasks−1

	forward, inverse direction
	Watch
}

type direction struct {
	phases []Phase
	run    []func(task int)
}

// transform erases V: a plan knows only field.Transform[E].
type transform[E, V any] struct {
	f            field.Working[E, V]
	n            int
	order        field.Order
	runner       field.Runner
	progress     func(done, total int)
	scheme       Scheme[V]
	bulk         field.Bulk[E, V] // f, or nil where it is less
	columns      Immediate[V]     // the scheme, where transforms are short and on slices; or nil
	now          Immediate[V]     // columns, where calls need no state; or nil
	alias        bool
	check        field.RangeChecker[E] // of operands; or nil
	tasks        int
	calls, works *sync.Pool // calls in the plan's order, and in the cheapest one for vectors in working form
}

// Planned is the transform that f's own Planner makes, or nil where element methods are to make it.
func Planned[E any](f field.Field[E], d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	if err := field.Check(f); err != nil {
		return nil, err
	}
	if p, ok := f.(field.Planner[E]); ok && !s.NoPlanner {
		return p.Plan(d, s)
	}
	return nil, nil
}

// New makes the transform of the scheme that build returns; build gets checked parameters, and the defaults that
// do not depend on the scheme.
func New[E, V any](f field.Bulk[E, V], d field.Domain[E], s field.Spec, build func(*Problem[E, V]) (Scheme[V], error)) (field.Transform[E], error) {
	return NewWorking(f, d, s, func(m *Making, s field.Spec, tasks int) (Scheme[V], error) {
		return build(&Problem[E, V]{f, d, s, tasks, m})
	})
}

// NewWorking is New for working forms that are less than a Bulk of E.
func NewWorking[E, V any](f field.Working[E, V], d field.Domain[E], s field.Spec, build func(m *Making, s field.Spec, tasks int) (Scheme[V], error)) (field.Transform[E], error) {
	if err := field.Check(f); err != nil {
		return nil, err
	}
	batch, err := Check(f, &d, &s, f.VecBytes)
	if err != nil {
		return nil, err
	}
	making := NewMaking(d.N, s)
	s.Context = nil // plans outlive it
	s, outer := batchWorkers(s, batch)
	t := &transform[E, V]{f: f, n: d.N, order: s.Order, runner: s.Runner, progress: s.Progress, tasks: tasks(f, d, s, 1)}
	if t.scheme, err = build(making, s, t.tasks); err != nil {
		return nil, err
	}
	t.tasks = min(t.tasks, t.scheme.Steps())
	if t.order == field.Scheme {
		t.order = t.scheme.Cheapest()
	}
	_, t.alias = f.Alias(nil)
	if !s.Unchecked {
		t.check = checker(f)
	}
	t.bulk, _ = f.(field.Bulk[E, V])
	if i, ok := t.scheme.(Immediate[V]); ok && t.alias && t.bulk != nil {
		one, now := i.Immediate()
		if one {
			t.columns = i
		}
		if now && s.Progress == nil {
			t.now = i
		}
	}
	t.calls = t.pool(t.order, true)
	t.works = t.calls
	if o := t.scheme.Cheapest(); o != t.order || !t.alias {
		t.works = t.pool(o, false)
	}
	whole := batched(t, outer, tasks(f, d, outer, batch.Count), batch)
	if r := whole.Report(); r.Tables+r.Scratch > s.MemoryLimit {
		return nil, memoryError(d.N, r.Tables+r.Scratch, s.MemoryLimit)
	}
	return whole, nil
}

// chunk is how many elements a step packs or unpacks, and how many Load and Store move at a time where a slice ends
// inside the vector: working forms do not cut finer than tiles.
const chunk = 64 * field.Lanes

// pool keeps calls bound to an order, each with its closures and scratch, so that hot calls allocate nothing.
// With slices, a call comes from the caller's elements and goes back to them.
func (t *transform[E, V]) pool(o field.Order, slices bool) *sync.Pool {
	return &sync.Pool{New: func() any {
		c := new(state[E, V])
		c.Tasks, c.progress = t.tasks, t.progress
		forward, inverse := t.scheme.Bind(&c.Call, o)
		if slices && !t.alias {
			c.buf = t.f.Make(t.n)
			parts := (t.n + chunk - 1) / chunk
			pack := Phase{Steps: parts, Do: func(i, _ int) {
				from, to := i*chunk, min(t.n, (i+1)*chunk)
				t.f.Pack(t.f.Slice(c.In, from, to), c.src[from:to])
			}}
			unpack := Phase{Steps: parts, Do: func(i, _ int) {
				from, to := i*chunk, min(t.n, (i+1)*chunk)
				t.f.Unpack(c.dst[from:to], t.f.Slice(c.Out, from, to))
			}}
			around := func(p []Phase) []Phase { return append(append([]Phase{pack}, p...), unpack) }
			forward, inverse = around(forward), around(inverse)
		}
		c.forward, c.inverse = c.bind(forward, t.tasks), c.bind(inverse, t.tasks)
		return c
	}}
}

// state is a pooled call with the slices, and the working vector of fields whose form is not the slice.
type state[E, V any] struct {
	Call[V]
	buf      V
	edge     []E // of Load and Store: a chunk where a slice ends, and a chunk of zeros
	dst, src []E
}

func (t *transform[E, V]) Forward(ctx context.Context, dst, src []E) error {
	return t.run(ctx, dst, src, false)
}

func (t *transform[E, V]) Inverse(ctx context.Context, dst, src []E) error {
	return t.run(ctx, dst, src, true)
}

func (t *transform[E, V]) run(ctx context.Context, dst, src []E, inverse bool) error {
	if err := CheckCall(ctx, dst, src, t.n); err != nil {
		return err
	}
	if err := t.checkRange(src, 0); err != nil {
		return err
	}
	return t.checked(ctx, dst, src, inverse)
}

// checker returns what checks operands, or nil.
func checker[E, V any](f field.Working[E, V]) field.RangeChecker[E] {
	if of, ok := f.(interface{ RangeChecker() field.RangeChecker[E] }); ok {
		return of.RangeChecker()
	}
	c, _ := f.(field.RangeChecker[E])
	return c
}

// checkRange is a RangeError where an element of a is not canonical; a starts at element first of the caller's operand.
func (t *transform[E, V]) checkRange(a []E, first int) error {
	if t.check != nil {
		if i := t.check.FirstInvalid(a); i >= 0 {
			return &field.RangeError{What: "src", Index: first + i}
		}
	}
	return nil
}

// checked is run with checked operands.
func (t *transform[E, V]) checked(ctx context.Context, dst, src []E, inverse bool) error {
	if t.now != nil {
		t.rows(dst, src, 1, inverse)
		return nil
	}
	c := t.calls.Get().(*state[E, V])
	c.InPlace, c.Reduce = true, t.alias
	if t.alias {
		c.In, _ = t.f.Alias(src)
		c.Out, _ = t.f.Alias(dst)
		c.InPlace = &dst[0] == &src[0]
	} else {
		c.In, c.Out, c.dst, c.src = c.buf, c.buf, dst, src
	}
	err := t.do(ctx, c, inverse)
	if !t.alias {
		c.buf = c.Out
	}
	c.release()
	t.calls.Put(c)
	return err
}

// rows transforms count vectors, one after the other, at once.
func (t *transform[E, V]) rows(dst, src []E, count int, inverse bool) {
	v, _ := t.f.Alias(dst)
	if &dst[0] != &src[0] {
		x, _ := t.f.Alias(src)
		t.bulk.Copy(v, x, field.Copy{Rows: 1, Width: count * t.n})
	}
	t.now.Now(v, count, t.order, inverse, true)
}

// release keeps no vector of the caller's alive.
func (c *state[E, V]) release() {
	var none V
	c.In, c.Out, c.dst, c.src = none, none, nil, nil
}

func (t *transform[E, V]) do(ctx context.Context, c *state[E, V], inverse bool) error {
	d := &c.forward
	if inverse {
		d = &c.inverse
	}
	return c.phases(ctx, d, t.runner)
}

func (t *transform[E, V]) copyBlock(dst, src []E, c field.Copy) {
	if t.bulk != nil && t.alias {
		d, _ := t.f.Alias(dst)
		s, _ := t.f.Alias(src)
		t.bulk.Copy(d, s, c)
		return
	}
	field.Slices[E]{Field: t.f}.Copy(dst, src, c)
}

// vec is the one place where V is erased: asserted once for each whole transform.
type vec[V any] struct {
	v    V
	plan any  // the transform that made it
	wide bool // the values may be wide: a forward transform left them
	n    int
}

func (v *vec[V]) Len() int { return v.n }

func (t *transform[E, V]) vec(x field.Vec) (*vec[V], error) {
	v, ok := x.(*vec[V])
	if !ok || v == nil || v.plan != any(t) {
		return nil, fmt.Errorf("fft: %w: it was not made by this plan's NewVec", field.ErrVec)
	}
	return v, nil
}

func (t *transform[E, V]) NewVec() field.Vec {
	return &vec[V]{v: t.f.Make(t.n), plan: t, n: t.n}
}

func (t *transform[E, V]) Load(x field.Vec, a []E) error {
	v, err := t.vec(x)
	if err == nil && len(a) > t.n {
		err = CheckLen("src", len(a), t.n)
	}
	if err == nil {
		err = t.checkRange(a, 0)
	}
	if err != nil {
		return err
	}
	whole := t.whole(len(a))
	t.f.Pack(t.f.Slice(v.v, 0, whole), a[:whole])
	if whole < t.n {
		c := t.works.Get().(*state[E, V])
		rest, last := a[whole:], min(whole+chunk, t.n)
		edge := t.edge(c)
		e, zeros := edge[:last-whole], edge[len(edge)/2:]
		moves := field.Slices[E]{Field: t.f}
		moves.Pack(e, rest)
		moves.Pack(e[len(rest):], zeros[len(rest):len(e)])
		t.f.Pack(t.f.Slice(v.v, whole, last), e)
		for i := last; i < t.n; i += chunk {
			j := min(i+chunk, t.n)
			t.f.Pack(t.f.Slice(v.v, i, j), zeros[:j-i])
		}
		t.works.Put(c)
	}
	v.wide = false
	return nil
}

func (t *transform[E, V]) Store(a []E, x field.Vec) error {
	v, err := t.vec(x)
	if err == nil && len(a) > t.n {
		err = CheckLen("dst", len(a), t.n)
	}
	if err != nil {
		return err
	}
	whole := t.whole(len(a))
	t.f.Unpack(a[:whole], t.f.Slice(v.v, 0, whole))
	if rest := a[whole:]; len(rest) > 0 {
		c := t.works.Get().(*state[E, V])
		e := t.edge(c)[:min(chunk, t.n-whole)]
		t.f.Unpack(e, t.f.Slice(v.v, whole, whole+len(e)))
		field.Slices[E]{Field: t.f}.Unpack(rest, e[:len(rest)])
		t.works.Put(c)
	}
	return nil
}

func (t *transform[E, V]) edge(c *state[E, V]) []E {
	if c.edge == nil {
		c.edge = make([]E, 2*min(chunk, t.n))
	}
	return c.edge
}

// whole is the part of n elements, the first of a vector, that can be moved as it stands.
func (t *transform[E, V]) whole(n int) int {
	if n == t.n {
		return n
	}
	return n - n%chunk
}

func (t *transform[E, V]) ForwardVec(ctx context.Context, x field.Vec) error {
	return t.runVec(ctx, x, false)
}

func (t *transform[E, V]) InverseVec(ctx context.Context, x field.Vec) error {
	return t.runVec(ctx, x, true)
}

func (t *transform[E, V]) runVec(ctx context.Context, x field.Vec, inverse bool) error {
	v, err := t.vec(x)
	if err == nil {
		err = checkContext(ctx)
	}
	if err != nil {
		return err
	}
	if v.wide && inverse {
		t.f.Reduce(v.v)
	}
	c := t.works.Get().(*state[E, V])
	c.In, c.Out, c.InPlace, c.Reduce = v.v, v.v, true, false
	err = t.do(ctx, c, inverse)
	v.v, v.wide = c.Out, true
	c.release()
	t.works.Put(c)
	return err
}

func (t *transform[E, V]) MulVec(z, x, y field.Vec) error {
	a, err := t.vec(z)
	if err != nil {
		return err
	}
	b, err := t.vec(x)
	if err != nil {
		return err
	}
	c, err := t.vec(y)
	if err != nil {
		return err
	}
	t.f.VecMul(a.v, b.v, c.v, t.n)
	a.wide = false
	return nil
}

func (t *transform[E, V]) Permutation() []int {
	if p, ok := t.scheme.(Permuter); ok && t.order == field.Scheme {
		return p.Permutation()
	}
	return Permutation(t.n, t.order)
}

// Permutation lists the points of an order, Natural or BitReversed, by index.
func Permutation(n int, o field.Order) []int {
	p, k := make([]int, n), bits.Len(uint(n))-1
	for i := range p {
		p[i] = i
		if o == field.BitReversed {
			p[i] = field.Rev(i, k)
		}
	}
	return p
}

func (t *transform[E, V]) Report() field.Report {
	r := field.Report{N: t.n, Order: t.order, Workers: t.tasks, Vector: t.f.VecBytes(t.n), Checked: t.check != nil, Form: "slices of elements, element methods"}
	if f, ok := t.f.(interface{ Form() string }); ok {
		r.Form = f.Form()
	}
	t.scheme.Report(&r, t.order)
	if !t.alias {
		r.Scratch += t.f.VecBytes(t.n)
	}
	return r
}
