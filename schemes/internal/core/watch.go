package core

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/par"
)

// watch stops the steps of a call when its context ends, and counts them for the progress function.
type watch struct {
	ctx      context.Context
	cut      atomic.Bool // a step was left out
	progress func(done, total int)
	mu       sync.Mutex
	done     int
	total    int
}

func (w *watch) stopped() bool {
	if w.ctx.Err() == nil {
		return false
	}
	w.cut.Store(true)
	return true
}

func (w *watch) step() {
	if w.progress == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done++
	w.progress(w.done, w.total)
}

// bind turns phases into the functions that a Runner runs: task i has a contiguous share of the steps.
func (c *Call[V]) bind(phases []Phase, tasks int) direction {
	d := direction{phases: phases}
	for _, p := range phases {
		n := max(1, min(tasks, p.Steps))
		d.run = append(d.run, func(task int) {
			for s, end := par.Share(task, n, p.Steps); s < end && !c.stopped(); s++ {
				p.Do(s, task)
				c.step()
			}
		})
	}
	return d
}

func (c *Call[V]) phases(ctx context.Context, d *direction, r field.Runner) error {
	c.ctx, c.done, c.total = ctx, 0, 0
	c.cut.Store(false)
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
		} else {
			run(0)
		}
	}
	c.ctx = nil
	if c.cut.Load() {
		return Stopped(ctx.Err())
	}
	return nil
}

// Stopped wraps the error of a context.
func Stopped(err error) error { return fmt.Errorf("fft: transform stopped: %w", err) }
