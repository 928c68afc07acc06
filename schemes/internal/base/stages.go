package base

import (
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/core"
)

// Stages is what the schemes that split N = N1·N2 have in common: the cases of both factors and the factors
// between them. A scheme adds how the matrix moves.
type Stages struct {
	F              field.Bulk
	N1, N2, C      int  // C columns in a strip; C divides N1 and N2, and N1 ≤ N2
	Outer, Inner   Case // of length N1 and N2
	Twist, Untwist *core.Twiddles
	Rev1, Rev2     []int32 // the order of the values of both cases
	byColumns      bool    // the passes want columns
}

// NewStages splits p.D in two. 1/N is in the factors of the inverse.
func NewStages(p *core.Problem) (*Stages, error) {
	split := core.SplitDomain(p.D, p.C.N1)
	s := &Stages{F: p.F, N1: split.N1, N2: split.N2, C: p.C.Strip, Rev1: core.CaseOrder(split.N1),
		Rev2: core.CaseOrder(split.N2), byColumns: p.C.Columns > 1}
	byRows := p.C.Algorithm == field.SixStep // the explicit form has rows where the others have strips
	var tables Tables
	var err error
	if s.Outer, err = New(p, split.Outer, &tables); err != nil {
		return nil, err
	}
	if s.Inner, err = New(p, split.Inner, &tables); err != nil {
		return nil, err
	}
	if s.Twist, err = core.NewTwiddles(p, split, s.C, 1, p.C.Full, byRows); err != nil {
		return nil, err
	}
	s.Untwist, err = core.NewTwiddles(p, core.SplitDomain(p.D.Inverse(), s.N1), s.C, p.D.N, p.C.Full, byRows)
	return s, err
}

// Rows does a transform of n points in each of C rows that touch, from row r on: as they lie, or as columns of x, where
// the passes want columns.
func (s *Stages) Rows(v, x core.View, r, n int, do func(v core.View, width int)) {
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
func (s *Stages) ByColumns() bool { return s.byColumns }

// Row returns row r of an N1 × N2 matrix.
func (s *Stages) Row(v core.View, r int) core.View { return v.Slice(r*s.N2, (r+1)*s.N2) }

// Strip returns the part of an N1 × N2 matrix that covers its strip j of columns, at row stride N2.
func (s *Stages) Strip(v core.View, j int) core.View {
	return v.Slice(j*s.C, (s.N1-1)*s.N2+(j+1)*s.C)
}

// Strips makes the strip of each task, long enough for columns of either factor.
func (s *Stages) Strips(tasks int) (v []core.View, err error) {
	v = make([]core.View, tasks)
	for i := range v {
		if v[i], err = s.F.Make(s.N2 * s.C); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// Steps is the number of strips.
func (s *Stages) Steps() int { return s.N2 / s.C }

// First is the part of a strip that N1 rows take.
func (s *Stages) First(x core.View) core.View { return x.Slice(0, s.N1*s.C) }

// Passes says what the cases of both factors do on rows of width elements.
func (s *Stages) Passes(width int) (outer, inner string) {
	return strings.Join(s.Outer.Passes(s.C), ", "), strings.Join(s.Inner.Passes(width), ", ")
}

// Report fills in what all schemes share.
func (s *Stages) Report(r *field.Report) {
	r.Split = append(s.Outer.Sizes(), s.Inner.Sizes()...)
	r.Base, r.Strip = largest(r.Split), s.C
	r.Tables = s.Outer.Bytes() + s.Inner.Bytes() + s.Twist.Bytes() + s.Untwist.Bytes() + 4*(s.N1+s.N2)
	r.Scratch = r.Workers * (s.F.Bytes(s.N2*s.C) + max(s.Outer.Scratch(s.C), s.Inner.Scratch(s.C)))
}
