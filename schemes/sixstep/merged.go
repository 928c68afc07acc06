package sixstep

import (
	"fmt"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/cases"
	"github.com/galfft/fft/schemes/internal/product"
)

// merged is the six-step with its transposes merged into two passes over strips of columns, or three where halves is
// not nil: the second case is made of two then, and workers share it by columns and by rows.
type merged struct {
	*product.Stages
	halves cases.Halved
}

func newMerged(s *product.Stages, halves bool) *merged {
	m := &merged{Stages: s}
	if halves {
		m.halves, _ = s.Inner.(cases.Halved)
	}
	return m
}

func (s *merged) Cheapest() field.Order { return field.Natural }

// Bind has the permutations ride on the copies. Cases leave rows in bit-reversed order. For natural order the
// copies undo that; for bit-reversed order it is kept throughout, rows k1 at rev(k1) from scratch on.
func (s *merged) Bind(c *engine.Call, o field.Order) (forward, inverse []engine.Phase, err error) {
	strips, err := s.Strips(c.Tasks, s.rows())
	if err != nil {
		return nil, nil, err
	}
	tmp, err := s.F.Make(s.N1 * s.N2)
	if err != nil {
		return nil, nil, err
	}
	rev1 := s.Rev1
	if o == field.BitReversed {
		rev1 = nil
	}
	first := engine.Phase{Steps: s.N2 / s.C, Do: func(j, task int) {
		x := s.First(strips[task])
		s.F.Copy(x, s.Strip(c.In, j), bulks.Copy{Rows: s.N1, Width: s.C, Dst: s.C, Src: s.N2})
		s.Outer.Forward(&c.Watch, x, s.C, false)
		s.Twiddles.Strip(x, j)
		s.F.Copy(s.transposed(tmp, j), x, bulks.Copy{Rows: s.C, Width: s.N1, Dst: s.N1, Src: s.C, Transpose: true,
			ColPerm: rev1})
	}}
	last := engine.Phase{Steps: s.N2 / s.C, Do: func(j, task int) {
		x := s.First(strips[task])
		s.F.Copy(x, s.transposed(tmp, j), bulks.Copy{Rows: s.N1, Width: s.C, Dst: s.C, Src: s.N1, Transpose: true,
			RowPerm: rev1})
		s.InverseTwiddles.Strip(x, j)
		s.Outer.Inverse(&c.Watch, x, s.C, nil, c.Reduce)
		s.F.Copy(s.Strip(c.Out, j), x, bulks.Copy{Rows: s.N1, Width: s.C, Dst: s.N2, Src: s.C})
	}}
	if s.halves == nil {
		down, up := s.whole(c, o, strips, tmp)
		return []engine.Phase{first, down}, []engine.Phase{up, last}, nil
	}
	columns, columnsInverse := s.columns(c, strips, tmp)
	rows, rowsInverse := s.byRows(c, o, strips, tmp)
	return []engine.Phase{first, columns, rows}, []engine.Phase{rowsInverse, columnsInverse, last}, nil
}

// whole is the second pass, over strips of the columns k1 of tmp, an N2 × N1 matrix, and its inverse.
func (s *merged) whole(c *engine.Call, o field.Order, strips []engine.View, tmp engine.View) (down, up engine.Phase) {
	rev2 := s.order(o, s.Rev2)
	do := func(v engine.View, j int) engine.View { return v.Slice(j*s.C, (s.N2-1)*s.N1+(j+1)*s.C) }
	down = engine.Phase{Steps: s.N1 / s.C, Do: func(j, task int) {
		x := strips[task]
		s.F.Copy(x, do(tmp, j), bulks.Copy{Rows: s.N2, Width: s.C, Dst: s.C, Src: s.N1})
		s.Inner.Forward(&c.Watch, x, s.C, c.Reduce)
		s.out(c, o, x, part{j, 0, s.N2, 0, 1, rev2})
	}}
	up = engine.Phase{Steps: s.N1 / s.C, Do: func(j, task int) {
		x := strips[task]
		s.in(c, o, x, part{j, 0, s.N2, 0, 1, rev2})
		s.Inner.Inverse(&c.Watch, x, s.C, nil, false)
		s.F.Copy(do(tmp, j), x, bulks.Copy{Rows: s.N2, Width: s.C, Dst: s.N1, Src: s.C})
	}}
	return down, up
}

// columns is the first half of the second pass, in place: tmp is an n1 × n2 matrix of rows of N1 elements, and a step
// takes a strip of them in one of its columns.
func (s *merged) columns(c *engine.Call, strips []engine.View, tmp engine.View) (down, up engine.Phase) {
	n1, n2 := s.halves.Halves()
	each := s.N1 / s.C
	move := func(step, task int, do func(x engine.View)) {
		x := strips[task].Slice(0, n1*s.C)
		from := step/each*s.N1 + step%each*s.C
		v := tmp.Slice(from, from+(n1-1)*n2*s.N1+s.C)
		s.F.Copy(x, v, bulks.Copy{Rows: n1, Width: s.C, Dst: s.C, Src: n2 * s.N1})
		do(x)
		s.F.Copy(v, x, bulks.Copy{Rows: n1, Width: s.C, Dst: n2 * s.N1, Src: s.C})
	}
	down = engine.Phase{Steps: n2 * each, Do: func(step, task int) {
		move(step, task, func(x engine.View) { s.halves.Columns(&c.Watch, x, s.C) })
	}}
	up = engine.Phase{Steps: n2 * each, Do: func(step, task int) {
		move(step, task, func(x engine.View) { s.halves.ColumnsInverse(&c.Watch, x, s.C) })
	}}
	return down, up
}

