package depthfirst

import (
	"fmt"
	"slices"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/choice"
)

// Near is a rank's place in a group of Size, a power of two, whose ranks share memory, and a transform of at least
// Size² points over a cyclic domain.
//
// Before a forward transform a rank has columns of the Size × N/Size matrix of coefficients, as a matrix of its own.
// The first layers act on columns of the whole, of which each rank takes a share: it reaches into the vectors of all
// ranks for them, and leaves each row in that of the rank which goes on with it. Then a rank has block Rank of the
// values, in bit-reversed order. In natural order these are all k with k mod Size = rev(Rank).
type Near struct {
	Rank, Size int
	// Coefficients says that those are contiguous parts of the whole, and Values that values in natural order are,
	// which takes an exchange.
	Coefficients, Values bool
	// Begin comes before a rank writes anything of the caller's. All ranks call it, and what follows, alike, until w
	// stops on one; they tell w what failed.
	Begin func(w *engine.Watch)
	// Lend is Begin, and lends a rank's vectors to all others until Settle. It returns those of all ranks, or nil where
	// one has failed. Reach does a step that reaches into them, unless a rank has failed since.
	Lend   func(w *engine.Watch, own Lent) []Lent
	Reach  func(do func())
	Settle func(w *engine.Watch)
	// Exchange sets part f of recv, for all ranks f, to part Rank of what rank f sends.
	Exchange func(w *engine.Watch, recv, send engine.View)
}

// Lent is the vectors of a rank's call.
type Lent struct{ In, Out engine.View }

// near is the transform of one rank.
type near struct {
	Near
	f           bulks.Bulk
	n, part     int     // elements of the whole, and of a rank
	top, own    *layers // over columns, and over the block of this rank
	scale       bulks.Table
	rows        int // of columns
	strip       int // columns of a step
	first, last int // strips of this rank
	cut         choice.Cut
}

// Nears reports whether ranks that share memory take p as the layers of one transform. It is the same on all ranks.
func Nears(p *engine.Problem) bool {
	return p.D.Exponents != nil && p.T.Device == "" && choice.HighRadix(p.T) && p.S.Algorithm == field.Auto &&
		p.S.Base == 0
}

// BuildNear makes the scheme of a rank, for packages of this module: it does not check r.
func BuildNear(p *engine.Problem, r Near) (engine.Scheme, error) {
	const (
		most  = 64
		block = 1 << 19 // bytes of what columns leave, which stays in a second-level cache
		strip = 1 << 18 // bytes, which do so too
		least = 8       // columns
	)
	one := p.S // rows and strips are the same on all ranks, whatever their workers
	one.Algorithm, one.Workers = field.DepthFirst, 1
	if err := p.Choose(one); err != nil {
		return nil, err
	}
	n := p.D.N
	s := &near{Near: r, f: p.F, n: n, part: n / r.Size, rows: r.Size * r.Size}
	for s.rows < most && p.F.Bytes(n/s.rows) > block {
		s.rows *= 2
	}
	width := n / s.rows
	for s.strip = width; s.strip > least && (p.F.Bytes(s.rows*s.strip) > strip || width/s.strip < 4*r.Size); {
		s.strip /= 2
	}
	strips := width / s.strip
	s.first, s.last = r.Rank*strips/r.Size, (r.Rank+1)*strips/r.Size
	p.C.N1, p.C.Tasks = r.Size, choice.Tasks(p.T, s.part, p.S, 1)
	p.C.Reason = "the layers of one transform, on ranks that share memory"
	var err error
	if s.top, err = New(p, p.D.Top(s.rows), new(Tables)); err != nil {
		return nil, err
	}
	if s.own, err = New(p, p.D.Block(r.Rank, r.Size), new(Tables)); err != nil {
		return nil, err
	}
	s.cut = s.own.passes.CutParts(s.rows/r.Size, s.part, 1, p.C.Tasks)
	s.scale, err = p.D.Gain(p)
	return s, err
}

func (s *near) Cheapest() field.Order { return field.BitReversed }

// Steps is the most of any phase.
func (s *near) Steps() int { return max(s.last-s.first, s.cut.Parts) }

