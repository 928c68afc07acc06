package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/erased"
	"github.com/galfft/fft/internal/tuning"
)

// Options say what is measured.
type Options struct {
	Lengths []int // of transforms, each at least 1
	Order   fft.Order
	Workers int // that a transform may use; 0 and 1 are one
	Batch   int // transforms of one call, as rows; 0 and 1 are one
	Effort  Effort
	// Products says that the crossover of products is measured, too: up to which length of the shorter operand package
	// poly takes the schoolbook.
	Products bool
	// TimeLimit is the time for everything, shared among the lengths and the products; 0 is none. Where it ends,
	// lengths that are not through keep what was found, and those without a figure are left out.
	TimeLimit time.Duration
	// Progress, where not nil, is called with the share of the work that is done and the length under way, 0 for
	// products.
	Progress func(share float64, n int)
}

func (o *Options) check() error {
	switch {
	case len(o.Lengths) == 0 && !o.Products:
		return fmt.Errorf("tune: %w: no lengths and no products", field.ErrSpec)
	case o.Effort > Exhaustive:
		return fmt.Errorf("tune: %w: effort %v, want one of %q", field.ErrSpec, o.Effort, efforts)
	case o.Workers < 0 || o.Batch < 0 || o.TimeLimit < 0:
		return fmt.Errorf("tune: %w: %d workers, batch of %d, time limit %v, want none negative", field.ErrSpec, o.Workers,
			o.Batch, o.TimeLimit)
	}
	return nil
}

// Measure finds how transforms of f run fastest, here and now, and returns a line for each length, and one for products
// where they are asked for: a choice that was faster than the plan's own by more than 3 %, or none, where the default
// stays. The machine is to do nothing else.
//
// Times are minima of forward transforms in place, of two plans in turn. Lengths that f has no roots for, bad options
// and plans that fail are errors, field.ErrSpec where the field makes its own transforms and asks for no tuned values.
// With an error comes the table of what was through before; where ctx ends, the error wraps the context's.
func Measure[E any](ctx context.Context, f field.Field[E], o Options) (*Table, error) {
	return MeasureErased(ctx, erased.Of(f), ringsOf(f), o)
}

// MeasureErased is [Measure] for packages of this module that have fields whose type of elements is hidden.
func MeasureErased(ctx context.Context, f *erased.Field, r Rings, o Options) (*Table, error) {
	if ctx == nil {
		return nil, errContext
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	return measure(ctx, o, subjects{time.Now, plans(f), field.TuningName(f.Field()), productsOf(f, r)})
}

var errContext = fmt.Errorf("tune: %w: the context is nil", field.ErrSpec)

// subject is a plan or a product to be measured, with its input.
type subject struct {
	run    func(ctx context.Context) error // once
	report fft.Report                      // of a plan
	close  func() error                    // of what it holds; may be nil
}

// end ends it.
func (s subject) end() error {
	if s.close == nil {
		return nil
	}
	return s.close()
}

// planner makes a plan.
type planner func(ctx context.Context, n int, opts ...fft.Option) (subject, error)

// plans returns what makes plans over f, all of one length with one input.
func plans(f *erased.Field) planner {
	var x bulks.View
	return func(ctx context.Context, n int, opts ...fft.Option) (subject, error) {
		p, err := f.Plan(ctx, n, opts...)
		if err != nil {
			return subject{}, err
		}
		if x.N != p.Size() {
			x = f.Make(p.Size())
			if err := fill(ctx, f, x); err != nil {
				return subject{}, err
			}
		}
		x := x
		return subject{func(ctx context.Context) error { return p.Forward(ctx, x, x) }, p.Report(), nil}, nil
	}
}

// subjects are what is measured, and the clock.
type subjects struct {
	now      func() time.Time
	plan     planner
	name     string // of the field
	products product
}

// task is one part of the work: the transforms of a length, or products, for which n is 0.
type task struct {
	n    int
	what string
	run  func(m *meter, t *tuning.Table) error
}

func (o *Options) tasks() (list []task) {
	for _, n := range o.Lengths {
		list = append(list, task{n, fmt.Sprintf("length %d", n), func(m *meter, t *tuning.Table) error {
			line, err := m.tune()
			if line != nil {
				t.Add(*line)
			}
			return err
		}})
	}
	if o.Products {
		list = append(list, task{0, "products", func(m *meter, t *tuning.Table) error {
			line, err := m.crossover()
			if line != nil {
				t.AddProducts(*line)
			}
			return err
		}})
	}
	return list
}

// measure is Measure for some subjects.
func measure(ctx context.Context, o Options, s subjects) (*Table, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	t := &Table{tuning.New()}
	limited := ctx
	start := s.now()
	if o.TimeLimit > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, o.TimeLimit)
		defer cancel()
	}
	tasks := o.tasks()
	for i, task := range tasks {
		m := &meter{o: &o, n: task.n, subjects: s, ctx: limited}
		if o.TimeLimit > 0 { // an equal part of what is left, with a tenth for the last comparison
			part := (o.TimeLimit - s.now().Sub(start)) / time.Duration(len(tasks)-i)
			m.end = s.now().Add(part - part/10)
		}
		m.progress = func(share float64) {
			if o.Progress != nil {
				o.Progress((float64(i)+share)/float64(len(tasks)), task.n)
			}
		}
		m.progress(0)
		err := task.run(m, t.t)
		switch {
		case ctx.Err() != nil:
			return t, fmt.Errorf("tune: %s: stopped: %w", task.what, ctx.Err())
		case limited.Err() != nil: // the time limit is no error
			return t, nil
		case err != nil:
			return t, fmt.Errorf("tune: %s: %w", task.what, err)
		}
		m.progress(1)
	}
	return t, nil
}

