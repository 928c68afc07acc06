package fourstep

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/additive"
	"github.com/galfft/fft/schemes/depthfirst"
	"github.com/galfft/fft/schemes/internal/base"
	"github.com/galfft/fft/schemes/internal/cases"
)

// blocks is the transform of one rank over an affine domain. N1 is Size: the first log₂ Size layers are transforms of
// columns, of which a rank has its share, and row r, which rank r has after the exchange, is a whole transform over
// block r of the domain, a coset. There are no twiddle factors. Values are in natural order, and contiguous.
type blocks struct {
	Ranks
	f            bulks.Bulk
	top          cases.Case // of length Size
	row          engine.Scheme
	width, strip int             // columns of the matrix that a rank has, and of a strip
	tables       int             // bytes of top, and of basis
	basis        *additive.Ranks // in which coefficients of powers of x change; nil: callers have those for LCH
	whole        *additive.Basis // in their place, for the shortest vectors
	low          int             // log₂ of the elements that touch, where it is not nil
}

// buildBlocks is BuildPart for an affine domain.
func buildBlocks(p *engine.Problem, r Ranks) (engine.Scheme, error) {
	switch {
	case p.S.Coefficients != field.LCH && p.T.Device != "":
		return nil, fmt.Errorf("fft: %w: %v coefficients on several devices over an affine domain, want %v", field.ErrSpec,
			p.S.Coefficients, field.LCH)
	case p.S.Order == field.BitReversed:
		return nil, fmt.Errorf("fft: %w: %v order on several ranks over an affine domain, want %v", field.ErrSpec,
			p.S.Order, field.Natural)
	case p.T.Device != "":
		return buildStagedBlocks(p, r)
	}
	s := &blocks{Ranks: r, f: p.F, width: p.D.N / r.Size / r.Size}
	top, row, err := p.D.Blocks(bits.Len(uint(r.Size))-1, r.Rank)
	if err != nil {
		return nil, err
	}
	of, err := p.Inside(top)
	if err != nil {
		return nil, err
	}
	of.S.Coefficients = field.LCH
	if s.top, err = base.Cases(of).New(top); err != nil {
		return nil, err
	}
	own, err := p.Inside(row)
	if err != nil {
		return nil, err
	}
	own.S.Coefficients = field.LCH
	build := base.Cases(own)
	if s.row, err = depthfirst.Build(build); err != nil {
		return nil, err
	}
	p.C, s.tables = own.C, s.top.Bytes()
	p.C.N1, p.C.Reason = r.Size, "the scheme of transforms on several ranks"
	if p.S.Coefficients == field.Monomial {
		if err := s.change(p, build); err != nil {
			return nil, err
		}
	}
	const cached = 1 << 18 // bytes of a strip
	for s.strip = s.width; s.strip > 64 && s.f.Bytes(s.strip*r.Size) > cached; {
		s.strip /= 2
	}
	return s, nil
}

func (s *blocks) Cheapest() field.Order { return field.Natural }

// Steps is the most of any phase.
func (s *blocks) Steps() int { return max(s.width/s.strip, s.row.Steps()) }

