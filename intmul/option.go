package intmul

import (
	"context"
	"fmt"
	"math/big"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/par"
)

// Option is a parameter of an Arithmetic; a bad one is field.ErrSpec. None changes a result.
type Option func(*Arithmetic)

// WithWorkers lets a call run on n goroutines where that pays; 0 stands for runtime.GOMAXPROCS(0). The default is 1:
// the caller's goroutine alone.
func WithWorkers(n int) Option {
	if n == 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return func(a *Arithmetic) { a.workers = min(n, par.MaxTasks) }
}

// WithRunner sets what runs the workers' tasks; the default, and nil, forks goroutines.
func WithRunner(r field.Runner) Option {
	return func(a *Arithmetic) {
		if a.runner = r; r == nil {
			a.runner = par.Fork
		}
	}
}

// WithMemoryLimit refuses what takes more than so many bytes beside operands and result, as field.ErrMemory. The
// default, and 0, is the machine's memory. Below the limit it also decides whether long tables are kept, with which
// transforms are faster, and whether a product is taken at once or in two halves, which take half of the memory each.
// Words that quotients, roots and conversions borrow from their last calls, for two garbage collections, are beside it.
func WithMemoryLimit(bytes int) Option { return func(a *Arithmetic) { a.limit = bytes } }

// Arithmetic computes with integers. It is immutable but for the tables that it makes on demand and keeps, and safe
// for concurrent use.
//
// Results may be operands. Nil integers, contexts and receivers, and the zero Arithmetic, are field.ErrSpec. On any
// error, and where the context ends, results keep their values, and operands theirs.
//
// A product of more than 2^28 bits begins with a garbage collection where an earlier one took the place of another, so
// that repeated products need the memory of two results.
type Arithmetic struct {
	workers int
	runner  field.Runner
	limit   int
	grain   int // of loops, as in field.Spec; then no product is too short for all workers
	least   crossovers
	garbage atomic.Bool // of long results, since the last collection

	mu      sync.Mutex
	engines map[shape]*entry
	images  map[imageKey]*image
	last    *halves

	converters memory.Shelf[*converter] // to decimals of up to keptWords words
	joiners    memory.Shelf[*joins]     // of as many digits
	scratch    memory.Shelf[[]uint64]   // what borrow returns
	used       int                      // counts the uses of engines
}

// New returns an arithmetic.
func New(opts ...Option) (*Arithmetic, error) {
	a := &Arithmetic{workers: 1, runner: par.Fork, least: measured}
	for _, o := range opts {
		if o == nil {
			return nil, fmt.Errorf("intmul: %w: option nil", field.ErrSpec)
		}
		o(a)
	}
	if a.workers < 0 {
		return nil, fmt.Errorf("intmul: %w: %d workers, want none negative", field.ErrSpec, a.workers)
	}
	if a.limit < 0 {
		return nil, fmt.Errorf("intmul: %w: a memory limit of %d bytes, want none negative", field.ErrSpec, a.limit)
	}
	if a.limit == 0 {
		a.limit = memory.Limit()
	}
	a.engines, a.images = map[shape]*entry{}, map[imageKey]*image{}
	return a, nil
}

// begin is the error of a nil argument, or of a context that has ended.
func (a *Arithmetic) begin(ctx context.Context, integers ...*big.Int) error {
	switch {
	case a == nil || a.engines == nil:
		return fmt.Errorf("intmul: %w: an arithmetic that is nil or zero, want one of New", field.ErrSpec)
	case ctx == nil:
		return fmt.Errorf("intmul: %w: the context is nil", field.ErrSpec)
	}
	for _, x := range integers {
		if x == nil {
			return fmt.Errorf("intmul: %w: an integer is nil", field.ErrSpec)
		}
	}
	return stopped(ctx)
}

// stopped is the error of a context that has ended.
func stopped(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("intmul: stopped: %w", err)
	}
	return nil
}

// tooLarge is the error of what takes so many bytes.
func (a *Arithmetic) tooLarge(what string, bytes int) error {
	return fmt.Errorf("intmul: %w: %s takes about %d bytes, and the limit is %d", field.ErrMemory, what, bytes, a.limit)
}
