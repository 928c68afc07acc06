package depthfirst

import (
	"math/bits"
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/schemes/additive"
	"github.com/galfft/fft/schemes/internal/cases"
)

// alone is the scheme of a transform that is one case: in place, and reordered where natural order is asked.
//
// Where the case is layers that do not fit in cache it goes in steps, for workers, and to stop between them: the
// first pass by columns, then each part that it leaves. This is the four-step in place, with a few long rows, and with
// the twiddle factors in the multipliers of the tree. Where that are not parts enough for the workers, the first passes
// of all parts go by columns as well.
type alone struct {
	f         bulks.Bulk
	n         int
	s         field.Spec
	algorithm field.Algorithm
	c         cases.Case
	l         *layers         // c, where it is layers
	cut       choice.Cut      // of layers
	scale     bulks.Table     // the gain; nil: there is none
	order     field.Order     // of the case
	basis     *additive.Basis // in which c takes coefficients; nil: callers have that
}

// Build makes the scheme of a problem. Like all that is here, it is for packages of this module, and does not check
// what it gets.
func Build(b *cases.Build) (engine.Scheme, error) {
	c, err := New(b.Problem, b.D, new(Tables))
	if err != nil {
		return nil, err
	}
	return Alone(b, c)
}

// Alone is the scheme of a transform that is one case: lengths up to the base case, and primes, have nothing to split.
func Alone(b *cases.Build, c cases.Case) (engine.Scheme, error) {
	p := b.Problem
	a := &alone{f: p.F, n: p.D.N, s: p.S, algorithm: p.C.Algorithm, c: c, cut: choice.Cut{Parts: 1},
		order: p.D.Cheapest()}
	var err error
	if a.l, _ = c.(*layers); a.l != nil {
		a.cut = a.l.passes.Cut(a.n, p.C.Tasks)
	}
	if a.scale, err = p.D.Gain(p); err == nil && p.D.Subspace != nil && p.S.Coefficients == field.Monomial {
		a.basis, err = additive.New(b, p.D)
	}
	return a, err
}

func (a *alone) Cheapest() field.Order { return a.order }

// Steps is that of the phase with the fewest: more tasks than parts would wait in it.
func (a *alone) Steps() int { return a.cut.Parts }

func (a *alone) Bind(c *engine.Call, o field.Order) (forward, inverse []engine.Phase, err error) {
	if len(a.cut.Levels) == 0 {
		forward, inverse = a.bindOne(c, o)
		return forward, inverse, nil
	}
	row := a.n / a.cut.Parts
	part := func(v engine.View, i int) engine.View { return v.Slice(i*row, (i+1)*row) }
	parts := func(do func(i int)) engine.Phase {
		return engine.Phase{Steps: a.cut.Parts, Do: func(i, _ int) { do(i) }}
	}
	one := func(do func()) engine.Phase { return engine.Phase{Steps: 1, Do: func(int, int) { do() }} }
	move := func(i int) {
		if !c.InPlace {
			a.f.Copy(part(c.Out, i), part(c.In, i), bulks.Copy{Rows: 1, Width: row})
		}
	}
	// The last shares have most to do: an element changes places with one that stands after it, and those of the first
	// shares stand there.
	last := bits.Len(uint(a.cut.Shares)) - 1
	reorder := engine.Phase{Steps: a.cut.Shares, Do: func(i, _ int) {
		a.f.Reorder(c.Out, bulks.Rev(a.cut.Shares-1-i, last), a.cut.Shares)
	}}
	for i := range a.cut.Levels {
		forward = append(forward, a.columns(c, i))
	}
	forward = append(forward, parts(func(i int) { a.l.Part(&c.Watch, part(c.Out, i), i, a.cut.Parts, c.Reduce) }))
	up := func(i int) { a.l.PartInverse(&c.Watch, part(c.Out, i), i, a.cut.Parts) }
	if o != a.order {
		forward = append(forward, reorder)
		copied := parts(move)
		copied.If = func() bool { return !c.InPlace }
		inverse = []engine.Phase{copied, reorder, parts(up)}
	} else {
		inverse = []engine.Phase{parts(func(i int) {
			move(i)
			up(i)
		})}
	}
	for i := range slices.Backward(a.cut.Levels) {
		inverse = append(inverse, a.columnsInverse(c, i))
	}
	if a.basis != nil {
		forward = append([]engine.Phase{parts(move), one(func() { a.basis.Enter(&c.Watch, c.Out, 1) })}, forward...)
		inverse = append(inverse, one(func() { a.basis.Leave(&c.Watch, c.Out, 1) }))
	}
	return forward, inverse, nil
}

// ofStep is what a step of a pass by columns works on: columns from to to of part i.
func ofStep(l *choice.Level, v engine.View, step int) (part engine.View, i, from, to int) {
	steps := l.Row / l.Width
	i, from = step/steps, step%steps*l.Width
	return v.Slice(i*l.Part, (i+1)*l.Part), i, from, from + l.Width
}

