package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"time"
	"unsafe"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/device/driver"
)

// The additive FFT of the thesis on a card, and what package gpu does there of the same.

// transforms are those of the thesis and ours, over a random basis and shift, and ours over the field's own subspace.
func transforms(s *session) error {
	return s.eachSize(s.transforms)
}

func (s *session) transforms(m int) error {
	space, err := newSpace(m)
	if err != nil {
		return err
	}
	y, got := make([]uint64, len(space.x)), make([]uint64, len(space.x))
	for _, form := range []struct {
		name    string
		options []fft.Option
	}{{"card, any basis", space.options()}, {"card, own subspace", nil}} {
		p, err := fft.NewPlan(space.f, len(y), form.options...)
		if err == nil {
			err = p.Forward(y, space.x)
		}
		if err == nil {
			err = s.onCard(space, form.name, form.options, y, got)
		}
		if err == nil && form.options != nil {
			err = s.thesis(space, m, y, got)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", form.name, err)
		}
	}
	return nil
}

// thesis prints lines of the transform of the thesis, whose values are y; got is room.
func (s *session) thesis(space *space, m int, y, got []uint64) error {
	begin := time.Now()
	t, err := newTransform(s, m, space.basis, space.shift)
	if err == nil {
		err = s.d.Stream().Wait()
	}
	if err != nil {
		return err
	}
	l := line{Bits: 64, N: len(y), Form: "plan", Ms: float64(time.Since(begin).Nanoseconds()) / 1e6}
	if err := s.print(l); err != nil {
		return err
	}
	for _, inverse := range []bool{false, true} {
		from, to, name := space.x, y, ""
		if inverse {
			from, to, name = y, space.x, ", inverse"
		}
		if err := t.runs(s, l, from, got, inverse, name); err != nil {
			return err
		}
		if err := equal(got, to, "of the thesis' form"+name); err != nil {
			return err
		}
		if err := t.phases(s, l, from, inverse, name); err != nil {
			return err
		}
	}
	return t.release()
}

func (t *transform) in(x []uint64) error {
	return t.s.d.CopyIn(t.natural.At, unsafe.Pointer(&x[0]), 8*len(x))
}

func (t *transform) out(x []uint64) error {
	return cmp.Or(t.s.d.Stream().Wait(), t.s.d.CopyOut(unsafe.Pointer(&x[0]), t.natural.At, 8*len(x)))
}

// phases prints the time of each phase of one transform, whose kernels have run before.
func (t *transform) phases(s *session, l line, from []uint64, inverse bool, name string) error {
	c := clock{}
	err := cmp.Or(t.in(from), t.run(c, inverse))
	for _, phase := range phases {
		if l.Form, l.Ms = phase+name, c[phase]; l.Ms > 0 && err == nil {
			err = s.print(l)
		}
	}
	return err
}

// runs prints the times of transforms by themselves and with copies. What the last one left is in got.
func (t *transform) runs(s *session, l line, from, got []uint64, inverse bool, name string) error {
	var bare, copied []float64
	for !enough(bare) {
		begin := time.Now()
		err := cmp.Or(t.in(from), s.start.Record(s.d.Stream()))
		if err == nil {
			err = t.run(nil, inverse)
		}
		if err = cmp.Or(err, s.end.Record(s.d.Stream())); err == nil {
			err = t.out(got)
		}
		if err != nil {
			return err
		}
		copied = append(copied, float64(time.Since(begin).Nanoseconds())/1e6)
		ms, err := driver.Milliseconds(s.start, s.end)
		if err != nil {
			return err
		}
		bare = append(bare, ms)
	}
	l.Form = "thesis" + name
	if l.took(bare); l.Ms < longRun { // many short ones in a row are more precise
		if err := s.measured(&l, func() error { return t.run(nil, inverse) }); err != nil {
			return err
		}
	}
	if err := s.print(l); err != nil {
		return err
	}
	l.Form = "thesis, with copies" + name
	l.took(copied)
	return s.print(l)
}

