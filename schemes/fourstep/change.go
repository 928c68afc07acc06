package fourstep

import (
	"math/bits"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/schemes/additive"
	"github.com/galfft/fft/schemes/internal/cases"
)

// change makes the change of basis for coefficients of powers of x. A rank has 2^low of them that touch, in place of
// columns as wide as they can be: so the high bits of a coefficient's number, all on the rank, and the low ones, all in
// a contiguous part, have bits in common. Where they have none, a rank changes a copy of the whole.
func (s *blocks) change(p *engine.Problem, b *cases.Build) (err error) {
	if f, ok := p.F.(bulks.Spanner); ok {
		s.low = bits.Len(uint(f.Tile())) - 1
	}
	if s.width < 2<<s.low {
		if s.whole, err = additive.New(b, p.D); err == nil {
			s.tables += s.whole.Bytes()
		}
		return err
	}
	if s.basis, err = additive.NewRanks(b, p.D, s.Size, s.low); err != nil {
		return err
	}
	s.tables += s.basis.Bytes()
	p.C.N1 = p.D.N / (s.Size << s.low)
	return nil
}

// moves are phases that take a vector from one spread to another one, in the output and by way of held.
type moves struct {
	*blocks
	in, out, held func() engine.View
	exchange      func(recv, send func() engine.View) engine.Phase
}

// part spreads contiguous parts by rows of 2^low elements.
func (m *moves) part(src func() engine.View) []engine.Phase {
	return []engine.Phase{m.rows(m.held, src, false), m.exchange(m.out, m.held)}
}

// join undoes part in the output.
func (m *moves) join() []engine.Phase {
	return []engine.Phase{m.exchange(m.held, m.out), m.rows(m.out, m.held, true)}
}

// rows sorts rows by ranks, or, back, puts them where they were.
func (m *moves) rows(dst, src func() engine.View, back bool) engine.Phase {
	row := 1 << m.low
	return engine.Phase{Steps: m.Size, Do: func(i, _ int) {
		to, from := dst(), src()
		sorted := func(v engine.View) engine.View { return v.Slice(i*m.width, (i+1)*m.width) }
		c := bulks.Copy{Rows: m.width / row, Width: row, Dst: row, Src: m.Size * row}
		if back {
			c.Dst, c.Src = c.Src, c.Dst
			m.f.Copy(to.Slice(i*row, to.N), sorted(from), c)
			return
		}
		m.f.Copy(sorted(to), from.Slice(i*row, from.N), c)
	}}
}

// enter brings the input to the output, in rows, and to coefficients for LCH.
func (m *moves) enter(c *engine.Call, moved engine.Phase) []engine.Phase {
	list := []engine.Phase{moved}
	if m.Coefficients {
		list = m.part(m.in)
	}
	for i := range m.basis.Visits() {
		switch {
		case i%2 == 1:
			list = append(list, m.join()...)
		case i > 0:
			list = append(list, m.part(m.out)...)
		}
		list = append(list, m.visit(c, i, false))
	}
	return list
}

// leave undoes enter, in the output.
func (m *moves) leave(c *engine.Call) (list []engine.Phase) {
	for i := m.basis.Visits() - 1; i >= 0; i-- {
		list = append(list, m.visit(c, i, true))
		switch {
		case i%2 == 1:
			list = append(list, m.part(m.out)...)
		case i > 0 || m.Coefficients:
			list = append(list, m.join()...)
		}
	}
	return list
}

func (m *moves) visit(c *engine.Call, i int, back bool) engine.Phase {
	return engine.Phase{Steps: 1, Do: func(int, int) { m.basis.Visit(&c.Watch, m.out(), i, back) }}
}

// changes says what the change of basis does, and what it exchanges.
func (s *blocks) changes(exchange string) (list []string) {
	for i := range s.basis.Visits() {
		if i > 0 {
			list = append(list, exchange)
		}
		part := "rows"
		if i%2 == 1 {
			part = "blocks"
		}
		list = append(list, "change of basis in "+part)
	}
	return list
}
