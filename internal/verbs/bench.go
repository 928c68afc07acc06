package verbs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/pin"
	"github.com/galfft/fft/poly"
)

// Case is one measurement to make.
type Case struct {
	Op      string // one of BenchOps
	N       int    // 0 stands for what fits the first-level cache; element operations only
	Batch   int    // transforms in one call, as rows
	Seed    uint64
	Reps    int           // samples; 0 stands for as many as fit Time, at least 3
	Time    time.Duration // for the samples
	Options               // Progress is of the samples
}

// kind groups operations by what they work on and which parameters they take.
type kind int

const (
	transform kind = iota // takes every parameter
	product               // of polynomials: no batch, and order stays inside
	packing               // of a plan's vector: neither, and one worker
	element               // of vectors: no plan
)

var benchOps = []struct {
	name string
	kind kind
}{
	{"forward", transform}, {"inverse", transform}, {"coset", transform}, {"negacyclic", transform},
	{"polymul", product}, {"convolution", product},
	{"add", element}, {"sub", element}, {"mul", element}, {"shift", element},
	{"pack", packing},
}

// BenchOps lists the operations of Bench.
func BenchOps() []string {
	names := make([]string, len(benchOps))
	for i, op := range benchOps {
		names[i] = op.name
	}
	return names
}

// PerElement reports whether the times of op are those of one element.
func PerElement(op string) bool { k := kindOf(op); return k == element || k == packing }

// OnVectors reports whether op works on vectors of any length and chooses one where N is 0.
func OnVectors(op string) bool { return kindOf(op) == element }

func kindOf(op string) kind {
	for _, o := range benchOps {
		if o.name == op {
			return o.kind
		}
	}
	return -1
}

// MaxWorkers is the bound of Case.Workers: each is a thread of the system, of which Go's runtime dies at 10000, and
// a CPU set of Linux holds 1024 CPUs.
const MaxWorkers = 1024

// validate refuses parameters that make no sense.
func (c Case) validate() error {
	switch {
	case c.Workers < 1:
		return fmt.Errorf("galfft: %w: %d workers, want at least 1", field.ErrSpec, c.Workers)
	case c.Workers > MaxWorkers:
		return fmt.Errorf("galfft: %w: %d workers, want at most %d", field.ErrSpec, c.Workers, MaxWorkers)
	case c.Batch < 1:
		return fmt.Errorf("galfft: %w: batch of %d, want at least 1", field.ErrSpec, c.Batch)
	case c.Reps < 0:
		return fmt.Errorf("galfft: %w: %d samples, want at least 1, or 0 for as many as fit the time", field.ErrSpec,
			c.Reps)
	case c.Time <= 0:
		return fmt.Errorf("galfft: %w: time %v, want more than 0", field.ErrSpec, c.Time)
	}
	return c.Unused()
}

// Unused is the error of a parameter that a figure would name and the operation would not use, or nil.
func (c Case) Unused() error {
	k := kindOf(c.Op)
	for _, p := range []struct {
		name    string
		given   bool
		takenBy []kind
	}{
		{"batch", c.Batch != 1, []kind{transform}},
		{"order", c.Order != field.Natural, []kind{transform}},
		{"workers", c.Workers != 1, []kind{transform, product}},
		{"scheme", c.Algorithm != field.Auto, []kind{transform, product, packing}},
		{"base", c.Base != 0, []kind{transform, product, packing}},
	} {
		taken := !p.given
		for _, t := range p.takenBy {
			taken = taken || t == k
		}
		if !taken {
			return fmt.Errorf("galfft: %w: operation %s takes no %s", field.ErrSpec, c.Op, p.name)
		}
	}
	return nil
}

