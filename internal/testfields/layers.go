package testfields

import (
	"context"
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/schemes"
)

// Layers wraps a field and stands for a back end with whole transforms: one layer of radix 2 after the other, over a
// bulk that runs element methods. Lengths other than powers of two, and schemes asked for by name, are left to package
// schemes.
type Layers[E any] struct{ field.Rooted[E] }

// Plan is that of field.Planner.
func (f Layers[E]) Plan(d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	b := &bulks.Slices[E]{Field: f.Rooted}
	if s.Algorithm != field.Auto || field.Length(d)&(field.Length(d)-1) != 0 {
		return schemes.Build[E](f, b, d, s)
	}
	return schemes.BuildWhole[E](f, b, d, s, func(p *schemes.Points) (schemes.Whole, error) { return newLayers(b, p) })
}

// layers holds the twiddle factors of both directions in bit-reversed order, and what elements are multiplied by before
// a forward transform, s^i, and after an inverse, s^−i/N.
type layers struct {
	b                         bulks.Bulk
	n                         int
	forward, inverse, in, out bulks.Table
}

func newLayers(b bulks.Bulk, p *schemes.Points) (schemes.Whole, error) {
	n := p.Len()
	half := max(n/2, 1)
	var roots, inverses, out []schemes.Factor
	for i := range half {
		e := int64(bits.Reverse64(uint64(i)) >> (65 - bits.Len(uint(half)))) // bits.Len(half)−1 bits, reversed
		roots = append(roots, schemes.Factor{Root: e})
		inverses = append(inverses, schemes.Factor{Root: -e})
	}
	for i := range n {
		out = append(out, schemes.Factor{Shift: -int64(i), Over: n})
	}
	if err := p.Take(3 * b.Bytes(n)); err != nil {
		return nil, err
	}
	l := &layers{b: b, n: n}
	if p.Shifted() {
		v, err := p.Powers(schemes.Factor{Shift: 1}, n)
		if err == nil {
			l.in, err = b.Table(v, bulks.Alone)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, t := range []struct {
		to   *bulks.Table
		list []schemes.Factor
	}{{&l.forward, roots}, {&l.inverse, inverses}, {&l.out, out}} {
		v, err := p.Elements(t.list...)
		if err == nil {
			*t.to, err = b.Table(v, bulks.Alone)
		}
		if err != nil {
			return nil, err
		}
	}
	return l, nil
}

func (l *layers) Cheapest() field.Order { return field.BitReversed }

func (l *layers) Run(ctx context.Context, v bulks.View, o field.Order, inverse bool) error {
	for off := 0; off < v.N; off += l.n {
		if err := ctx.Err(); err != nil {
			return err
		}
		if one := v.Slice(off, off+l.n); inverse {
			l.runInverse(one, o)
		} else {
			l.runForward(one, o)
		}
	}
	return nil
}

func (l *layers) runForward(v bulks.View, o field.Order) {
	if l.in != nil {
		l.in.Scale(v, 0, l.n, 1, 1)
	}
	for blocks := 1; blocks < l.n; blocks *= 2 {
		half := l.n / (2 * blocks)
		l.forward.Pass(v, bulks.Pass{Layers: 1}, bulks.NewRows(blocks, half, 1, 1))
	}
	if o == field.Natural {
		l.b.Reorder(v, 1, 0, 1)
	}
}

func (l *layers) runInverse(v bulks.View, o field.Order) {
	if o == field.Natural {
		l.b.Reorder(v, 1, 0, 1)
	}
	for blocks := l.n / 2; blocks > 0; blocks /= 2 {
		half := l.n / (2 * blocks)
		l.inverse.Pass(v, bulks.Pass{Layers: 1, How: bulks.Transposed}, bulks.NewRows(blocks, half, 1, 1))
	}
	l.out.Scale(v, 0, l.n, 1, 1)
}

func (l *layers) Report(r *field.Report) {
	r.Algorithm, r.Passes, r.Split = field.DepthFirst, []string{"layers of radix 2"}, []int{l.n}
	for _, t := range []bulks.Table{l.forward, l.inverse, l.in, l.out} {
		if t != nil {
			r.Tables += t.Bytes()
		}
	}
}
