package verbs

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/erased"
	"github.com/galfft/fft/internal/pin"
)

// Case is one measurement to make.
type Case struct {
	Op    string // one of BenchOps
	N     int    // 0 stands for what fits the first-level cache; element operations only
	Batch int    // transforms in one call, as rows
	Seed  uint64
	Reps  int           // samples; 0 stands for as many as fit Time, at least 3
	Time  time.Duration // for the samples
	// Resident says that the vectors of transforms lie on a device before and after, as plans that run there keep them:
	// in working form, with values in the cheapest order, field.Scheme. Copies are not measured.
	Resident bool
	Options  // Progress is of the samples
}

// kind groups operations by what they work on and which parameters they take.
type kind int

const (
	transform kind = iota // takes every parameter
	product               // of polynomials: no batch, and order stays inside
	packing               // of a plan's vector: neither, and one worker
	vectors               // of elements: no plan
	pointwise             // products of elements, by no plan, where the backend says
	machine               // the processor or a device alone: no field
)

var benchOps = []struct {
	name string
	kind kind
}{
	{"forward", transform}, {"inverse", transform}, {"coset", transform}, {"negacyclic", transform},
	{"polymul", product}, {"convolution", product},
	{"add", vectors}, {"sub", vectors}, {"mul", vectors}, {"shift", vectors},
	{"product", pointwise}, {"pack", packing},
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
func PerElement(op string) bool { return OnVectors(op) || kindOf(op) == packing }

// OnVectors reports whether op works on vectors of any length and chooses one where N is 0.
func OnVectors(op string) bool {
	k := kindOf(op)
	return k == vectors || k == pointwise || k == machine
}

// IsTransform reports whether op is one transform, or a batch of them.
func IsTransform(op string) bool { return kindOf(op) == transform }

func kindOf(op string) kind {
	if slices.Contains(MachineOps(GPU), op) {
		return machine
	}
	for _, o := range benchOps {
		if o.name == op {
			return o.kind
		}
	}
	return -1
}

// MaxWorkers is the bound of Case.Workers and HugeCase.Workers: each is a thread of the system, of which Go's runtime
// dies at 10000, and a CPU set of Linux holds 1024 CPUs.
const MaxWorkers = 1024

// validate refuses parameters that make no sense.
func (c Case) validate() error {
	if err := sampling(c.Workers, c.Reps, c.Time); err != nil {
		return err
	}
	switch {
	case c.Batch < 1:
		return fmt.Errorf("galfft: %w: batch of %d, want at least 1", field.ErrSpec, c.Batch)
	case c.Resident && (kindOf(c.Op) != transform || c.Order != field.Scheme):
		return fmt.Errorf("galfft: %w: vectors on a device, want a transform in the order scheme", field.ErrSpec)
	}
	return c.Unused()
}

// sampling refuses pinned workers, samples and a time for them that make no sense.
func sampling(workers, reps int, time time.Duration) error {
	switch {
	case workers < 1:
		return fmt.Errorf("galfft: %w: %d workers, want at least 1", field.ErrSpec, workers)
	case workers > MaxWorkers:
		return fmt.Errorf("galfft: %w: %d workers, want at most %d", field.ErrSpec, workers, MaxWorkers)
	case reps < 0:
		return fmt.Errorf("galfft: %w: %d samples, want at least 1, or 0 for as many as fit the time", field.ErrSpec, reps)
	case time <= 0:
		return fmt.Errorf("galfft: %w: time %v, want more than 0", field.ErrSpec, time)
	}
	return nil
}

// Unused is the error of a parameter that a figure would name and the operation would not use, or nil.
func (c Case) Unused() error {
	k := kindOf(c.Op)
	for _, p := range []struct {
		name    string
		given   bool
		takenBy []kind
	}{
		{"backend", c.Backend == GPU, []kind{transform, product, packing, pointwise, machine}},
		{"batch", c.Batch != 1, []kind{transform}},
		{"order", c.Order != field.Natural, []kind{transform}},
		{"workers", c.Workers != 1, []kind{transform, product, machine}},
		{"scheme", c.Algorithm != field.Auto, []kind{transform, product, packing}},
		{"products", c.Products != field.AutoProducts, []kind{product}},
		{"basis, shift or coefficients", c.Affine.given(), []kind{transform}},
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

func (h *hidden) Bench(ctx context.Context, c Case) (m Measurement, err error) {
	if err := c.validate(); err != nil {
		return m, err
	}
	if err := h.needSampler(); err != nil {
		return m, err
	}
	runner, err := pin.New(c.Workers)
	if err != nil {
		return m, err
	}
	defer runner.Close()
	c.Runner = runner
	if c.N == 0 {
		c.N = h.cached()
	}
	m.N = c.N
	if err := h.fit(benchVectors, c.Batch, c.N); err != nil {
		return m, err
	}
	progress := c.Progress
	c.Progress = nil // plans are measured without it
	b := &bencher{h, c, newRand(c.Seed, uint64(c.N)), ctx, nil}
	op, err := b.operation()
	if err != nil {
		return m, err
	}
	m.Ignored, m.Ran, m.Products = op.ignored, op.ran, op.products
	m.Subspace, m.Coefficients = op.subspace, op.coefficients
	pinErr := runner.Do(func() { m.Samples, err = op.measure(ctx, c.Reps, c.Time, progress) })
	if op.device {
		m.Device, m.Resident = b.at.device, op.resident
	}
	if pinErr != nil {
		return m, pinErr
	}
	return m, err
}

// benchVectors is the number of vectors that a measurement holds at once, its check included.
const benchVectors = 4

// bencher makes operations from random input.
type bencher struct {
	*hidden
	c    Case
	rand *rand.Rand
	ctx  context.Context
	at   *place // where the operation runs; nil for operations without a plan
}

func (b *bencher) operation() (operation, error) {
	switch kindOf(b.c.Op) {
	case transform:
		return b.transform()
	case product:
		return b.product()
	case packing:
		return b.packing()
	case vectors:
		return b.elementwise()
	case pointwise:
		return b.pointwise()
	}
	return operation{}, fmt.Errorf("galfft: %w: operation %q, want one of %q", field.ErrSpec, b.c.Op, BenchOps())
}

func (b *bencher) vector(n int) (bulks.View, error) { return b.random(b.ctx, b.rand, n) }

// plan makes the plan to be measured, for a call on so many elements.
func (b *bencher) plan(elements int, more ...fft.Option) (p *erased.Plan, err error) {
	affine, err := b.affine(b.c.N, &b.c.Affine)
	if err != nil {
		return nil, err
	}
	if b.at, err = b.place(b.c.Backend, elements); err != nil {
		return nil, err
	}
	return b.at.Plan(b.ctx, b.c.N, b.c.plan(append(affine, more...)...)...)
}

// pair returns two vectors.
func (b *bencher) pair(n int) (x, y bulks.View, err error) {
	if x, err = b.vector(n); err == nil {
		y, err = b.vector(n)
	}
	return x, y, err
}

// instant is the length up to which a transform is over before a cancellation matters: it runs without the
// context, as most callers run it.
const instant = 1 << 12

// transform measures one call in place; each sample starts from the same input.
func (b *bencher) transform() (op operation, err error) {
	more := []fft.Option{fft.WithBatch(fft.Rows(b.c.Batch, 0))}
	modulus := b.zero() // the points are the roots of xⁿ − modulus
	b.f.One(modulus)
	switch b.c.Op {
	case "negacyclic":
		b.f.Sub(modulus, b.zero(), modulus)
		more = append(more, fft.WithNegacyclic())
	case "coset":
		if b.c.Affine.Shift != "" {
			break // the plan has it
		}
		shift, inverse := b.zero(), b.zero()
		for b.f.Inv(inverse, shift) != nil { // until the shift is not 0
			b.f.Random(shift, b.rand)
		}
		b.f.Pow(modulus, shift, uint64(b.c.N))
		more = append(more, b.f.Coset(shift))
	}
	p, err := b.plan(b.c.Batch*b.c.N, more...)
	if err != nil {
		return op, err
	}
	input, err := b.vector(p.Size())
	if err != nil {
		return op, err
	}
	x := b.f.Make(input.N)
	call := p.Bind(b.c.Op == "inverse", x, x)
	reset, store := func() error { b.f.Copy(x, input); return nil }, func() error { return nil }
	if b.c.Resident {
		if call, reset, store, err = b.resident(p, x, input); err != nil {
			return op, err
		}
	}
	subspace, coefficients := b.about(p)
	return operation{
		reset: reset,
		run: func(ctx context.Context) error {
			if x.N <= instant {
				ctx = context.Background()
			}
			return call(ctx)
		},
		check: func() error {
			if err := store(); err != nil {
				return err
			}
			t := b.rand.IntN(b.c.Batch) * b.c.N
			values, polynomial := x.Slice(t, t+b.c.N), input.Slice(t, t+b.c.N)
			if b.c.Op == "inverse" {
				values, polynomial = polynomial, values
			}
			if subspace == "" {
				point := b.zero()
				p.Point(point, b.rand.IntN(b.c.N))
				b.f.Pow(point, point, uint64(b.c.N))
				if err := b.differ("power of a point", b.c.N, point, modulus); err != nil {
					return err
				}
			}
			return b.checkValues(b.ctx, p, b.rand, values, polynomial)
		},
		elements:     1,
		ignored:      p.Report().Ignored,
		ran:          p.Report().Algorithm.String(),
		device:       p.Report().Device != "",
		subspace:     subspace,
		coefficients: coefficients,
	}, nil
}

// about says what a figure names of an affine domain: whose its subspace is, and the basis of polynomials; both are
// empty for others.
func (b *bencher) about(p *erased.Plan) (subspace, coefficients string) {
	if !p.Affine {
		return "", ""
	}
	subspace = "own"
	if b.c.Affine.Basis != nil {
		subspace = "given"
	}
	if b.c.Affine.Shift != "" || b.c.Op == "coset" {
		subspace += ", shifted"
	}
	return subspace, p.Report().Coefficients.String()
}

// resident is a transform of a vector on a device: call transforms it, reset loads the input, store gets the result.
func (b *bencher) resident(p *erased.Plan, x, input bulks.View) (call func(context.Context) error, reset,
	store func() error, err error) {
	if p.Report().Device == "" {
		return nil, nil, nil, fmt.Errorf("galfft: %w: vectors on a device, and the plan runs on the processor",
			field.ErrSpec)
	}
	v, err := p.NewVec()
	if err != nil {
		return nil, nil, nil, err
	}
	call = func(ctx context.Context) error { return p.ForwardVec(ctx, v) }
	if b.c.Op == "inverse" {
		call = func(ctx context.Context) error { return p.InverseVec(ctx, v) }
	}
	return call, func() error { return p.Load(v, input) }, func() error { return p.Store(x, v) }, nil
}

func (b *bencher) product() (op operation, err error) {
	at, points := func(z element) { b.f.Random(z, b.rand) }, spotChecks
	if b.wide() {
		points = 1
	}
	length, modulus := 2*b.c.N-1, Modulus{}
	if b.c.Op == "convolution" {
		root := b.zero()
		if err := b.f.RootOfUnity(root, uint64(b.c.N)); err != nil {
			return op, err
		}
		points = spotChecks // few elements are roots of unity
		at = func(z element) { b.f.Pow(z, root, b.rand.Uint64N(uint64(b.c.N))) }
		length, modulus = b.c.N, Modulus{N: b.c.N}
	}
	if b.at, err = b.place(b.c.Backend, productLen(b.c.N, b.c.N, modulus)); err != nil {
		return op, err
	}
	ring, err := b.at.ring(b.at.Field.Field(), b.c.plan()...)
	if err != nil {
		return op, err
	}
	report, err := ring.Products(b.ctx, b.c.N, b.c.N) // by the schoolbook a convolution goes where their product does
	if err != nil {
		return op, err
	}
	x, y, err := b.pair(b.c.N)
	if err != nil {
		return op, err
	}
	var z bulks.View
	return operation{
		run: func(ctx context.Context) (err error) {
			z, err = times(ctx, ring, x, y, modulus)
			return err
		},
		check: func() error {
			if z.N != length {
				return fmt.Errorf("%w: %d coefficients, want %d", ErrWrong, z.N, length)
			}
			return b.checkProduct(b.ctx, nil, points, at, z, x, y)
		},
		elements: 1,
		products: report.Products,
		device:   report.Device != "",
	}, nil
}

func (b *bencher) packing() (op operation, err error) {
	p, err := b.plan(b.c.N)
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
	z := b.f.Make(b.c.N)
	return operation{
		run: func(context.Context) error {
			if err := p.Load(v, x); err != nil {
				return err
			}
			return p.Store(z, v)
		},
		check:    func() error { return b.differVec(b.ctx, "element", z, x) },
		elements: b.c.N,
		ignored:  p.Report().Ignored,
		ran:      p.Report().Algorithm.String(),
		device:   p.Report().Device != "",
	}, nil
}

// pointwise measures a call on vectors that lie on the device, and waits for it; on the processor it is mul.
func (b *bencher) pointwise() (op operation, err error) {
	if b.at, err = b.place(b.c.Backend, b.c.N); err != nil {
		return op, err
	}
	if b.at.device == nil {
		b.c.Op = "mul"
		return b.elementwise()
	}
	x, y, err := b.pair(b.c.N)
	if err != nil {
		return op, err
	}
	run, store, err := b.at.products(x, y)
	if err != nil {
		return op, err
	}
	z, want := b.f.Make(b.c.N), b.zero()
	return operation{
		run: func(context.Context) error { return run() },
		check: func() error {
			if err := store(z); err != nil {
				return err
			}
			return each(b.ctx, b.c.N, func(i int) error {
				b.f.Mul(want, b.f.At(x, i), b.f.At(y, i))
				return b.differ("element", i, b.f.At(z, i), want)
			})
		},
		elements: b.c.N,
		device:   true,
		resident: true,
	}, nil
}

func (b *bencher) elementwise() (op operation, err error) {
	x, y, err := b.pair(b.c.N)
	if err != nil {
		return op, err
	}
	z, want := b.f.Make(b.c.N), b.zero()
	var by []uint64
	var one func(i int) // sets want to what z[i] should be
	switch b.c.Op {
	case "add":
		one = func(i int) { b.f.Add(want, b.f.At(x, i), b.f.At(y, i)) }
	case "sub":
		one = func(i int) { b.f.Sub(want, b.f.At(x, i), b.f.At(y, i)) }
	case "mul":
		one = func(i int) { b.f.Mul(want, b.f.At(x, i), b.f.At(y, i)) }
	case "shift":
		g, order := b.f.ShiftRoot()
		if order == 0 {
			return op, fmt.Errorf("galfft: %w: field %s has no cheap shifts (field.Shifter)", field.ErrSpec, b.Name())
		}
		by = make([]uint64, b.c.N)
		for i := range by {
			by[i] = b.rand.Uint64N(order)
		}
		one = func(i int) {
			b.f.Pow(want, g, by[i])
			b.f.Mul(want, want, b.f.At(x, i))
		}
	}
	part := func(i, j int) func() { // sets z[i:j] to what is measured
		powers := by
		if by != nil {
			powers = by[i:j]
		}
		return b.f.Elementwise(b.c.Op, z.Slice(i, j), x.Slice(i, j), y.Slice(i, j), powers)
	}
	whole := part(0, b.c.N)
	return operation{
		run: func(ctx context.Context) error {
			if b.c.N <= block { // a look at the context would show
				whole()
				return nil
			}
			return blocks(ctx, b.c.N, func(i, j int) error { part(i, j)(); return nil })
		},
		check: func() error {
			return each(b.ctx, b.c.N, func(i int) error {
				one(i)
				return b.differ("element", i, b.f.At(z, i), want)
			})
		},
		elements: b.c.N,
	}, nil
}
