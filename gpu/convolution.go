package gpu

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"sync/atomic"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/residues"
	"github.com/galfft/fft/schemes"
)

// convolution is products of polynomials modulo x^n − 1 or x^n + 1 on the device, over a prime of one word: over the
// integers, by transforms modulo one to three primes of 62 bits. A vector is one piece of memory, in which a plane of
// residues for each prime stands before room for the elements. It is a device.Work, all transforms of a vector.
type convolution[E any] struct {
	b            *words
	n            int
	invalid      func(a []E) int // nil: nobody asks
	transforms   []*wordTransform
	spread, join *device.Function
	in, out      []uint64 // what these want of primes
	report       field.Report
}

// newConvolution is that of f, of which b is the bulk.
func newConvolution[E any](f *DeviceField[E], b *words, n int, negacyclic bool, s field.Spec) (*convolution[E], error) {
	p := new(big.Int).SetUint64(b.p)
	if err := residues.Fits(n, 3, &s); err != nil {
		return nil, err
	}
	primes, ok := residues.Primes(residues.PlainBits, n, residues.Least(n, p, p, residues.Modulo))
	if !ok || len(primes) > 3 {
		return nil, fmt.Errorf("gpu: %w: products of length %d modulo %d", field.ErrMemory, n, b.p)
	}
	c := &convolution[E]{b: b, n: n}
	suffix := fmt.Sprint(8 * b.word)
	b.find(kernel{&c.spread, "residues", "spread" + suffix, 0}, kernel{&c.join, "residues", "join" + suffix, 0})
	if err := device.Load(c.spread, c.join); err != nil {
		return nil, err
	}
	if !s.Unchecked {
		c.invalid = f.FirstInvalid
	}
	c.constants(primes)
	s.Order, s.Batch, s.Progress, s.Unchecked, s.Algorithm = field.Scheme, field.Batch{}, nil, true, field.Auto
	for i, q := range primes {
		r, err := c.transform(f.d, q, negacyclic, s)
		if err != nil {
			return nil, err
		}
		if s.MemoryLimit -= r.Tables; s.MemoryLimit <= 0 {
			return nil, fmt.Errorf("gpu: %w: products of length %d through %d other primes", field.ErrMemory, n, len(primes))
		}
		if i == 0 {
			c.report = r
		} else {
			c.report.Tables += r.Tables
		}
	}
	c.report.Vector, c.report.Scratch, c.report.Checked = c.bytes(), 0, c.invalid != nil
	c.report.Form = fmt.Sprintf("products of integers modulo %d primes of %d bits; %s", len(primes), residues.PlainBits,
		c.report.Form)
	return c, nil
}

// transform makes that of one prime.
func (c *convolution[E]) transform(d *Device, q uint64, negacyclic bool, s field.Spec) (r field.Report, err error) {
	h, err := smallprime.New64(q)
	if err != nil {
		return r, err
	}
	f, err := Field(h, On(d))
	if err != nil {
		return r, err
	}
	domain := field.NewCyclic[uint64]
	if negacyclic {
		domain = field.NewNegacyclic[uint64]
	}
	points, err := domain(f, c.n)
	if err != nil {
		return r, err
	}
	t, err := schemes.BuildWhole[uint64](f, f.b, points, s, func(p *schemes.Points) (schemes.Whole, error) {
		b := f.b.(*words)
		t, err := newWordTransform(b, p, log2(c.n))
		c.transforms = append(c.transforms, t)
		return t, err
	})
	if err != nil {
		return r, err
	}
	return t.Report(), nil
}

// constants are the arguments of kernels/cuda/residues.cu.
func (c *convolution[E]) constants(primes []uint64) {
	const most = 3
	one := func(m uint64) uint64 { return arith.Pow(2, 64, m) }
	times := func(x, y, m uint64) uint64 { return arith.Mul(x%m, y%m, m) }
	var q [most]uint64
	copy(q[:], primes)
	c.in = []uint64{uint64(len(primes))}
	c.out = []uint64{uint64(len(primes)), q[0]}
	for i, m := range q {
		if m == 0 {
			c.in = append(c.in, 0, 0, 0)
		} else {
			c.in = append(c.in, m, arith.Newton(m), one(m))
		}
		if i > 0 {
			c.out = append(c.out, c.in[1+3*i], c.in[2+3*i])
		}
	}
	for _, at := range [][2]int{{0, 1}, {0, 2}, {1, 2}} { // 1/q_i modulo q_j
		var w uint64
		if m := q[at[1]]; m != 0 {
			w = times(arith.Inverse(q[at[0]]%m, m), one(m), m)
		}
		c.out = append(c.out, w)
	}
	p := c.b.p
	c.out = append(c.out, p, arith.Newton(p))
	product := one(p)
	for i := range most {
		c.out = append(c.out, product)
		if i < len(primes) {
			product = times(product, primes[i], p)
		}
	}
	all := uint64(1)
	for _, m := range primes {
		all = times(all, m, p)
	}
	c.out = append(c.out, all)
}

