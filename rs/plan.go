package rs

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/par"
)

// Option is a parameter of a plan; a bad one is field.ErrSpec.
type Option func(*config)

type config struct {
	code    Code
	workers int
	runner  field.Runner
}

// WithCode sets the code; the default is Auto.
func WithCode(c Code) Option { return func(o *config) { o.code = c } }

// WithWorkers lets a call run on n goroutines where that pays; 0 stands for runtime.GOMAXPROCS(0). The default is 1:
// the caller's goroutine alone. No result depends on it.
func WithWorkers(n int) Option {
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return func(o *config) { o.workers = min(n, par.MaxTasks) }
}

// WithRunner sets what runs the workers' tasks; the default, and nil, forks goroutines.
func WithRunner(r field.Runner) Option { return func(o *config) { o.runner = r } }

// Plan encodes and rebuilds words of one code. It is safe for concurrent use on shards that do not overlap.
//
// Calls take the shards of a word, the data first and then the parity, all of one length, which is a multiple of
// Code().Unit() and not 0. Where it is said, nil or empty ones stand for those that are missing. Another number of
// shards is ErrShards, other lengths are ErrSize, and nil contexts, nil plans and the zero value field.ErrSpec. Shards
// that a call writes overlap no others. All errors but those of an ended context are found before anything is written.
// Where ctx ends, shards that the call writes hold anything. Calls allocate nothing once warm, but for the shards that
// Reconstruct makes, Locate and Repair.
type Plan struct {
	data, parity int
	code         Code
	engine       engine
	loops        par.Loops[job]
	rebuilds     pool[rebuild]
	dual         func() *dual
}

// engine makes symbols of some shards from those of others.
type engine interface {
	// strip is the bytes of a shard that are best done at once, to encode or to rebuild, and least what they are a
	// multiple of where a worker would have none. All but the last strip of a shard have as many.
	strip(rebuild bool) int
	least() int
	// encode does bytes from to to of a job.
	encode(j *job, from, to int)
	// prepare makes the solution of a rebuild, which serves all strips, and rebuild does bytes from to to.
	prepare(r *rebuild)
	rebuild(j *job, from, to int)
	dual() *dual
}

// job is a call. Data is that of shards, or where fresh is not nil, the sums of old shards and fresh ones.
type job struct {
	ctx    context.Context
	engine engine
	shards [][]byte
	fresh  [][]byte // nil for those that stay
	size   int      // bytes of a shard
	strip  int      // and of those done at once
	sink   sink
	*rebuild
	differs uint32 // atomic: 1 where a shard that was compared is wrong
}

// rebuild is what a call that makes missing shards has beside it, kept for the next one.
type rebuild struct {
	have, lost      []int    // shards that are there, and those that are to be made
	made            [][]byte // the latter
	solution                 // of the engine, for the following
	knows, prepared []int
}

// sink is what happens with parity.
type sink int

const (
	write sink = iota
	compare
	add
)

// New returns a plan for words of so many shards of data and of parity. Numbers that the code does not serve are
// ErrCounts. Parity may be more than data, and none.
func New(data, parity int, opts ...Option) (*Plan, error) {
	c := config{workers: 1}
	for _, o := range opts {
		if o == nil {
			return nil, errSpec("option nil")
		}
		o(&c)
	}
	if c.workers < 0 {
		return nil, errSpec("%d workers, want none negative", c.workers)
	}
	if c.code < 0 || c.code >= codes {
		return nil, errSpec("code %v", c.code)
	}
	if c.code == Auto {
		c.code = chosen(data, parity)
	}
	if !c.code.serves(data, parity) {
		return nil, fmt.Errorf("rs: %w: %d of data and %d of parity in code %v", ErrCounts, data, parity, c.code)
	}
	p := &Plan{data: data, parity: parity, code: c.code}
	p.loops.Workers, p.loops.Runner = c.workers, c.runner
	switch {
	case c.code < Leopard8:
		p.engine = newMatrix(c.code, data, parity)
	case c.code >= Additive32:
		p.engine = newAdditive(c.code, data, parity)
	default:
		p.engine = newLeopard(c.code, data, parity)
	}
	p.dual = sync.OnceValue(p.engine.dual)
	return p, nil
}

