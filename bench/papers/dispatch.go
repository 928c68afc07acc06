package main

import (
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
)

// dispatch (B-6) runs one loop of butterflies, the four-step on base cases of two points, with its operations called in
// three ways: as methods of a concrete type, which the compiler puts in line, of a type parameter, and of an interface.
// Beside them are transforms whose field takes whole rows in a call (shipped), or by element methods of the same
// schemes.
func dispatch(s *session) error {
	f := smallprime.P1()
	return s.pinned(1, func() error {
		for e := max(2, s.least&^1); e <= min(20, s.most); e += 2 {
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
			printed, err := t.forward(s, "literal", literalOf(field.FourStep, min(32, t.d.N), 1))
			if err != nil {
				return err
			}
			w, p := levels(t), new(uint32)
			loop := func(name string, do func(x []uint32)) contender {
				return contender{line: line{Field: f.Name(), Contender: name, What: "loop", N: t.d.N},
					run: func() error { do(t.y); return nil }}
			}
			copy(t.y, t.x)
			if err := s.measure(rows, elements, printed,
				loop("concrete", func(x []uint32) { concrete(f, x, w, p) }),
				loop("type parameter", func(x []uint32) { parameter(f, x, w, p) }),
				loop("interface", func(x []uint32) { dynamic(f, x, w, p) })); err != nil {
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

// The three loops are one text, for the compiler to treat in three ways. p is for a product.

func concrete(f *smallprime.Field32, x []uint32, levels [][]uint32, p *uint32) {
	for _, w := range levels {
		h := len(w)
		for o := 0; o < len(x); o += 2 * h {
			a, b := x[o:][:h], x[o+h:][:h]
			for z := range w {
				f.Mul(p, &b[z], &w[z])
				f.Sub(&b[z], &a[z], p)
				f.Add(&a[z], &a[z], p)
			}
		}
	}
}

func parameter[E any, F field.Field[E]](f F, x []E, levels [][]E, p *E) {
	for _, w := range levels {
		h := len(w)
		for o := 0; o < len(x); o += 2 * h {
			a, b := x[o:][:h], x[o+h:][:h]
			for z := range w {
				f.Mul(p, &b[z], &w[z])
				f.Sub(&b[z], &a[z], p)
				f.Add(&a[z], &a[z], p)
			}
		}
	}
}

func dynamic(f field.Field[uint32], x []uint32, levels [][]uint32, p *uint32) {
	for _, w := range levels {
		h := len(w)
		for o := 0; o < len(x); o += 2 * h {
			a, b := x[o:][:h], x[o+h:][:h]
			for z := range w {
				f.Mul(p, &b[z], &w[z])
				f.Sub(&b[z], &a[z], p)
				f.Add(&a[z], &a[z], p)
			}
		}
	}
}
