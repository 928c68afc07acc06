package verbs

import (
	"context"
	"fmt"
	"time"

	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/devices"
)

// groupVectors is the number of vectors that VerifyGroup holds at once, of which a rank's parts are at most one each.
const groupVectors = 6

func (h *hidden) VerifyGroup(ctx context.Context, g dist.Group, d *gpu.Device, n int, seed uint64,
	o Options) (Check, error) {
	c := Check{Name: fmt.Sprintf("%d ranks", g.Size())}
	if err := h.needSampler(); err != nil {
		return c, err
	}
	if err := h.fit(groupVectors, 1, n); err != nil {
		return c, err
	}
	p, err := h.plan(ctx, n, o)
	if err != nil {
		return c, err
	}
	x, err := h.random(ctx, newRand(seed, uint64(n)), n)
	if err != nil {
		return c, err
	}
	y := h.f.Make(n)
	if err := h.f.Transform(p, false, y, x)(ctx); err != nil {
		return c, err
	}
	on := h.f
	if d != nil {
		f, _, err := devices.Field(h.Info, gpu.On(d))
		if err != nil {
			return c, noDevice(err)
		}
		on = h.f.Over(f)
	}
	start := time.Now()
	same, err := on.Spread(ctx, g, n, x, y, o.plan()...)
	if err == nil && !same {
		err = fmt.Errorf("galfft: %w: values are not those of one plan", ErrWrong)
	}
	c.Err, c.Time = g.Agree(ctx, 0, err), time.Since(start)
	return c, c.Err
}
