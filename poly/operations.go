package poly

import (
	"context"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine/front"
	"github.com/galfft/fft/internal/erased"
	"github.com/galfft/fft/internal/memory"
)

// operationsOn returns the operations of a field: with the exported methods, all that is compiled for each type of
// elements.
func operationsOn[E any](f field.Field[E]) operations {
	v, transforms := field.VectorsOf(f), erased.PlansOf(f)
	checker, _ := f.(field.RangeChecker[E])
	plain := !memory.HoldsPointers[E]()
	return operations{
		make: func(n int) bulks.View { return bulks.ViewOf(make([]E, n)) },
		copy: func(dst, src bulks.View) {
			z, x := bulks.SliceOf[E](dst), bulks.SliceOf[E](src)
			if plain {
				copy(z, x[:len(z)])
				return
			}
			clear(z) // what they point to may be somebody else's as well
			for i := range z {
				f.Set(&z[i], &x[i])
			}
		},
		zero: func(dst bulks.View) { clear(bulks.SliceOf[E](dst)) },
		add: func(dst, x bulks.View) {
			z := bulks.SliceOf[E](dst)
			v.AddVec(z, z, bulks.SliceOf[E](x))
		},
		sub: func(dst, x bulks.View) {
			z := bulks.SliceOf[E](dst)
			v.SubVec(z, z, bulks.SliceOf[E](x))
		},
		mul: func(dst, x bulks.View) {
			z := bulks.SliceOf[E](dst)
			v.MulVec(z, z, bulks.SliceOf[E](x))
		},
		addMul: func(s *sum, z, x, c bulks.View, r rows) error {
			t := &bulks.SliceOf[E](s.t)[0]
			to, of, by := bulks.SliceOf[E](z), bulks.SliceOf[E](x), bulks.SliceOf[E](c)
			every := s.every()
			for i := range by {
				for done := 0; done < r.n; done += every {
					n := min(r.n-done, every)
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
		halves: func(n int) bulks.View {
			h := make([]E, n)
			f.One(&h[0])
			f.Add(&h[0], &h[0], &h[0])
			if f.Inv(&h[0], &h[0]) != nil {
				return bulks.View{}
			}
			for i := range h {
				f.Set(&h[i], &h[0])
			}
			return bulks.ViewOf(h)
		},
		overlap: func(a, b bulks.View) bool {
			shared, _ := memory.Overlap(bulks.SliceOf[E](a), bulks.SliceOf[E](b))
			return shared
		},
		firstInvalid: func(a bulks.View) int {
			if checker == nil {
				return -1
			}
			return checker.FirstInvalid(bulks.SliceOf[E](a))
		},
		hasRoot: func(order uint64) bool { return field.HasRoot(f, order) },
		convolution: func(ctx context.Context, n int, opts []fft.Option) (*front.Products, error) {
			c, err := fft.NewConvolution(ctx, f, n, opts...)
			if err != nil {
				return nil, err
			}
			return front.ProductsOf(c), nil
		},
		plan: func(ctx context.Context, n int, opts []fft.Option) (plan, error) {
			p, err := transforms.Plan(ctx, n, opts...)
			if err != nil {
				return plan{}, err
			}
			return plan{p, func(ctx context.Context, dst, src bulks.View, inverse bool) error {
				if inverse {
					return p.Inverse(ctx, dst, src)
				}
				return p.Forward(ctx, dst, src)
			}}, nil
		},
	}
}

// slice returns what a method that makes its result returns.
func slice[E any](v bulks.View, err error) ([]E, error) {
	if err != nil {
		return nil, err
	}
	return bulks.SliceOf[E](v), nil
}
