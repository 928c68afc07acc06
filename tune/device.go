package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/tuning"
)

// MeasureDevice finds from how many elements on a device is faster than the processor, for calls on slices of the host,
// copies included, and returns a line. on is f on the device of that name, as gpu.Field returns it. Both run transforms
// of all lengths of o, with its order, workers and batch; effort is the time for each length.
//
// The crossover is the length, or twice the longest one, that loses least over all lengths. Where the time limit ends,
// it is one of those that were through, and there is no line where none was. Errors are those of [Measure].
func MeasureDevice[E any](ctx context.Context, f, on field.Field[E], device string, o Options) (*Table, error) {
	if ctx == nil {
		return nil, fmt.Errorf("tune: %w: the context is nil", field.ErrSpec)
	}
	if err := cmp.Or(field.Check(f), field.Check(on)); err != nil {
		return nil, err
	}
	return measureDevice(ctx, o, device, subjects{now: time.Now, plan: plans(f), name: field.TuningName(f)}, plans(on))
}

func measureDevice(ctx context.Context, o Options, device string, s subjects, on planner) (*Table, error) {
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
		Tuned: field.TunedDevice{From: at + 1},
		Note: fmt.Sprintf("%.1f %% over the faster one, the processor alone %.1f %%; %d elements take %v here, %v there",
			100*math.Expm1(best), 100*math.Expm1(own), last.n, last.below, last.above),
	})
	return t, nil
}