// convolved is a vector of a convolution.
type convolved struct {
	of     any // the convolution
	m      *device.Memory
	n      int
	closed atomic.Bool
}

func (v *convolved) Len() int { return v.n }

func (v *convolved) Close() error {
	if v.closed.Swap(true) {
		return fmt.Errorf("gpu: %w: it is closed", field.ErrVec)
	}
	return v.m.Release()
}

// bytes is the memory of a vector.
func (c *convolution[E]) bytes() int { return (8*len(c.transforms) + c.b.word) * c.n }

// plane is the residues modulo prime i.
func (c *convolution[E]) plane(m *device.Memory, i int) bulks.View {
	return bulks.View{Buf: m, Off: i * c.n, N: c.n}
}

// elements is where the first count elements stand on the way in and out.
func (c *convolution[E]) elements(m *device.Memory, count int) bulks.View {
	return bulks.View{Buf: m, Off: 8 * len(c.transforms) * c.n / c.b.word, N: count}
}

func (c *convolution[E]) NewVec() (field.Vec, error) {
	m, err := c.b.d.Make(c.bytes())
	if err != nil {
		return nil, err
	}
	return &convolved{of: c, m: m, n: c.n}, nil
}

// vec is the memory of a vector, for a slice of so many elements.
func (c *convolution[E]) vec(x field.Vec, what string, n int) (*device.Memory, error) {
	v, ok := x.(*convolved)
	if !ok || v == nil || v.of != any(c) || v.closed.Load() {
		return nil, fmt.Errorf("gpu: %w: it was not made by this convolution's NewVec, or is closed", field.ErrVec)
	}
	if n > c.n {
		return nil, &field.LengthError{What: what, Want: c.n, Got: n}
	}
	return v.m, nil
}

func (c *convolution[E]) wait(ctx context.Context, m *device.Memory) error {
	err := c.b.d.Wait(ctx, m)
	if e := ctx.Err(); err != nil && e != nil && errors.Is(err, e) {
		return engine.Stopped(e)
	}
	return err
}

// check is a RangeError of an element that is not canonical. Where the device looks for them, it is no error.
func (c *convolution[E]) check(what string, a []E) error {
	if c.invalid == nil || c.b.Seeks(len(a)) {
		return nil
	}
	if i := c.invalid(a); i >= 0 {
		return &field.RangeError{What: what, Index: i}
	}
	return nil
}

// found is what check left to the device, once m has been waited for.
func (c *convolution[E]) found(m *device.Memory, what string, a []E) error {
	if c.invalid == nil || !c.b.Seeks(len(a)) {
		return nil
	}
	if any, err := m.Found(); err != nil || !any {
		return err
	}
	return &field.RangeError{What: what, Index: max(0, c.invalid(a))}
}

// pack begins to copy a in.
func (c *convolution[E]) pack(m *device.Memory, a []E) {
	x := c.elements(m, len(a))
	c.b.Pack(x, bulks.ViewOf(a))
	if c.invalid != nil && c.b.Seeks(len(a)) && !c.b.Seek(x) {
		m.Note(fmt.Errorf("gpu: %w: a word to look for elements", field.ErrMemory))
	}
}

// load begins to set m to the residues of a, and to look at a.
func (c *convolution[E]) load(m *device.Memory, a []E) {
	c.pack(m, a)
	c.residues(m, len(a))
}

// residues begins to set m to the residues of what was packed.
func (c *convolution[E]) residues(m *device.Memory, count int) {
	args := append([]uint64{m.At, uint64(c.n), c.b.at(c.elements(m, count)), uint64(count)}, c.in...)
	m.Did(c.b.d.Each(m.Stream(), c.spread, c.n, args...))
}

// store copies the elements from from on to a.
func (c *convolution[E]) store(a []E, m *device.Memory, from int) {
	if len(a) == 0 || m.Failed() {
		return
	}
	x := c.elements(m, from+len(a))
	args := append([]uint64{c.b.at(x), m.At, uint64(c.n), uint64(x.N)}, c.out...)
	m.Did(c.b.d.Each(m.Stream(), c.join, x.N, args...))
	c.b.Unpack(bulks.ViewOf(a), x.Slice(from, x.N))
}

// Start puts the transforms modulo all primes on a stream.
func (c *convolution[E]) Start(ctx context.Context, s *device.Stream, call device.Call) error {
	v, _, inverse := transformOf(call)
	for i, t := range c.transforms {
		if err := t.Start(ctx, s, callOf(c.plane(memory(v), i), false, inverse)); err != nil {
			return err
		}
	}
	return nil
}

func (c *convolution[E]) run(ctx context.Context, m *device.Memory, inverse bool) error {
	err := c.b.d.Run(ctx, c, callOf(bulks.View{Buf: m, N: c.n * len(c.transforms)}, false, inverse))
	return cmp.Or(stopped(ctx), err)
}

