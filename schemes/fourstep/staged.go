package fourstep

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// staged is the transform of one rank by stages of the bulk's own. Values in natural order take one exchange more, as
// stages have them in bit-reversed order, be they by columns or contiguous.
type staged struct {
	engine.Stages
	Ranks
	f                       bulks.Bulk
	order                   field.Order // of values, as stages have them
	n1, n2                  int
	width, rows, block, sub int // columns and rows of a rank, what two ranks exchange, and rows/Size
	overlap                 *overlap
}

// buildStaged is BuildPart for a bulk with stages, which has been asked.
func buildStaged(p *engine.Problem, of engine.Staged, n1 int, r Ranks) (engine.Scheme, error) {
	t := newStaged(p, n1, r, field.BitReversed)
	var err error
	if t.overlap, err = t.overlapped(p); err == nil && t.overlap == nil {
		t.Stages, err = of.Stages(p, r.Rank, r.Size)
	}
	return t, err
}

// buildStagedBlocks is buildBlocks for a bulk with stages.
func buildStagedBlocks(p *engine.Problem, r Ranks) (engine.Scheme, error) {
	of, ok := p.F.(engine.StagedBlocks)
	if !ok {
		return nil, fmt.Errorf("fft: %w: an affine domain on several devices of %s, which have no such stages",
			field.ErrSpec, p.T.Device)
	}
	s, n1, err := of.Blocks(p, r.Rank, r.Size)
	if err != nil {
		return nil, err
	}
	t := newStaged(p, n1, r, field.Natural)
	t.Stages = s
	return t, nil
}

// newStaged is the scheme for N1 and values in an order, without its stages.
func newStaged(p *engine.Problem, n1 int, r Ranks, o field.Order) *staged {
	p.C.N1, p.C.Tasks, p.C.Strip = n1, 1, 1
	p.C.Reason = "stages on the device"
	t := &staged{Ranks: r, f: p.F, order: o, n1: n1, n2: p.D.N / n1}
	t.width, t.rows = t.n2/r.Size, n1/r.Size
	t.block, t.sub = t.rows*t.width, t.rows/r.Size
	return t
}

func (s *staged) Cheapest() field.Order { return s.order }

// sorted reports whether values take an exchange more.
func (s *staged) sorted(o field.Order) bool { return o == field.Natural && s.order != field.Natural }

func (s *staged) Steps() int { return 1 }

