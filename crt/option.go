package crt

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/par"
	"github.com/galfft/fft/internal/residues"
	"github.com/galfft/fft/kernels/rns"
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
	c.workers = min(c.workers, par.MaxTasks)
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

// glance is the number of pieces of work of a few nanoseconds between two looks at a context.
const glance = 1 << 12

// loop is the state of a loop of a system.
type loop struct {
	ctx   context.Context
	rooms *sync.Pool
	f     func(room *residues.SystemRoom, from, to int)
}

// each runs f over the n elements in blocks, on as many workers as pay, until ctx ends.
func (s *System) each(ctx context.Context, n int, nsPerElement float64,
	f func(room *residues.SystemRoom, from, to int)) error {
	p := s.loops.Get()
	p.State = loop{ctx, s.rooms, f}
	s.loops.Run(p, n, 1, nsPerElement, rns.Block, func(l *loop, from, to int) {
		room := l.rooms.Get().(*residues.SystemRoom)
		for ; from < to && l.ctx.Err() == nil; from += rns.Block {
			l.f(room, from, min(from+rns.Block, to))
		}
		l.rooms.Put(room)
	})
	s.loops.Put(p)
	return ctx.Err()
}
