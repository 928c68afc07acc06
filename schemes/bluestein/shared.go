package bluestein

import (
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/cases"
)

// shared is Bluestein's algorithm as phases, whose steps workers share: the factors at the input, the phases of the
// transforms of length L with the products between them, and the factors at the output. Convolutions of the field's
// own are one step, whose transforms have the workers.
type shared struct {
	*bluestein
	asked field.Spec
	scale bulks.Table // 1/N
}

// Build makes the scheme of a problem for several tasks; build makes that of the transforms of length L.
func Build(b *cases.Build, build engine.Builder) (engine.Scheme, error) {
	d := b.D
	c, err := newBluestein(b, d, build)
	if err != nil {
		return nil, err
	}
	n, err := d.Factors(engine.Factor{Over: d.N})
	if err != nil {
		return nil, err
	}
	scale, err := c.f.Table(n, bulks.Alone)
	return &shared{c, b.S, scale}, err
}

// shareOf is how many of the L elements a step of the factors and the products takes: whole tiles, and so few steps
// that one pays.
func shareOf(l int) int {
	const least, steps = 1 << 9, 1 << 8
	return min(l, max(least, l/steps))
}

// newValues is the values of h at the L-th roots of unity, in the cheapest order of the scheme that transforms it.
func newValues(p *engine.Problem, s engine.Scheme, h engine.View) (*pointwise, error) {
	outer := &engine.Call{Tasks: 1}
	forward, _, err := s.Bind(outer.Inside(h), s.Cheapest())
	if err != nil {
		return nil, err
	}
	for _, phase := range forward {
		if phase.If != nil && !phase.If() {
			continue
		}
		for i := range phase.Steps {
			if err := p.M.Err(); err != nil {
				return nil, err
			}
			phase.Do(i, 0)
		}
	}
	if err := outer.Err(); err != nil {
		return nil, err
	}
	p.F.Reduce(h)
	t, err := p.F.Table(h, bulks.Alone)
	return &pointwise{l: h.N, values: t}, err
}

func (s *shared) Cheapest() field.Order { return field.Natural }

func (s *shared) Steps() int {
	steps := s.l / s.chunk
	if s.inner != nil {
		return min(steps, s.inner.Steps())
	}
	return steps
}

func (s *shared) Bind(c *engine.Call, _ field.Order) (forward, inverse []engine.Phase, err error) {
	x, err := s.f.Make(s.l)
	if err != nil {
		return nil, nil, err
	}
	var down, up []engine.Phase
	if s.inner != nil {
		if down, up, err = s.inner.Bind(c.Inside(x), s.inner.Cheapest()); err != nil {
			return nil, nil, err
		}
	}
	all := func(t *chirp, by bulks.Table) []engine.Phase {
		phases := []engine.Phase{s.phase(s.l, func(from, to int) { s.enter(t, x, c.In, from, to) })}
		if p, ok := t.by.(*pointwise); ok {
			product := s.phase(s.l, func(from, to int) { p.values.Scale(x.Slice(from, to), from, to-from, 1, 1) })
			phases = slices.Concat(phases, down, []engine.Phase{product}, up)
		} else {
			phases = append(phases, engine.Phase{Steps: 1, Do: func(int, int) { t.by.convolve(&c.Watch, x, 1) }})
		}
		return append(phases, s.phase(s.n, func(from, to int) {
			s.leave(t, by, c.Out.Slice(from, to), x.Slice(from, to), from, c.Reduce)
		}))
	}
	return all(&s.forward, nil), all(&s.inverse, s.scale), nil
}

// phase takes a share of n elements in a step.
func (s *shared) phase(n int, do func(from, to int)) engine.Phase {
	return engine.Phase{Steps: (n + s.chunk - 1) / s.chunk, Do: func(i, _ int) { do(i*s.chunk, min(n, (i+1)*s.chunk)) }}
}

// enter sets elements from to to of x: the correlation has v_j·in_j at place −j, and the rest 0.
func (s *shared) enter(t *chirp, x, v engine.View, from, to int) {
	last := s.l - s.n + 1 // the place of element n − 1
	if zeros := min(to, last) - from; zeros > 0 {
		s.f.Copy(x.Slice(from, from+zeros), s.zeros.Slice(0, zeros), bulks.Copy{Rows: 1, Width: zeros})
	}
	if from == 0 {
		s.f.Copy(x.Slice(0, 1), v.Slice(0, 1), bulks.Copy{Rows: 1, Width: 1})
		t.in.Scale(x.Slice(0, 1), 0, 1, 1, 1)
	}
	if from = max(from, last); from < to {
		part, at := x.Slice(from, to), from-last
		s.f.Copy(part, v.Slice(1, s.n), bulks.Copy{Rows: part.N, Width: 1, Dst: 1, Src: 1,
			RowPerm: s.reverse[at : at+part.N]})
		t.in.Scale(part, 1+at, part.N, 1, 1)
	}
}

// leave sets dst to the part of the transform that begins at from, which x has without its factors.
func (s *shared) leave(t *chirp, by bulks.Table, dst, x engine.View, from int, canonical bool) {
	t.out.Scale(x, from, x.N, 1, 1)
	if by != nil {
		by.Scale(x, 0, 1, x.N, x.N)
	}
	if canonical {
		s.f.Reduce(x)
	}
	s.f.Copy(dst, x, bulks.Copy{Rows: 1, Width: x.N})
}

func (s *shared) Report(r *field.Report, _ field.Order) {
	r.Algorithm, r.Split, r.Base = field.Bluestein, s.Sizes(), s.n
	r.Passes = []string{"factors"}
	r.Form += "; " + s.Form()
	r.Tables = s.Bytes() + s.scale.Bytes()
	r.Scratch = s.f.Bytes(s.l)
	if s.inner != nil {
		var u field.Report
		s.inner.Report(&u, s.inner.Cheapest())
		backward := slices.Clone(u.Passes)
		slices.Reverse(backward)
		r.Passes = slices.Concat(r.Passes, u.Passes, []string{"products of values"}, backward)
		r.Tables += u.Tables
		r.Scratch += u.Scratch
	} else {
		r.Passes = append(r.Passes, s.Passes(1)[1])
		r.Scratch += s.forward.by.Scratch(1)
	}
	r.Passes = append(r.Passes, "factors")
	if s.asked.Strip != 0 || s.asked.Twiddles != field.AutoTwiddles {
		r.Ignored = "strip and twiddles: a base case has none"
	}
}
