package base

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/core"
)

// alone is the scheme of a transform that is one case: in place, and reordered where natural order is asked.
type alone[E, V any] struct {
	f     field.Bulk[E, V]
	n     int
	s     field.Spec
	c     Case[V]
	scale field.Table[V] // 1/N
}

// Alone runs p as one case, whatever the scheme asked for: lengths up to the base case have nothing to split.
func Alone[E, V any](p *core.Problem[E, V]) (core.Scheme[V], error) {
	a := &alone[E, V]{f: p.F, n: p.D.N, s: p.S}
	var err error
	if a.c, err = New(p, p.D, nil); err != nil {
		return nil, err
	}
	n := core.Int[E](p.F, p.D.N)
	if err := p.F.Inv(&n, &n); err != nil {
		return nil, err
	}
	a.scale, err = p.F.Table([]E{n})
	return a, err
}

func (a *alone[E, V]) Cheapest() field.Order { return field.BitReversed }

func (a *alone[E, V]) Steps() int { return 1 }

func (a *alone[E, V]) Bind(c *core.Call[V], o field.Order) (forward, inverse []core.Phase) {
	start := func() {
		if !c.InPlace {
			a.f.Copy(c.Out, c.In, field.Copy{Rows: 1, Width: a.n})
		}
	}
	finish := func() {
		if c.Reduce {
			a.f.Reduce(c.Out)
		}
	}
	forward = []core.Phase{{Steps: 1, Do: func(int, int) {
		start()
		a.c.Forward(c.Out, 1)
		if o == field.Natural {
			a.f.Reorder(c.Out, a.n)
		}
		finish()
	}}}
	inverse = []core.Phase{{Steps: 1, Do: func(int, int) {
		start()
		if o == field.Natural {
			a.f.Reorder(c.Out, a.n)
		}
		a.c.Inverse(c.Out, 1)
		a.scale.Scale(c.Out, 0, 1, a.n, a.n)
		finish()
	}}}
	return forward, inverse
}

func (a *alone[E, V]) Report(r *field.Report, o field.Order) {
	r.Algorithm, r.Split = a.s.Algorithm, a.c.Sizes()
	r.Base = largest(r.Split)
	r.Tables = a.c.Bytes() + a.scale.Bytes()
	if a.s.Strip != 0 || a.s.Twiddles != field.AutoTwiddles {
		r.Ignored = "strip and twiddles: a base case has none"
	}
}

func largest(sizes []int) (m int) {
	for _, s := range sizes {
		m = max(m, s)
	}
	return m
}
