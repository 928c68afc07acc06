package sixstep

import (
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/product"
)

// merged is the six-step with its transposes merged into two passes over strips of columns.
type merged struct{ *product.Stages }

func (s *merged) Cheapest() field.Order { return field.Natural }

// Bind has the permutations ride on the copies. Cases leave rows in bit-reversed order. For natural order the
// copies undo that; for bit-reversed order it is kept throughout, rows k1 at rev(k1) from scratch on.
func (s *merged) Bind(c *engine.Call, o field.Order) (forward, inverse []engine.Phase, err error) {
	strips, err := s.Strips(c.Tasks, s.N2)
	if err != nil {
		return nil, nil, err
	}
	tmp, err := s.F.Make(s.N1 * s.N2)
	if err != nil {
		return nil, nil, err
	}
	rev1, rev2 := s.Rev1, s.Rev2
	if o == field.BitReversed {
		rev1, rev2 = nil, nil
	}
	// The result, as strip j of its columns k1: rows k2 of an N2 × N1 matrix, or rows rev(k1) of an N1 × N2 one.
	out := func(j int, x engine.View) {
		if o == field.Natural {
			s.F.Copy(s.second(c.Out, j), x, bulks.Copy{Rows: s.N2, Width: s.C, Dst: s.N1, Src: s.C, RowPerm: rev2})
		} else {
			s.F.Copy(c.Out.Slice(j*s.C*s.N2, (j+1)*s.C*s.N2), x, bulks.Copy{Rows: s.C, Width: s.N2, Dst: s.N2,
				Src: s.C, Transpose: true})
		}
	}
	in := func(j int, x engine.View) {
		if o == field.Natural {
			s.F.Copy(x, s.second(c.In, j), bulks.Copy{Rows: s.N2, Width: s.C, Dst: s.C, Src: s.N1, RowPerm: rev2})
		} else {
			s.F.Copy(x, c.In.Slice(j*s.C*s.N2, (j+1)*s.C*s.N2), bulks.Copy{Rows: s.N2, Width: s.C, Dst: s.C, Src: s.N2,
				Transpose: true})
		}
	}
	forward = []engine.Phase{
		{Steps: s.N2 / s.C, Do: func(j, task int) {
			x := s.First(strips[task])
			s.F.Copy(x, s.Strip(c.In, j), bulks.Copy{Rows: s.N1, Width: s.C, Dst: s.C, Src: s.N2})
			s.Outer.Forward(&c.Watch, x, s.C, false)
			s.Twiddles.Strip(x, j)
			s.F.Copy(s.rows(tmp, j), x, bulks.Copy{Rows: s.C, Width: s.N1, Dst: s.N1, Src: s.C, Transpose: true,
				ColPerm: rev1})
		}},
		{Steps: s.N1 / s.C, Do: func(j, task int) {
			x := strips[task]
			s.F.Copy(x, s.second(tmp, j), bulks.Copy{Rows: s.N2, Width: s.C, Dst: s.C, Src: s.N1})
			s.Inner.Forward(&c.Watch, x, s.C, c.Reduce)
			out(j, x)
		}},
	}
	inverse = []engine.Phase{
		{Steps: s.N1 / s.C, Do: func(j, task int) {
			x := strips[task]
			in(j, x)
			s.Inner.Inverse(&c.Watch, x, s.C, nil, false)
			s.F.Copy(s.second(tmp, j), x, bulks.Copy{Rows: s.N2, Width: s.C, Dst: s.N1, Src: s.C})
		}},
		{Steps: s.N2 / s.C, Do: func(j, task int) {
			x := s.First(strips[task])
			s.F.Copy(x, s.rows(tmp, j), bulks.Copy{Rows: s.N1, Width: s.C, Dst: s.C, Src: s.N1, Transpose: true,
				RowPerm: rev1})
			s.InverseTwiddles.Strip(x, j)
			s.Outer.Inverse(&c.Watch, x, s.C, nil, c.Reduce)
			s.F.Copy(s.Strip(c.Out, j), x, bulks.Copy{Rows: s.N1, Width: s.C, Dst: s.N2, Src: s.C})
		}},
	}
	return forward, inverse, nil
}

// second returns strip j of the columns of an N2 × N1 matrix, at row stride N1.
func (s *merged) second(v engine.View, j int) engine.View {
	return v.Slice(j*s.C, (s.N2-1)*s.N1+(j+1)*s.C)
}

// rows returns rows j·C … of an N2 × N1 matrix: strip j of the first stage, transposed.
func (s *merged) rows(v engine.View, j int) engine.View { return v.Slice(j*s.C*s.N1, (j+1)*s.C*s.N1) }

func (s *merged) Report(r *field.Report, o field.Order) {
	s.Stages.Report(r, s.N2)
	r.Algorithm = field.SixStepMerged
	outer, inner := s.Passes(s.C)
	last := "to rows"
	if o == field.BitReversed {
		last = "transpose"
	}
	r.Passes = []string{
		fmt.Sprintf("strips of %d columns: %s, twiddles, transpose", s.C, outer),
		fmt.Sprintf("strips of %d columns: %s, %s", s.C, inner, last),
	}
	r.Scratch += s.F.Bytes(s.N1 * s.N2)
}
