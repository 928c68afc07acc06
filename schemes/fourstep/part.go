package fourstep

import (
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/schemes/internal/base"
	"github.com/galfft/fft/schemes/internal/cases"
	"github.com/galfft/fft/schemes/internal/product"
)

// Ranks is a rank's place in a group of Size, a power of two, whose ranks share a transform of at least Size² points.
//
// Before a forward transform a rank has columns of the N1 × N2 matrix of coefficients, N2/Size of them that touch, as a
// matrix of its own. After it, and the one exchange, it has rows: in bit-reversed order N1/Size of them, which are a
// contiguous part of the whole, and in natural order as many columns of the N2 × N1 matrix of values.
type Ranks struct {
	Rank, Size int
	// Coefficients says that those are contiguous parts of the whole, and Values that values in natural order are:
	// either takes one exchange more.
	Coefficients, Values bool
	// Begin comes before a rank writes anything of the caller's, and Exchange sets part f of recv, for all ranks f, to
	// part Rank of what rank f sends. All ranks call them alike, until w stops on one; they tell w what failed.
	Begin    func(w *engine.Watch)
	Exchange func(w *engine.Watch, recv, send engine.View)
	// Chunks is in how many steps, a power of two, ranks exchange vectors of so many bytes where stages may run beside.
	// ExchangeSteps exchanges chunks of all parts: before begins what fills a chunk, and after what comes behind its
	// arrival. Either may be nil. What is begun later comes behind all of it.
	Chunks        func(bytes int) int
	ExchangeSteps func(w *engine.Watch, recv, send engine.View, c Chunks, before, after func(chunk int) error)
}

// Chunks is that of package dist.
type Chunks struct {
	Order          []int
	Sent, Received int
}

// part is the transform of one rank.
type part struct {
	*product.Stages
	Ranks
	rows, block int // rows of the matrix after the exchange, and elements that two ranks exchange
	lines       int // rows in a strip of them
}

// BuildPart makes the scheme of a rank, for packages of this module: it does not check r.
func BuildPart(p *engine.Problem, r Ranks) (engine.Scheme, error) {
	asked := p.S
	if asked.Algorithm != field.Auto && asked.Algorithm != field.FourStep {
		return nil, fmt.Errorf("fft: %w: %w: %v on several ranks, want %v", field.ErrSpec, field.ErrScheme,
			asked.Algorithm, field.FourStep)
	}
	if p.D.Subspace != nil {
		return buildBlocks(p, r)
	}
	one := asked // N1 is the same on all ranks, whatever their workers
	one.Algorithm, one.Workers = field.FourStep, 1
	if err := p.Choose(one); err != nil {
		return nil, err
	}
	if of, ok := p.F.(engine.Staged); ok {
		if n1, ok := of.Split(p.D.N, r.Size); ok {
			return buildStaged(p, of, n1, r)
		}
	}
	n, c, least := p.D.N, &p.C, max(p.C.Columns, 8) // elements that fill a line of cache, mostly
	for c.N1 < r.Size*least && 4*c.N1*c.N1 <= n {
		c.N1 *= 2
	}
	c.Reason = "the scheme of transforms on several ranks"
	c.Tasks = choice.Tasks(p.T, n/r.Size, asked, 1)
	rows := c.N1 / r.Size
	for c.Tasks > 1 && c.Strip > least && rows < 4*c.Tasks*c.Strip {
		c.Strip /= 2 // for more steps
	}
	c.Strip = min(c.Strip, rows)
	lines := c.Strip
	if c.Columns <= 1 {
		lines = min(lines, least)
		lengthen(p, r.Size, least)
		rows = c.N1 / r.Size
	}
	s, err := product.NewPart(base.Cases(p), r.Rank, r.Size)
	if err != nil {
		return nil, err
	}
	return &part{Stages: s, Ranks: r, rows: rows, block: rows * s.Width, lines: lines}, nil
}

// lengthen makes rows longer and columns shorter, and strips wider. N1 is the same on all ranks.
func lengthen(p *engine.Problem, size, least int) {
	const row, strip = 1 << 17, 1 << 18 // bytes
	c, n := &p.C, p.D.N
	c.Shorten(p.F.Bytes, n, size*least, row)
	width := n / c.N1 / size
	for 2*c.Strip <= width/(4*c.Tasks) && (c.Strip < 8*least || p.F.Bytes(2*c.Strip*c.N1) <= strip) {
		c.Strip *= 2
	}
}

