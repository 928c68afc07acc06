// Package engine is what runs transforms: the checks of a call, its pooled state, its phases run by workers under a
// context, batches, vectors, reports, and the multipliers that all schemes make their tables of. A scheme adds only its
// list of phases. Nothing in it depends on the type of elements: package front below it does, package choice chooses.
package engine

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/internal/par"
)

// Scheme is an algorithm bound to its tables, over vectors in working form.
type Scheme interface {
	// Cheapest is the order in which the values come at no extra cost: Natural, BitReversed, or field.Scheme,
	// and then the scheme is a Permuter.
	Cheapest() field.Order
	// Bind makes the scratch of one call and the phases of both directions, as closures over c, for values in
	// order Natural, BitReversed or Cheapest.
	Bind(c *Call, o field.Order) (forward, inverse []Phase, err error)
	// Steps is the most tasks that are of use.
	Steps() int
	// Report fills in Algorithm, Passes, Split, Base, Strip, Tables and Scratch (for order o).
	Report(r *field.Report, o field.Order)
}

// Immediate is a scheme of one case, which needs no scratch and works in place.
type Immediate interface {
	// Immediate reports whether Columns serves, because a transform is one step, and whether Now does, because that
	// step is over before a cancellation matters.
	Immediate() (one, now bool)
	// Now transforms count vectors, one after the other in v, as Forward or Inverse of order o do.
	Now(v View, count int, o field.Order, inverse, canonical bool)
	// NowInto is Forward of one vector of src into dst without a copy, where it reports true: else nothing is done.
	NowInto(dst, src View, o field.Order, canonical bool) bool
	// Columns transforms the columns of N rows of width elements, in the cheapest order.
	Columns(w *Watch, v View, width int, inverse, canonical bool)
}

// Edger is a scheme that packs and unpacks the elements of the caller itself, in steps that read or write them anyway,
// where slices are no vectors.
type Edger interface {
	// BindEdges is Bind with all that lies around its phases.
	BindEdges(c *Call, o field.Order, e *Edges) (forward, inverse []Phase, err error)
}

// Edges is the ends of a call of one vector in the memory of the slice that it writes.
type Edges struct {
	// Pack sets elements from to to of the vector to those of the caller, and Unpack sets these. Whole tiles may be
	// moved in any order.
	Pack, Unpack func(from, to int)
	// All of them.
	Packed, Unpacked Phase
}

// Around is phases with all elements packed before and unpacked behind.
func (e *Edges) Around(p []Phase) []Phase { return append(append([]Phase{e.Packed}, p...), e.Unpacked) }

