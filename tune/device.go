package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/erased"
	"github.com/galfft/fft/internal/tuning"
)

// blocks are the threads of a block that MeasureThreads tries.
var blocks = []int{32, 64, 128, 256, 512, 1024}

// MeasureThreads finds how many threads a block of a device's passes has at most where transforms of vectors that stay
// on the device are fastest, over all lengths of o. on is the field there for a number of threads, as gpu.Field returns
// it with gpu.Threads, and with 0 what the device takes by itself, which stays where no number is faster by more than
// 3 %: then it returns 0. Errors are those of [Measure], and those of on.
func MeasureThreads[E any](ctx context.Context, on func(threads int) (field.Field[E], error), o Options) (int, error) {
	if on == nil {
		return 0, errNowhere
	}
	return MeasureThreadsErased(ctx, func(threads int) (*erased.Field, error) {
		f, err := on(threads)
		return erased.Of(f), err
	}, o)
}

// MeasureThreadsErased is [MeasureThreads], as [MeasureErased].
func MeasureThreadsErased(ctx context.Context, on func(threads int) (*erased.Field, error), o Options) (int, error) {
	if on == nil {
		return 0, errNowhere
	}
	return measureThreads(ctx, o, time.Now, func(threads int) (planner, error) {
		f, err := on(threads)
		if err != nil {
			return nil, err
		}
		return resident(f), f.Check()
	})
}

var errNowhere = fmt.Errorf("tune: %w: no field on a device", field.ErrSpec)

func measureThreads(ctx context.Context, o Options, now func() time.Time,
	on func(threads int) (planner, error)) (int, error) {
	if ctx == nil {
		return 0, errContext
	}
	o.Products = false
	if err := o.check(); err != nil {
		return 0, err
	}
	m := &meter{o: &o, subjects: subjects{now: now}, ctx: ctx}
	if o.TimeLimit > 0 {
		m.end = now().Add(o.TimeLimit)
	}
	own, err := on(0)
	if err != nil {
		return 0, err
	}
	best, least := 0, math.Log(1-noise)
	for _, threads := range blocks {
		other, err := on(threads)
		if err != nil {
			return 0, err
		}
		gain := 0.0 // mean logarithm of the part of the time
		for _, n := range o.Lengths {
			a, err := own(ctx, n)
			var b subject
			if err == nil {
				b, err = other(ctx, n)
			}
			var x, y time.Duration
			if err == nil {
				x, y, err = m.compare(a, b, o.Effort.slot())
			}
			err = errors.Join(err, a.end(), b.end())
			if err != nil {
				return 0, fmt.Errorf("tune: device, %d threads, length %d: %w", threads, n, err)
			}
			gain += math.Log(float64(y)/float64(x)) / float64(len(o.Lengths))
			if m.over() {
				return best, nil
			}
		}
		if gain < least {
			best, least = threads, gain
		}
	}
	return best, nil
}

// resident returns what makes plans over f, with vectors as the plan keeps them.
func resident(f *erased.Field) planner {
	return func(ctx context.Context, n int, opts ...fft.Option) (subject, error) {
		p, err := f.Plan(ctx, n, opts...)
		if err != nil {
			return subject{}, err
		}
		x := f.Make(p.Size())
		if err := fill(ctx, f, x); err != nil {
			return subject{}, err
		}
		v, err := p.NewVec()
		if err != nil {
			return subject{}, err
		}
		s := subject{func(ctx context.Context) error { return p.ForwardVec(ctx, v) }, p.Report(), v.Close}
		return s, p.Load(v, x)
	}
}

// MeasureDevice finds from how many elements on a device is faster than the processor, for calls on slices of the host,
// copies included, and returns a line. on is f on the device of that name, as gpu.Field returns it. Both run transforms
// of all lengths of o, with its order, workers and batch; effort is the time for each length.
//
// The line has the threads that on was made with, by gpu.Threads: [MeasureThreads] finds them.
//
// The crossover is the length, or twice the longest one, that loses least over all lengths. Where the time limit ends,
// it is one of those that were through, and there is no line where none was. Errors are those of [Measure].
func MeasureDevice[E any](ctx context.Context, f, on field.Field[E], device string, o Options) (*Table, error) {
	return MeasureDeviceErased(ctx, erased.Of(f), erased.Of(on), device, o)
}

// MeasureDeviceErased is [MeasureDevice], as [MeasureErased].
func MeasureDeviceErased(ctx context.Context, f, on *erased.Field, device string, o Options) (*Table, error) {
	if ctx == nil {
		return nil, errContext
	}
	if err := cmp.Or(f.Check(), on.Check()); err != nil {
		return nil, err
	}
	threads := 0
	if t, ok := on.Field().(interface{ Threads() int }); ok {
		threads = t.Threads()
	}
	return measureDevice(ctx, o, device, subjects{now: time.Now, plan: plans(f), name: field.TuningName(f.Field())},
		plans(on), threads)
}

func measureDevice(ctx context.Context, o Options, device string, s subjects, on planner,
	threads int) (*Table, error) {
	o.Products = false
	if err := o.check(); err != nil {
		return nil, err
	}
	t := &Table{tuning.New()}
	m := &meter{o: &o, subjects: s, ctx: ctx}
	if o.TimeLimit > 0 {
		m.end = s.now().Add(o.TimeLimit)
	}
	opts := []fft.Option{fft.WithOrder(o.Order), fft.WithWorkers(max(1, o.Workers))}
	if o.Batch > 1 {
		opts = append(opts, fft.WithBatch(fft.Rows(o.Batch, 0)))
	}
	var list []match
	var places []int
	lengths := slices.Sorted(slices.Values(o.Lengths))
	for i, n := range lengths {
		if o.Progress != nil {
			o.Progress(float64(i)/float64(len(lengths)), n)
		}
		c := match{n: n * max(1, o.Batch), own: true}
		here, err := s.plan(ctx, n, opts...)
		there := subject{}
		if err == nil {
			there, err = on(ctx, n, opts...)
		}
		if err == nil {
			c.below, c.above, err = m.compare(here, there, o.Effort.slot())
		}
		if err != nil {
			return t, fmt.Errorf("tune: device, length %d: %w", n, err)
		}
		list, places = append(list, c), append(places, c.n-1)
		if m.over() {
			break
		}
	}
	last := list[len(list)-1]
	at, best, own := leastLoss(list, append(places, 2*last.n-1))
	t.t.AddDevice(tuning.DeviceLine{
		Key:   tuning.DeviceKey{Field: s.name, Device: device, Tier: cpu.Active()},
		Tuned: field.TunedDevice{From: at + 1, Threads: threads},
		Note: fmt.Sprintf("%.1f %% over the faster one, the processor alone %.1f %%; %d elements take %v here, %v there",
			100*math.Expm1(best), 100*math.Expm1(own), last.n, last.below, last.above),
	})
	return t, nil
}
