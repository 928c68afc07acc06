package fourstep

import (
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// Multiplies reports whether rows are transformed where they lie.
func (s *fourStep) Multiplies() bool { return !s.ByColumns() }

// BindProduct goes from factors to their product in three passes over memory: columns of both, rows, which are
// transformed, multiplied and transformed back before the next ones are met, and columns of the product.
func (s *fourStep) BindProduct(p *engine.Product) ([]engine.Phase, error) {
	strips, err := s.Strips(p.Tasks, s.N1)
	if err != nil {
		return nil, err
	}
	zeros, err := s.F.Make(s.C)
	if err != nil {
		return nil, err
	}
	enter := func(v, of engine.View, j, task int) {
		x := s.First(strips[task])
		s.load(x, of, zeros, j)
		s.Outer.Forward(&p.Watch, x, s.C, false)
		next := v
		if of.N == s.N1*s.N2 {
			next = of
		}
		next = ahead(s.Stages, next, j, p.Tasks)
		s.Twiddles.Move(s.F, s.Strip(v, j), x, next, j, bulks.Copy{Dst: s.Width, Src: s.C}, s.Width)
	}
	return []engine.Phase{
		{Steps: s.N2 / s.C, Do: func(j, task int) { enter(p.X, p.A, j, task) }},
		{Steps: s.N2 / s.C, Do: func(j, task int) { enter(p.Y, p.B, j, task) },
			If: func() bool { return p.Way == engine.Two }},
		{Steps: s.N1, Do: func(r, task int) { s.multiply(p, strips[task], r) }},
		{Steps: s.N2 / s.C, Do: func(j, task int) {
			columnsBack(s.Stages, &p.Watch, p.X, p.X, strips[task], ahead(s.Stages, p.X, j, p.Tasks), j, nil, true)
			s.leave(p, j)
		}},
	}, nil
}

// load sets x to strip j of the columns of a, behind which there are zeros.
func (s *fourStep) load(x, a, zeros engine.View, j int) {
	from := j * s.C
	full := max(0, a.N-from-s.C+s.N2) / s.N2 // rows of which a has the whole strip
	if full > 0 {
		s.F.Copy(x, a.Slice(from, a.N), bulks.Copy{Rows: full, Width: s.C, Dst: s.C, Src: s.N2})
	}
	if rest := a.N - from - full*s.N2; rest > 0 {
		one := bulks.Copy{Rows: 1, Width: rest}
		s.F.Copy(x.Slice(full*s.C, full*s.C+rest), a.Slice(from+full*s.N2, a.N), one)
		one.Width = s.C - rest
		s.F.Copy(x.Slice(full*s.C+rest, (full+1)*s.C), zeros, one)
		full++
	}
	if full < s.N1 {
		s.F.Copy(x.Slice(full*s.C, x.N), zeros, bulks.Copy{Rows: s.N1 - full, Width: s.C, Dst: s.C})
	}
}

// multiply makes row r of the values of the product, transformed back.
func (s *fourStep) multiply(p *engine.Product, strip engine.View, r int) {
	x, y := s.Row(p.X, r), s.Row(p.Y, r)
	if m, ok := s.Inner.(interface {
		Product(p *engine.Product, x, y engine.View)
	}); ok {
		m.Product(p, x, y)
		return
	}
	s.Inner.Forward(&p.Watch, x, 1, false)
	if p.Way == engine.Two {
		s.Inner.Forward(&p.Watch, y, 1, false)
	}
	s.F.VecMul(x, x, y)
	s.Inner.Inverse(&p.Watch, x, 1, nil, false)
}

// leave moves strip j of the product to where it is to be.
func (s *fourStep) leave(p *engine.Product, j int) {
	for at := j * s.C; at < s.N1*s.N2; at += s.N2 {
		first, end := max(at, p.From), min(at+s.C, p.From+p.Dst.N)
		if first < end {
			s.F.Copy(p.Dst.Slice(first-p.From, end-p.From), p.X.Slice(first, end),
				bulks.Copy{Rows: 1, Width: end - first})
		}
	}
}