// Beside is a scheme that takes the columns of a matrix where they stand.
type Beside interface {
	// Beside reports whether BindColumns serves.
	Beside() bool
	// BindColumns is Bind for the columns of N rows of width elements that touch, in the cheapest order, or BindEdges,
	// unless e is nil.
	BindColumns(c *Call, width int, e *Edges) (forward, inverse []Phase, err error)
	// Room is the elements that each task takes for them.
	Room(width int) int
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
type Call struct {
	// In is the input, which stays intact, and Out the output; one vector where InPlace.
	In, Out View
	InPlace bool
	Head    int  // the coefficients that may be others than 0, for a [Header] that goes forward; 0: all
	Reduce  bool // the output is the caller's slice: leave it canonical
	Tasks   int  // the largest task number that a phase may see is Tasks−1

	forward, inverse direction
	steps            *par.Steps // of the phase under way; nil: there is one task
	Watch
}

type direction struct {
	phases []Phase
	run    []func(task int)
}

// Transform is a field.Transform of views of canonical elements, whose operands are checked.
type Transform interface {
	// First returns the least index of the rows of width elements of x that find has for a part of x, −1 for none.
	First(x View, rows, width, stride int, find func(v View) int) int
	// Run is Forward or Inverse. inPlace says that dst is src: comparing the views would take a call.
	Run(ctx context.Context, dst, src View, inPlace, inverse bool) error
	NewVec() (field.Vec, error)
	// VecIn is NewVec in the memory that make returns for a vector of the bulk.
	VecIn(make func(f bulks.Bulk, n int) (View, error)) (field.Vec, error)
	// Load, Store and MulVec stop where ctx ends.
	Load(ctx context.Context, v field.Vec, a View) error
	Store(ctx context.Context, a View, v field.Vec) error
	ForwardVec(ctx context.Context, v field.Vec) error
	InverseVec(ctx context.Context, v field.Vec) error
	MulVec(ctx context.Context, z, x, y field.Vec) error
	Permutation() []int
	Report() field.Report
	// Len is the elements of one transform in slices and vectors: N, or the part of a rank.
	Len() int
}

// transform is one transform of a scheme.
type transform struct {
	f            bulks.Bulk
	host         bulks.Bulk
	device       bulks.Device  // f; or nil
	overlay      bulks.Spanner // f, where it serves; or nil
	form, on     string        // the working form, and the name of the device
	n            int
	asked        field.Algorithm
	reason       string
	ignored      string // tuned values, and why
	order        field.Order
	runner       field.Runner
	progress     func(done, total int)
	scheme       Scheme
	columns      Immediate // the scheme, where transforms are short and in place; or nil
	now          Immediate // columns, where calls need no state; or nil
	inPlace      bool
	reduce       bool // what passes leave in slices of the caller
	chunk        int  // elements that Pack and Unpack move at a time, at least
	tasks        int
	least        int // coefficients of a head; 0: heads are not asked for
	vectors      *vectors
	calls, works *pool // calls in the plan's order, and in the cheapest one for vectors in working form
}

// newProblem checks what a transform is asked for, and takes the batch out of it.
func newProblem(f bulks.Bulk, d Domain, s field.Spec) (*Problem, field.Batch, error) {
	batch, err := Check(f, d, &s)
	if err != nil {
		return nil, batch, err
	}
	making := NewMaking(d.N, s)
	s.Context = nil // plans outlive it
	return &Problem{F: f, T: f.Traits(), D: d, S: s, M: making}, batch, nil
}

// fits is an ErrMemory where t takes more than the limit.
func (p *Problem) fits(t Transform) error {
	if r := t.Report(); r.Tables+r.Scratch > p.S.MemoryLimit {
		return memoryError(p.D.N, r.Tables+r.Scratch, p.S.MemoryLimit)
	}
	return nil
}

// newTransform is one transform of a scheme of p, as s asks.
func newTransform(p *Problem, scheme Scheme, s field.Spec) *transform {
	t := &transform{f: p.F, host: p.D.Host(), form: p.T.Form, on: p.T.Device, n: p.part(), asked: s.Algorithm,
		reason: p.C.Reason,
		order:  s.Order, runner: s.Runner, progress: s.Progress, scheme: scheme, inPlace: p.T.InPlace,
		ignored: p.Ignored, reduce: p.T.InPlace && !p.T.Canonical,
		chunk: max(p.T.Chunk, leastChunk)}
	t.device, _ = p.F.(bulks.Device)
	t.overlay = overlayer(p.F, t.n)
	t.tasks = min(choice.Tasks(p.T, t.n, s, 1), scheme.Steps())
	t.vectors = newVectors(t.f, p.T, t.n, s, t.chunk)
	if t.order == field.Scheme {
		t.order = scheme.Cheapest()
	}
	if h, ok := scheme.(Header); ok && t.device == nil {
		t.least = h.Least(1)
	}
	if i, ok := scheme.(Immediate); ok && t.inPlace {
		one, now := i.Immediate()
		if one {
			t.columns = i
		}
		if now && s.Progress == nil {
			t.now = i
		}
	}
	keeps := p.S.Spread != nil
	t.calls = &pool{t: t, order: t.order, slices: true, keeps: keeps}
	t.works = t.calls
	if o := scheme.Cheapest(); o != t.order || !t.inPlace {
		t.works = &pool{t: t, order: o, keeps: keeps}
	}
	return t
}

// overlayer is f, where it works in slices of n elements that are no vectors; or nil.
func overlayer(f bulks.Bulk, n int) bulks.Spanner {
	if o, ok := f.(bulks.Spanner); ok && !f.Traits().InPlace && n%o.Tile() == 0 {
		return o
	}
	return nil
}

// elementBytes is the memory of an element in working form.
func (t *transform) elementBytes() int { return t.f.Bytes(bulks.Lanes) / bulks.Lanes }

// leastChunk is how many elements a step packs or unpacks at least, and how many Load and Store move at a time where a
// slice ends inside the vector: working forms do not cut finer than tiles.
const leastChunk = 64 * bulks.Lanes

// pool keeps calls bound to an order, each with its closures and scratch, so that hot calls allocate nothing.
// With slices, a call comes from the caller's elements and goes back to them.
//
// What a sync.Pool was given on one processor it does not find on another, at once, and a rank on a device then waits
// milliseconds for new memory: 2^30 points on four cards took 12.5 ms, and 18.8 in the median
// (bench/results/2026-11-27-31abef5-cards.txt).
type pool struct {
	t      *transform
	order  field.Order
	slices bool
	keeps  bool                  // the call of a rank: they come one at a time
	kept   atomic.Pointer[state] // it
	calls  sync.Pool             // *state
}

// state is a pooled call with the slices, and the working vector of fields that do not work in place.
type state struct {
	Call
	buf      View
	edge     View // of Load and Store: a chunk where a slice ends, and a chunk of zeros
	dst, src View
}

func (p *pool) get() (*state, error) {
	if c := p.kept.Swap(nil); c != nil {
		return c, nil
	}
	if c, ok := p.calls.Get().(*state); ok {
		return c, nil
	}
	t, c := p.t, new(state)
	c.Tasks, c.progress = t.tasks, t.progress
	if s, ok := t.scheme.(Edger); ok && p.slices && t.overlay != nil {
		forward, inverse, err := s.BindEdges(&c.Call, p.order, t.edges(&c.Call, t.n, 1, &c.dst, &c.src))
		if err != nil {
			return nil, err
		}
		c.forward, c.inverse = c.bind(forward, t.runner), c.bind(inverse, t.runner)
		return c, nil
	}
	forward, inverse, err := t.scheme.Bind(&c.Call, p.order)
	if err != nil {
		return nil, err
	}
	if p.slices && !t.inPlace {
		if t.overlay == nil {
			if c.buf, err = t.f.Make(t.n); err != nil {
				return nil, err
			}
		}
		chunk := t.chunk
		parts := (t.n + chunk - 1) / chunk
		pack := Phase{Steps: parts, Do: func(i, _ int) {
			from, to := i*chunk, min(t.n, (i+1)*chunk)
			if c.Head > 0 && from >= c.Head { // nobody reads it
				return
			}
			t.f.Pack(c.In.Slice(from, to), c.src.Slice(from, to))
		}}
		unpack := Phase{Steps: parts, Do: func(i, _ int) {
			if c.Failed(t.wait(c.Context(), c.Out)) { // Unpack would wait to the end
				return
			}
			from, to := i*chunk, min(t.n, (i+1)*chunk)
			t.f.Unpack(c.dst.Slice(from, to), c.Out.Slice(from, to))
		}}
		around := func(p []Phase) []Phase { return append(append([]Phase{pack}, p...), unpack) }
		forward, inverse = around(forward), around(inverse)
	}
	c.forward, c.inverse = c.bind(forward, t.runner), c.bind(inverse, t.runner)
	return c, nil
}

// edges are those of a call of n rows of width elements, which is over the slices dst and src then.
func (t *transform) edges(c *Call, n, width int, dst, src *View) *Edges {
	all, chunk := n*width, t.chunk
	e := &Edges{
		Pack:   func(from, to int) { t.f.Pack(c.In.Slice(from, to), src.Slice(from, to)) },
		Unpack: func(from, to int) { t.f.Unpack(dst.Slice(from, to), c.Out.Slice(from, to)) },
	}
	parts := (all + chunk - 1) / chunk
	e.Packed = Phase{Steps: parts, Do: func(i, _ int) {
		if c.Head > 0 && i*chunk >= c.Head*width { // nobody reads it
			return
		}
		e.Pack(i*chunk, min(all, (i+1)*chunk))
	}}
	e.Unpacked = Phase{Steps: parts, Do: func(i, _ int) { e.Unpack(i*chunk, min(all, (i+1)*chunk)) }}
	return e
}

// fill has as many calls made as tasks will want at once, lest one of them is made in a later call.
func (p *pool) fill(tasks int) error {
	if tasks == 0 {
		return nil
	}
	c, err := p.get()
	if err != nil {
		return err
	}
	defer p.put(c)
	return p.fill(tasks - 1)
}

func (p *pool) put(c *state) {
	c.In, c.Out, c.dst, c.src = View{}, View{}, View{}, View{} // keep no vector of the caller's alive
	if p.keeps && p.kept.CompareAndSwap(nil, c) {
		return
	}
	p.calls.Put(c)
}

func (t *transform) First(x View, rows, width, stride int, find func(v View) int) int {
	return t.vectors.First(x, rows, width, stride, find)
}

func (t *transform) Run(ctx context.Context, dst, src View, inPlace, inverse bool) error {
	if t.now != nil {
		t.rows(dst, src, 1, inPlace, inverse)
		return t.wait(ctx, dst)
	}
	c, err := t.calls.get()
	if err != nil {
		return err
	}
	c.InPlace, c.Reduce = true, t.reduce
	switch {
	case t.inPlace:
		c.In, c.Out, c.InPlace = src, dst, inPlace
	case t.overlay != nil:
		v := t.overlay.Overlay(dst)
		c.In, c.Out, c.dst, c.src = v, v, dst, src
	default:
		c.In, c.Out, c.dst, c.src = c.buf, c.buf, dst, src
	}
	t.head(ctx, &c.Call, t.host, src, inverse)
	err = t.do(ctx, c, inverse)
	t.calls.put(c)
	return err
}

// rows transforms count vectors, one after the other, at once.
func (t *transform) rows(dst, src View, count int, inPlace, inverse bool) {
	if !inPlace {
		if count == 1 && !inverse && t.now.NowInto(dst, src, t.order, true) {
			return
		}
		t.f.Copy(dst, src, bulks.Copy{Rows: 1, Width: count * t.n})
	}
	t.now.Now(dst, count, t.order, inverse, true)
}

func (t *transform) do(ctx context.Context, c *state, inverse bool) error {
	d := &c.forward
	if inverse {
		d = &c.inverse
	}
	err := c.phases(ctx, d, t.runner)
	if w := t.wait(ctx, c.Out); err == nil {
		err = w
	}
	return err
}

// vec is a vector in working form.
type vec struct {
	v     View
	plan  *transform // that made it
	wide  bool       // the values may be wide: a forward transform left them
	ahead bool       // calls do not wait for what they have begun, but for Store
}

func (v *vec) Len() int { return v.v.N }

func (v *vec) Close() error {
	if v.plan == nil {
		return fmt.Errorf("fft: %w: it is closed", field.ErrVec)
	}
	d := v.plan.device
	v.plan = nil
	if d == nil {
		return nil
	}
	return d.Release(v.v)
}

func (t *transform) vec(x field.Vec) (*vec, error) {
	v, ok := x.(*vec)
	if !ok || v == nil || v.plan != t {
		return nil, fmt.Errorf("fft: %w: it was not made by this plan's NewVec", field.ErrVec)
	}
	return v, nil
}

func (t *transform) Len() int { return t.n }

func (t *transform) NewVec() (field.Vec, error) { return t.newVec(t.n) }

func (t *transform) VecIn(func(f bulks.Bulk, n int) (View, error)) (field.Vec, error) {
	return nil, fmt.Errorf("fft: %w: scheme %v has no vectors in memory of others, want a whole transform of a device",
		field.ErrSpec, t.Report().Algorithm)
}

func (t *transform) newVec(n int) (field.Vec, error) {
	v, err := t.f.Make(n)
	if err != nil {
		return nil, err
	}
	return &vec{v: v, plan: t}, nil
}

// wait ends a call that has written v, or leaves it where ctx ends.
func (t *transform) wait(ctx context.Context, v View) error {
	if t.device == nil {
		return nil
	}
	err := t.device.Wait(ctx, v)
	if e := ctx.Err(); err != nil && e != nil && errors.Is(err, e) {
		return Stopped(e)
	}
	return err
}

func (t *transform) Load(ctx context.Context, x field.Vec, a View) error {
	return t.began(x, t.load(ctx, x, a))
}

func (t *transform) Store(ctx context.Context, a View, x field.Vec) error {
	return t.moved(x, t.store(ctx, a, x))
}

// beginner is a device that says what has failed so far on vectors that nobody waits for yet.
type beginner interface{ Begun(v View) error }

// began is moved, but where vectors do not wait.
func (t *transform) began(x field.Vec, err error) error {
	v, ok := x.(*vec)
	if err != nil || !ok || !v.ahead {
		return t.moved(x, err)
	}
	if b, ok := t.device.(beginner); ok {
		return b.Begun(v.v)
	}
	return nil
}

// moved waits for the end of a move from or to x, which has begun where err is nil.
func (t *transform) moved(x field.Vec, err error) error {
	if err != nil {
		return err
	}
	return t.wait(context.Background(), x.(*vec).v)
}

// load is Load, which may run on.
func (t *transform) load(ctx context.Context, x field.Vec, a View) error {
	v, err := t.vec(x)
	if err == nil && a.N > t.n {
		err = CheckLen("src", a.N, t.n)
	}
	if err != nil {
		return err
	}
	whole := t.whole(a.N)
	if err := t.vectors.pack(ctx, v.v.Slice(0, whole), a.Slice(0, whole)); err != nil {
		return err
	}
	if t.device != nil {
		if whole < t.n {
			t.device.Clear(v.v.Slice(whole, t.n))
		}
	} else if whole < t.n {
		c, err := t.works.get()
		if err != nil {
			return err
		}
		edge, err := t.edge(c)
		if err != nil {
			return err
		}
		last, zeros := whole, edge.Slice(edge.N/2, edge.N)
		if rest := a.Slice(whole, a.N); rest.N > 0 {
			last = min(whole+t.chunk, t.n)
			e := edge.Slice(0, last-whole)
			t.host.Pack(e.Slice(0, rest.N), rest)
			t.host.Pack(e.Slice(rest.N, e.N), zeros.Slice(rest.N, e.N))
			t.f.Pack(v.v.Slice(whole, last), e)
		}
		err = t.vectors.clear(ctx, v.v.Slice(last, t.n), zeros)
		t.works.put(c)
		if err != nil {
			return err
		}
	}
	v.wide = false
	return nil
}

// store is Store, which may run on.
func (t *transform) store(ctx context.Context, a View, x field.Vec) error {
	v, err := t.vec(x)
	if err == nil && a.N > t.n {
		err = CheckLen("dst", a.N, t.n)
	}
	if err != nil {
		return err
	}
	whole := t.whole(a.N)
	if err := t.vectors.unpack(ctx, a.Slice(0, whole), v.v.Slice(0, whole)); err != nil {
		return err
	}
	if rest := a.Slice(whole, a.N); rest.N > 0 {
		c, err := t.works.get()
		if err != nil {
			return err
		}
		edge, err := t.edge(c)
		if err != nil {
			return err
		}
		e := edge.Slice(0, min(t.chunk, t.n-whole))
		t.f.Unpack(e, v.v.Slice(whole, whole+e.N))
		t.host.Unpack(rest, e.Slice(0, rest.N))
		t.works.put(c)
	}
	return nil
}

func (t *transform) edge(c *state) (View, error) {
	var err error
	if c.edge.N == 0 {
		c.edge, err = t.host.Make(2 * min(t.chunk, t.n))
	}
	return c.edge, err
}

// whole is the part of n elements, the first of a vector, that can be moved as it stands.
func (t *transform) whole(n int) int {
	if n == t.n || t.vectors.t.InPlace || t.device != nil {
		return n
	}
	return n - n%t.chunk
}

func (t *transform) ForwardVec(ctx context.Context, x field.Vec) error {
	return t.runVec(ctx, x, false)
}

func (t *transform) InverseVec(ctx context.Context, x field.Vec) error {
	return t.runVec(ctx, x, true)
}

func (t *transform) runVec(ctx context.Context, x field.Vec, inverse bool) error {
	v, err := t.vec(x)
	if err == nil {
		err = checkContext(ctx)
	}
	if err != nil {
		return err
	}
	err = t.inVec(ctx, v.v, v.wide, inverse)
	v.wide = true
	return err
}

// inVec transforms a vector in working form, in place.
func (t *transform) inVec(ctx context.Context, v View, wide, inverse bool) error {
	if wide && inverse {
		if err := t.vectors.reduce(ctx, v); err != nil {
			return err
		}
	}
	c, err := t.works.get()
	if err != nil {
		return err
	}
	c.In, c.Out, c.InPlace, c.Reduce = v, v, true, false
	t.head(ctx, &c.Call, t.f, v, inverse)
	err = t.do(ctx, c, inverse)
	t.works.put(c)
	return err
}

func (t *transform) MulVec(ctx context.Context, z, x, y field.Vec) error {
	return t.mulVec(ctx, t.vectors, z, x, y)
}

// mulVec is MulVec by the workers of on.
func (t *transform) mulVec(ctx context.Context, on *vectors, z, x, y field.Vec) error {
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
	err = on.mul(ctx, a.v, b.v, c.v)
	if a.wide = err != nil && (a.wide || b.wide || c.wide); err != nil {
		return err
	}
	return t.began(z, nil)
}

func (t *transform) Permutation() []int {
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
			p[i] = bulks.Rev(i, k)
		}
	}
	return p
}

func (t *transform) Report() field.Report {
	r := field.Report{N: t.n, Asked: t.asked, Reason: t.reason, Order: t.order, Workers: t.tasks,
		Vector: t.f.Bytes(t.n), Form: t.form, Device: t.on}
	t.scheme.Report(&r, t.order)
	r.Scratch += par.Bytes(t.tasks) + t.vectors.sharing(t.n) + t.tasks*t.f.Traits().Scratch
	if !t.inPlace && t.overlay == nil {
		r.Scratch += t.f.Bytes(t.n)
	}
	if t.ignored != "" {
		r.Ignored = t.ignored // nothing else was asked for that could be
	}
	return r
}