// onCard prints lines of our transforms there, whose values are y; got is room.
func (s *session) onCard(space *space, name string, options []fft.Option, y, got []uint64) error {
	g, err := gpu.Field(space.f, gpu.On((*gpu.Device)(s.d)))
	if err != nil {
		return err
	}
	begin := time.Now()
	p, err := fft.NewPlan(g, len(y), options...)
	if err != nil {
		return err
	}
	l := line{Form: name + ", plan", Bits: 64, N: len(y), Ms: float64(time.Since(begin).Nanoseconds()) / 1e6}
	if err := s.print(l); err != nil {
		return err
	}
	v, err := p.NewVec()
	if err == nil {
		err = p.Load(v, space.x)
	}
	if err != nil {
		return err
	}
	ctx := context.Background()
	for _, one := range []struct {
		name     string
		to       []uint64
		resident func() error
		copied   func() error
	}{
		{"", y, func() error { return p.ForwardVec(ctx, v) }, func() error { return p.Forward(got, space.x) }},
		{", inverse", space.x, func() error { return p.InverseVec(ctx, v) }, func() error { return p.Inverse(got, y) }},
	} {
		l.Form = name + one.name
		if err = s.measured(&l, one.resident); err == nil {
			err = s.print(l)
		}
		if err != nil {
			return err
		}
		var list []float64
		if list, err = s.sampled(timedCall(one.copied)); err != nil {
			return err
		}
		l.Form = name + ", with copies" + one.name
		if err := s.printed(l, list); err != nil {
			return err
		}
		if err := equal(got, one.to, name+one.name); err != nil {
			return err
		}
	}
	return v.Close()
}

// naturals are products of vectors by package gpu, which lie on the card as elements do on the processor, for the
// fields whose chunks are measured up to 256 bits.
func naturals(s *session) error {
	return steps(s, degrees(min(s.bits, 256)), alike, func(n int) (err error) {
		switch {
		case n <= 32:
			err = natural[uint32](s, n)
		case n <= 64:
			err = natural[uint64](s, n)
		case n <= 128:
			err = natural[[2]uint64](s, n)
		case n <= 192:
			err = natural[[3]uint64](s, n)
		default:
			err = natural[[4]uint64](s, n)
		}
		if err != nil {
			return fmt.Errorf("%d bits: %w", n, err)
		}
		return nil
	})
}

func natural[E binary.Elements](s *session, bits int) error {
	f, err := binary.New[E](bits)
	if err != nil {
		return err
	}
	g, err := gpu.Field(f, gpu.On((*gpu.Device)(s.d)))
	if err != nil {
		return err
	}
	n := 1 << min(22, s.most)
	x, y, z, want := make([]E, n), make([]E, n), make([]E, n), make([]E, n)
	r := rand.New(rand.NewPCG(8, uint64(bits)))
	for i := range x {
		f.Random(&x[i], r)
		f.Random(&y[i], r)
	}
	vectors := field.VectorsOf[E](f)
	apart(n, func(from, to int) { vectors.MulVec(want[from:to], x[from:to], y[from:to]) })
	var v [3]field.Vec
	for i := range v {
		if v[i], err = g.NewVec(n); err != nil {
			return err
		}
	}
	multiply := func() error { return gpu.MulVec(v[2], v[0], v[1]) }
	if err := cmp.Or(g.LoadVec(v[0], x), g.LoadVec(v[1], y), multiply(), g.StoreVec(z, v[2])); err != nil {
		return err
	}
	for i := range z {
		if !f.Equal(&z[i], &want[i]) {
			return fmt.Errorf("product %d is %v, want %v", i, z[i], want[i])
		}
	}
	l := line{Form: "natural", Bits: bits, N: n}
	if err = s.measured(&l, multiply); err == nil {
		err = s.print(l)
	}
	return cmp.Or(err, v[0].Close(), v[1].Close(), v[2].Close())
}
