package product

import (
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/cases"
	"github.com/galfft/fft/schemes/internal/core"
)

type explicit struct{ *stages }

// Explicit makes the six-step with explicit transposes.
func Explicit(b *cases.Build) (core.Scheme, error) {
	s, err := newStages(b)
	return &explicit{s}, err
}

// Cheapest is bit-reversed order, which needs no last transpose, where there is one.
func (s *explicit) Cheapest() field.Order { return cases.Cheapest(s.N1 * s.N2) }

// Bind lists the six steps, from the input through scratch to the result: a transpose never works in place. Its
// inverse runs them backwards. Cases leave rows in bit-reversed order; for natural order the transposes undo
// that, for bit-reversed order rows k1 stay at rev(k1), and the last transpose falls away.
func (s *explicit) Bind(c *core.Call, o field.Order) (forward, inverse []core.Phase, err error) {
	tmp, err := s.F.Make(s.N1 * s.N2)
	if err != nil {
		return nil, nil, err
	}
	var strips []core.View // of passes that want columns
	if s.ByColumns() {
		if strips, err = s.Strips(c.Tasks); err != nil {
			return nil, nil, err
		}
	}
	out, in := func() core.View { return c.Out }, func() core.View { return c.In }
	scratch := func() core.View { return tmp }
	// Out of place the result's memory serves as scratch at first; in place the input is saved to scratch.
	save := core.Phase{Steps: s.N1, If: func() bool { return c.InPlace }, Do: func(r, _ int) {
		s.F.Copy(s.Row(tmp, r), s.Row(c.In, r), field.Copy{Rows: 1, Width: s.N2})
	}}
	move := core.Phase{Steps: s.N1, If: func() bool { return !c.InPlace }, Do: func(r, _ int) {
		s.F.Copy(s.Row(c.Out, r), s.Row(c.In, r), field.Copy{Rows: 1, Width: s.N2})
	}}
	source := func() core.View {
		if c.InPlace {
			return tmp
		}
		return c.In
	}
	first := func(v core.View, width int) { s.Outer.Forward(&c.Watch, v, width, false) }
	second := func(v core.View, width int) { s.Inner.Forward(&c.Watch, v, width, c.Reduce) }
	inner := func(v core.View, width int) { s.Inner.Inverse(&c.Watch, v, width, nil, false) }
	back := func(v core.View, width int) { s.Outer.Inverse(&c.Watch, v, width, nil, c.Reduce) }
	if o == field.BitReversed {
		forward = []core.Phase{
			s.transpose(scratch, in, s.N1, s.N2, nil, nil),
			s.rows(scratch, strips, s.N2, s.N1, first), s.multiply(scratch, s.Twiddles),
			s.transpose(out, scratch, s.N2, s.N1, nil, nil),
			s.rows(out, strips, s.N1, s.N2, second),
		}
		inverse = []core.Phase{
			move, s.rows(out, strips, s.N1, s.N2, inner),
			s.transpose(scratch, out, s.N1, s.N2, nil, nil),
			s.multiply(scratch, s.InverseTwiddles), s.rows(scratch, strips, s.N2, s.N1, back),
			s.transpose(out, scratch, s.N2, s.N1, nil, nil),
		}
		return forward, inverse, nil
	}
	forward = []core.Phase{
		save, s.transpose(out, source, s.N1, s.N2, nil, nil),
		s.rows(out, strips, s.N2, s.N1, first), s.multiply(out, s.Twiddles),
		s.transpose(scratch, out, s.N2, s.N1, s.Rev1, nil),
		s.rows(scratch, strips, s.N1, s.N2, second),
		s.transpose(out, scratch, s.N1, s.N2, s.Rev2, nil),
	}
	inverse = []core.Phase{
		save, s.transpose(out, source, s.N2, s.N1, nil, s.Rev2),
		s.rows(out, strips, s.N1, s.N2, inner),
		s.transpose(scratch, out, s.N1, s.N2, nil, s.Rev1),
		s.multiply(scratch, s.InverseTwiddles), s.rows(scratch, strips, s.N2, s.N1, back),
		s.transpose(out, scratch, s.N2, s.N1, nil, nil),
	}
	return forward, inverse, nil
}

// transpose writes the transpose of a rows × cols matrix, C of its rows in a step. fromCol permutes the columns
// of the source (rows of the result), toCol the columns of the result (rows of the source).
func (s *explicit) transpose(dst, src func() core.View, rows, cols int, fromCol, toCol []int32) core.Phase {
	return core.Phase{Steps: rows / s.C, Do: func(j, _ int) {
		n := rows * cols
		c := field.Copy{Rows: cols, Width: s.C, Dst: rows, Src: cols, Transpose: true, RowPerm: fromCol}
		if toCol != nil {
			c.ColPerm = toCol[j*s.C:][:s.C]
			s.F.Copy(dst().Slice(j*s.C, n), src(), c)
			return
		}
		s.F.Copy(dst().Slice(j*s.C, n), src().Slice(j*s.C*cols, (j+1)*s.C*cols), c)
	}}
}

// rows transforms the rows of a count × n matrix, C of them in a step.
func (s *explicit) rows(v func() core.View, strips []core.View, count, n int,
	do func(v core.View, width int)) core.Phase {
	return core.Phase{Steps: count / s.C, Do: func(j, task int) {
		var x core.View
		if strips != nil {
			x = strips[task]
		}
		s.Rows(v(), x, j*s.C, n, do)
	}}
}

// multiply multiplies the rows i2 of an N2 × N1 matrix by their factors.
func (s *explicit) multiply(v func() core.View, t *core.Twiddles) core.Phase {
	return core.Phase{Steps: s.N2, Do: func(i2, _ int) { t.Column(v().Slice(i2*s.N1, (i2+1)*s.N1), i2) }}
}

// Steps is the number of rows of the higher matrix, which only the product by twiddle factors takes one by one.
func (s *explicit) Steps() int { return s.N2 }

func (s *explicit) Report(r *field.Report, o field.Order) {
	s.stages.Report(r)
	r.Algorithm = field.SixStep
	width := 1
	if s.ByColumns() {
		width = s.C
	}
	outer, inner := strings.Join(s.Outer.Passes(width), ", "), strings.Join(s.Inner.Passes(width), ", ")
	r.Passes = []string{"transpose", "rows: " + outer, "twiddles", "transpose", "rows: " + inner}
	if o == field.Natural {
		r.Passes = append(r.Passes, "transpose")
	}
	if !s.ByColumns() {
		r.Scratch = 0 // no strips
	}
	r.Scratch += s.F.Bytes(s.N1 * s.N2)
}
