package fourstep

import (
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/base"
	"github.com/galfft/fft/schemes/internal/cases"
	"github.com/galfft/fft/schemes/internal/product"
)

type fourStep struct{ *product.Stages }

// Build makes the scheme of a problem, for packages of this module: it does not check it.
func Build(p *engine.Problem) (engine.Scheme, error) {
	s, err := product.NewStages(base.Cases(p))
	return &fourStep{s}, err
}

// Cheapest is the order of the cases.
func (s *fourStep) Cheapest() field.Order { return cases.Cheapest(s.N1 * s.N2) }

func (s *fourStep) Bind(c *engine.Call, o field.Order) (forward, inverse []engine.Phase, err error) {
	strips, err := s.Strips(c.Tasks, s.longest(o))
	if err != nil {
		return nil, nil, err
	}
	switch {
	case o == field.Natural && s.ByColumns():
		return s.naturalByColumns(c, strips)
	case o == field.Natural:
		return s.natural(c, strips)
	}
	rows := 1 // of a step
	if s.ByColumns() {
		rows = s.C
	}
	forwardRow := func(v engine.View, width int) { s.Inner.Forward(&c.Watch, v, width, c.Reduce) }
	inverseRow := func(v engine.View, width int) { s.Inner.Inverse(&c.Watch, v, width, nil, false) }
	forward = []engine.Phase{
		{Steps: s.N2 / s.C, Do: func(j, task int) {
			columns(s.Stages, &c.Watch, c.Out, c.In, strips[task], ahead(s.Stages, c.In, j, c.Tasks), j, nil)
		}},
		{Steps: s.N1 / rows, Do: func(j, task int) {
			s.rows(c.Out, strips[task], j, forwardRow)
		}},
	}
	inverse = []engine.Phase{
		{Steps: s.N1 / rows, Do: func(j, task int) {
			if !c.InPlace {
				part := func(v engine.View) engine.View { return v.Slice(j*rows*s.N2, (j+1)*rows*s.N2) }
				s.F.Copy(part(c.Out), part(c.In), bulks.Copy{Rows: 1, Width: rows * s.N2})
			}
			s.rows(c.Out, strips[task], j, inverseRow)
		}},
		{Steps: s.N2 / s.C, Do: func(j, task int) {
			next := ahead(s.Stages, c.Out, j, c.Tasks)
			columnsBack(s.Stages, &c.Watch, c.Out, c.Out, strips[task], next, j, nil, c.Reduce)
		}},
	}
	return forward, inverse, nil
}

// longest is the number of rows of the longest strip: columns have N1, and rows become columns N2 elements long in
// natural order, and where passes want columns.
func (s *fourStep) longest(o field.Order) int {
	if o == field.Natural || s.ByColumns() {
		return s.N2
	}
	return s.N1
}

// rows transforms the rows of step j, as columns of x where passes want columns.
func (s *fourStep) rows(v, x engine.View, j int, do func(v engine.View, width int)) {
	if s.ByColumns() {
		s.Rows(v, x, j*s.C, s.N2, do)
		return
	}
	do(s.Row(v, j), 1)
}

// natural runs through scratch, in which the rows are in bit-reversed order. A strip of the result is C
// columns k1; its rows stand anywhere in scratch.
func (s *fourStep) natural(c *engine.Call, strips []engine.View) (forward, inverse []engine.Phase, err error) {
	tmp, err := s.F.Make(s.N1 * s.N2)
	if err != nil {
		return nil, nil, err
	}
	forward = []engine.Phase{
		{Steps: s.N2 / s.C, Do: func(j, task int) {
			columns(s.Stages, &c.Watch, tmp, c.In, strips[task], ahead(s.Stages, c.In, j, c.Tasks), j, nil)
		}},
		{Steps: s.N1 / s.C, Do: func(j, _ int) {
			rows := s.Rev1[j*s.C:][:s.C]
			for _, r := range rows {
				row := s.Row(tmp, int(r))
				s.Inner.Forward(&c.Watch, row, 1, c.Reduce)
			}
			s.F.Copy(c.Out.Slice(j*s.C, s.N1*s.N2), tmp, bulks.Copy{
				Rows: s.N2, Width: s.C, Dst: s.N1, Src: s.N2, Transpose: true, RowPerm: s.Rev2, ColPerm: rows})
		}},
	}
	inverse = []engine.Phase{
		{Steps: s.N1 / s.C, Do: func(j, task int) {
			// By way of a strip: columns of the matrix itself are a power of two apart, and evict each other.
			x := strips[task]
			s.F.Copy(x, c.In.Slice(j*s.C, s.N1*s.N2), bulks.Copy{
				Rows: s.N2, Width: s.C, Dst: s.C, Src: s.N1, RowPerm: s.Rev2})
			for i, r := range s.Rev1[j*s.C:][:s.C] {
				row := s.Row(tmp, int(r))
				s.F.Copy(row, x.Slice(i, s.N2*s.C), bulks.Copy{Rows: 1, Width: s.N2, Src: s.C, Transpose: true})
				s.Inner.Inverse(&c.Watch, row, 1, nil, false)
			}
		}},
		{Steps: s.N2 / s.C, Do: func(j, task int) {
			next := ahead(s.Stages, tmp, j, c.Tasks)
			columnsBack(s.Stages, &c.Watch, c.Out, tmp, strips[task], next, j, nil, c.Reduce)
		}},
	}
	return forward, inverse, nil
}

