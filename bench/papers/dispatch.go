package main

import (
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/smallprime"
)

// dispatch (B-6) runs the three schemes with all base cases, and calls the operations of the field in three ways: as
// methods of a concrete type, which the compiler puts in line, of a type parameter, and of an interface. Beside them
// are the literal forms, which call by an interface too and have straight-line base cases, and transforms whose field
// takes whole rows in a call (shipped), or that run by element methods.
func dispatch(s *session) error {
	f := smallprime.P1()
	return s.pinned(1, func() error {
		for e := max(2, s.least&^1); e <= min(20, s.most); e += 2 {
			if !s.takes(e) {
				continue
			}
			t, err := newData(f, 1<<e)
			if err != nil {
				return err
			}
			rows, err := t.forward(s, shipped, form{})
			if err != nil {
				return err
			}
			elements, err := t.forward(s, "element methods", form{Spec: field.Spec{NoPlanner: true}})
			if err != nil {
				return err
			}
			all := []contender{rows, elements}
			c := newCalls(t)
			for _, base := range s.kernels {
				if base > t.d.N {
					continue
				}
				for _, a := range literals {
					l := line{Field: f.Name(), Contender: a.String(), N: t.d.N, Base: base}
					printed, err := t.forward(s, a.String(), literalOf(a, base, 1))
					if err != nil {
						return err
					}
					printed.What = "literal"
					all = append(all, printed)
					for _, w := range callWays(f) {
						l.What = w.name
						all = append(all, contender{line: l, run: func() error { c.run(w, a, base); return nil }})
					}
				}
			}
			if err := s.measure(all...); err != nil {
				return err
			}
		}
		return nil
	})
}

// levels are the factors of blocks of 2, 4, …, N points.
func levels(t *data[uint32]) (w [][]uint32) {
	for m := 2; m <= t.d.N; m *= 2 {
		var root uint32
		t.f.Set(&root, &t.d.Root)
		for range bits.Len(uint(t.d.N/m)) - 1 {
			t.f.Mul(&root, &root, &root)
		}
		z := make([]uint32, m/2)
		t.f.One(&z[0])
		for i := 1; i < len(z); i++ {
			t.f.Mul(&z[i], &z[i-1], &root)
		}
		w = append(w, z)
	}
	return w
}

// callWay is one way to call: the loops of the schemes that call the field. p is for a product.
type callWay struct {
	name string
	// butterflies sets (yᵢ, yᵢ₊ₕ) = (xᵢ + wᵢxᵢ₊ₕ, xᵢ − wᵢxᵢ₊ₕ) in all blocks of 2h = 2·len(w) elements; y may be x.
	butterflies func(y, x, w []uint32, p *uint32)
	// multiply sets xᵢ₊ₕ = wᵢxᵢ₊ₕ in them.
	multiply func(x, w []uint32)
	// pairs sets (x₂ᵢ, x₂ᵢ₊₁) to their sum and difference.
	pairs func(x []uint32, p *uint32)
	// cases does base cases: the levels of blocks of 2, 4, …, 2^len(w), for each longest block in turn.
	cases func(x []uint32, w [][]uint32, p *uint32)
}

func callWays(f *smallprime.Field32) []callWay {
	return []callWay{
		{"concrete",
			func(y, x, w []uint32, p *uint32) { concrete(f, y, x, w, p) },
			func(x, w []uint32) { concreteMultiply(f, x, w) },
			func(x []uint32, p *uint32) { concretePairs(f, x, p) },
			func(x []uint32, w [][]uint32, p *uint32) { concreteCases(f, x, w, p) }},
		{"type parameter",
			func(y, x, w []uint32, p *uint32) { parameter(f, y, x, w, p) },
			func(x, w []uint32) { parameterMultiply(f, x, w) },
			func(x []uint32, p *uint32) { parameterPairs(f, x, p) },
			func(x []uint32, w [][]uint32, p *uint32) { parameterCases(f, x, w, p) }},
		{"interface",
			func(y, x, w []uint32, p *uint32) { dynamic(f, y, x, w, p) },
			func(x, w []uint32) { dynamicMultiply(f, x, w) },
			func(x []uint32, p *uint32) { dynamicPairs(f, x, p) },
			func(x []uint32, w [][]uint32, p *uint32) { dynamicCases(f, x, w, p) }},
	}
}

// calls is one length of the schemes, which are the same for all ways to call.
type calls struct {
	t       *data[uint32]
	w       [][]uint32 // of levels
	scratch []uint32
	rev     []int // places of the input
	p       *uint32
}

func newCalls(t *data[uint32]) *calls {
	c := &calls{t, levels(t), make([]uint32, t.d.N), make([]int, t.d.N), new(uint32)}
	for i := range c.rev {
		c.rev[i] = bulks.Rev(i, len(c.w))
	}
	return c
}

