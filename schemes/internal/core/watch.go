package core

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/par"
)

// Watch stops the steps of a call when its context ends, counts them for the progress function, and carries a panic of
// a task to the caller.
type Watch struct {
	ctx      context.Context
	cut      atomic.Bool           // something was left out
	failed   atomic.Pointer[error] // the first error of what is not the context
	progress func(done, total int)
	mu       sync.Mutex
	done     int
	total    int
	end      atomic.Pointer[end] // of the first task that did not return
}

// end is how a task ended that did not return: by a panic, or by runtime.Goexit.
type end struct {
	exit  bool
	value any
}

// Stopped reports whether the context has ended: what is left of the call is then to be left out, as its results are
// not used. Base cases ask between long parts of their work. A nil Watch never stops, and one outside a call does not.
func (w *Watch) Stopped() bool {
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
	if w == nil || w.ctx == nil {
		return context.Background()
	}
	return w.ctx
}

// Err is the error of the context, or the first one that Failed took.
func (w *Watch) Err() error {
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

// catch is deferred by tasks that share a call, and keeps how one ended that did not return. The others stop at their
// next step.
func (w *Watch) catch(returned *bool) {
	if *returned {
		return
	}
	v := recover() // nil where the goroutine exits: a panic has a value
	w.end.CompareAndSwap(nil, &end{v == nil, v})
}

// rethrow ends the caller's goroutine as a task ended.
func (w *Watch) rethrow() {
	e := w.end.Swap(nil)
	switch {
	case e == nil:
	case e.exit:
		runtime.Goexit()
	default:
		panic(e.value)
	}
}

// bind turns phases into the functions that a Runner runs: task i has a contiguous share of the steps.
func (c *Call) bind(phases []Phase, tasks int) direction {
	d := direction{phases: phases}
	for _, p := range phases {
		n := max(1, min(tasks, p.Steps))
		steps := func(task int) {
			for s, end := par.Share(task, n, p.Steps); s < end && !c.Stopped() && c.end.Load() == nil; s++ {
				p.Do(s, task)
				c.step()
			}
		}
		d.run = append(d.run, steps)
		if n > 1 {
			d.run[len(d.run)-1] = func(task int) {
				returned := false
				defer c.catch(&returned)
				steps(task)
				returned = true
			}
		}
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
	for i, run := range d.run {
		p := &d.phases[i]
		if p.If != nil && !p.If() {
			continue
		}
		if n := min(c.Tasks, p.Steps); n > 1 {
			r.Run(n, run)
			c.rethrow()
		} else {
			run(0)
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