// naturalByColumns transforms rows as columns of strips, which are strips of the result. For the inverse, the rows in
// scratch are in natural order.
func (s *fourStep) naturalByColumns(c *engine.Call, strips []engine.View) (forward, inverse []engine.Phase, err error) {
	tmp, err := s.F.Make(s.N1 * s.N2)
	if err != nil {
		return nil, nil, err
	}
	forward = []engine.Phase{
		{Steps: s.N2 / s.C, Do: func(j, task int) {
			columns(s.Stages, &c.Watch, tmp, c.In, strips[task], ahead(s.Stages, c.In, j, c.Tasks), j, nil)
		}},
		{Steps: s.N1 / s.C, Do: func(j, task int) {
			x := strips[task]
			s.F.Copy(x, tmp, bulks.Copy{Rows: s.N2, Width: s.C, Dst: s.C, Src: s.N2, Transpose: true,
				ColPerm: s.Rev1[j*s.C:][:s.C]})
			s.Inner.Forward(&c.Watch, x, s.C, c.Reduce)
			s.F.Copy(c.Out.Slice(j*s.C, s.N1*s.N2), x, bulks.Copy{Rows: s.N2, Width: s.C, Dst: s.N1, Src: s.C,
				RowPerm: s.Rev2})
		}},
	}
	inverse = []engine.Phase{
		{Steps: s.N1 / s.C, Do: func(j, task int) {
			x := strips[task]
			s.F.Copy(x, c.In.Slice(j*s.C, s.N1*s.N2), bulks.Copy{Rows: s.N2, Width: s.C, Dst: s.C, Src: s.N1,
				RowPerm: s.Rev2})
			s.Inner.Inverse(&c.Watch, x, s.C, nil, false)
			s.F.Copy(tmp.Slice(j*s.C*s.N2, (j+1)*s.C*s.N2), x, bulks.Copy{Rows: s.C, Width: s.N2, Dst: s.N2, Src: s.C,
				Transpose: true})
		}},
		{Steps: s.N2 / s.C, Do: func(j, task int) {
			next := ahead(s.Stages, tmp, j, c.Tasks)
			columnsBack(s.Stages, &c.Watch, c.Out, tmp, strips[task], next, j, s.Rev1, c.Reduce)
		}},
	}
	return forward, inverse, nil
}

// ahead is the strip of v behind strip j, which one task alone takes next, or strip j.
func ahead(s *product.Stages, v engine.View, j, tasks int) engine.View {
	if tasks == 1 && j+1 < s.Steps() {
		j++
	}
	return s.Strip(v, j)
}

// columns transforms strip j of the columns of src, and fetches the strip ahead. It leaves the rows of dst in the order
// rows.
func columns(s *product.Stages, w *engine.Watch, dst, src, x, ahead engine.View, j int, rows []int32) {
	x = s.First(x)
	s.F.Copy(x, s.Strip(src, j), bulks.Copy{Rows: s.N1, Width: s.C, Dst: s.C, Src: s.Width})
	s.Outer.Forward(w, x, s.C, false)
	if rows == nil {
		s.Twiddles.Move(s.F, s.Strip(dst, j), x, ahead, j, bulks.Copy{Dst: s.Width, Src: s.C}, s.Width)
		return
	}
	s.Twiddles.Strip(x, j)
	s.F.Copy(s.Strip(dst, j), x, bulks.Copy{Rows: s.N1, Width: s.C, Dst: s.Width, Src: s.C, RowPerm: rows})
}

// columnsBack undoes columns, and leaves the final values. It takes the rows of src in the order rows.
func columnsBack(s *product.Stages, w *engine.Watch, dst, src, x, ahead engine.View, j int, rows []int32,
	reduce bool) {
	x = s.First(x)
	if rows == nil {
		s.InverseTwiddles.Move(s.F, x, s.Strip(src, j), ahead, j, bulks.Copy{Dst: s.C, Src: s.Width}, s.Width)
	} else {
		s.F.Copy(x, s.Strip(src, j), bulks.Copy{Rows: s.N1, Width: s.C, Dst: s.C, Src: s.Width, RowPerm: rows})
		s.InverseTwiddles.Strip(x, j)
	}
	s.Outer.Inverse(w, x, s.C, nil, reduce)
	s.F.Copy(s.Strip(dst, j), x, bulks.Copy{Rows: s.N1, Width: s.C, Dst: s.Width, Src: s.C})
}

func (s *fourStep) Report(r *field.Report, o field.Order) {
	s.Stages.Report(r, s.longest(o))
	r.Algorithm = field.FourStep
	width := 1
	if s.ByColumns() {
		width = s.C
	}
	outer, inner := s.Passes(width)
	r.Passes = []string{fmt.Sprintf("strips of %d columns: %s, twiddles", s.C, outer), "rows: " + inner}
	if o == field.Natural {
		r.Passes[1] += ", transpose"
	}
	if o == field.Natural {
		r.Scratch += s.F.Bytes(s.N1 * s.N2)
	}
}
