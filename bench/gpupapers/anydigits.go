package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/gpu"
)

// everyK are transforms and vectors of the field with k at run time, for each k from 2 to 128, over P1 to P7. Vectors
// have as many words for each k.
func everyK(s *session) error {
	var errs []error
	for i, radix := range []uint64{gfpf.P1().Radix(), gfpf.P2().Radix(), gfpf.P3().Radix(), gfpf.P4().Radix(),
		gfpf.P5().Radix(), gfpf.P6().Radix(), gfpf.P7().Radix()} {
		f, err := gfpf.Open(radix, 2<<i)
		if err == nil {
			err = anyDigits(s, f)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func anyDigits(s *session, f *gfpf.Any) error {
	k := f.K()
	n := max(1<<min(20, s.most)/k, 2*k)
	d := (*gpu.Device)(s.d)
	g, err := gpu.Field(field.Rooted[gfpf.Number](f), gpu.On(d))
	if err != nil {
		return err
	}
	plan, err := fft.NewPlan(g, n)
	if err != nil {
		return err
	}
	host, err := fft.NewPlan(f, n)
	if err != nil {
		return err
	}
	q, err := d.QueueOf(s.d.Stream().Handle())
	if err != nil {
		return err
	}
	defer q.Close()
	x, y := numbers(f, n, 8), numbers(f, n, 9)
	want, got := make([]gfpf.Number, n), make([]gfpf.Number, n)
	same := func(what string) error {
		for i := range want {
			if !f.Equal(&want[i], &got[i]) {
				return fmt.Errorf("%s, k = %d, %s: element %d of %d is not that of the processor", f.Name(), k, what, i, n)
			}
		}
		return nil
	}
	l := line{Field: f.Name(), N: n, K: k}

	begin := time.Now()
	if err := host.Forward(want, x); err != nil {
		return err
	}
	l.Case, l.Ms = "transform, the processor", time.Since(begin).Seconds()*1e3
	if err := s.print(l); err != nil {
		return err
	}
	if err := plan.Forward(got, x); err != nil {
		return err
	}
	if err := same("slices"); err != nil {
		return err
	}
	v, err := q.NewVec(plan)
	if err != nil {
		return err
	}
	forward := func() error { return plan.ForwardVec(context.Background(), v) }
	if err := errors.Join(plan.Load(v, x), forward(), plan.Store(got, v)); err != nil {
		return err
	}
	if !slices.Equal(sorted(f, want), sorted(f, got)) { // they are in the plan's cheapest order
		return fmt.Errorf("%s, k = %d: the values on vectors are not those of the processor", f.Name(), k)
	}
	l.Case = "transform"
	if err := s.report(l, nil, 0, forward); err != nil {
		return err
	}
	l.Case = "inverse"
	back := func() error { return plan.InverseVec(context.Background(), v) }
	copy(want, x)
	if err := errors.Join(plan.Load(v, x), forward(), back(), plan.Store(got, v), same("inverse")); err != nil {
		return err
	}
	if err := s.report(l, nil, 0, back); err != nil {
		return err
	}
	if err := v.Close(); err != nil {
		return err
	}

	var vecs []field.Vec
	for _, a := range [][]gfpf.Number{make([]gfpf.Number, n), x, y} {
		v, err := g.NewVecIn(q, n)
		if err == nil {
			err = g.LoadVec(v, a)
		}
		if err != nil {
			return err
		}
		vecs = append(vecs, v)
	}
	turn := uint64(k/2 + 1)
	for _, o := range []struct {
		name string
		ops  int
		call call
		want func(z, x, y *gfpf.Number)
	}{
		{"product", 3, func() error { return gpu.MulVec(vecs[0], vecs[1], vecs[2]) }, f.Mul},
		{"sum", 3, func() error { return gpu.AddVec(vecs[0], vecs[1], vecs[2]) }, f.Add},
		{"difference", 3, func() error { return gpu.SubVec(vecs[0], vecs[1], vecs[2]) }, f.Sub},
		{"shift", 2, func() error { return gpu.ShiftVec(vecs[0], vecs[1], turn) },
			func(z, x, _ *gfpf.Number) { f.Shift(z, x, turn) }},
	} {
		want = make([]gfpf.Number, n) // with words of their own
		for i := range want {
			o.want(&want[i], &x[i], &y[i])
		}
		if err := errors.Join(o.call(), g.StoreVec(got, vecs[0]), same(o.name)); err != nil {
			return err
		}
		l.Case = o.name
		if err := s.report(l, nil, 8*k*n*o.ops, o.call); err != nil {
			return err
		}
	}
	for _, v := range vecs {
		if err := v.Close(); err != nil {
			return err
		}
	}
	return nil
}

// sorted are the bytes of elements in order.
func sorted(f *gfpf.Any, x []gfpf.Number) []string {
	list, b := make([]string, len(x)), make([]byte, f.Size())
	for i := range x {
		f.PutBytes(b, &x[i])
		list[i] = string(b)
	}
	slices.Sort(list)
	return list
}

// numbers are n elements: 0, 1, −1, −2 and their products by powers of r, and others.
func numbers(f *gfpf.Any, n int, seed uint64) []gfpf.Number {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	edges := make([]gfpf.Number, 12)
	f.One(&edges[1])
	f.Neg(&edges[2], &edges[1])
	f.Sub(&edges[3], &edges[2], &edges[1])
	for i := 4; i < len(edges); i++ {
		f.Shift(&edges[i], &edges[i%4], r.Uint64())
	}
	x := make([]gfpf.Number, n)
	for i := range x {
		if f.Random(&x[i], r); i < 256 {
			x[i] = edges[r.IntN(len(edges))]
		}
	}
	return x
}
