package verbs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/benchjson"
	"github.com/galfft/fft/internal/devices"
	"github.com/galfft/fft/internal/memory"
	"github.com/galfft/fft/internal/par"
	"github.com/galfft/fft/internal/pin"
	"github.com/galfft/fft/kernels/rate"
)

// MachineOps lists the operations of Machine on a backend. Auto is the processor.
func MachineOps(b Backend) []string {
	ops := []string{benchjson.Copy, benchjson.Multiply}
	if b == GPU {
		ops = append(ops, benchjson.MultiplyAdd32, benchjson.MultiplyAdd64)
	}
	return ops
}

// Machine is what the processor does without a field, or a device. It only measures: of a Case it takes Op, one of
// MachineOps, N, the words of a vector to copy, Backend, Workers, Reps, Time and Progress.
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
	if !slices.Contains(MachineOps(c.Backend), c.Op) {
		return m, fmt.Errorf("galfft: %w: operation %q, want one of %q", field.ErrSpec, c.Op, MachineOps(c.Backend))
	}
	if c.Backend == GPU {
		return benchDevice(ctx, c)
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
	x, err := words(n)
	if err != nil {
		return operation{}, err
	}
	z := make([]uint64, n)
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

// words is a vector of n words, where there is memory for two.
func words(n int) ([]uint64, error) {
	if limit := memory.Limit() / 16; n > limit {
		return nil, fmt.Errorf("galfft: %w: 2 vectors of %d words, have %d bytes", field.ErrMemory, n, memory.Limit())
	}
	x := make([]uint64, n)
	for i := range x {
		x[i] = uint64(i) + 1
	}
	return x, nil
}

// benchDevice measures the first device that opens.
func benchDevice(ctx context.Context, c Case) (m Measurement, err error) {
	if c.Workers != 1 {
		return m, fmt.Errorf("galfft: %w: operation %s takes no workers on a device", field.ErrSpec, c.Op)
	}
	d, err := devices.OpenMachine()
	if err != nil {
		return m, noDevice(err)
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	info := d.Info()
	m.Device, m.Resident = &info, true
	var r *devices.Rate
	switch c.Op {
	case benchjson.Copy:
		var x []uint64
		m.N = cmp.Or(c.N, copied)
		if x, err = words(m.N); err == nil {
			r, err = d.Copy(x)
		}
	case benchjson.Multiply:
		r, err = d.Arithmetic(devices.Product64)
	default:
		r, err = d.Arithmetic(c.Op)
	}
	if err != nil {
		return m, err
	}
	m.N = cmp.Or(r.Bits, m.N)
	op := operation{run: r.Run, elements: r.Elements, check: func() error {
		right, err := r.Check()
		if err == nil && !right {
			err = fmt.Errorf("%w: operation %s of %s", ErrWrong, c.Op, info.Name)
		}
		return err
	}}
	m.Samples, err = op.measure(ctx, c.Reps, c.Time, c.Progress)
	return m, err
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