// Cheapest is the order of the cases.
func (s *part) Cheapest() field.Order { return cases.Cheapest(s.N1 * s.N2) }

func (s *part) Bind(c *engine.Call, o field.Order) (forward, inverse []engine.Phase, err error) {
	strips := make([]engine.View, c.Tasks)
	for i := range strips {
		if strips[i], err = s.F.Make(s.strip()); err != nil {
			return nil, nil, err
		}
	}
	tmp, err := s.F.Make(s.N1 * s.Width)
	if err != nil {
		return nil, nil, err
	}
	var order []int32 // of rows, where ranks have values in natural order
	natural := o == field.Natural
	if natural {
		order = s.Rev1
	}
	begin := engine.Phase{Steps: 1, Do: func(int, int) { s.Begin(&c.Watch) }}
	exchange := func(recv, send func() engine.View) engine.Phase {
		return engine.Phase{Steps: 1, Do: func(int, int) { s.Exchange(&c.Watch, recv(), send()) }}
	}
	in, out := func() engine.View { return c.In }, func() engine.View { return c.Out }
	held := func() engine.View { return tmp }
	// pack sorts a contiguous part by ranks, rows of width elements for each, and unpack undoes that.
	pack := func(rows, width int) []engine.Phase {
		return []engine.Phase{{Steps: s.Size, Do: func(t, _ int) {
			s.F.Copy(s.of(tmp, t), c.In.Slice(t*width, c.In.N), bulks.Copy{Rows: rows, Width: width, Dst: width,
				Src: s.Size * width})
		}}, exchange(out, held)}
	}
	unpack := func(rows, width int) []engine.Phase {
		return []engine.Phase{exchange(held, out), {Steps: s.Size, Do: func(f, _ int) {
			s.F.Copy(c.Out.Slice(f*width, c.Out.N), s.of(tmp, f), bulks.Copy{Rows: rows, Width: width,
				Dst: s.Size * width, Src: width})
		}}}
	}

	forward, inverse = []engine.Phase{begin}, []engine.Phase{begin}
	src := in
	if s.Coefficients {
		forward, src = append(forward, pack(s.rows, s.Width)...), out
	}
	forward = append(forward,
		engine.Phase{Steps: s.Steps(), Do: func(j, task int) {
			columns(s.Stages, &c.Watch, c.Out, src(), strips[task], ahead(s.Stages, src(), j, c.Tasks), j, order)
		}},
		exchange(held, out),
		engine.Phase{Steps: s.rows / s.lines, Do: func(j, task int) {
			s.forward(c, tmp, strips[task], j, natural)
		}})

	values := in
	if natural && s.Values {
		forward = append(forward, unpack(s.Width, s.rows)...)
		inverse, values = append(inverse, pack(s.Width, s.rows)...), out
	}
	inverse = append(inverse,
		engine.Phase{Steps: s.rows / s.lines, Do: func(j, task int) {
			s.inverse(c, tmp, values(), strips[task], j, natural)
		}},
		exchange(out, held),
		engine.Phase{Steps: s.Steps(), Do: func(j, task int) {
			columnsBack(s.Stages, &c.Watch, c.Out, c.Out, strips[task], ahead(s.Stages, c.Out, j, c.Tasks), j, order,
				c.Reduce)
		}})
	if s.Coefficients {
		inverse = append(inverse, unpack(s.rows, s.Width)...)
	}
	return forward, inverse, nil
}

// strip is the length of one, for columns of either factor.
func (s *part) strip() int { return max(s.N1*s.C, s.N2*s.lines) }

// of is what one rank sends or gets.
func (s *part) of(v engine.View, rank int) engine.View {
	return v.Slice(rank*s.block, (rank+1)*s.block)
}

