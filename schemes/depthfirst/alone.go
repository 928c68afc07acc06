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
	tasks     int             // that share a call
	heads     bool            // polynomials that end in zeros take less
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
		a.cut = a.l.passes.Cut(a.n, 1, p.C.Tasks)
	}
	if a.scale, err = p.D.Gain(p); err == nil && p.D.Subspace != nil && p.S.Coefficients == field.Monomial {
		a.basis, err = additive.New(b, p.D)
		a.tasks = max(1, min(p.C.Tasks, a.Steps()))
	}
	a.heads = a.l != nil && p.D.Subspace != nil
	return a, err
}

func (a *alone) Cheapest() field.Order { return a.order }

// Steps is that of the phase with the fewest: more tasks than parts would wait in it.
func (a *alone) Steps() int { return a.cut.Parts }

func (a *alone) Bind(c *engine.Call, o field.Order) (forward, inverse []engine.Phase, err error) {
	return a.bind(c, o, nil)
}

// BindEdges is Bind with steps that pack and unpack: the first ones that join rows, and the parts.
func (a *alone) BindEdges(c *engine.Call, o field.Order, e *engine.Edges) (forward, inverse []engine.Phase, err error) {
	if len(a.cut.Levels) == 0 || o != a.order || a.basis != nil && a.basis.Joins(c.Tasks) || !a.tiled(&a.cut, 1) {
		forward, inverse, err = a.bind(c, o, nil)
		return e.Around(forward), e.Around(inverse), err
	}
	return a.bind(c, o, e)
}

func (a *alone) bind(c *engine.Call, o field.Order, e *engine.Edges) (forward, inverse []engine.Phase, err error) {
	if len(a.cut.Levels) == 0 {
		forward, inverse = a.bindOne(c, o)
		return forward, inverse, nil
	}
	m := steps{a, &a.cut, 1, nil, e}
	// The last shares have most to do: an element changes places with one that stands after it, and those of the first
	// shares stand there.
	last := bits.Len(uint(a.cut.Shares)) - 1
	reorder := engine.Phase{Steps: a.cut.Shares, Do: func(i, _ int) {
		a.f.Reorder(c.Out, 1, bulks.Rev(a.cut.Shares-1-i, last), a.cut.Shares)
	}}
	forward = m.layers(c)
	if a.basis != nil {
		forward = append(a.basis.Phases(c, false), forward...)
	}
	joins := a.basis != nil && a.basis.Joins(c.Tasks)
	var room engine.View
	if joins {
		if room, err = a.basis.Room(c.Tasks); err != nil {
			return nil, nil, err
		}
		joined := a.basis.Joined(c, room, joint{a, false}, false)
		short := func() bool { return a.head(c) < a.n }
		forward = append(when(short, forward), when(func() bool { return !short() }, joined)...)
	}
	forward = append(m.begun(c), forward...)
	moved := m.parts(func(i, _ int) { m.move(c, i) })
	if o != a.order {
		forward = append(forward, reorder)
		copied := moved
		copied.If = func() bool { return !c.InPlace }
		inverse = []engine.Phase{copied, reorder}
	}
	if joins {
		return forward, append(inverse, a.basis.Joined(c, room, joint{a, o == a.order}, true)...), nil
	}
	inverse = append(inverse, m.inverse(c, o == a.order)...)
	if a.basis != nil {
		inverse = append(inverse, a.basis.Phases(c, true)...)
		if e != nil {
			inverse = append(inverse, e.Unpacked)
		}
	}
	return forward, inverse, nil
}

