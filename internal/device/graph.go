package device

import (
	"context"
	"errors"
	"runtime"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/device/driver"
)

// Call is one call on n elements of m, from element off on. Variant is for a Work with several kinds of calls.
type Call struct {
	Memory  *Memory
	Off, N  int
	Variant int
}

// Work is what calls run, such as a transform. Start puts the kernels of a call on a stream; it neither allocates nor
// waits for the device, and is the same for the same call.
type Work interface {
	Start(ctx context.Context, s *Stream, c Call) error
}

// graphKey names a call on a vector.
type graphKey struct {
	of              Work
	off, n, variant int
}

const (
	graphElements = 1 << 20 // above, launches take less time than kernels
	graphsKept    = 16      // of a vector
)

// Run starts a call. From the second time on, a short one is one graph. The work, and what it refers to, stays until
// the call has been started: kernels have addresses alone.
func (d *Device) Run(ctx context.Context, w Work, c Call) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	err := d.start(ctx, w, c)
	runtime.KeepAlive(w)
	c.Memory.Did(nil) // also after a failure: some of it may run
	return err
}

func (d *Device) start(ctx context.Context, w Work, c Call) error {
	s := c.Memory.Stream()
	captures, err := c.Memory.Queue().captures()
	if err != nil {
		return err
	}
	if c.N > graphElements || !d.graphs || captures {
		return w.Start(ctx, s, c)
	}
	o, k := c.Memory.owned, graphKey{w, c.Off, c.N, c.Variant}
	o.mu.Lock()
	defer o.mu.Unlock()
	g, again := o.graphs[k]
	if g != nil {
		return g.Launch(s, o.last)
	}
	if again {
		return d.record(ctx, w, c, k)
	}
	if o.graphs == nil {
		o.graphs = map[graphKey]*driver.Graph{}
	}
	if len(o.graphs) < graphsKept {
		o.graphs[k] = nil
	}
	return w.Start(ctx, s, c)
}

// record keeps the graph of a call, and launches it.
func (d *Device) record(ctx context.Context, w Work, c Call, k graphKey) error {
	d.recording.Lock()
	defer d.recording.Unlock()
	g, err := d.recorder.Capture(func() error { return w.Start(ctx, d.recorder, c) })
	if errors.Is(err, field.ErrMemory) { // the call may do without a graph
		return w.Start(ctx, c.Memory.Stream(), c)
	}
	if err != nil {
		return err
	}
	c.Memory.owned.graphs[k] = g
	return g.Launch(c.Memory.Stream(), c.Memory.owned.last)
}