func (h *hidden[E]) Bench(ctx context.Context, c Case) (m Measurement, err error) {
	if err := c.validate(); err != nil {
		return m, err
	}
	s, err := h.known.sampler()
	if err != nil {
		return m, err
	}
	runner, err := pin.New(c.Workers)
	if err != nil {
		return m, err
	}
	defer runner.Close()
	c.Runner = runner
	if c.N == 0 {
		c.N = h.known.cached()
	}
	m.N = c.N
	if err := h.known.fit(benchVectors, c.Batch, c.N); err != nil {
		return m, err
	}
	progress := c.Progress
	c.Progress = nil // plans are measured without it
	b := &bencher[E]{h.known, c, s, newRand(c.Seed, uint64(c.N)), ctx}
	op, err := b.operation()
	if err != nil {
		return m, err
	}
	m.Ignored, m.Ran = op.ignored, op.ran
	pinErr := runner.Do(func() { m.Samples, err = op.measure(ctx, c.Reps, c.Time, progress) })
	if pinErr != nil {
		return m, pinErr
	}
	return m, err
}

// benchVectors is the number of vectors that a measurement holds at once, its check included.
const benchVectors = 4

// bencher makes operations from random input.
type bencher[E any] struct {
	k       *known[E]
	c       Case
	sampler field.Sampler[E]
	rand    *rand.Rand
	ctx     context.Context
}

func (b *bencher[E]) operation() (operation, error) {
	switch kindOf(b.c.Op) {
	case transform:
		return b.transform()
	case product:
		return b.product()
	case packing:
		return b.packing()
	case element:
		return b.element()
	}
	return operation{}, fmt.Errorf("galfft: %w: operation %q, want one of %q", field.ErrSpec, b.c.Op, BenchOps())
}

func (b *bencher[E]) vector(n int) ([]E, error) { return random(b.ctx, b.sampler, b.rand, n) }

// pair returns two vectors.
func (b *bencher[E]) pair(n int) (x, y []E, err error) {
	if x, err = b.vector(n); err == nil {
		y, err = b.vector(n)
	}
	return x, y, err
}

// instant is the length up to which a transform is over before a cancellation matters: it runs without the
// context, as most callers run it.
const instant = 1 << 12

// transform measures one call in place; each sample starts from the same input.
func (b *bencher[E]) transform() (op operation, err error) {
	more := []fft.Option{fft.WithBatch(fft.Rows(b.c.Batch, 0))}
	var modulus E // the points are the roots of xⁿ − modulus
	b.k.f.One(&modulus)
	switch b.c.Op {
	case "negacyclic":
		b.k.f.Neg(&modulus, &modulus)
		more = append(more, fft.WithNegacyclic())
	case "coset":
		var shift, inverse E
		for b.k.f.Inv(&inverse, &shift) != nil { // until the shift is not 0
			b.sampler.Random(&shift, b.rand)
		}
		field.PowUint(b.k.field(), &modulus, &shift, uint64(b.c.N))
		more = append(more, fft.WithCoset(shift))
	}
	p, err := fft.NewPlanContext(b.ctx, b.k.field(), b.c.N, b.c.plan(more...)...)
	if err != nil {
		return op, err
	}
	call := p.ForwardContext
	if b.c.Op == "inverse" {
		call = p.InverseContext
	}
	input, err := b.vector(p.Size())
	if err != nil {
		return op, err
	}
	x := make([]E, len(input))
	return operation{
		reset: func() { b.k.copy(x, input) },
		run: func(ctx context.Context) error {
			if len(x) <= instant {
				ctx = context.Background()
			}
			return call(ctx, x, x)
		},
		check: func() error {
			t := b.rand.IntN(b.c.Batch) * b.c.N
			values, coefficients := x[t:][:b.c.N], input[t:][:b.c.N]
			if b.c.Op == "inverse" {
				values, coefficients = coefficients, values
			}
			var point E
			p.Point(&point, b.rand.IntN(b.c.N))
			field.PowUint(b.k.field(), &point, &point, uint64(b.c.N))
			if err := b.k.differ("power of a point", b.c.N, &point, &modulus); err != nil {
				return err
			}
			return b.k.checkValues(b.ctx, p, b.sampler, b.rand, values, coefficients)
		},
		elements: 1,
		ignored:  p.Report().Ignored,
		ran:      p.Report().Algorithm.String(),
	}, nil
}

