// Package fourstep makes the scheme of package schemes/fourstep.
package fourstep

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/base"
	"github.com/galfft/fft/schemes/internal/core"
)

// Build makes the scheme of p.
func Build[E, V any](p *core.Problem[E, V]) (core.Scheme[V], error) {
	if base.Defaults(p) {
		return base.Alone(p)
	}
	s, err := base.NewStages(p)
	if err != nil {
		return nil, err
	}
	return &scheme[E, V]{s}, nil
}

type scheme[E, V any] struct{ *base.Stages[E, V] }

// Cheapest is the order of the cases.
func (s *scheme[E, V]) Cheapest() field.Order { return base.Cheapest(s.N1 * s.N2) }

func (s *scheme[E, V]) Bind(c *core.Call[V], o field.Order) (forward, inverse []core.Phase) {
	strips := s.Strips(c.Tasks)
	switch {
	case o == field.Natural && s.ByColumns():
		return s.naturalByColumns(c, strips)
	case o == field.Natural:
		return s.natural(c, strips)
	}
	forwardRow := func(v V, width int) { s.Inner.Forward(&c.Watch, v, width, c.Reduce) }
	inverseRow := func(v V, width int) { s.Inner.Inverse(&c.Watch, v, width, nil, false) }
	forward = []core.Phase{
		{Steps: s.N2 / s.C, Do: func(j, task int) {
			s.columns(&c.Watch, c.Out, c.In, strips[task], j)
		}},
		{Steps: s.N1 / s.C, Do: func(j, task int) {
			s.Rows(c.Out, strips[task], j*s.C, s.N2, forwardRow)
		}},
	}
	inverse = []core.Phase{
		{Steps: s.N1 / s.C, Do: func(j, task int) {
			if !c.InPlace {
				part := func(v V) V { return s.F.Slice(v, j*s.C*s.N2, (j+1)*s.C*s.N2) }
				s.F.Copy(part(c.Out), part(c.In), field.Copy{Rows: 1, Width: s.C * s.N2})
			}
			s.Rows(c.Out, strips[task], j*s.C, s.N2, inverseRow)
		}},
		{Steps: s.N2 / s.C, Do: func(j, task int) {
			s.columnsBack(&c.Watch, c.Out, c.Out, strips[task], j, nil, c.Reduce)
		}},
	}
	return forward, inverse
}

// natural runs through scratch, in which the rows are in bit-reversed order. A strip of the result is C
// columns k1; its rows stand anywhere in scratch.
func (s *scheme[E, V]) natural(c *core.Call[V], strips []V) (forward, inverse []core.Phase) {
	tmp := s.F.Make(s.N1 * s.N2)
	forward = []core.Phase{
		{Steps: s.N2 / s.C, Do: func(j, task int) {
			s.columns(&c.Watch, tmp, c.In, strips[task], j)
		}},
		{Steps: s.N1 / s.C, Do: func(j, _ int) {
			rows := s.Rev1[j*s.C:][:s.C]
			for _, r := range rows {
				row := s.Row(tmp, int(r))
				s.Inner.Forward(&c.Watch, row, 1, c.Reduce)
			}
			s.F.Copy(s.F.Slice(c.Out, j*s.C, s.N1*s.N2), tmp, field.Copy{
				Rows: s.N2, Width: s.C, Dst: s.N1, Src: s.N2, Transpose: true, RowPerm: s.Rev2, ColPerm: rows})
		}},
	}
	inverse = []core.Phase{
		{Steps: s.N1 / s.C, Do: func(j, task int) {
			// By way of a strip: columns of the matrix itself are a power of two apart, and evict each other.
			x := strips[task]
			s.F.Copy(x, s.F.Slice(c.In, j*s.C, s.N1*s.N2), field.Copy{
				Rows: s.N2, Width: s.C, Dst: s.C, Src: s.N1, RowPerm: s.Rev2})
			for i, r := range s.Rev1[j*s.C:][:s.C] {
				row := s.Row(tmp, int(r))
				s.F.Copy(row, s.F.Slice(x, i, s.N2*s.C), field.Copy{Rows: 1, Width: s.N2, Src: s.C, Transpose: true})
				s.Inner.Inverse(&c.Watch, row, 1, nil, false)
			}
		}},
		{Steps: s.N2 / s.C, Do: func(j, task int) {
			s.columnsBack(&c.Watch, c.Out, tmp, strips[task], j, nil, c.Reduce)
		}},
	}
	return forward, inverse
}