// Data is the number of shards of data. It is 0 of a nil plan.
func (p *Plan) Data() int {
	if p == nil {
		return 0
	}
	return p.data
}

// Parity is the number of shards of parity. It is 0 of a nil plan.
func (p *Plan) Parity() int {
	if p == nil {
		return 0
	}
	return p.parity
}

// Code is the code that was chosen. It is Auto of a nil plan.
func (p *Plan) Code() Code {
	if p == nil {
		return Auto
	}
	return p.code
}

// Encode sets the parity of shards to that of their data.
func (p *Plan) Encode(ctx context.Context, shards [][]byte) error {
	size, err := p.check(ctx, shards, false)
	if err != nil || p.parity == 0 {
		return err
	}
	_, err = p.run(job{ctx: ctx, shards: shards, size: size})
	return err
}

// Verify reports whether the parity of shards is that of their data.
func (p *Plan) Verify(ctx context.Context, shards [][]byte) (bool, error) {
	size, err := p.check(ctx, shards, false)
	if err != nil {
		return false, err
	}
	if p.parity == 0 {
		return true, nil
	}
	return p.run(job{ctx: ctx, shards: shards, size: size, sink: compare})
}

// Update changes the parity of shards as if their data were fresh: fresh has as many elements as there are shards of
// data, nil for those that stay. The data of shards is as it was, where nil stands for zeros; only where something is
// fresh it is looked at, and the call does not write it.
func (p *Plan) Update(ctx context.Context, shards, fresh [][]byte) error {
	if err := p.made(ctx); err != nil {
		return err
	}
	if len(fresh) != p.data {
		return fmt.Errorf("rs: %w: %d fresh ones, want %d or nil for each", ErrShards, len(fresh), p.data)
	}
	if len(shards) != p.data+p.parity {
		return p.wrongNumber(len(shards))
	}
	size, changed := 0, false
	for i, s := range shards {
		old := i < p.data
		if old && len(fresh[i]) == 0 {
			continue
		}
		changed = changed || old
		if old && len(s) == 0 {
			s = fresh[i]
		}
		if err := p.sized(i, len(s), &size); err != nil {
			return err
		}
		if old {
			if err := p.sized(i, len(fresh[i]), &size); err != nil {
				return err
			}
		}
	}
	if !changed || p.parity == 0 {
		return nil
	}
	_, err := p.run(job{ctx: ctx, shards: shards, fresh: fresh, size: size, sink: add})
	return err
}

// Reconstruct makes all shards that are missing, in slices of their own where there is no capacity for them.
// There must be as many others as there is data, or the error is ErrTooFew.
func (p *Plan) Reconstruct(ctx context.Context, shards [][]byte) error {
	return p.reconstruct(ctx, shards, nil)
}

// ReconstructSome makes the missing shards among those that wanted says: it has an element for each shard, or for each
// shard of data.
func (p *Plan) ReconstructSome(ctx context.Context, shards [][]byte, wanted []bool) error {
	if err := p.made(ctx); err != nil {
		return err
	}
	if len(wanted) != p.data && len(wanted) != p.data+p.parity {
		return fmt.Errorf("rs: %w: %d are wanted or not, want %d or %d", ErrShards, len(wanted), p.data,
			p.data+p.parity)
	}
	return p.reconstruct(ctx, shards, wanted)
}

// reconstruct makes what is wanted; nil stands for all.
func (p *Plan) reconstruct(ctx context.Context, shards [][]byte, wanted []bool) error {
	size, err := p.check(ctx, shards, true)
	if err != nil {
		return err
	}
	r := p.rebuilds.get()
	defer p.rebuilds.put(r)
	clear(r.made)
	r.have, r.lost, r.made = r.have[:0], r.lost[:0], r.made[:0]
	for i, s := range shards {
		switch {
		case len(s) > 0:
			r.have = append(r.have, i)
		case wanted == nil || i < len(wanted) && wanted[i]:
			r.lost = append(r.lost, i)
		}
	}
	if len(r.lost) == 0 {
		return nil
	}
	if len(r.have) < p.data {
		return &TooFewError{Have: len(r.have), Want: p.data}
	}
	for _, i := range r.lost {
		s := shards[i]
		if cap(s) < size {
			s = make([]byte, size)
		}
		r.made = append(r.made, s[:size])
	}
	if !slices.Equal(r.have, r.knows) || !slices.Equal(r.lost, r.prepared) { // else it is the pattern of last time
		p.engine.prepare(r)
		r.knows, r.prepared = append(r.knows[:0], r.have...), append(r.prepared[:0], r.lost...)
	}
	if _, err := p.run(job{ctx: ctx, shards: shards, size: size, rebuild: r}); err != nil {
		return err
	}
	for k, i := range r.lost {
		shards[i] = r.made[k]
	}
	return nil
}