// multiply begins to set z to the products of x and y.
func (c *convolution[E]) multiply(z, x, y *device.Memory) {
	for i, t := range c.transforms {
		t.b.VecMul(c.plane(z, i), c.plane(x, i), c.plane(y, i))
	}
}

// inverseMul begins to set z to the inverse transforms of the products of x and y.
func (c *convolution[E]) inverseMul(ctx context.Context, z, x, y *device.Memory) error {
	for i, t := range c.transforms {
		if err := t.InverseMul(ctx, c.plane(z, i), c.plane(x, i), c.plane(y, i)); err != nil {
			return cmp.Or(stopped(ctx), err)
		}
	}
	return stopped(ctx)
}

// stopped is the error of a context that has ended.
func stopped(ctx context.Context) error {
	if e := ctx.Err(); e != nil {
		return engine.Stopped(e)
	}
	return nil
}

func (c *convolution[E]) inverseMulVec(ctx context.Context, z, x, y field.Vec) error {
	m, err := c.three(z, x, y)
	if err != nil {
		return err
	}
	err = c.inverseMul(ctx, m[0], m[1], m[2])
	if w := c.wait(ctx, m[0]); err == nil {
		err = w
	}
	return err
}

// three is the memories of three vectors.
func (c *convolution[E]) three(z, x, y field.Vec) (m [3]*device.Memory, err error) {
	for i, v := range []field.Vec{z, x, y} {
		if m[i], err = c.vec(v, "", 0); err != nil {
			return m, err
		}
	}
	return m, nil
}

func (c *convolution[E]) Load(x field.Vec, a []E) error {
	m, err := c.vec(x, "src", len(a))
	if err == nil {
		err = c.check("src", a)
	}
	if err != nil {
		return err
	}
	c.pack(m, a)
	if c.b.Seeks(len(a)) { // before m changes
		err = cmp.Or(c.wait(context.Background(), m), c.found(m, "src", a))
	}
	if err == nil {
		c.residues(m, len(a))
		err = c.wait(context.Background(), m)
	}
	return err
}

func (c *convolution[E]) Store(a []E, x field.Vec) error {
	m, err := c.vec(x, "dst", len(a))
	if err != nil {
		return err
	}
	c.store(a, m, 0)
	return c.wait(context.Background(), m)
}

func (c *convolution[E]) ForwardVec(ctx context.Context, x field.Vec) error {
	return c.runVec(ctx, x, false)
}

func (c *convolution[E]) InverseVec(ctx context.Context, x field.Vec) error {
	return c.runVec(ctx, x, true)
}

func (c *convolution[E]) runVec(ctx context.Context, x field.Vec, inverse bool) error {
	m, err := c.vec(x, "", 0)
	if err != nil {
		return err
	}
	err = c.run(ctx, m, inverse)
	if w := c.wait(ctx, m); err == nil {
		err = w
	}
	return err
}

func (c *convolution[E]) MulVec(z, x, y field.Vec) error {
	m, err := c.three(z, x, y)
	if err != nil {
		return err
	}
	c.multiply(m[0], m[1], m[2])
	return c.wait(context.Background(), m[0])
}

// Multiply is that of field.Multiplier: it waits once, so that b is copied while a is transformed.
func (c *convolution[E]) Multiply(ctx context.Context, dst []E, from int, a, b []E, x, y field.Vec) error {
	square := len(a) > 0 && len(a) == len(b) && &a[0] == &b[0]
	v, err := c.vec(x, "a", len(a))
	if err != nil {
		return err
	}
	w := v
	if !square {
		if w, err = c.vec(y, "b", len(b)); err != nil {
			return err
		}
	}
	if from < 0 || from > c.n || len(dst) > c.n-from {
		return &field.LengthError{What: "dst", Want: c.n - from, Got: len(dst)}
	}
	if err := c.check("a", a); err != nil {
		return err
	}
	if err := c.check("b", b); err != nil {
		return err
	}
	c.load(v, a)
	err = c.run(ctx, v, false)
	if err == nil && !square && len(b) > 0 {
		c.load(w, b)
		err = c.run(ctx, w, false)
	}
	if err == nil {
		err = c.inverseMul(ctx, v, v, w)
	}
	for _, m := range []*device.Memory{w, v} { // before store, which would wait to the end
		if e := c.wait(ctx, m); err == nil {
			err = e
		}
	}
	if err == nil {
		err = c.found(v, "a", a)
	}
	if err == nil && !square && len(b) > 0 {
		err = c.found(w, "b", b)
	}
	if err == nil {
		c.store(dst, v, from)
		err = c.wait(context.Background(), v)
	}
	return err
}

// Report is that of the first transform, with the tables of all.
func (c *convolution[E]) Report() field.Report { return c.report }
