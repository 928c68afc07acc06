package base

import (
	"math/bits"
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/cases"
	"github.com/galfft/fft/schemes/internal/choice"
	"github.com/galfft/fft/schemes/internal/core"
	"github.com/galfft/fft/schemes/internal/layers"
	"github.com/galfft/fft/schemes/internal/naive"
	"github.com/galfft/fft/schemes/internal/prime"
)

// alone is the scheme of a transform that is one case: in place, and reordered where natural order is asked.
//
// Where the case is layers that do not fit in cache it goes in steps, for workers, and to stop between them: the
// first pass by columns, then each part that it leaves. This is the four-step in place, with a few long rows, and with
// the twiddle factors in the multipliers of the tree.
type alone struct {
	f         field.Bulk
	n         int
	s         field.Spec
	algorithm field.Algorithm
	c         cases.Case
	l         *layers.Layers // c, where it is layers
	whole     *layers.Layers // c, where it goes in steps
	parts     int            // of c
	width     int            // columns of a step
	scale     field.Table    // 1/N
}

// Alone runs p as one case: lengths up to the base case, and primes, have nothing to split.
func Alone(b *cases.Build) (core.Scheme, error) {
	p := b.Problem
	a := &alone{f: p.F, n: p.D.N, s: p.S, algorithm: p.C.Algorithm, parts: 1}
	var err error
	switch p.C.Algorithm {
	case field.Bluestein:
		if a.c, err = prime.NewBluestein(b, p.D); err == nil && a.c == nil {
			p.C.Reason = "a prime length that is short, or for which there are neither roots nor convolutions"
			return naive.Build(p) // the passes of a prime case are slow on rows of single elements
		}
	case field.DepthFirst:
		a.c, err = layers.New(p, p.D, new(layers.Tables))
	default:
		a.c, err = b.New(p.D)
	}
	if err != nil {
		return nil, err
	}
	if a.l, _ = a.c.(*layers.Layers); a.l != nil && a.l.Top() > 1 {
		a.whole, a.parts = a.l, a.l.Top()
		const least = 64 // columns, for long runs of memory
		a.width = min(a.n/a.parts, 1<<(bits.Len(uint(max(least, 2*p.C.Cache/a.parts)))-1))
	}
	n, err := p.D.Factors(core.Factor{Over: p.D.N})
	if err != nil {
		return nil, err
	}
	a.scale, err = p.F.Table(n)
	return a, err
}

func (a *alone) Cheapest() field.Order { return cases.Cheapest(a.n) }

// Steps is that of the phase with the fewest: more tasks than parts would wait in it.
func (a *alone) Steps() int { return a.parts }

func (a *alone) Bind(c *core.Call, o field.Order) (forward, inverse []core.Phase, err error) {
	if a.whole == nil {
		forward, inverse = a.bindOne(c, o)
		return forward, inverse, nil
	}
	row := a.n / a.parts
	part := func(v core.View, i int) core.View { return v.Slice(i*row, (i+1)*row) }
	columns := func(do func(from, to int)) core.Phase {
		return core.Phase{Steps: row / a.width, Do: func(j, _ int) { do(j*a.width, (j+1)*a.width) }}
	}
	parts := func(do func(i int)) core.Phase {
		return core.Phase{Steps: a.parts, Do: func(i, _ int) { do(i) }}
	}
	forward = []core.Phase{
		columns(func(from, to int) {
			if !c.InPlace {
				cut := func(v core.View) core.View { return v.Slice(from, a.n-row+to) }
				a.f.Copy(cut(c.Out), cut(c.In), field.Copy{Rows: a.parts, Width: to - from, Dst: row, Src: row})
			}
			a.whole.Columns(c.Out, from, to)
		}),
		parts(func(i int) { a.whole.Part(&c.Watch, part(c.Out, i), i, c.Reduce) }),
	}
	move := parts(func(i int) { a.f.Copy(part(c.Out, i), part(c.In, i), field.Copy{Rows: 1, Width: row}) })
	move.If = func() bool { return !c.InPlace }
	inverse = []core.Phase{
		move,
		parts(func(i int) { a.whole.PartInverse(&c.Watch, part(c.Out, i), i) }),
		columns(func(from, to int) { a.whole.ColumnsInverse(c.Out, from, to, a.scale, c.Reduce) }),
	}
	if o == field.Natural {
		reorder := parts(func(i int) { a.f.Reorder(c.Out, i, a.parts) })
		forward = append(forward, reorder)
		inverse = []core.Phase{move, reorder, inverse[1], inverse[2]}
	}
	return forward, inverse, nil
}

func (a *alone) bindOne(c *core.Call, o field.Order) (forward, inverse []core.Phase) {
	one := func(backward bool) []core.Phase {
		return []core.Phase{{Steps: 1, Do: func(int, int) {
			if !c.InPlace {
				a.f.Copy(c.Out, c.In, field.Copy{Rows: 1, Width: a.n})
			}
			a.run(&c.Watch, c.Out, 1, o, backward, c.Reduce)
		}}}
	}
	return one(false), one(true)
}

// Immediate reports whether calls take one step, and whether that is over before a cancellation matters.
func (a *alone) Immediate() (one, now bool) {
	const most, factor = 1 << 12, 1 << 6
	one = a.whole == nil
	return one, one && (a.n&(a.n-1) == 0 || a.n <= most && choice.LargestFactor(a.n) <= factor)
}

// Now transforms count vectors, one after the other in v.
func (a *alone) Now(v core.View, count int, o field.Order, inverse, canonical bool) {
	a.run(nil, v, count, o, inverse, canonical)
}

func (a *alone) run(w *core.Watch, v core.View, count int, o field.Order, inverse, canonical bool) {
	if inverse {
		a.reorder(v, count, o)
	}
	switch {
	case a.l != nil && !inverse:
		a.l.Each(v, count, canonical)
	case a.l != nil:
		a.l.EachInverse(v, count, a.scale, canonical)
	default:
		for i := range count {
			a.Columns(w, v.Slice(i*a.n, (i+1)*a.n), 1, inverse, canonical)
		}
	}
	if !inverse {
		a.reorder(v, count, o)
	}
}

// reorder takes count vectors between the order of the case and o.
func (a *alone) reorder(v core.View, count int, o field.Order) {
	if o == a.Cheapest() {
		return
	}
	for i := range count {
		a.f.Reorder(v.Slice(i*a.n, (i+1)*a.n), 0, 1)
	}
}

// Columns transforms the columns of N rows of width elements, in the order of the case.
func (a *alone) Columns(w *core.Watch, v core.View, width int, inverse, canonical bool) {
	if inverse {
		a.c.Inverse(w, v, width, a.scale, canonical)
	} else {
		a.c.Forward(w, v, width, canonical)
	}
}

func (a *alone) Report(r *field.Report, o field.Order) {
	r.Algorithm, r.Split, r.Passes = a.algorithm, a.c.Sizes(), a.c.Passes(1)
	if o != a.Cheapest() {
		r.Passes = append(r.Passes, "bit reversal")
	}
	r.Base = slices.Max(r.Split)
	if b, ok := a.c.(interface{ Form() string }); ok {
		r.Form += "; " + b.Form()
	}
	r.Tables = a.c.Bytes() + a.scale.Bytes()
	r.Scratch = a.c.Scratch(1)
	if a.s.Strip != 0 || a.s.Twiddles != field.AutoTwiddles {
		r.Ignored = "strip and twiddles: a base case has none"
	}
}
