package verbs

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/testfields"
)

func small(op string) Case {
	return Case{Op: op, N: 8, Batch: 1, Seed: 1, Reps: 2, Time: time.Microsecond, Options: Options{Workers: 1}}
}

// Every operation runs on every kind of field and passes its check.
func TestBench(t *testing.T) {
	for _, f := range fields(t) {
		for _, op := range BenchOps() {
			if op == "shift" && f.Name() != "goldilocks" && f.Name() != Of(testfields.NewFermat()).Name() {
				continue
			}
			m, err := f.Bench(t.Context(), small(op))
			if err != nil {
				t.Errorf("%s, %s: %v", f.Name(), op, err)
				continue
			}
			if m.N != 8 || len(m.Samples) != 2 || m.Samples.Min() <= 0 || m.Samples.Median() < m.Samples.Min() {
				t.Errorf("%s, %s: got %+v", f.Name(), op, m)
			}
		}
	}
}

func TestBenchParameters(t *testing.T) {
	f := Of(smallprime.P62())
	for _, order := range []field.Order{field.Natural, field.BitReversed, field.Scheme} {
		for _, op := range []string{"forward", "inverse", "coset", "negacyclic"} {
			c := small(op)
			c.Order, c.Batch, c.Workers, c.Algorithm, c.Base = order, 3, 2, field.FourStep, 4
			c.N = 64
			if _, err := f.Bench(t.Context(), c); err != nil {
				t.Errorf("%s, %v order: %v", op, order, err)
			}
		}
	}
	for name, change := range map[string]func(*Case){
		"add with workers":      func(c *Case) { c.Op, c.Workers = "add", 2 },
		"add with a scheme":     func(c *Case) { c.Op, c.Algorithm = "add", field.Naive },
		"add with a base":       func(c *Case) { c.Op, c.Base = "add", 4 },
		"mul with a batch":      func(c *Case) { c.Op, c.Batch = "mul", 2 },
		"polymul with an order": func(c *Case) { c.Op, c.Order = "polymul", field.BitReversed },
		"polymul with a batch":  func(c *Case) { c.Op, c.Batch = "polymul", 2 },
		"pack with workers":     func(c *Case) { c.Op, c.Workers = "pack", 2 },
		"shift without a g":     func(c *Case) { c.Op = "shift" },
		"unknown operation":     func(c *Case) { c.Op = "divide" },
		"base that is no power": func(c *Case) { c.Op, c.Base = "forward", 3 },
		"no worker":             func(c *Case) { c.Workers = 0 },
		"a million workers":     func(c *Case) { c.Workers = 1e6 },
		"negative samples":      func(c *Case) { c.Reps = -1 },
		"no time":               func(c *Case) { c.Time = 0 },
		"batch of none":         func(c *Case) { c.Op, c.Batch = "forward", 0 },
		"sub with an order":     func(c *Case) { c.Op, c.Order = "sub", field.Scheme },
	} {
		c := small("forward")
		change(&c)
		if _, err := f.Bench(t.Context(), c); !errors.Is(err, field.ErrSpec) {
			t.Errorf("%s: got error %v, want %v", name, err, field.ErrSpec)
		}
	}
}

// The length of vectors that fit the cache follows from the size of an element.
// Neither views nor hidden elements show in a figure: what is measured allocates nothing, but for products.
func TestBenchAllocates(t *testing.T) {
	h := Of(smallprime.Goldilocks()).(*hidden)
	for _, name := range BenchOps() {
		if kindOf(name) == product {
			continue
		}
		b := &bencher{h, small(name), newRand(1, 1), t.Context(), nil}
		op, err := b.operation()
		if err != nil {
			t.Fatal(err)
		}
		n := testing.AllocsPerRun(10, func() {
			if err := op.run(b.ctx); err != nil {
				t.Fatal(err)
			}
		})
		if n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestBenchCached(t *testing.T) {
	for want, f := range map[int]Field{1024: Of(smallprime.P62()), 2048: Of(smallprime.BabyBear()),
		256: Of(testfields.NewWord256())} {
		c := small("add")
		c.N = 0
		m, err := f.Bench(t.Context(), c)
		if err != nil || m.N != want {
			t.Errorf("%s: %d elements (error %v), want %d", f.Name(), m.N, err, want)
		}
	}
}

// No fault gives a figure.
func TestBenchFindsFaults(t *testing.T) {
	ops := map[fault][]string{
		oneValue: {"forward", "coset", "negacyclic"}, twoSwapped: {"forward", "coset", "negacyclic"},
		affine: {"forward", "coset", "negacyclic"}, otherRoot: {"forward"}, inPlace: {"forward", "coset", "negacyclic"},
		scaling: {"inverse"}, vecProduct: {"polymul", "convolution"}, storing: {"pack"},
		elementwise: {"add", "sub", "mul"},
	}
	faults(t, func(t *testing.T, f fault) {
		for _, op := range ops[f] {
			c := small(op)
			c.N = 256
			m, err := withFault(f).Bench(t.Context(), c)
			if !errors.Is(err, ErrWrong) || m.Samples != nil {
				t.Errorf("fault %d, %s: got error %v and %d samples, want %v and none", f, op, err, len(m.Samples),
					ErrWrong)
			}
		}
	})
}

func TestBenchFails(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Of(smallprime.P62()).Bench(cancelled, small("forward")); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got error %v", err)
	}
	for _, op := range BenchOps() {
		c := small(op)
		c.N = huge
		if _, err := Of(smallprime.Covanov()).Bench(t.Context(), c); !errors.Is(err, field.ErrMemory) {
			t.Errorf("%s, length %d: got error %v, want %v", op, huge, err, field.ErrMemory)
		}
	}
	c := small("forward")
	c.Batch = math.MaxInt
	if _, err := Of(smallprime.P62()).Bench(t.Context(), c); !errors.Is(err, field.ErrMemory) {
		t.Errorf("batch of %d: got error %v, want %v", c.Batch, err, field.ErrMemory)
	}
	c = small("convolution")
	c.N = 1 << 30
	if _, err := Of(smallprime.P1()).Bench(t.Context(), c); !errors.Is(err, field.ErrNoRoot) &&
		!errors.Is(err, field.ErrMemory) {
		t.Errorf("no root: got error %v", err)
	}
}

func TestMeasure(t *testing.T) {
	runs, checks, resets := 0, 0, 0
	op := operation{
		reset:    func() error { resets++; return nil },
		run:      func(context.Context) error { runs++; time.Sleep(time.Millisecond); return nil },
		check:    func() error { checks++; return nil },
		elements: 4,
	}
	samples, err := op.measure(t.Context(), 0, time.Microsecond, nil)
	if err != nil || len(samples) != leastReps {
		t.Errorf("short time: %d samples (error %v), want %d", len(samples), err, leastReps)
	}
	if checks != 1 || resets != runs || runs != leastReps+1 {
		t.Errorf("%d checks, %d runs and %d resets, want 1, %d and as many", checks, runs, resets, leastReps+1)
	}
	for _, s := range samples {
		if s.Ops != 4 || s.Ns < 250_000 {
			t.Errorf("got %+v, want 4 elements of at least 250 µs each", s)
		}
	}
	if samples, err = op.measure(t.Context(), 3, time.Hour/1e6, nil); err != nil || len(samples) != 3 {
		t.Errorf("3 samples asked for: got %d (error %v)", len(samples), err)
	}
	if samples, err = op.measure(t.Context(), 0, 30*time.Millisecond, nil); err != nil || len(samples) <= leastReps {
		t.Errorf("long time: got %d samples (error %v), want more than %d", len(samples), err, leastReps)
	}
}
