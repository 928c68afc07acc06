package sixstep

import (
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/cases"
	"github.com/galfft/fft/schemes/internal/product"
)

// explicit is the six-step with explicit transposes.
type explicit struct{ *product.Stages }

// Cheapest is bit-reversed order, which needs no last transpose, where there is one.
func (s *explicit) Cheapest() field.Order { return cases.Cheapest(s.N1 * s.N2) }

// Bind lists the six steps, from the input through scratch to the result: a transpose never works in place. Its
// inverse runs them backwards. Cases leave rows in bit-reversed order; for natural order the transposes undo
// that, for bit-reversed order rows k1 stay at rev(k1), and the last transpose falls away.
func (s *explicit) Bind(c *engine.Call, o field.Order) (forward, inverse []engine.Phase, err error) {
	tmp, err := s.F.Make(s.N1 * s.N2)
	if err != nil {
		return nil, nil, err
	}
	var strips []engine.View // of passes that want columns
	if s.ByColumns() {
		if strips, err = s.Strips(c.Tasks, s.N2); err != nil {
			return nil, nil, err
		}
	}
	out, in := func() engine.View { return c.Out }, func() engine.View { return c.In }
	scratch := func() engine.View { return tmp }
	// Out of place the result's memory serves as scratch at first; in place the input is saved to scratch.
	save := engine.Phase{Steps: s.N1, If: func() bool { return c.InPlace }, Do: func(r, _ int) {
		s.F.Copy(s.Row(tmp, r), s.Row(c.In, r), bulks.Copy{Rows: 1, Width: s.N2})
	}}
	move := engine.Phase{Steps: s.N1, If: func() bool { return !c.InPlace }, Do: func(r, _ int) {
		s.F.Copy(s.Row(c.Out, r), s.Row(c.In, r), bulks.Copy{Rows: 1, Width: s.N2})
	}}
	source := func() engine.View {
		if c.InPlace {
			return tmp
		}
		return c.In
	}
	first := func(v engine.View, width int) { s.Outer.Forward(&c.Watch, v, width, false) }
	second := func(v engine.View, width int) { s.Inner.Forward(&c.Watch, v, width, c.Reduce) }
	inner := func(v engine.View, width int) { s.Inner.Inverse(&c.Watch, v, width, nil, false) }
	back := func(v engine.View, width int) { s.Outer.Inverse(&c.Watch, v, width, nil, c.Reduce) }
	if o == field.BitReversed {
		forward = []engine.Phase{
			s.transpose(scratch, in, s.N1, s.N2, nil, nil),
			s.rows(scratch, strips, s.N2, s.N1, first), s.multiply(scratch, s.Twiddles),
			s.transpose(out, scratch, s.N2, s.N1, nil, nil),
			s.rows(out, strips, s.N1, s.N2, second),
		}
		inverse = []engine.Phase{
			move, s.rows(out, strips, s.N1, s.N2, inner),
			s.transpose(scratch, out, s.N1, s.N2, nil, nil),
			s.multiply(scratch, s.InverseTwiddles), s.rows(scratch, strips, s.N2, s.N1, back),
			s.transpose(out, scratch, s.N2, s.N1, nil, nil),
		}
		return forward, inverse, nil
	}
	forward = []engine.Phase{
		save, s.transpose(out, source, s.N1, s.N2, nil, nil),
		s.rows(out, strips, s.N2, s.N1, first), s.multiply(out, s.Twiddles),
		s.transpose(scratch, out, s.N2, s.N1, s.Rev1, nil),
		s.rows(scratch, strips, s.N1, s.N2, second),
		s.transpose(out, scratch, s.N1, s.N2, s.Rev2, nil),
	}
	inverse = []engine.Phase{
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
func (s *explicit) transpose(dst, src func() engine.View, rows, cols int, fromCol, toCol []int32) engine.Phase {
	return engine.Phase{Steps: rows / s.C, Do: func(j, _ int) {
		n := rows * cols
		c := bulks.Copy{Rows: cols, Width: s.C, Dst: rows, Src: cols, Transpose: true, RowPerm: fromCol}
		if toCol != nil {
			c.ColPerm = toCol[j*s.C:][:s.C]
			s.F.Copy(dst().Slice(j*s.C, n), src(), c)
			return
		}
		s.F.Copy(dst().Slice(j*s.C, n), src().Slice(j*s.C*cols, (j+1)*s.C*cols), c)
	}}
}

// rows transforms the rows of a count × n matrix, C of them in a step.
func (s *explicit) rows(v func() engine.View, strips []engine.View, count, n int,
	do func(v engine.View, width int)) engine.Phase {
	return engine.Phase{Steps: count / s.C, Do: func(j, task int) {
		var x engine.View
		if strips != nil {
			x = strips[task]
		}
		s.Rows(v(), x, j*s.C, n, do)
	}}
}

// multiply multiplies the rows i2 of an N2 × N1 matrix by their factors.
func (s *explicit) multiply(v func() engine.View, t *engine.Twiddles) engine.Phase {
	return engine.Phase{Steps: s.N2, Do: func(i2, _ int) { t.Column(v().Slice(i2*s.N1, (i2+1)*s.N1), i2) }}
}

// Steps is the number of rows of the higher matrix, which only the product by twiddle factors takes one by one.
func (s *explicit) Steps() int { return s.N2 }

func (s *explicit) Report(r *field.Report, o field.Order) {
	s.Stages.Report(r, s.N2)
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