// forward transforms strip j of the rows, of which each rank has sent a part.
func (s *part) forward(c *engine.Call, tmp, x engine.View, j int, natural bool) {
	if !natural && !s.ByColumns() {
		for r := j * s.lines; r < (j+1)*s.lines; r++ {
			row := s.Row(c.Out, r)
			s.F.Copy(row, tmp.Slice(r*s.Width, tmp.N), bulks.Copy{Rows: s.Size, Width: s.Width, Dst: s.Width,
				Src: s.block})
			s.Inner.Forward(&c.Watch, row, 1, c.Reduce)
		}
		return
	}
	x = x.Slice(0, s.N2*s.lines)
	at := j * s.lines * s.Width
	for f := range s.Size {
		s.F.Copy(x.Slice(f*s.Width*s.lines, (f+1)*s.Width*s.lines), s.of(tmp, f).Slice(at, at+s.lines*s.Width),
			bulks.Copy{Rows: s.Width, Width: s.lines, Dst: s.lines, Src: s.Width, Transpose: true})
	}
	s.Inner.Forward(&c.Watch, x, s.lines, c.Reduce)
	if natural {
		s.F.Copy(c.Out.Slice(j*s.lines, c.Out.N), x, bulks.Copy{Rows: s.N2, Width: s.lines,
			Dst: s.rows, Src: s.lines, RowPerm: s.Rev2})
		return
	}
	s.F.Copy(c.Out.Slice(j*s.lines*s.N2, (j+1)*s.lines*s.N2), x, bulks.Copy{Rows: s.lines, Width: s.N2,
		Dst: s.N2, Src: s.lines, Transpose: true})
}

// inverse undoes forward. It may leave anything in the output.
func (s *part) inverse(c *engine.Call, tmp, values, x engine.View, j int, natural bool) {
	if !natural && !s.ByColumns() {
		for r := j * s.lines; r < (j+1)*s.lines; r++ {
			row := s.Row(c.Out, r)
			if !c.InPlace {
				s.F.Copy(row, s.Row(values, r), bulks.Copy{Rows: 1, Width: s.N2})
			}
			s.Inner.Inverse(&c.Watch, row, 1, nil, false)
			s.F.Copy(tmp.Slice(r*s.Width, tmp.N), row, bulks.Copy{Rows: s.Size, Width: s.Width, Dst: s.block,
				Src: s.Width})
		}
		return
	}
	x = x.Slice(0, s.N2*s.lines)
	if natural {
		s.F.Copy(x, values.Slice(j*s.lines, values.N), bulks.Copy{Rows: s.N2, Width: s.lines, Dst: s.lines,
			Src: s.rows, RowPerm: s.Rev2})
	} else {
		s.F.Copy(x, values.Slice(j*s.lines*s.N2, (j+1)*s.lines*s.N2), bulks.Copy{Rows: s.N2,
			Width: s.lines, Dst: s.lines, Src: s.N2, Transpose: true})
	}
	s.Inner.Inverse(&c.Watch, x, s.lines, nil, false)
	at := j * s.lines * s.Width
	for f := range s.Size {
		s.F.Copy(s.of(tmp, f).Slice(at, at+s.lines*s.Width), x.Slice(f*s.Width*s.lines, (f+1)*s.Width*s.lines),
			bulks.Copy{Rows: s.lines, Width: s.Width, Dst: s.Width, Src: s.lines, Transpose: true})
	}
}

func (s *part) Report(r *field.Report, o field.Order) {
	s.Stages.Report(r, s.N2)
	r.Algorithm = field.FourStep
	r.Scratch = s.F.Bytes(s.N1*s.Width) +
		r.Workers*(s.F.Bytes(s.strip())+max(s.Outer.Scratch(s.C), s.Inner.Scratch(s.lines)))
	width := s.lines
	if o != field.Natural && !s.ByColumns() {
		width = 1
	}
	outer, inner := s.Passes(width)
	exchange := fmt.Sprintf("exchange of %d · %d elements", s.Size-1, s.block)
	if s.Coefficients {
		r.Passes = append(r.Passes, "blocks to columns: "+exchange)
	}
	r.Passes = append(r.Passes, fmt.Sprintf("strips of %d columns: %s, twiddles", s.C, outer), exchange,
		"rows: "+inner)
	if o == field.Natural && s.Values {
		r.Passes = append(r.Passes, "columns to blocks: "+exchange)
	}
}