func (s *near) Bind(c *engine.Call, o field.Order) (forward, inverse []engine.Phase, err error) {
	down, up, err := s.columns(c)
	if err != nil {
		return nil, nil, err
	}
	before, after, err := s.ordered(c, o)
	if err != nil {
		return nil, nil, err
	}
	begin := phase(func() { s.Begin(&c.Watch) })
	forward = append(append(down, s.layers(c)...), after...)
	inverse = append(append(append([]engine.Phase{begin}, before...), s.layersInverse(c)...), up...)
	return forward, inverse, nil
}

func phase(do func()) engine.Phase { return engine.Phase{Steps: 1, Do: func(int, int) { do() }} }

// columns are the phases of the first layers, and of the last ones of the inverse: strips of columns of all ranks. What
// a strip has is read before any of it is written, from places that no other strip writes: so calls may be in place, as
// rows are a multiple of Size².
func (s *near) columns(c *engine.Call) (down, up []engine.Phase, err error) {
	strips := make([]engine.View, c.Tasks)
	for i := range strips {
		if strips[i], err = s.f.Make(s.rows * s.strip); err != nil {
			return nil, nil, err
		}
	}
	var all []Lent
	reach := func(do func(x engine.View, j int)) []engine.Phase {
		return []engine.Phase{
			phase(func() { all = s.Lend(&c.Watch, Lent{c.In, c.Out}) }),
			{Steps: s.last - s.first, Do: func(j, task int) {
				s.Reach(func() { do(strips[task], s.first+j) })
			}},
			phase(func() {
				s.Settle(&c.Watch)
				all = nil
			})}
	}
	down = reach(func(x engine.View, j int) {
		for rank := range all {
			s.coefficients(all[rank].In, x, rank, j, false)
		}
		s.top.Forward(&c.Watch, x, s.strip, false)
		for rank := range all {
			s.values(all[rank].Out, x, rank, j, true)
		}
	})
	up = reach(func(x engine.View, j int) {
		for rank := range all {
			s.values(all[rank].Out, x, rank, j, false)
		}
		s.top.Inverse(&c.Watch, x, s.strip, s.scale, c.Reduce)
		for rank := range all {
			s.coefficients(all[rank].Out, x, rank, j, true)
		}
	})
	return down, up, nil
}

// values moves the rows of strip j that a rank has as values from its vector v to x, or where home is true back.
func (s *near) values(v, x engine.View, rank, j int, home bool) {
	rows := s.rows / s.Size
	s.move(v, 0, x, rank*rows, rows, j, home)
}

// coefficients is values for the rows of which a rank has the coefficients.
func (s *near) coefficients(v, x engine.View, rank, j int, home bool) {
	if s.Coefficients {
		s.values(v, x, rank, j, home)
		return
	}
	rows := s.rows / s.Size / s.Size
	for i := range s.Size {
		s.move(v, i*rows, x, (i*s.Size+rank)*rows, rows, j, home)
	}
}

// move moves the columns of strip j in so many rows of v, from row i on, to rows k and on of x, or back.
func (s *near) move(v engine.View, i int, x engine.View, k, rows, j int, home bool) {
	row := s.n / s.rows
	at := i*row + j*s.strip
	v, x = v.Slice(at, at+(rows-1)*row+s.strip), x.Slice(k*s.strip, (k+rows)*s.strip)
	if home {
		s.f.Copy(v, x, bulks.Copy{Rows: rows, Width: s.strip, Dst: row, Src: s.strip})
		return
	}
	s.f.Copy(x, v, bulks.Copy{Rows: rows, Width: s.strip, Dst: s.strip, Src: row})
}

// layers are the phases behind the columns, on the rank's own vector.
func (s *near) layers(c *engine.Call) (list []engine.Phase) {
	for k := range s.cut.Levels {
		l := &s.cut.Levels[k]
		list = append(list, engine.Phase{Steps: l.Steps(), Do: func(step, _ int) {
			v, i, from, to := ofStep(l, c.Out, step)
			s.own.Columns(v, l.Top, i, l.Parts, from, to)
		}})
	}
	return append(list, s.parts(func(i, from, to int) {
		s.own.Part(&c.Watch, c.Out.Slice(from, to), i, s.cut.Parts, 1, c.Reduce)
	}))
}

