package product

import (
	"slices"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/cases"
	"github.com/galfft/fft/schemes/internal/core"
)

// stages is what the schemes have in common: a product, and its twiddle factors in strips. A scheme adds how the matrix
// moves.
type stages struct {
	product
	F                         field.Bulk
	C                         int // columns in a strip; C divides N1 and N2, and N1 ≤ N2
	Twiddles, InverseTwiddles *core.Twiddles
	Rev1, Rev2                []int32 // the order of the values of both cases
	byColumns                 bool    // the passes want columns
}

// newStages splits the domain of the problem in two. 1/N is in the twiddle factors of the inverse.
func newStages(b *cases.Build) (*stages, error) {
	p, c := b.Problem, &b.C
	of, err := newProduct(b, p.D, c.N1)
	if err != nil {
		return nil, err
	}
	s := &stages{product: of, F: p.F, C: c.Strip, Rev1: core.CaseOrder(of.N1), Rev2: core.CaseOrder(of.N2),
		byColumns: c.Columns > 1}
	byRows := c.Algorithm == field.SixStep // the explicit form has rows where the others have strips
	if s.Twiddles, err = core.NewTwiddles(p, of.split, s.C, 1, c.Full, byRows); err != nil {
		return nil, err
	}
	s.InverseTwiddles, err = core.NewTwiddles(p, of.inverse, s.C, p.D.N, c.Full, byRows)
	return s, err
}

// Rows does a transform of n points in each of C rows that touch, from row r on: as they lie, or as columns of x, where
// the passes want columns.
func (s *stages) Rows(v, x core.View, r, n int, do func(v core.View, width int)) {
	v = v.Slice(r*n, (r+s.C)*n)
	if !s.byColumns {
		for i := range s.C {
			do(v.Slice(i*n, (i+1)*n), 1)
		}
		return
	}
	x = x.Slice(0, s.C*n)
	s.F.Copy(x, v, field.Copy{Rows: n, Width: s.C, Dst: s.C, Src: n, Transpose: true})
	do(x, s.C)
	s.F.Copy(v, x, field.Copy{Rows: s.C, Width: n, Dst: n, Src: s.C, Transpose: true})
}

// ByColumns reports whether passes want columns.
func (s *stages) ByColumns() bool { return s.byColumns }

// Row returns row r of an N1 × N2 matrix.
func (s *stages) Row(v core.View, r int) core.View { return v.Slice(r*s.N2, (r+1)*s.N2) }

// Strip returns the part of an N1 × N2 matrix that covers its strip j of columns, at row stride N2.
func (s *stages) Strip(v core.View, j int) core.View {
	return v.Slice(j*s.C, (s.N1-1)*s.N2+(j+1)*s.C)
}

// Strips makes the strip of each task, long enough for columns of either factor.
func (s *stages) Strips(tasks int) (v []core.View, err error) {
	v = make([]core.View, tasks)
	for i := range v {
		if v[i], err = s.F.Make(s.N2 * s.C); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// Steps is the number of strips.
func (s *stages) Steps() int { return s.N2 / s.C }

// First is the part of a strip that N1 rows take.
func (s *stages) First(x core.View) core.View { return x.Slice(0, s.N1*s.C) }

// Passes says what the cases of both factors do on rows of width elements.
func (s *stages) Passes(width int) (outer, inner string) {
	return strings.Join(s.Outer.Passes(s.C), ", "), strings.Join(s.Inner.Passes(width), ", ")
}

// Report fills in what all schemes share.
func (s *stages) Report(r *field.Report) {
	r.Split = s.Sizes()
	r.Base, r.Strip = slices.Max(r.Split), s.C
	r.Tables = s.product.Bytes() + s.Twiddles.Bytes() + s.InverseTwiddles.Bytes() + 4*(s.N1+s.N2)
	r.Scratch = r.Workers * (s.F.Bytes(s.N2*s.C) + max(s.Outer.Scratch(s.C), s.Inner.Scratch(s.C)))
}
