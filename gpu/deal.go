package gpu

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/par"
)

// dealt is a batch of transforms that is dealt out to several devices, whole ones to each.
type dealt[E any] struct {
	shares []share[E]
	n      int
	length int                   // of the slices of a call
	check  field.RangeChecker[E] // of operands; or nil
	calls  sync.Pool             // *dealing[E]
}

// share is what one device has. Its slices are parts of those of a call.
type share[E any] struct {
	t      field.Transform[E]
	batch  field.Batch
	first  int
	length int
}

// deal makes the plans of all devices, on all of them at once.
func (f *DeviceField[E]) deal(d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	n := d.Len()
	b, length, err := s.Batch.Layout(n)
	if err != nil {
		return nil, err
	}
	count := min(len(f.others)+1, b.Count)
	t := &dealt[E]{shares: make([]share[E], count), n: n, length: length}
	if !s.Unchecked {
		t.check = f.host
	}
	limit, errs := s.MemoryLimit/count, make([]error, count)
	if s.MemoryLimit > 0 && limit == 0 {
		limit = 1
	}
	par.Fork.Run(count, func(i int) {
		own, of := f.one(), s
		if i > 0 {
			own, of.Progress = f.others[i-1], nil
		}
		from, to := i*b.Count/count, (i+1)*b.Count/count
		of.Batch, of.Unchecked, of.MemoryLimit = b, true, limit
		of.Batch.Count = to - from
		at := &t.shares[i]
		at.batch, at.first = of.Batch, from*b.Stride
		if b.Columns {
			at.first = from
		}
		_, at.length, _ = of.Batch.Layout(n) // as that of all
		at.t, errs[i] = own.Plan(d, of)
	})
	return t, cmp.Or(errs...)
}

// one is f on its first device alone.
func (f *DeviceField[E]) one() *DeviceField[E] {
	own := *f
	own.others = nil
	return &own
}

// dealer is a dealt transform over elements of any type.
type dealer interface {
	elementwise(what dealtCall, z, x, y field.Vec, of operation, s uint64) error
}

// dealtVec is a vector of each device.
type dealtVec struct {
	of    dealer // nil when it is closed
	parts []field.Vec
}

func (v *dealtVec) Len() (n int) {
	for _, p := range v.parts {
		n += p.Len()
	}
	return n
}

func (v *dealtVec) Close() error {
	if v.of == nil {
		return errClosed
	}
	v.of = nil
	var worst error
	for _, p := range v.parts {
		if err := p.Close(); err != nil {
			worst = err
		}
	}
	return worst
}

// dealing is the pooled state of a call: do runs it on one device.
type dealing[E any] struct {
	what     dealtCall
	ctx      context.Context
	dst, src []E
	z, x, y  *dealtVec
	of       operation
	shift    uint64
	invalid  []int // by share, the first element that is not canonical, or −1
	errs     []error
	do       func(i int)
}

type dealtCall int

const (
	dealtChecks dealtCall = iota
	dealtForward
	dealtInverse
	dealtLoads
	dealtStores
	dealtForwardVec
	dealtInverseVec
	dealtProducts
	dealtElementwise
)

func (t *dealt[E]) call(what dealtCall) *dealing[E] {
	c, ok := t.calls.Get().(*dealing[E])
	if !ok {
		c = &dealing[E]{invalid: make([]int, len(t.shares)), errs: make([]error, len(t.shares))}
		c.do = func(i int) { c.errs[i] = t.part(c, i) }
	}
	c.what = what
	return c
}

// run runs a call on all devices at once and returns the error of the first that has one.
func (t *dealt[E]) run(c *dealing[E]) error {
	par.Fork.Run(len(t.shares), c.do)
	err := cmp.Or(c.errs...)
	t.put(c)
	return err
}

func (t *dealt[E]) put(c *dealing[E]) {
	c.ctx, c.dst, c.src, c.z, c.x, c.y = nil, nil, nil, nil, nil, nil
	t.calls.Put(c)
}

// part is what a call does on device i.
func (t *dealt[E]) part(c *dealing[E], i int) error {
	s := &t.shares[i]
	of := func(a []E) []E { return a[s.first:][:s.length] }
	switch c.what {
	case dealtChecks:
		c.invalid[i] = t.invalid(s, c.src)
		return nil
	case dealtForward:
		return s.t.Forward(c.ctx, of(c.dst), of(c.src))
	case dealtInverse:
		return s.t.Inverse(c.ctx, of(c.dst), of(c.src))
	case dealtLoads:
		return s.t.Load(c.z.parts[i], of(c.src))
	case dealtStores:
		return s.t.Store(of(c.dst), c.z.parts[i])
	case dealtForwardVec:
		return s.t.ForwardVec(c.ctx, c.z.parts[i])
	case dealtInverseVec:
		return s.t.InverseVec(c.ctx, c.z.parts[i])
	case dealtProducts:
		return s.t.MulVec(c.z.parts[i], c.x.parts[i], c.y.parts[i])
	}
	return elementwise(c.z.parts[i], c.x.parts[i], c.y.parts[i], c.of, c.shift)
}