func (b *bencher[E]) product() (op operation, err error) {
	ring, err := poly.New(b.k.field(), b.c.plan()...)
	if err != nil {
		return op, err
	}
	at, points := func(z *E) { b.sampler.Random(z, b.rand) }, spotChecks
	if b.k.wide() {
		points = 1
	}
	length := 2*b.c.N - 1
	call := ring.Mul
	if b.c.Op == "convolution" {
		d, err := field.Cyclic(b.k.field(), b.c.N)
		if err != nil {
			return op, err
		}
		points = spotChecks // few elements are roots of unity
		at = func(z *E) { field.PowUint(b.k.field(), z, &d.Root, b.rand.Uint64N(uint64(b.c.N))) }
		length = b.c.N
		call = func(ctx context.Context, x, y []E) ([]E, error) { return ring.Cyclic(ctx, x, y, b.c.N) }
	}
	x, y, err := b.pair(b.c.N)
	if err != nil {
		return op, err
	}
	var z []E
	return operation{
		run: func(ctx context.Context) (err error) {
			z, err = call(ctx, x, y)
			return err
		},
		check: func() error {
			if len(z) != length {
				return fmt.Errorf("%w: %d coefficients, want %d", ErrWrong, len(z), length)
			}
			return b.k.checkProduct(b.ctx, points, at, z, x, y)
		},
		elements: 1,
	}, nil
}

func (b *bencher[E]) packing() (op operation, err error) {
	p, err := fft.NewPlanContext(b.ctx, b.k.field(), b.c.N, b.c.plan()...)
	if err != nil {
		return op, err
	}
	x, err := b.vector(b.c.N)
	if err != nil {
		return op, err
	}
	v, err := p.NewVec()
	if err != nil {
		return op, err
	}
	z := make([]E, b.c.N)
	return operation{
		run: func(context.Context) error {
			if err := p.Load(v, x); err != nil {
				return err
			}
			return p.Store(z, v)
		},
		check:    func() error { return b.k.differVec(b.ctx, "element", z, x) },
		elements: b.c.N,
		ignored:  p.Report().Ignored,
		ran:      p.Report().Algorithm.String(),
	}, nil
}

func (b *bencher[E]) element() (op operation, err error) {
	x, y, err := b.pair(b.c.N)
	if err != nil {
		return op, err
	}
	f, z, want := b.k.field(), make([]E, b.c.N), new(E)
	var some func(i, j int) error // sets z[i:j] to what is measured
	var one func(i int)           // sets want to what z[i] should be
	switch b.c.Op {
	case "add":
		some = func(i, j int) error { return field.AddVec(f, z[i:j], x[i:j], y[i:j]) }
		one = func(i int) { f.Add(want, &x[i], &y[i]) }
	case "sub":
		some = func(i, j int) error { return field.SubVec(f, z[i:j], x[i:j], y[i:j]) }
		one = func(i int) { f.Sub(want, &x[i], &y[i]) }
	case "mul":
		some = func(i, j int) error { return field.MulVec(f, z[i:j], x[i:j], y[i:j]) }
		one = func(i int) { f.Mul(want, &x[i], &y[i]) }
	case "shift":
		s, ok := f.(field.Shifter[E])
		if !ok {
			return op, fmt.Errorf("galfft: %w: field %s has no cheap shifts (field.Shifter)", field.ErrSpec,
				b.k.f.Name())
		}
		by := make([]uint64, b.c.N)
		for i := range by {
			by[i] = b.rand.Uint64N(s.ShiftOrder())
		}
		var g E
		f.One(&g)
		s.Shift(&g, &g, 1)
		some = func(i, j int) error {
			for ; i < j; i++ {
				s.Shift(&z[i], &x[i], by[i])
			}
			return nil
		}
		one = func(i int) {
			field.PowUint(f, want, &g, by[i])
			f.Mul(want, want, &x[i])
		}
	}
	return operation{
		run: func(ctx context.Context) error {
			if b.c.N <= block { // a look at the context would show
				return some(0, b.c.N)
			}
			return blocks(ctx, b.c.N, some)
		},
		check: func() error {
			return each(b.ctx, b.c.N, func(i int) error {
				one(i)
				return b.k.differ("element", i, &z[i], want)
			})
		},
		elements: b.c.N,
	}, nil
}
