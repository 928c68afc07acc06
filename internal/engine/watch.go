package engine

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/par"
)

// Watch stops the steps of a call when its context ends, and counts them for the progress function.
type Watch struct {
	above    *Watch // that of the call which this one is a part of; or nil
	ctx      context.Context
	cut      atomic.Bool           // something was left out
	failed   atomic.Pointer[error] // the first error of what is not the context
	progress func(done, total int)
	mu       sync.Mutex
	done     int
	total    int
}

// Inside is a part of the call c that works in place on v, whose phases are among those of c.
func (c *Call) Inside(v View) *Call {
	return &Call{In: v, Out: v, InPlace: true, Tasks: c.Tasks, Watch: Watch{above: &c.Watch}}
}

func (w *Watch) top() *Watch {
	if w != nil && w.above != nil {
		return w.above
	}
	return w
}

// Stopped reports whether the context has ended: what is left of the call is then to be left out, as its results are
// not used. Base cases ask between long parts of their work. A nil Watch never stops, and one outside a call does not.
func (w *Watch) Stopped() bool {
	w = w.top()
	if w == nil || w.ctx == nil {
		return false
	}
	if w.ctx.Err() == nil {
		return w.failed.Load() != nil
	}
	w.cut.Store(true)
	return true
}

// Context is the context of the call, for calls below it.
func (w *Watch) Context() context.Context {
	w = w.top()
	if w == nil || w.ctx == nil {
		return context.Background()
	}
	return w.ctx
}

// Err is the error of the context, or the first one that Failed took.
func (w *Watch) Err() error {
	w = w.top()
	if err := w.Context().Err(); err != nil {
		return Stopped(err)
	}
	if err := w.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Failed takes an error, which may be nil, of a call below or of memory: what is left of the call is left out, and
// it returns the error.
func (w *Watch) Failed(err error) bool {
	if err != nil {
		w.fail(err)
	}
	return err != nil
}

// fail is apart, as its argument escapes.
func (w *Watch) fail(err error) {
	w = w.top()
	if w == nil {
		panic(err) // calls without a context use memory of the host alone, which does not fail
	}
	w.failed.CompareAndSwap(nil, &err)
	w.cut.Store(true)
}

func (w *Watch) step() {
	if w.progress == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done++
	w.progress(w.done, w.total)
}

// bind turns phases into the functions that a Runner runs, which share out the steps of each.
func (c *Call) bind(phases []Phase, r field.Runner) direction {
	d := direction{phases: phases}
	if c.Tasks < 2 {
		return d
	}
	if c.steps == nil {
		c.steps = par.NewSteps(r)
	}
	for i := range phases {
		do := phases[i].Do
		d.run = append(d.run, func(task int) {
			returned := false
			defer c.steps.Catch(&returned)
			for s, end := c.steps.Next(task); end > 0; s, end = c.steps.Next(task) {
				for ; s < end && !c.Stopped(); s++ {
					do(s, task)
					c.step()
				}
			}
			returned = true
		})
	}
	return d
}

func (c *Call) phases(ctx context.Context, d *direction, r field.Runner) error {
	c.ctx, c.done, c.total = ctx, 0, 0
	c.cut.Store(false)
	c.failed.Store(nil)
	for _, p := range d.phases {
		if p.If == nil || p.If() {
			c.total += p.Steps
		}
	}
	for i := range d.phases {
		p := &d.phases[i]
		if p.If != nil && !p.If() {
			continue
		}
		if n := min(c.Tasks, p.Steps); n > 1 {
			c.steps.Reset(n, p.Steps)
			r.Run(n, d.run[i])
			c.steps.Rethrow()
			continue
		}
		for s := 0; s < p.Steps && !c.Stopped(); s++ {
			p.Do(s, 0)
			c.step()
		}
	}
	c.ctx = nil
	if !c.cut.Load() {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return Stopped(err)
	}
	return *c.failed.Load()
}

// Stopped wraps the error of a context.
func Stopped(err error) error { return fmt.Errorf("fft: transform stopped: %w", err) }
