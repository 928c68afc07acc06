package main

import (
	"errors"
	"slices"

	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/internal/device"
)

// operations are those of figures 4.7 to 4.13, at 2^17 elements as there.
func operations(s *session) error {
	return errors.Join(operationsOf(newDigits(s, gfpf.P3())), operationsOf(newDigits(s, gfpf.P4())))
}

// operation is one of vectors.
type operation[E any] struct {
	name string
	k    kernel
	args []uint64 // behind vectors
	want func(z, x, y *E)
	ops  int // operands, z among them
}

const logElements = 17

func operationsOf[E gfpf.Digits](g *digits[E]) error {
	n := 1 << min(logElements, g.s.most)
	x, y := g.samples(n, 1), g.samples(n, 2)
	slices.Reverse(y[:min(n, 256)])
	for _, layout := range layouts {
		v, err := vectors(g, layout, x, y)
		if err != nil {
			return err
		}
		s := uint64(g.k/2 + 1)
		radix := append([]uint64{uint64(n)}, g.radix...)
		for _, o := range []operation[E]{
			{"sum", g.each("sum", layout, n, 256, 0), radix[:2], g.f.Add, 3},
			{"difference", g.each("difference", layout, n, 256, 0), radix[:2], g.f.Sub, 3},
			{"shift", g.each("shift", layout, n, threadsOf, 1), []uint64{uint64(n), s, g.radix[0]},
				func(z, x, _ *E) { g.f.Shift(z, x, s) }, 2},
			{"product", g.each("product", layout, n, threadsOf, 2), radix, g.f.Mul, 3},
		} {
			args := vectorArgs(n, v[:o.ops]...)
			c, err := g.s.launch(o.k, append(args, o.args...)...)
			if err != nil {
				return err
			}
			if err := g.checked(o.name, layout, v[0], x, y, o.want, c); err != nil {
				return err
			}
			l := line{Field: g.f.Name(), N: n, Layout: layout, Case: o.name}
			for most := o.k.threads; ; { // and in smaller blocks
				if err := g.s.report(l, &o.k, 8*g.k*n*o.ops, c); err != nil {
					return err
				}
				if o.k.threads /= 2; o.k.threads < max(32, most/4) {
					break
				}
				o.k.grid[0], o.k.shared = o.k.grid[0]*2, o.k.shared/2
				if c, err = g.s.launch(o.k, append(args, o.args...)...); err != nil {
					return err
				}
			}
		}
		if err := release(v); err != nil {
			return err
		}
	}
	return nil
}

// vectors makes z, x and y.
func vectors[E gfpf.Digits](g *digits[E], layout string, x, y []E) (list []*device.Memory, err error) {
	for _, a := range [][]E{make([]E, len(x)), x, y} {
		m, err := g.put(a, layout)
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}

func release(list []*device.Memory) error {
	var errs []error
	for _, m := range list {
		errs = append(errs, m.Release())
	}
	return errors.Join(errs...)
}

// vectorArgs are vectors as kernels take them: address and pitch.
func vectorArgs(pitch int, list ...*device.Memory) (args []uint64) {
	for _, m := range list {
		args = append(args, m.At, uint64(pitch))
	}
	return args
}

// checked runs calls and compares what they left in z with what the processor has.
func (g *digits[E]) checked(name, layout string, z *device.Memory, x, y []E, want func(z, x, y *E),
	calls ...call) error {
	for _, c := range calls {
		if err := c(); err != nil {
			return err
		}
	}
	all := make([]E, len(x))
	for i := range all {
		want(&all[i], &x[i], &y[i])
	}
	return g.same(name, z, all, layout)
}

// threads are products by k threads an element, algorithms 4.9 and 4.10, beside those by one.
func threads(s *session) error {
	return errors.Join(threadsOfOne(newDigits(s, gfpf.P3())), threadsOfOne(newDigits(s, gfpf.P4())))
}

func threadsOfOne[E gfpf.Digits](g *digits[E]) error {
	n := 1 << min(logElements, g.s.most)
	x, y := g.samples(n, 3), g.samples(n, 4)
	w, err := g.s.memory(3 * g.k * n)
	if err != nil {
		return err
	}
	for _, layout := range layouts {
		v, err := vectors(g, layout, x, y)
		if err != nil {
			return err
		}
		radix := append([]uint64{uint64(n)}, g.radix...)
		one := g.each("product", layout, n, threadsOf, 2)
		direct, err := g.s.launch(one, append(vectorArgs(n, v...), radix...)...)
		if err != nil {
			return err
		}
		finish := g.each("finish", layout, n, 256, 0)
		second, err := g.s.launch(finish, append(vectorArgs(n, v[0], w), radix...)...)
		if err != nil {
			return err
		}
		l := line{Field: g.f.Name(), N: n, Layout: layout, Case: "one thread"}
		if err := g.checked(l.Case, layout, v[0], x, y, g.f.Mul, direct); err != nil {
			return err
		}
		if err := g.s.report(l, &one, 3*8*g.k*n, direct); err != nil {
			return err
		}
		for side, name := range []string{"k threads, digits side by side", "k threads, elements side by side"} {
			k := g.each("coefficients", layout, n*g.k, 256, 0)
			args := append(vectorArgs(n, w, v[1], v[2]), uint64(n), uint64(side))
			first, err := g.s.launch(k, append(args, g.radix...)...)
			if err != nil {
				return err
			}
			l.Case = name
			if err := g.checked(l.Case, layout, v[0], x, y, g.f.Mul, first, second); err != nil {
				return err
			}
			if err := g.s.report(l, nil, 3*8*g.k*n, first, second); err != nil {
				return err
			}
			l.Case += ": coefficients"
			if err := g.s.report(l, &k, 5*8*g.k*n, first); err != nil {
				return err
			}
		}
		l.Case = "k threads: carries"
		if err := g.s.report(l, &finish, 4*8*g.k*n, second); err != nil {
			return err
		}
		if err := release(v); err != nil {
			return err
		}
	}
	return w.Release()
}
