package fieldtest

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/galfft/fft/field/bulks"
)

// steps says which passes a chain takes.
type steps int

const (
	wideSteps   steps = iota // passes from wide to wide
	narrowSteps              // passes from narrow to narrow
	mixedSteps               // all of them, and whatever turns one range into the other or keeps it
)

// chain runs many steps in a row over whole vectors and looks after each, so that ranges come to their limits.
func (s *bulkSuite) chain(r *rand.Rand, kind steps) error {
	p := s.pool(r)
	for range 16 * s.scale {
		n := 2 << r.IntN(8)
		w, t, err := s.multipliers(r, p, n)
		if err != nil {
			return err
		}
		c := &link{s, t, w, s.vector(r, p, n), true}
		log := fmt.Sprintf("vector of %d", n)
		wasNarrow := true
		for range 24 {
			before := c.narrow
			switch {
			case c.narrow && !wasNarrow: // what brings values back to narrow must mean it
				log += ", " + c.cover(r, narrowSteps)
			case kind == mixedSteps && r.IntN(2) == 0:
				log += ", " + c.step(r, p)
			default:
				log += ", " + c.cover(r, kind)
			}
			wasNarrow = before
			if err := s.holds(c.v); err != nil {
				return fmt.Errorf("%s: %w", log, err)
			}
		}
	}
	return nil
}

// link is the state of a chain.
type link struct {
	s      *bulkSuite
	t      bulks.Table
	w      elements
	v      *vector
	narrow bool
}

// cover takes the whole vector through one pass that its range allows, in strips of columns or not, and says
// which.
func (c *link) cover(r *rand.Rand, kind steps) string {
	k := bits.Len(uint(len(c.v.part))) - 1
	var fit []pass
	for _, p := range c.s.kinds() {
		if p.layers <= k && (p.wide && kind != narrowSteps || !p.wide && kind != wideSteps && c.narrow) {
			fit = append(fit, p)
		}
	}
	p := fit[r.IntN(len(fit))]
	k -= p.layers
	part := func() int { // a power of two that divides what is left
		if p.tail {
			return 1
		}
		i := r.IntN(k + 1)
		k -= i
		return 1 << i
	}
	half, width, strips := part(), part(), part()
	l := newLayer(0, 1<<k, half, width, width*strips)
	l.Off = r.IntN(2*len(c.w)>>p.layers - l.Blocks + 1)
	span := len(c.v.part) - (strips-1)*width
	for i := 0; i < strips*width; i += width {
		p.run(c.t, c.v.view.Slice(i, i+span), l)
		p.def(p.layers, c.v.part[i:i+span], c.w, l)
	}
	c.narrow = !p.to
	return fmt.Sprintf("%s %+v in %d strips", p.name, l, strips)
}

// step does something else than a pass to the whole vector and says what.
func (c *link) step(r *rand.Rand, p pool) string {
	s, n := c.s, len(c.v.part)
	rows := 1 << r.IntN(bits.Len(uint(n)))
	switch r.IntN(6) {
	case 0:
		off := r.IntN(n - rows + 1)
		c.t.Scale(c.v.view, off, rows, n/rows, n/rows)
		s.scaleRows(c.v.part, c.w, off, rows, n/rows, n/rows)
		c.narrow = true
		return fmt.Sprintf("Scale by %d rows from %d on", rows, off)
	case 1:
		s.b.VecMul(c.v.view, c.v.view, c.v.view)
		for i := range c.v.part {
			s.f.Mul(c.v.part[i], c.v.part[i], c.v.part[i])
		}
		c.narrow = true
		return "VecMul"
	case 2:
		s.b.Reduce(c.v.view)
		c.narrow = true
		return "Reduce"
	case 3:
		s.b.Reorder(c.v.view, 1, 0, 1)
		s.reverse(c.v.part)
		return "Reorder"
	default:
		m := bulks.Copy{Rows: rows, Width: n / rows, Dst: n / rows, Src: n / rows, RowPerm: pick(r, rows, rows)}
		if r.IntN(2) == 0 {
			m.Transpose, m.Src = true, rows
			m.RowPerm = involution(r, rows)
			m.ColPerm = pick(r, n/rows, n/rows)
		}
		to := s.vector(r, p, n)
		s.b.Copy(to.view, c.v.view, m)
		s.move(to.part, c.v.part, m)
		c.v = to
		return fmt.Sprintf("Copy %d × %d, transposed: %v", m.Rows, m.Width, m.Transpose)
	}
}
