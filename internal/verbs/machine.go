package verbs

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/par"
	"github.com/galfft/fft/internal/pin"
	"github.com/galfft/fft/kernels/rate"
)

// MachineOps lists the operations of Machine.
func MachineOps() []string { return []string{benchjson.Copy, benchjson.Multiply} }

// Machine is what the processor does without a field. It only measures: of a Case it takes Op, one of MachineOps, N,
// the words of a vector to copy, Workers, Reps, Time and Progress.
type Machine struct{ Field }

// Name is what stands in place of a field.
func (Machine) Name() string { return benchjson.Machine }

// copied is the words that are copied where a case leaves it open: 256 MiB, and twice as much in all.
const copied = 1 << 25

// Bench measures, with the work shared among workers.
func (Machine) Bench(ctx context.Context, c Case) (m Measurement, err error) {
	if err := c.validate(); err != nil {
		return m, err
	}
	if kindOf(c.Op) != machine {
		return m, fmt.Errorf("galfft: %w: operation %q, want one of %q", field.ErrSpec, c.Op, MachineOps())
	}
	runner, err := pin.New(c.Workers)
	if err != nil {
		return m, err
	}
	defer runner.Close()
	var op operation
	if c.Op == benchjson.Multiply {
		m.N, op = multiply(c.Workers, runner)
	} else {
		if m.N = c.N; m.N == 0 {
			m.N = copied
		}
		op, err = copies(m.N, c.Workers, runner)
	}
	if err != nil {
		return m, err
	}
	pinErr := runner.Do(func() { m.Samples, err = op.measure(ctx, c.Reps, c.Time, c.Progress) })
	return m, errors.Join(pinErr, err)
}

// copies copies a vector of words.
func copies(n, workers int, r field.Runner) (operation, error) {
	if limit := memory.Limit() / 16; n > limit {
		return operation{}, fmt.Errorf("galfft: %w: 2 vectors of %d words, have %d bytes", field.ErrMemory, n, memory.Limit())
	}
	z, x := make([]uint64, n), make([]uint64, n)
	for i := range x {
		x[i] = uint64(i) + 1
	}
	return operation{
		run: func(context.Context) error {
			r.Run(workers, func(task int) {
				from, to := par.Share(task, workers, n)
				copy(z[from:to], x[from:to])
			})
			return nil
		},
		check: func() error {
			if !slices.Equal(z, x) {
				return fmt.Errorf("%w: the copy differs", ErrWrong)
			}
			return nil
		},
		elements: n,
	}, nil
}

// turns is how many loops of package rate each worker makes in one operation, so that waking it does not show.
const turns = 64

// multiply makes products of as many bits as it says.
func multiply(workers int, r field.Runner) (bits int, op operation) {
	l := rate.Active()
	right := make([]bool, workers)
	return l.Bits, operation{
		run: func(ctx context.Context) error {
			r.Run(workers, func(task int) {
				right[task] = true
				for range turns {
					right[task] = l.Run() && right[task]
				}
			})
			return ctx.Err()
		},
		check: func() error {
			if slices.Contains(right, false) {
				return fmt.Errorf("%w: a sum of products", ErrWrong)
			}
			return nil
		},
		elements: l.Products * turns * workers,
	}
}