// columns is a pass by columns; the first one moves them.
func (a *alone) columns(c *engine.Call, k int) engine.Phase {
	l := &a.cut.Levels[k]
	return engine.Phase{Steps: l.Steps(), Do: func(step, _ int) {
		v, i, from, to := ofStep(l, c.Out, step)
		if k == 0 && !c.InPlace && a.basis == nil {
			cut := func(v engine.View) engine.View { return v.Slice(from, a.n-l.Row+to) }
			a.f.Copy(cut(c.Out), cut(c.In), bulks.Copy{Rows: l.Top, Width: l.Width, Dst: l.Row, Src: l.Row})
		}
		a.l.Columns(v, i, l.Parts, from, to)
	}}
}

// columnsInverse is its inverse; the one of the first ends the transform.
func (a *alone) columnsInverse(c *engine.Call, k int) engine.Phase {
	l := &a.cut.Levels[k]
	return engine.Phase{Steps: l.Steps(), Do: func(step, _ int) {
		v, i, from, to := ofStep(l, c.Out, step)
		if k == 0 {
			a.l.ColumnsInverse(v, i, l.Parts, from, to, a.scale, c.Reduce)
		} else {
			a.l.ColumnsInverse(v, i, l.Parts, from, to, nil, false)
		}
	}}
}

func (a *alone) bindOne(c *engine.Call, o field.Order) (forward, inverse []engine.Phase) {
	one := func(backward bool) []engine.Phase {
		return []engine.Phase{{Steps: 1, Do: func(int, int) {
			if !c.InPlace {
				a.f.Copy(c.Out, c.In, bulks.Copy{Rows: 1, Width: a.n})
			}
			a.run(&c.Watch, c.Out, 1, o, backward, c.Reduce)
		}}}
	}
	return one(false), one(true)
}

// Immediate reports whether calls take one step, and whether that is over before a cancellation matters.
func (a *alone) Immediate() (one, now bool) {
	const most, factor = 1 << 12, 1 << 6
	one = len(a.cut.Levels) == 0
	return one, one && (a.n&(a.n-1) == 0 || a.n <= most && choice.LargestFactor(a.n) <= factor)
}

// Now transforms count vectors, one after the other in v.
func (a *alone) Now(v engine.View, count int, o field.Order, inverse, canonical bool) {
	a.run(nil, v, count, o, inverse, canonical)
}

func (a *alone) run(w *engine.Watch, v engine.View, count int, o field.Order, inverse, canonical bool) {
	if inverse {
		a.reorder(v, count, o)
	} else {
		a.each(v, count, func(v engine.View) { a.basis.Enter(w, v, 1) })
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
	} else {
		a.each(v, count, func(v engine.View) { a.basis.Leave(w, v, 1) })
	}
}

// each changes the basis of count vectors, where there is another one.
func (a *alone) each(v engine.View, count int, do func(v engine.View)) {
	for i := 0; i < count && a.basis != nil; i++ {
		do(v.Slice(i*a.n, (i+1)*a.n))
	}
}

// reorder takes count vectors between the order of the case and o.
func (a *alone) reorder(v engine.View, count int, o field.Order) {
	if o == a.Cheapest() {
		return
	}
	for i := range count {
		a.f.Reorder(v.Slice(i*a.n, (i+1)*a.n), 0, 1)
	}
}

// Columns transforms the columns of N rows of width elements, in the order of the case.
func (a *alone) Columns(w *engine.Watch, v engine.View, width int, inverse, canonical bool) {
	if !inverse {
		if a.basis != nil {
			a.basis.Enter(w, v, width)
		}
		a.c.Forward(w, v, width, canonical)
		return
	}
	a.c.Inverse(w, v, width, a.scale, canonical)
	if a.basis != nil {
		a.basis.Leave(w, v, width)
	}
}

func (a *alone) Report(r *field.Report, o field.Order) {
	r.Algorithm, r.Split, r.Passes = a.algorithm, a.c.Sizes(), a.c.Passes(1)
	r.Coefficients = a.s.Coefficients
	if a.l != nil {
		var tops []int
		for _, l := range a.cut.Levels {
			tops = append(tops, l.Top)
		}
		r.Passes = a.l.PassesAfter(tops, 1)
	}
	if o != a.Cheapest() {
		r.Passes = append(r.Passes, "bit reversal")
	}
	r.Base = slices.Max(r.Split)
	if b, ok := a.c.(interface{ Form() string }); ok {
		r.Form += "; " + b.Form()
	}
	r.Tables, r.Scratch = a.c.Bytes(), a.c.Scratch(1)
	if a.scale != nil {
		r.Tables += a.scale.Bytes()
	}
	if a.basis != nil {
		r.Passes = append(a.basis.Passes(), r.Passes...)
		r.Tables += a.basis.Bytes()
		r.Scratch += a.basis.Scratch(1)
	}
	if a.s.Strip != 0 || a.s.Twiddles != field.AutoTwiddles {
		r.Ignored = "strip and twiddles: a base case has none"
	}
}
