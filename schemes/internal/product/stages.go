package product

import (
	"slices"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/internal/cases"
)

// Stages is a product with its twiddle factors in strips.
type Stages struct {
	Product
	F                         bulks.Bulk
	Width                     int // columns of the matrix that are here: N2, or the part of a rank
	C                         int // columns in a strip; C divides N1 and Width, and N1 ≤ N2
	Twiddles, InverseTwiddles *engine.Twiddles
	Rev1, Rev2                []int32 // the order of the values of both cases
	byColumns                 bool    // the passes want columns
}

// NewStages splits the domain of the problem in two. 1/N is in the twiddle factors of the inverse.
func NewStages(b *cases.Build) (*Stages, error) { return NewPart(b, 0, 1) }

// NewPart is NewStages with the twiddle factors of the part of the columns that a rank has, of a group of so many.
func NewPart(b *cases.Build, rank, size int) (*Stages, error) {
	p, c := b.Problem, &b.C
	of, err := New(b, p.D, c.N1)
	if err != nil {
		return nil, err
	}
	width := of.N2 / size
	of.Split, of.Inverse = of.Split.Columns(rank*width, width), of.Inverse.Columns(rank*width, width)
	s := &Stages{Product: of, F: p.F, Width: width, C: c.Strip, Rev1: engine.CaseOrder(of.N1),
		Rev2: engine.CaseOrder(of.N2), byColumns: c.Columns > 1}
	byRows := c.Algorithm == field.SixStep // the explicit form has rows where the others have strips
	if s.Twiddles, err = engine.NewTwiddles(p, of.Split, s.C, 1, c.Full, byRows); err != nil {
		return nil, err
	}
	s.InverseTwiddles, err = engine.NewTwiddles(p, of.Inverse, s.C, p.D.N, c.Full, byRows)
	return s, err
}

// Rows does a transform of n points in each of C rows that touch, from row r on: as they lie, or as columns of x, where
// the passes want columns.
func (s *Stages) Rows(v, x engine.View, r, n int, do func(v engine.View, width int)) {
	v = v.Slice(r*n, (r+s.C)*n)
	if !s.byColumns {
		for i := range s.C {
			do(v.Slice(i*n, (i+1)*n), 1)
		}
		return
	}
	x = x.Slice(0, s.C*n)
	s.F.Copy(x, v, bulks.Copy{Rows: n, Width: s.C, Dst: s.C, Src: n, Transpose: true})
	do(x, s.C)
	s.F.Copy(v, x, bulks.Copy{Rows: s.C, Width: n, Dst: n, Src: s.C, Transpose: true})
}

// ByColumns reports whether passes want columns.
func (s *Stages) ByColumns() bool { return s.byColumns }

// Row returns row r of an N1 × N2 matrix.
func (s *Stages) Row(v engine.View, r int) engine.View { return v.Slice(r*s.N2, (r+1)*s.N2) }

// Strip returns the part of an N1 × Width matrix that covers its strip j of columns, at row stride Width.
func (s *Stages) Strip(v engine.View, j int) engine.View {
	return v.Slice(j*s.C, (s.N1-1)*s.Width+(j+1)*s.C)
}

// Strips makes the strip of each task, for columns of n elements.
func (s *Stages) Strips(tasks, n int) (v []engine.View, err error) {
	v = make([]engine.View, tasks)
	for i := range v {
		if v[i], err = s.F.Make(n * s.C); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// Steps is the number of strips.
func (s *Stages) Steps() int { return s.Width / s.C }

// First is the part of a strip that N1 rows take.
func (s *Stages) First(x engine.View) engine.View { return x.Slice(0, s.N1*s.C) }

// Passes says what the cases of both factors do on rows of width elements.
func (s *Stages) Passes(width int) (outer, inner string) {
	return strings.Join(s.Outer.Passes(s.C), ", "), strings.Join(s.Inner.Passes(width), ", ")
}

// Report fills in what all schemes share; strips have n rows.
func (s *Stages) Report(r *field.Report, n int) {
	r.Split = s.Sizes()
	r.Base, r.Strip = slices.Max(r.Split), s.C
	r.Tables = s.Product.Bytes() + s.Twiddles.Bytes() + s.InverseTwiddles.Bytes() + 4*(s.N1+s.N2)
	r.Scratch = r.Workers * (s.F.Bytes(n*s.C) + max(s.Outer.Scratch(s.C), s.Inner.Scratch(s.C)))
}
