package poly

import (
	"context"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/memory"
)

// operationsOn returns the operations of a field: with the exported methods, all that is compiled for each type of
// elements.
func operationsOn[E any](f field.Field[E]) operations {
	v := field.VectorsOf(f)
	checker, _ := f.(field.RangeChecker[E])
	plain := !memory.HoldsPointers[E]()
	return operations{
		make: func(n int) field.View { return field.ViewOf(make([]E, n)) },
		copy: func(dst, src field.View) {
			z, x := field.SliceOf[E](dst), field.SliceOf[E](src)
			if plain {
				copy(z, x[:len(z)])
				return
			}
			clear(z) // what they point to may be somebody else's as well
			for i := range z {
				f.Set(&z[i], &x[i])
			}
		},
		zero: func(dst field.View) { clear(field.SliceOf[E](dst)) },
		add: func(dst, x field.View) {
			z := field.SliceOf[E](dst)
			v.AddVec(z, z, field.SliceOf[E](x))
		},
		sub: func(dst, x field.View) {
			z := field.SliceOf[E](dst)
			v.SubVec(z, z, field.SliceOf[E](x))
		},
		mul: func(dst, x field.View) {
			z := field.SliceOf[E](dst)
			v.MulVec(z, z, field.SliceOf[E](x))
		},
		addMul: func(s *sum, z, x, c field.View, r rows) error {
			t := &field.SliceOf[E](s.t)[0]
			to, of, by := field.SliceOf[E](z), field.SliceOf[E](x), field.SliceOf[E](c)
			for i := range by {
				for done := 0; done < r.n; done += watchEvery {
					n := min(r.n-done, watchEvery)
					zs, xs := to[r.z+done:][:n], of[r.x+done:][:n]
					for j := range zs {
						f.Mul(t, &xs[j], &by[i])
						f.Add(&zs[j], &zs[j], t)
					}
					if err := s.watch(n); err != nil {
						return err
					}
				}
				r.z, r.x, r.n = r.z+r.dz, r.x+r.dx, r.n+r.dn
			}
			return nil
		},
		halves: func(n int) field.View {
			h := make([]E, n)
			f.One(&h[0])
			f.Add(&h[0], &h[0], &h[0])
			if f.Inv(&h[0], &h[0]) != nil {
				return field.View{}
			}
			for i := range h {
				f.Set(&h[i], &h[0])
			}
			return field.ViewOf(h)
		},
		overlap: func(a, b field.View) bool {
			shared, _ := memory.Overlap(field.SliceOf[E](a), field.SliceOf[E](b))
			return shared
		},
		firstInvalid: func(a field.View) int {
			if checker == nil {
				return -1
			}
			return checker.FirstInvalid(field.SliceOf[E](a))
		},
		hasRoot: func(order uint64) bool {
			r, ok := f.(field.Roots[E])
			var w E
			return ok && r.RootOfUnity(&w, order) == nil
		},
		convolution: func(ctx context.Context, n int, opts []fft.Option) (convolution, error) {
			c, err := fft.NewConvolution(ctx, f, n, opts...)
			if err != nil {
				return convolution{}, err
			}
			made := convolution{
				vectors: c,
				load:    func(v fft.Vec, a field.View) error { return c.Load(v, field.SliceOf[E](a)) },
				store:   func(a field.View, v fft.Vec) error { return c.Store(field.SliceOf[E](a), v) },
			}
			if m, ok := c.(field.Multiplier[E]); ok {
				made.multiply = func(ctx context.Context, dst field.View, from int, a, b field.View,
					x, y fft.Vec) error {
					var second []E
					if b.N > 0 {
						second = field.SliceOf[E](b)
					}
					return m.Multiply(ctx, field.SliceOf[E](dst), from, field.SliceOf[E](a), second, x, y)
				}
			}
			return made, nil
		},
		plan: func(ctx context.Context, n int, opts []fft.Option) (plan, error) {
			p, err := fft.NewPlanContext(ctx, f, n, opts...)
			if err != nil {
				return plan{}, err
			}
			return plan{
				layout: p,
				run: func(ctx context.Context, dst, src field.View, inverse bool) error {
					z, x := field.SliceOf[E](dst), field.SliceOf[E](src)
					if inverse {
						return p.InverseContext(ctx, z, x)
					}
					return p.ForwardContext(ctx, z, x)
				},
			}, nil
		},
	}
}

// slice returns what a method that makes its result returns.
func slice[E any](v field.View, err error) ([]E, error) {
	if err != nil {
		return nil, err
	}
	return field.SliceOf[E](v), nil
}