// invalid is the first element of a share of a that is not canonical, or −1.
func (t *dealt[E]) invalid(s *share[E], a []E) int {
	rows, width := s.batch.Count, t.n
	if s.batch.Columns {
		rows, width = width, rows
	}
	for r := range rows {
		at := s.first + r*s.batch.Stride
		if i := t.check.FirstInvalid(a[at:][:width]); i >= 0 {
			return at + i
		}
	}
	return -1
}

// checked finds elements that are not canonical.
func (t *dealt[E]) checked(a []E) error {
	if t.check == nil {
		return nil
	}
	c := t.call(dealtChecks)
	c.src = a
	par.Fork.Run(len(t.shares), c.do)
	least := -1
	for _, i := range c.invalid {
		if i >= 0 && (least < 0 || i < least) {
			least = i
		}
	}
	t.put(c)
	if least < 0 {
		return nil
	}
	return &field.RangeError{What: "src", Index: least}
}

func (t *dealt[E]) Forward(ctx context.Context, dst, src []E) error {
	return t.transform(ctx, dealtForward, dst, src)
}

func (t *dealt[E]) Inverse(ctx context.Context, dst, src []E) error {
	return t.transform(ctx, dealtInverse, dst, src)
}

func (t *dealt[E]) transform(ctx context.Context, what dealtCall, dst, src []E) error {
	if err := engine.CheckCall(ctx, dst, src, t.length); err != nil {
		return err
	}
	if err := t.checked(src); err != nil {
		return err
	}
	c := t.call(what)
	c.ctx, c.dst, c.src = ctx, dst, src
	return t.run(c)
}

func (t *dealt[E]) NewVec() (field.Vec, error) {
	v := &dealtVec{of: t}
	for i := range t.shares {
		part, err := t.shares[i].t.NewVec()
		if err != nil {
			_ = v.Close()
			return nil, err
		}
		v.parts = append(v.parts, part)
	}
	return v, nil
}

// vec is a vector that t has made.
func (t *dealt[E]) vec(x field.Vec) (*dealtVec, error) {
	v, ok := x.(*dealtVec)
	if !ok || v == nil || v.of != dealer(t) {
		return nil, errDealt
	}
	return v, nil
}

var errDealt = fmt.Errorf("gpu: %w: a vector that this plan has not made, or one that is closed", field.ErrVec)

func (t *dealt[E]) Load(v field.Vec, a []E) error {
	z, err := t.vec(v)
	if err == nil {
		err = engine.CheckLen("src", len(a), t.length)
	}
	if err == nil {
		err = t.checked(a)
	}
	if err != nil {
		return err
	}
	c := t.call(dealtLoads)
	c.z, c.src = z, a
	return t.run(c)
}

func (t *dealt[E]) Store(a []E, v field.Vec) error {
	z, err := t.vec(v)
	if err == nil {
		err = engine.CheckLen("dst", len(a), t.length)
	}
	if err != nil {
		return err
	}
	c := t.call(dealtStores)
	c.z, c.dst = z, a
	return t.run(c)
}

func (t *dealt[E]) ForwardVec(ctx context.Context, v field.Vec) error {
	return t.transformVec(ctx, dealtForwardVec, v)
}

func (t *dealt[E]) InverseVec(ctx context.Context, v field.Vec) error {
	return t.transformVec(ctx, dealtInverseVec, v)
}

func (t *dealt[E]) transformVec(ctx context.Context, what dealtCall, v field.Vec) error {
	z, err := t.vec(v)
	if err != nil {
		return err
	}
	c := t.call(what)
	c.ctx, c.z = ctx, z
	return t.run(c)
}

func (t *dealt[E]) MulVec(z, x, y field.Vec) error {
	return t.elementwise(dealtProducts, z, x, y, multiplying, 0)
}

// elementwise is that of vectors of one device, or MulVec of plans.
func (t *dealt[E]) elementwise(what dealtCall, z, x, y field.Vec, of operation, s uint64) error {
	c := t.call(what)
	var err error
	for i, v := range [3]field.Vec{z, x, y} {
		if *[3]**dealtVec{&c.z, &c.x, &c.y}[i], err = t.vec(v); err != nil {
			t.put(c)
			return err
		}
	}
	c.of, c.shift = of, s
	return t.run(c)
}

func (t *dealt[E]) Permutation() []int { return t.shares[0].t.Permutation() }

func (t *dealt[E]) Report() field.Report {
	r := t.shares[0].t.Report()
	var counts, devices []string
	for i := range t.shares {
		s := &t.shares[i]
		of := s.t.Report()
		if i > 0 {
			r.Tables, r.Scratch, r.Vector = r.Tables+of.Tables, r.Scratch+of.Scratch, r.Vector+of.Vector
		}
		counts, devices = append(counts, fmt.Sprint(s.batch.Count)), append(devices, of.Device)
	}
	r.Passes = append([]string{fmt.Sprintf("transforms dealt to %d devices: %s", len(counts),
		strings.Join(counts, ", "))}, r.Passes...)
	r.Device, r.Checked = strings.Join(devices, ", "), t.check != nil
	return r
}