// run transforms t.x to t.y, in natural order. The pre-shuffle and the order of the points in base cases are one
// permutation, which reverses bits.
func (c *calls) run(f callWay, a field.Algorithm, base int) {
	x, y := c.t.y, c.scratch
	for i, j := range c.rev {
		x[i] = c.t.x[j]
	}
	inner := bits.Len(uint(base)) - 1
	f.cases(x, c.w[:inner], c.p)
	for _, w := range c.w[inner:] {
		switch h := len(w); a {
		case field.SixStep:
			f.multiply(x, w)
			transposed(y, x, 2, h)
			f.pairs(y, c.p)
			transposed(x, y, h, 2)
		case field.SixStepMerged:
			f.butterflies(y, x, w, c.p)
			copy(x, y)
		default:
			f.butterflies(x, x, w, c.p)
		}
	}
}

// transposed transposes all blocks of rows × columns elements.
func transposed(dst, src []uint32, rows, columns int) {
	for n := rows * columns; len(src) > 0; dst, src = dst[n:], src[n:] {
		for i := range rows {
			for j := range columns {
				dst[j*rows+i] = src[i*columns+j]
			}
		}
	}
}

// The loops are one text, for the compiler to treat in three ways.

func concrete(f *smallprime.Field32, y, x, w []uint32, p *uint32) {
	h := len(w)
	for o := 0; o < len(x); o += 2 * h {
		a, b, c, d := x[o:][:h], x[o+h:][:h], y[o:][:h], y[o+h:][:h]
		for z := range w {
			f.Mul(p, &b[z], &w[z])
			f.Sub(&d[z], &a[z], p)
			f.Add(&c[z], &a[z], p)
		}
	}
}

func concreteMultiply(f *smallprime.Field32, x, w []uint32) {
	h := len(w)
	for o := h; o < len(x); o += 2 * h {
		b := x[o:][:h]
		for z := range w {
			f.Mul(&b[z], &b[z], &w[z])
		}
	}
}

func concretePairs(f *smallprime.Field32, x []uint32, p *uint32) {
	for ; len(x) > 1; x = x[2:] {
		f.Sub(p, &x[0], &x[1])
		f.Add(&x[0], &x[0], &x[1])
		f.Set(&x[1], p)
	}
}

func concreteCases(f *smallprime.Field32, x []uint32, levels [][]uint32, p *uint32) {
	for n := 1 << len(levels); len(x) > 0; x = x[n:] {
		for _, w := range levels {
			concrete(f, x[:n], x[:n], w, p)
		}
	}
}

func parameter[E any, F field.Field[E]](f F, y, x, w []E, p *E) {
	h := len(w)
	for o := 0; o < len(x); o += 2 * h {
		a, b, c, d := x[o:][:h], x[o+h:][:h], y[o:][:h], y[o+h:][:h]
		for z := range w {
			f.Mul(p, &b[z], &w[z])
			f.Sub(&d[z], &a[z], p)
			f.Add(&c[z], &a[z], p)
		}
	}
}

func parameterMultiply[E any, F field.Field[E]](f F, x, w []E) {
	h := len(w)
	for o := h; o < len(x); o += 2 * h {
		b := x[o:][:h]
		for z := range w {
			f.Mul(&b[z], &b[z], &w[z])
		}
	}
}

func parameterPairs[E any, F field.Field[E]](f F, x []E, p *E) {
	for ; len(x) > 1; x = x[2:] {
		f.Sub(p, &x[0], &x[1])
		f.Add(&x[0], &x[0], &x[1])
		f.Set(&x[1], p)
	}
}

func parameterCases[E any, F field.Field[E]](f F, x []E, levels [][]E, p *E) {
	for n := 1 << len(levels); len(x) > 0; x = x[n:] {
		for _, w := range levels {
			parameter(f, x[:n], x[:n], w, p)
		}
	}
}

func dynamic(f field.Field[uint32], y, x, w []uint32, p *uint32) {
	h := len(w)
	for o := 0; o < len(x); o += 2 * h {
		a, b, c, d := x[o:][:h], x[o+h:][:h], y[o:][:h], y[o+h:][:h]
		for z := range w {
			f.Mul(p, &b[z], &w[z])
			f.Sub(&d[z], &a[z], p)
			f.Add(&c[z], &a[z], p)
		}
	}
}

func dynamicMultiply(f field.Field[uint32], x, w []uint32) {
	h := len(w)
	for o := h; o < len(x); o += 2 * h {
		b := x[o:][:h]
		for z := range w {
			f.Mul(&b[z], &b[z], &w[z])
		}
	}
}

func dynamicPairs(f field.Field[uint32], x []uint32, p *uint32) {
	for ; len(x) > 1; x = x[2:] {
		f.Sub(p, &x[0], &x[1])
		f.Add(&x[0], &x[0], &x[1])
		f.Set(&x[1], p)
	}
}

func dynamicCases(f field.Field[uint32], x []uint32, levels [][]uint32, p *uint32) {
	for n := 1 << len(levels); len(x) > 0; x = x[n:] {
		for _, w := range levels {
			dynamic(f, x[:n], x[:n], w, p)
		}
	}
}