// pool keeps things that take memory or time to make.
type pool[T any] struct{ p sync.Pool }

func (p *pool[T]) get() *T {
	if x, ok := p.p.Get().(*T); ok {
		return x
	}
	return new(T)
}

func (p *pool[T]) put(x *T) { p.p.Put(x) }

// run runs a job, and reports whether nothing compared was wrong.
func (p *Plan) run(j job) (bool, error) {
	l := p.loops.Get()
	defer p.loops.Put(l)
	l.State = j
	l.State.engine = p.engine
	strip := p.strip(j.size, j.rebuild != nil)
	l.State.strip = strip
	count := 1
	if j.size > strip {
		count = (j.size + strip - 1) / strip
	}
	p.loops.Run(l, count, strip*(p.data+p.parity), nanoseconds, 1, strips)
	if err := j.ctx.Err(); err != nil {
		return false, stopped(err)
	}
	return l.State.differs == 0, nil
}

// strip is the bytes of shards of so many that are done at once: less than what is best for one worker where others
// would have nothing to do.
func (p *Plan) strip(size int, rebuild bool) int {
	best := p.engine.strip(rebuild)
	if p.loops.Workers < 2 {
		return best
	}
	least := p.engine.least()
	share := (size + p.loops.Workers - 1) / p.loops.Workers
	return min(best, max(1, (share+least-1)/least)*least)
}

// nanoseconds is about what a byte of a shard takes, from which follows how many workers pay.
const nanoseconds = .2

func strips(j *job, from, to int) {
	size := j.strip
	for i := from; i < to && j.ctx.Err() == nil; i++ {
		first, end := i*size, min(j.size, (i+1)*size)
		switch {
		case j.rebuild != nil:
			j.engine.rebuild(j, first, end)
		case atomic.LoadUint32(&j.differs) != 0:
			return
		default:
			j.engine.encode(j, first, end)
		}
	}
}

func (p *Plan) made(ctx context.Context) error {
	if p == nil || p.engine == nil {
		return errSpec("the plan is nil or the zero value")
	}
	if ctx == nil {
		return errSpec("the context is nil")
	}
	return nil
}

func (p *Plan) wrongNumber(n int) error {
	return fmt.Errorf("rs: %w: %d, want %d of data and %d of parity", ErrShards, n, p.data, p.parity)
}

// check returns the bytes of a shard.
func (p *Plan) check(ctx context.Context, shards [][]byte, missing bool) (size int, err error) {
	if err := p.made(ctx); err != nil {
		return 0, err
	}
	if len(shards) != p.data+p.parity {
		return 0, p.wrongNumber(len(shards))
	}
	for i, s := range shards {
		if n := len(s); n == 0 && missing || n == size && n > 0 {
			continue
		}
		if err := p.sized(i, len(s), &size); err != nil {
			return 0, err
		}
	}
	if size == 0 {
		return 0, &TooFewError{Have: 0, Want: p.data}
	}
	if err := ctx.Err(); err != nil {
		return 0, stopped(err)
	}
	return size, nil
}

// sized is what is wrong with the bytes of a shard; 0 is the size before the first.
func (p *Plan) sized(i, got int, size *int) error {
	if got == *size && got > 0 {
		return nil
	}
	if got == 0 || got%p.code.Unit() != 0 || *size > 0 && got != *size {
		return &SizeError{Shard: i, Got: got, Want: *size, Unit: p.code.Unit()}
	}
	*size = got
	return nil
}