func (s *staged) Bind(c *engine.Call, o field.Order) (forward, inverse []engine.Phase, err error) {
	n := s.n1 * s.width
	tmp, err := s.f.Make(n)
	if err != nil {
		return nil, nil, err
	}
	phase := func(do func()) engine.Phase { return engine.Phase{Steps: 1, Do: func(int, int) { do() }} }
	exchange := func(recv, send func() engine.View) engine.Phase {
		return phase(func() { s.Exchange(&c.Watch, recv(), send()) })
	}
	out := func() engine.View { return c.Out }
	held := func() engine.View { return tmp }
	copied := func(dst, src engine.View) { s.f.Copy(dst, src, bulks.Copy{Rows: 1, Width: n}) }
	run := func(stage func(ctx context.Context, v, free engine.View, inverse bool) error, inverse bool) {
		if err := stage(c.Context(), c.Out, tmp, inverse); err != nil {
			c.Failed(err)
		}
	}
	// pack sorts rows of Size parts of width elements by ranks, and unpack undoes that.
	pack := func(src engine.View, rows, width int) {
		for r := range s.Size {
			c := bulks.Copy{Rows: rows, Width: width, Dst: width, Src: s.Size * width}
			s.f.Copy(s.of(tmp, r), src.Slice(r*width, n), c)
		}
	}
	unpack := func(dst, src engine.View, rows, width int) {
		for r := range s.Size {
			c := bulks.Copy{Rows: rows, Width: width, Dst: s.Size * width, Src: width}
			s.f.Copy(dst.Slice(r*width, n), s.of(src, r), c)
		}
	}
	natural := s.sorted(o)
	begin := phase(func() { s.Begin(&c.Watch) })

	forward = []engine.Phase{begin}
	if s.Coefficients {
		forward = append(forward, phase(func() { pack(c.In, s.rows, s.width) }), exchange(out, held))
	}
	forward = append(forward, phase(func() {
		if !c.InPlace && !s.Coefficients {
			copied(c.Out, c.In)
		}
		run(s.Columns, false)
	}))
	var down, up engine.Phase
	if s.overlap != nil {
		down, up = s.overlap.bind(c, tmp)
		forward = append(forward, down)
	} else {
		forward = append(forward, exchange(held, out), phase(func() {
			unpack(c.Out, tmp, s.rows, s.width)
			run(s.Rows, false)
		}))
	}
	// apart puts what ranks have sent side by side, element by element, and together undoes that. Element k′ of a rank,
	// once its bits are reversed, is value k = k′·Size + rev(rank): contiguous parts of k′ are those of k.
	apart := func(dst, src engine.View) {
		for r := range s.Size {
			c := bulks.Copy{Rows: s.block, Width: 1, Dst: s.Size, Src: 1}
			s.f.Copy(dst.Slice(s.mirror(r), n), s.of(src, r), c)
		}
	}
	together := func(dst, src engine.View) {
		for r := range s.Size {
			c := bulks.Copy{Rows: s.block, Width: 1, Dst: 1, Src: s.Size}
			s.f.Copy(s.of(dst, r), src.Slice(s.mirror(r), n), c)
		}
	}
	switch {
	case natural && s.Values:
		forward = append(forward, phase(func() { s.f.Reorder(c.Out, 1, 0, 1) }), exchange(held, out),
			phase(func() { apart(c.Out, tmp) }))
	case natural:
		forward = append(forward, phase(func() {
			s.f.Reorder(c.Out, 1, 0, 1)
			pack(c.Out, s.n2, s.sub)
		}), exchange(out, held), phase(func() {
			apart(tmp, c.Out)
			copied(c.Out, tmp)
		}))
	}

	inverse = []engine.Phase{begin}
	if natural {
		inverse = append(inverse, phase(func() { together(tmp, c.In) }), exchange(out, held), phase(func() {
			if !s.Values {
				unpack(tmp, c.Out, s.n2, s.sub)
				copied(c.Out, tmp)
			}
			s.f.Reorder(c.Out, 1, 0, 1)
		}))
	}
	inverse = append(inverse, phase(func() {
		if !natural && !c.InPlace {
			copied(c.Out, c.In)
		}
		if s.overlap == nil || !s.overlap.stages.ChunksBack() {
			run(s.Rows, true)
		}
		if s.overlap == nil {
			pack(c.Out, s.rows, s.width)
		}
	}))
	if s.overlap != nil {
		inverse = append(inverse, up)
	} else {
		inverse = append(inverse, exchange(out, held))
	}
	inverse = append(inverse, phase(func() { run(s.Columns, true) }))
	if s.Coefficients {
		inverse = append(inverse, exchange(held, out), phase(func() { unpack(c.Out, tmp, s.rows, s.width) }))
	}
	return forward, inverse, nil
}

// of is what one rank sends or gets.
func (s *staged) of(v engine.View, rank int) engine.View {
	return v.Slice(rank*s.block, (rank+1)*s.block)
}

// mirror is a rank with its bits reversed.
func (s *staged) mirror(rank int) int {
	return int(bits.Reverse64(uint64(rank)) >> (64 - bits.TrailingZeros(uint(s.Size))))
}

func (s *staged) Report(r *field.Report, o field.Order) {
	r.Algorithm = field.FourStep
	columns, rows := s.Stages.Report(r)
	r.Scratch += s.f.Bytes(s.n1 * s.width)
	exchange := fmt.Sprintf("exchange of %d · %d elements", s.Size-1, s.block)
	if s.Coefficients {
		r.Passes = append(r.Passes, "blocks to columns: "+exchange)
	}
	middle := exchange
	if s.overlap != nil {
		middle += fmt.Sprintf(" in %d steps, beside the rows", s.overlap.chunks)
	}
	r.Passes = append(r.Passes, "columns: "+columns, middle, "rows: "+rows)
	if s.sorted(o) {
		r.Passes = append(r.Passes, "natural order: "+exchange)
	}
}