// noise is the part of the time by which a choice must be faster.
const noise = 0.03

// meter does one task.
type meter struct {
	subjects
	o        *Options
	n        int
	ctx      context.Context
	end      time.Time // zero: no limit
	progress func(share float64)
	key      field.TuningKey
	asked    bool // the engine asked for key
	tried    map[string]bool
	best     candidate
}

// candidate is a choice under measurement; the zero Tuned is the plan's own.
type candidate struct {
	t field.Tuned
	s subject
}

// fixed is a field.Tuning of one choice. It goes by the way of tables, so that what is measured is what plans then do.
type fixed struct {
	field.Untuned
	m *meter
	t field.Tuned
}

func (m *meter) fixed(t field.Tuned) fixed { return fixed{m: m, t: t} }

func (f fixed) Tuned(k field.TuningKey) (field.Tuned, bool) {
	if k.N != f.m.n { // of a transform inside
		return field.Tuned{}, false
	}
	f.m.key, f.m.asked = k, true
	return f.t, true
}

// make makes a candidate; ok is false where it is one that was tried before, as what cannot run is: the plan then takes
// its own choice.
func (m *meter) make(t field.Tuned) (c candidate, ok bool, err error) {
	opts := []fft.Option{fft.WithOrder(m.o.Order), fft.WithWorkers(max(1, m.o.Workers)), fft.WithTuning(m.fixed(t))}
	if m.o.Batch > 1 {
		opts = append(opts, fft.WithBatch(fft.Rows(m.o.Batch, 0)))
	}
	s, err := m.plan(m.ctx, m.n, opts...)
	if err != nil {
		return c, false, err
	}
	r := s.report
	what := fmt.Sprint(r.Algorithm, r.Passes, r.Split, r.Base, r.Strip, r.Tables, r.Scratch, r.Workers)
	if m.tried[what] {
		return c, false, nil
	}
	m.tried[what] = true
	return candidate{t, s}, true, nil
}

// over reports whether the time of this length is.
func (m *meter) over() bool { return !m.end.IsZero() && m.now().After(m.end) }

// tune returns the line of the length; nil where there was no time for one.
func (m *meter) tune() (*tuning.Line, error) {
	m.tried = make(map[string]bool)
	own, ok, err := m.make(field.Tuned{})
	if err != nil {
		return nil, err
	}
	if !ok || !m.asked {
		return nil, fmt.Errorf("%w: the field makes its own transforms, and asks for no tuned values", field.ErrSpec)
	}
	m.best = own
	rounds := m.rounds(own.s.report)
	for i, round := range rounds {
		var list []field.Tuned
		for _, change := range round {
			t := m.best.t
			change(&t)
			list = append(list, t)
		}
		for j, t := range list {
			m.progress((float64(i) + float64(j)/float64(len(list))) / float64(len(rounds)+1))
			if err := m.try(t); err != nil {
				return nil, err
			}
			if m.over() {
				break
			}
		}
	}
	// The best of many is so by chance, too: it must win once more.
	note := "the default is fastest"
	if m.over() {
		note = "nothing faster was found in the time"
	}
	if m.best.t != own.t {
		a, b, err := m.compare(own.s, m.best.s, 2*m.o.Effort.slot())
		if err != nil {
			return nil, err
		}
		if faster(a, b) {
			note = fmt.Sprintf("%v, the default %v", rounded(b), rounded(a))
		} else {
			m.best = own
		}
	}
	return &tuning.Line{Key: tuning.Key{TuningKey: m.key, Tier: cpu.Active()}, Tuned: m.best.t, Note: note}, nil
}

// try makes t the best where it is faster than the best so far. What has no memory is none.
func (m *meter) try(t field.Tuned) error {
	c, ok, err := m.make(t)
	if errors.Is(err, field.ErrMemory) {
		return nil
	}
	if err != nil || !ok {
		return err
	}
	a, b, err := m.compare(m.best.s, c.s, m.o.Effort.slot())
	if err == nil && faster(a, b) {
		m.best = c
	}
	return err
}

func faster(a, b time.Duration) bool { return float64(b) < (1-noise)*float64(a) }

// rounded is t in three digits.
func rounded(t time.Duration) time.Duration {
	unit := time.Duration(1)
	for ; t >= 1000*unit; unit *= 10 {
	}
	return t.Round(unit)
}

const (
	leastSamples = 3
	leastSample  = 100 * time.Microsecond // a thousand times what reading the clock takes
)

// compare returns the least times of one run of a and of b, in turn, for about so long, and at least some samples.
func (m *meter) compare(a, b subject, slot time.Duration) (x, y time.Duration, err error) {
	x, y = math.MaxInt64, math.MaxInt64
	runs := 1
	for start, i := m.now(), 0; i < leastSamples+1 || m.now().Sub(start) < slot; i++ {
		for _, s := range []struct {
			run   func(ctx context.Context) error
			least *time.Duration
		}{{a.run, &x}, {b.run, &y}} {
			begin := m.now()
			for range runs {
				if err := s.run(m.ctx); err != nil {
					return 0, 0, err
				}
			}
			t := m.now().Sub(begin) / time.Duration(runs)
			if i > 0 { // the first warms up
				*s.least = min(*s.least, max(1, t))
			} else if t < leastSample {
				runs = max(runs, int(leastSample/max(1, t)))
			}
		}
		if i > 0 && y > 2*x { // no other sample will change that
			break
		}
	}
	return x, y, nil
}
