package poly

import (
	"context"
	"unsafe"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine/front"
	"github.com/galfft/fft/internal/erased"
	"github.com/galfft/fft/internal/pointer"
)

// newElements returns f for products, unless it is no field; errors say for what it is. With the exported methods, it
// is all that is compiled for each type of elements.
func newElements[E any](what string, f field.Field[E]) (*elements, error) {
	if err := field.Check(f); err != nil {
		return nil, noField(what, err)
	}
	e := computing(f, pointer.Of[E](), erased.RowsOf(f), erased.PlansOf(f))
	_, e.planner = f.(field.Planner[E])
	_, e.through = f.(field.Convolver[E])
	_, e.subspaces = field.SubspacesOf(f)
	if c, ok := f.(field.RangeChecker[E]); ok {
		e.checks = true
		e.operations.firstInvalid = func(a bulks.View) int { return c.FirstInvalid(bulks.SliceOf[E](a)) }
	}
	// With E in place of pointers, as short products are little else.
	e.addMul = func(s *sum, z, x, c bulks.View, r rows) error {
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
	}
	e.hasRoot = func(order uint64) bool { return field.HasRoot(f, order) }
	e.convolution = func(ctx context.Context, n int, opts []fft.Option) (*front.Products, error) {
		c, err := fft.NewConvolution(ctx, f, n, opts...)
		if err != nil {
			return nil, err
		}
		return front.ProductsOf(c), nil
	}
	return e, nil
}

// computing returns f with what element methods, rows and plans do, for elements that P points to.
func computing[P any](f pointer.Field[P], t pointer.Type[P], rows func(o erased.Row, z, x, y bulks.View),
	plans erased.Plans) *elements {
	size := t.Size
	at := func(v bulks.View, i int) P { return pointer.At(v.Buf.(P), (v.Off+i)*size) }
	bytes := func(v bulks.View) []byte {
		if v.N == 0 {
			return nil
		}
		return unsafe.Slice((*byte)(pointer.Raw(at(v, 0))), v.N*size)
	}
	// fresh gives dst new elements: what old ones point to may be somebody else's as well.
	fresh := func(dst bulks.View, set func(z P, i int)) {
		list := t.Make(dst.N)
		for i := range dst.N {
			z := pointer.At(list, i*size)
			set(z, i)
			t.Swap(at(dst, i), z)
		}
	}
	e := &elements{f: f, size: size}
	if c, ok := e.f.(interface{ ConvolutionCost(n int) float64 }); ok {
		e.cost = c.ConvolutionCost
	}
	e.operations = operations{
		make: func(n int) bulks.View { return bulks.View{Buf: t.Make(n), N: n} },
		copy: func(dst, src bulks.View) {
			if src = src.Slice(0, dst.N); t.Plain {
				copy(bytes(dst), bytes(src))
			} else {
				fresh(dst, func(z P, i int) { f.Set(z, at(src, i)) })
			}
		},
		zero: func(dst bulks.View) {
			if t.Plain {
				clear(bytes(dst))
			} else {
				fresh(dst, func(P, int) {})
			}
		},
		halves: func(n int) bulks.View {
			h := bulks.View{Buf: t.Make(n), N: n}
			first := at(h, 0)
			f.One(first)
			f.Add(first, first, first)
			if f.Inv(first, first) != nil {
				return bulks.View{}
			}
			for i := 1; i < n; i++ {
				f.Set(at(h, i), first)
			}
			return h
		},
		overlap: func(a, b bulks.View) bool {
			x, y := uintptr(pointer.Raw(a.Buf.(P))), uintptr(pointer.Raw(b.Buf.(P)))
			x, y = x+uintptr(a.Off*size), y+uintptr(b.Off*size)
			return a.N > 0 && b.N > 0 && x < y+uintptr(b.N*size) && y < x+uintptr(a.N*size)
		},
		add:          func(dst, x bulks.View) { rows(erased.AddRow, dst, dst, x) },
		sub:          func(dst, x bulks.View) { rows(erased.SubRow, dst, dst, x) },
		mul:          func(dst, x bulks.View) { rows(erased.MulRow, dst, dst, x) },
		firstInvalid: func(bulks.View) int { return -1 },
		plan: func(ctx context.Context, n int, opts []fft.Option) (plan, error) {
			p, err := plans.Plan(ctx, n, opts...)
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
	return e
}

// slice returns what a method that makes its result returns.
func slice[E any](v bulks.View, err error) ([]E, error) {
	if err != nil {
		return nil, err
	}
	return bulks.SliceOf[E](v), nil
}
