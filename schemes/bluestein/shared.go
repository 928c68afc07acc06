package bluestein

import (
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/cases"
)

// shared is Bluestein's algorithm as phases, whose steps workers share: the factors at the input, the phases of the
// transform of length L, and for each part the products, the phases of the inverse and the factors at the output.
// Convolutions of the field's own are one step, whose transforms have the workers.
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

// valuesOf replaces h by its values at the L-th roots of unity, in the cheapest order of the scheme that transforms it.
func valuesOf(p *engine.Problem, s engine.Scheme, h engine.View) error {
	outer := &engine.Call{Tasks: 1}
	forward, _, err := s.Bind(outer.Inside(h), s.Cheapest())
	if err != nil {
		return err
	}
	for _, phase := range forward {
		if phase.If != nil && !phase.If() {
			continue
		}
		for i := range phase.Steps {
			if err := p.M.Err(); err != nil {
				return err
			}
			phase.Do(i, 0)
		}
	}
	p.F.Reduce(h)
	return outer.Err()
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
	all, err := s.f.Make(s.rows)
	if err != nil {
		return nil, nil, err
	}
	most := min(s.l, s.rows)
	x, values := all.Slice(0, most), all.Slice(most, s.rows)
	var down, up []engine.Phase
	if s.inner != nil {
		if down, up, err = s.inner.Bind(c.Inside(x), s.inner.Cheapest()); err != nil {
			return nil, nil, err
		}
	}
	return s.phases(c, x, values, down, up, false), s.phases(c, x, values, down, up, true), nil
}

// phases is those of a direction. The values of the elements are kept in a vector of their own where there are parts.
func (s *shared) phases(c *engine.Call, x, values engine.View, down, up []engine.Phase, inverse bool) []engine.Phase {
	phases := []engine.Phase{s.phase(x.N, func(from, to int) {
		if zeros := to - max(from, s.n); zeros > 0 {
			s.f.Copy(x.Slice(to-zeros, to), s.zeros.Slice(0, zeros), bulks.Copy{Rows: 1, Width: zeros})
			to -= zeros
		}
		if from < to {
			part := x.Slice(from, to)
			s.f.Copy(part, c.In.Slice(from, to), bulks.Copy{Rows: 1, Width: part.N})
			s.enter(part, from, to, 1, inverse)
		}
	})}
	leave := func(first, count int) engine.Phase {
		return s.phase(count, func(from, to int) {
			part := x.Slice(from, to)
			if inverse {
				s.scale.Scale(part, 0, 1, part.N, part.N)
			}
			s.leave(c.Out, part, first+from, first+to, 1, 1, inverse, c.Reduce)
		})
	}
	if s.through != nil {
		convolve := func(int, int) { s.through.convolve(&c.Watch, x, 1) }
		return append(phases, engine.Phase{Steps: 1, Do: convolve}, leave(0, s.n))
	}
	phases = append(phases, down...)
	for i, by := range s.values {
		phases = append(phases, s.phase(s.l, func(from, to int) {
			part := x.Slice(from, to)
			if move := (bulks.Copy{Rows: 1, Width: part.N}); i > 0 {
				s.f.Copy(part, values.Slice(from, to), move)
			} else if len(s.values) > 1 {
				s.f.Copy(values.Slice(from, to), part, move)
			}
			by.Scale(part, from, part.N, 1, 1)
		}))
		phases = append(append(phases, up...), leave(i*s.share, min(s.share, s.n-i*s.share)))
	}
	return phases
}

// phase takes a share of n elements in a step.
func (s *shared) phase(n int, do func(from, to int)) engine.Phase {
	return engine.Phase{Steps: (n + s.chunk - 1) / s.chunk, Do: func(i, _ int) { do(i*s.chunk, min(n, (i+1)*s.chunk)) }}
}

func (s *shared) Report(r *field.Report, _ field.Order) {
	r.Algorithm, r.Split, r.Base = field.Bluestein, s.Sizes(), s.n
	r.Passes = []string{"factors"}
	r.Form += "; " + s.Form()
	r.Tables = s.Bytes() + s.scale.Bytes()
	r.Scratch = s.f.Bytes(s.rows)
	if s.inner != nil {
		var u field.Report
		s.inner.Report(&u, s.inner.Cheapest())
		backward := slices.Clone(u.Passes)
		slices.Reverse(backward)
		r.Passes = slices.Concat(r.Passes, u.Passes)
		for range s.values {
			r.Passes = append(append(r.Passes, "products of values"), backward...)
			r.Passes = append(r.Passes, "factors")
		}
		r.Tables += u.Tables
		r.Scratch += u.Scratch
	} else {
		r.Passes = s.Passes(1)
		r.Scratch += s.through.Scratch(s.n, 1)
	}
	if s.asked.Strip != 0 || s.asked.Twiddles != field.AutoTwiddles {
		r.Ignored = "strip and twiddles: a base case has none"
	}
}