// byRows is the second half: a step takes a strip of N1 in one row of that matrix.
func (s *merged) byRows(c *engine.Call, o field.Order, strips []engine.View, tmp engine.View) (down, up engine.Phase) {
	n1, n2 := s.halves.Halves()
	each, rev1, rev2 := s.N1/s.C, engine.CaseOrder(n1), s.order(o, engine.CaseOrder(n2))
	at := func(step int) (p part, v engine.View) {
		i, j := step/each, step%each
		p = part{j, i * n2, n2, int(rev1[i]), n1, rev2}
		from := i*n2*s.N1 + j*s.C
		return p, tmp.Slice(from, from+(n2-1)*s.N1+s.C)
	}
	down = engine.Phase{Steps: n1 * each, Do: func(step, task int) {
		p, v := at(step)
		x := strips[task].Slice(0, n2*s.C)
		s.F.Copy(x, v, bulks.Copy{Rows: n2, Width: s.C, Dst: s.C, Src: s.N1})
		s.halves.Row(&c.Watch, x, step/each, s.C, c.Reduce)
		s.out(c, o, x, p)
	}}
	up = engine.Phase{Steps: n1 * each, Do: func(step, task int) {
		p, v := at(step)
		x := strips[task].Slice(0, n2*s.C)
		s.in(c, o, x, p)
		s.halves.RowInverse(&c.Watch, x, step/each, s.C)
		s.F.Copy(v, x, bulks.Copy{Rows: n2, Width: s.C, Dst: s.N1, Src: s.C})
	}}
	return down, up
}

// part is count values of each of the columns of strip k1 of the result: first is the place of the first of them in
// bit-reversed order, and in natural order they are first + i·step in the order of rev.
type part struct {
	strip, from, count int
	first, step        int
	rev                []int32
}

// view is the part in v: rows of a strip in natural order, and else columns of its transpose.
func (s *merged) view(v engine.View, o field.Order, p part) engine.View {
	if o == field.Natural {
		from := p.first*s.N1 + p.strip*s.C
		return v.Slice(from, from+(p.count-1)*p.step*s.N1+s.C)
	}
	from := p.strip*s.C*s.N2 + p.from
	return v.Slice(from, from+(s.C-1)*s.N2+p.count)
}

// out moves x, rows of a strip, to its part of the result: rows k2 of an N2 × N1 matrix, or rows rev(k1) of an N1 × N2
// one.
func (s *merged) out(c *engine.Call, o field.Order, x engine.View, p part) {
	v := s.view(c.Out, o, p)
	if o == field.Natural {
		s.F.Copy(v, x, bulks.Copy{Rows: p.count, Width: s.C, Dst: p.step * s.N1, Src: s.C, RowPerm: p.rev})
	} else {
		s.F.Copy(v, x, bulks.Copy{Rows: s.C, Width: p.count, Dst: s.N2, Src: s.C, Transpose: true})
	}
}

// in is its inverse.
func (s *merged) in(c *engine.Call, o field.Order, x engine.View, p part) {
	v := s.view(c.In, o, p)
	if o == field.Natural {
		s.F.Copy(x, v, bulks.Copy{Rows: p.count, Width: s.C, Dst: s.C, Src: p.step * s.N1, RowPerm: p.rev})
	} else {
		s.F.Copy(x, v, bulks.Copy{Rows: p.count, Width: s.C, Dst: s.C, Src: s.N2, Transpose: true})
	}
}

// order is that in which values leave a case, nil where they stay so.
func (s *merged) order(o field.Order, rev []int32) []int32 {
	if o == field.BitReversed {
		return nil
	}
	return rev
}

// transposed returns rows j·C … of an N2 × N1 matrix: strip j of the first stage, transposed.
func (s *merged) transposed(v engine.View, j int) engine.View {
	return v.Slice(j*s.C*s.N1, (j+1)*s.C*s.N1)
}

// rows is how many a strip has at most.
func (s *merged) rows() int {
	if s.halves == nil {
		return s.N2
	}
	n1, n2 := s.halves.Halves()
	return max(s.N1, n1, n2)
}

func (s *merged) Report(r *field.Report, o field.Order) {
	s.Stages.Report(r, s.rows())
	r.Algorithm = field.SixStepMerged
	outer, inner := s.Passes(s.C)
	last := "to rows"
	if o == field.BitReversed {
		last = "transpose"
	}
	strips := func(passes string) string { return fmt.Sprintf("strips of %d columns: %s", s.C, passes) }
	r.Passes = []string{strips(outer + ", twiddles, transpose")}
	if s.halves != nil {
		columns, rows := s.halves.HalfPasses(s.C)
		r.Passes = append(r.Passes, strips(strings.Join(columns, ", ")))
		inner = strings.Join(rows, ", ")
	}
	r.Passes = append(r.Passes, strips(inner+", "+last))
	r.Scratch += s.F.Bytes(s.N1 * s.N2)
}