// naturalByColumns transforms rows as columns of strips, which are strips of the result. For the inverse, the rows in scratch
// are in natural order.
func (s *scheme[E, V]) naturalByColumns(c *core.Call[V], strips []V) (forward, inverse []core.Phase) {
	tmp := s.F.Make(s.N1 * s.N2)
	forward = []core.Phase{
		{Steps: s.N2 / s.C, Do: func(j, task int) {
			s.columns(&c.Watch, tmp, c.In, strips[task], j)
		}},
		{Steps: s.N1 / s.C, Do: func(j, task int) {
			x := strips[task]
			s.F.Copy(x, tmp, field.Copy{Rows: s.N2, Width: s.C, Dst: s.C, Src: s.N2, Transpose: true, ColPerm: s.Rev1[j*s.C:][:s.C]})
			s.Inner.Forward(&c.Watch, x, s.C, c.Reduce)
			s.F.Copy(s.F.Slice(c.Out, j*s.C, s.N1*s.N2), x, field.Copy{Rows: s.N2, Width: s.C, Dst: s.N1, Src: s.C, RowPerm: s.Rev2})
		}},
	}
	inverse = []core.Phase{
		{Steps: s.N1 / s.C, Do: func(j, task int) {
			x := strips[task]
			s.F.Copy(x, s.F.Slice(c.In, j*s.C, s.N1*s.N2), field.Copy{Rows: s.N2, Width: s.C, Dst: s.C, Src: s.N1, RowPerm: s.Rev2})
			s.Inner.Inverse(&c.Watch, x, s.C, nil, false)
			s.F.Copy(s.F.Slice(tmp, j*s.C*s.N2, (j+1)*s.C*s.N2), x, field.Copy{Rows: s.C, Width: s.N2, Dst: s.N2, Src: s.C, Transpose: true})
		}},
		{Steps: s.N2 / s.C, Do: func(j, task int) {
			s.columnsBack(&c.Watch, c.Out, tmp, strips[task], j, s.Rev1, c.Reduce)
		}},
	}
	return forward, inverse
}

// columns transforms and twists strip j of the columns of src.
func (s *scheme[E, V]) columns(w *core.Watch, dst, src, x V, j int) {
	x = s.First(x)
	s.F.Copy(x, s.Strip(src, j), field.Copy{Rows: s.N1, Width: s.C, Dst: s.C, Src: s.N2})
	s.Outer.Forward(w, x, s.C, false)
	s.Twist.Strip(x, j)
	s.F.Copy(s.Strip(dst, j), x, field.Copy{Rows: s.N1, Width: s.C, Dst: s.N2, Src: s.C})
}

// columnsBack undoes columns, and leaves the final values. It takes the rows of src in the order rows.
func (s *scheme[E, V]) columnsBack(w *core.Watch, dst, src, x V, j int, rows []int32, reduce bool) {
	x = s.First(x)
	s.F.Copy(x, s.Strip(src, j), field.Copy{Rows: s.N1, Width: s.C, Dst: s.C, Src: s.N2, RowPerm: rows})
	s.Untwist.Strip(x, j)
	s.Outer.Inverse(w, x, s.C, nil, reduce)
	s.F.Copy(s.Strip(dst, j), x, field.Copy{Rows: s.N1, Width: s.C, Dst: s.N2, Src: s.C})
}

func (s *scheme[E, V]) Report(r *field.Report, o field.Order) {
	s.Stages.Report(r)
	r.Algorithm = field.FourStep
	if o == field.Natural {
		r.Scratch += s.F.VecBytes(s.N1 * s.N2)
	}
}