func (s *blocks) Bind(c *engine.Call, _ field.Order) (forward, inverse []engine.Phase, err error) {
	n := s.Size * s.width
	tmp, err := s.f.Make(n)
	if err != nil {
		return nil, nil, err
	}
	strips := make([]engine.View, c.Tasks)
	for i := range strips {
		if strips[i], err = s.f.Make(s.Size * s.strip); err != nil {
			return nil, nil, err
		}
	}
	row := c.Inside(tmp) // and then of the output
	down, up, err := s.row.Bind(row, field.Natural)
	if err != nil {
		return nil, nil, err
	}
	in, out := func() engine.View { return c.In }, func() engine.View { return c.Out }
	held := func() engine.View { return tmp }
	begin := func(inverse bool) engine.Phase {
		return engine.Phase{Steps: 1, Do: func(int, int) {
			row.In, row.Out, row.Reduce = c.Out, c.Out, c.Reduce && !inverse
			s.Begin(&c.Watch)
		}}
	}
	exchange := func(recv, send func() engine.View) engine.Phase {
		return engine.Phase{Steps: 1, Do: func(int, int) { s.Exchange(&c.Watch, recv(), send()) }}
	}
	columns := func(dst, src func() engine.View, do func(x engine.View)) engine.Phase {
		return engine.Phase{Steps: s.width / s.strip, Do: func(j, task int) {
			part := func(v engine.View) engine.View { return v.Slice(j*s.strip, n-s.width+(j+1)*s.strip) }
			x := strips[task]
			s.f.Copy(x, part(src()), bulks.Copy{Rows: s.Size, Width: s.strip, Dst: s.strip, Src: s.width})
			do(x)
			s.f.Copy(part(dst()), x, bulks.Copy{Rows: s.Size, Width: s.strip, Dst: s.width, Src: s.strip})
		}}
	}
	moved := s.move(out, in)
	moved.If = func() bool { return !c.InPlace }
	first := func(x engine.View) { s.top.Forward(&c.Watch, x, s.strip, false) }
	last := func(x engine.View) { s.top.Inverse(&c.Watch, x, s.strip, nil, c.Reduce) }
	forward, inverse = []engine.Phase{begin(false)}, []engine.Phase{begin(true)}
	if s.basis != nil {
		m := moves{s, in, out, held, exchange}
		forward = append(append(forward, m.enter(c, moved)...), columns(out, out, first))
		forward = append(append(forward, m.join()...), down...)
		inverse = append(append(append(inverse, moved), up...), m.part(out)...)
		inverse = append(append(inverse, columns(out, out, last)), m.leave(c)...)
		return forward, inverse, nil
	}
	if s.whole != nil {
		g := &gathered{blocks: s, exchange: exchange}
		for _, v := range []*engine.View{&g.all, &g.full} {
			if *v, err = s.f.Make(s.Size * n); err != nil {
				return nil, nil, err
			}
		}
		forward = append(append(forward, g.enter(c, out, in)...), columns(held, out, first), exchange(out, held))
		inverse = append(append(append(inverse, moved), up...), exchange(held, out), columns(out, held, last))
		return append(forward, down...), append(inverse, g.leave(c, out)...), nil
	}
	// A contiguous part is a row of Size runs, one for each rank: what a rank gets of all is its columns.
	src, dst := in, out
	if s.Coefficients {
		forward, src, dst = append(forward, exchange(held, in)), held, held
	}
	forward = append(append(forward, columns(held, src, first), exchange(out, held)), down...)

	inverse = append(append(inverse, moved), up...)
	inverse = append(inverse, exchange(held, out), columns(dst, held, last))
	if s.Coefficients {
		inverse = append(inverse, exchange(out, held))
	}
	return forward, inverse, nil
}

// move is a copy of a vector, in parts of a row of columns.
func (s *blocks) move(dst, src func() engine.View) engine.Phase {
	return engine.Phase{Steps: s.Size, Do: func(i, _ int) {
		part := func(v engine.View) engine.View { return v.Slice(i*s.width, (i+1)*s.width) }
		s.f.Copy(part(dst()), part(src()), bulks.Copy{Rows: 1, Width: s.width})
	}}
}

func (s *blocks) Report(r *field.Report, o field.Order) {
	s.row.Report(r, o)
	r.Algorithm, r.Strip = field.FourStep, s.strip
	r.Split = append([]int{s.Size}, r.Split...)
	r.Tables += s.tables
	r.Scratch += s.f.Bytes(s.Size*s.width) + r.Workers*s.f.Bytes(s.Size*s.strip)
	exchange := fmt.Sprintf("exchange of %d · %d elements", s.Size-1, s.width)
	own := "rows: " + strings.Join(r.Passes, ", ")
	r.Passes = nil
	switch {
	case s.whole != nil:
		r.Passes = append(r.Passes, s.gathers())
		r.Scratch += 2*s.f.Bytes(s.Size*s.Size*s.width) + s.whole.Scratch(1, 1)
	case s.Coefficients:
		r.Passes = append(r.Passes, "blocks to columns: "+exchange)
	}
	if s.basis != nil {
		r.Passes = append(r.Passes, s.changes(exchange)...)
		r.Scratch += s.basis.Scratch()
	}
	r.Passes = append(r.Passes, fmt.Sprintf("strips of %d columns: %s", s.strip,
		strings.Join(s.top.Passes(s.strip), ", ")), exchange, own)
}