func (s *near) layersInverse(c *engine.Call) []engine.Phase {
	list := []engine.Phase{s.parts(func(i, from, to int) {
		s.own.PartInverse(&c.Watch, c.Out.Slice(from, to), i, s.cut.Parts, 1, nil, false)
	})}
	for k := range slices.Backward(s.cut.Levels) {
		l := &s.cut.Levels[k]
		list = append(list, engine.Phase{Steps: l.Steps(), Do: func(step, _ int) {
			v, i, from, to := ofStep(l, c.Out, step)
			s.own.ColumnsInverse(v, l.Top, i, l.Parts, from, to, nil, false)
		}})
	}
	return list
}

// parts is a phase over the parts of a rank's vector.
func (s *near) parts(do func(i, from, to int)) engine.Phase {
	n := s.part / s.cut.Parts
	return engine.Phase{Steps: s.cut.Parts, Do: func(i, _ int) { do(i, i*n, (i+1)*n) }}
}

// ordered are the phases that bring values in order o from the input to the output, in bit-reversed order, and that
// take them in the output to order o.
func (s *near) ordered(c *engine.Call, o field.Order) (before, after []engine.Phase, err error) {
	moved := s.parts(func(_, from, to int) {
		s.f.Copy(c.Out.Slice(from, to), c.In.Slice(from, to), bulks.Copy{Rows: 1, Width: to - from})
	})
	moved.If = func() bool { return !c.InPlace }
	shares := s.cut.Shares
	reorder := engine.Phase{Steps: shares, Do: func(i, _ int) {
		s.f.Reorder(c.Out, 1, bulks.Rev(shares-1-i, int(log(shares))), shares)
	}}
	switch {
	case o != field.Natural:
		return []engine.Phase{moved}, nil, nil
	case !s.Values:
		return []engine.Phase{moved, reorder}, []engine.Phase{reorder}, nil
	}
	tmp, err := s.f.Make(s.part)
	if err != nil {
		return nil, nil, err
	}
	// Value k′ of a rank is k = k′·Size + rev(rank): contiguous parts of k′ are those of k.
	const step = 1 << 16
	sent := s.part / s.Size
	steps := max(1, sent/step)
	apart := func(do func(i, from, to, n int)) engine.Phase {
		n := sent / steps
		return engine.Phase{Steps: s.Size * steps, Do: func(i, _ int) {
			rank, k := i/steps, i%steps*n
			do(k*s.Size+bulks.Rev(rank, int(log(s.Size))), rank*sent+k, rank*sent+k+n, n)
		}}
	}
	before = []engine.Phase{
		apart(func(i, from, to, n int) {
			s.f.Copy(tmp.Slice(from, to), c.In.Slice(i, s.part), bulks.Copy{Rows: n, Width: 1, Dst: 1, Src: s.Size})
		}),
		phase(func() { s.Exchange(&c.Watch, c.Out, tmp) }),
		reorder}
	after = []engine.Phase{
		reorder,
		phase(func() { s.Exchange(&c.Watch, tmp, c.Out) }),
		apart(func(i, from, to, n int) {
			s.f.Copy(c.Out.Slice(i, s.part), tmp.Slice(from, to), bulks.Copy{Rows: n, Width: 1, Dst: s.Size, Src: 1})
		})}
	return before, after, nil
}

func (s *near) Report(r *field.Report, o field.Order) {
	r.Algorithm, r.Split, r.Base, r.Strip = field.DepthFirst, []int{s.n}, s.n, s.strip
	r.Tables = s.top.Bytes() + s.own.Bytes() + s.scale.Bytes()
	r.Scratch = r.Workers * s.f.Bytes(s.rows*s.strip)
	var tops []int
	for _, l := range s.cut.Levels {
		tops = append(tops, l.Top)
	}
	own := *s.own
	own.n = s.n / s.rows
	r.Passes = []string{
		fmt.Sprintf("columns of all ranks, which share memory, in strips of %d: %s", s.strip,
			strings.Join(s.top.Passes(s.strip), ", ")),
		"rows: " + strings.Join(own.PassesAfter(tops, 1), ", ")}
	if o != field.Natural {
		return
	}
	r.Passes = append(r.Passes, "bit reversal")
	if s.Values {
		r.Scratch += s.f.Bytes(s.part)
		r.Passes = append(r.Passes, fmt.Sprintf("columns to blocks: exchange of %d · %d elements", s.Size-1,
			s.part/s.Size))
	}
}