func (a *alone) bindOne(c *engine.Call, o field.Order) (forward, inverse []engine.Phase) {
	one := func(backward bool) []engine.Phase {
		return []engine.Phase{{Steps: 1, Do: func(int, int) {
			head := a.head(c)
			if !c.InPlace {
				a.f.Copy(c.Out, c.In, bulks.Copy{Rows: 1, Width: head})
			}
			if head < a.n {
				a.forward(&c.Watch, c.Out, head, 1, c.Reduce)
				a.reorder(c.Out, 1, o)
				return
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

// NowInto is Now of what src has, into dst; it reports whether it serves.
func (a *alone) NowInto(dst, src engine.View, o field.Order, canonical bool) bool {
	if a.l == nil || a.basis != nil || !a.l.Into(dst, src, canonical) {
		return false
	}
	a.reorder(dst, 1, o)
	return true
}

func (a *alone) run(w *engine.Watch, v engine.View, count int, o field.Order, inverse, canonical bool) {
	if inverse {
		a.reorder(v, count, o)
	}
	switch {
	case a.l == nil || !inverse && a.heads && a.l.passes.Heads(a.n, 1) < a.n:
		for i := range count {
			a.Columns(w, v.Slice(i*a.n, (i+1)*a.n), 1, inverse, canonical)
		}
	case !inverse:
		if a.basis != nil {
			a.each(v, count, func(v engine.View) { a.basis.Enter(w, v, a.n, 1) })
		}
		a.l.Each(v, count, canonical)
	default:
		a.l.EachInverse(v, count, a.scale, canonical)
		if a.basis != nil {
			a.each(v, count, func(v engine.View) { a.basis.Leave(w, v, 1) })
		}
	}
	if !inverse {
		a.reorder(v, count, o)
	}
}

// each calls do for each of count vectors.
func (a *alone) each(v engine.View, count int, do func(v engine.View)) {
	for i := range count {
		do(v.Slice(i*a.n, (i+1)*a.n))
	}
}

// reorder takes count vectors between the order of the case and o.
func (a *alone) reorder(v engine.View, count int, o field.Order) {
	if o == a.Cheapest() {
		return
	}
	for i := range count {
		a.f.Reorder(v.Slice(i*a.n, (i+1)*a.n), 1, 0, 1)
	}
}

// Columns transforms the columns of N rows of width elements, in the order of the case.
func (a *alone) Columns(w *engine.Watch, v engine.View, width int, inverse, canonical bool) {
	if !inverse {
		head := a.n
		if a.heads {
			head = engine.Head(w.Context(), a.f, v, a.n, a.l.passes.Heads(a.n, width))
		}
		a.forward(w, v, head, width, canonical)
		return
	}
	a.c.Inverse(w, v, width, a.scale, canonical)
	if a.basis != nil {
		a.basis.Leave(w, v, width)
	}
}

// forward is the transform of polynomials that are 0 behind their head.
func (a *alone) forward(w *engine.Watch, v engine.View, head, width int, canonical bool) {
	if a.basis != nil {
		a.basis.Enter(w, v, head, width)
	}
	if head < a.n {
		a.l.spread(w, v, v.Slice(0, head*width), 0, 1, width, canonical)
		return
	}
	a.c.Forward(w, v, width, canonical)
}

// Least is the shortest head of the columns of rows of width elements, of which the scheme makes use. It is for plans:
// traits take memory.
func (a *alone) Least(width int) int {
	if !a.heads {
		return a.n
	}
	passes := a.ofColumns(width)
	return passes.Heads(a.n, width)
}

// head is the one of a call.
func (a *alone) head(c *engine.Call) int {
	if c.Head == 0 {
		return a.n
	}
	return c.Head
}

func (a *alone) Report(r *field.Report, o field.Order) {
	r.Algorithm, r.Split, r.Passes = a.algorithm, a.c.Sizes(), a.c.Passes(1)
	r.Coefficients = a.s.Coefficients
	if least := a.Least(1); least < a.n {
		r.Head = least
	}
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
		r.Scratch += a.basis.Scratch(1, a.tasks)
	}
	if a.s.Strip != 0 || a.s.Twiddles != field.AutoTwiddles {
		r.Ignored = "strip and twiddles: a base case has none"
	}
}
