package verbs

import (
	"context"

	"github.com/galfft/fft"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/devices"
	"github.com/galfft/fft/internal/erased"
	"github.com/galfft/fft/internal/rings"
	"github.com/galfft/fft/tune"
)

// tuneVectors is the number of vectors that tuning holds at once: the input, and what three plans have for scratch and
// tables.
const tuneVectors = 7

func (h *hidden) Tune(ctx context.Context, b Backend, o tune.Options) (*tune.Table, error) {
	for _, n := range o.Lengths {
		if err := h.fit(tuneVectors, max(1, o.Batch), n); err != nil {
			return nil, err
		}
	}
	device := new(tune.Table)
	if b != CPU && (b == GPU || len(o.Lengths) > 0) {
		on := func(threads int) (*erased.Field, error) {
			f, _, err := devices.Field(h.Info, gpu.Threads(threads))
			if err != nil {
				return nil, err
			}
			return h.f.Over(f), nil
		}
		switch _, info, err := devices.Field(h.Info); {
		case err == nil:
			part := o
			if b == Auto {
				part.TimeLimit /= 4
				o.TimeLimit -= part.TimeLimit
			}
			if device, err = h.tuneDevice(ctx, on, info.Name, part); err != nil {
				return device, err
			}
		case b == GPU || !without(err):
			return nil, noDevice(err)
		}
	}
	if b == GPU {
		return device, nil
	}
	t, err := tune.MeasureErased(ctx, h.f.Field, func(opts ...fft.Option) (rings.Ring, error) {
		return h.f.ring(h.f.Field.Field(), opts...)
	}, o)
	if t != nil {
		t.Merge(device)
	}
	return t, err
}

// tuneDevice measures the threads of blocks on a device, and from where on it is faster than the processor.
func (h *hidden) tuneDevice(ctx context.Context, on func(threads int) (*erased.Field, error), device string,
	o tune.Options) (*tune.Table, error) {
	part := o
	part.TimeLimit /= 2
	o.TimeLimit -= part.TimeLimit
	threads, err := tune.MeasureThreadsErased(ctx, on, part)
	if err != nil {
		return nil, err
	}
	f, err := on(threads)
	if err != nil {
		return nil, err
	}
	return tune.MeasureDeviceErased(ctx, h.f.Field, f, device, o)
}
