package crt

import (
	"context"
	"fmt"
	"runtime"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/par"
)

// Option is a parameter of a system or a product; a bad one is field.ErrSpec. None changes a result.
type Option func(*config)

type config struct {
	workers int
	runner  field.Runner
}

func collect(opts []Option) (config, error) {
	c := config{workers: 1, runner: par.Fork}
	for _, o := range opts {
		if o == nil {
			return c, fmt.Errorf("crt: %w: option nil", field.ErrSpec)
		}
		o(&c)
	}
	if c.workers < 0 {
		return c, fmt.Errorf("crt: %w: %d workers, want none negative", field.ErrSpec, c.workers)
	}
	return c, nil
}

// WithWorkers lets a call run on n goroutines where that pays; 0 stands for runtime.GOMAXPROCS(0). The default is
// 1: the caller's goroutine alone.
func WithWorkers(n int) Option {
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return func(c *config) { c.workers = n }
}

// WithRunner sets what runs the workers' tasks; the default, and nil, forks goroutines.
func WithRunner(r field.Runner) Option {
	return func(c *config) {
		if c.runner = r; r == nil {
			c.runner = par.Fork
		}
	}
}

// stopped returns the error of a context that has ended, or is nil.
func stopped(ctx context.Context) error {
	if ctx == nil {
		return fmt.Errorf("crt: %w: the context is nil", field.ErrSpec)
	}
	return ctx.Err()
}

// each runs f over the n elements in blocks, on as many workers as have 150 µs of work each, until ctx ends.
func (s *System) each(ctx context.Context, n int, nsPerElement float64, f func(sc *scratch, from, to int)) error {
	tasks := max(1, min(s.config.workers, int(float64(n)*nsPerElement/150e3)))
	task := func(t int) {
		sc := s.scratch.Get().(*scratch)
		from, to := par.Share(t, tasks, n)
		for ; from < to && ctx.Err() == nil; from += block {
			f(sc, from, min(from+block, to))
		}
		s.scratch.Put(sc)
	}
	if tasks == 1 {
		task(0)
	} else {
		s.config.runner.Run(tasks, task)
	}
	return ctx.Err()
}
