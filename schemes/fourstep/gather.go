package fourstep

import (
	"fmt"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// gathered are phases in which every rank gets the whole vector, changes its basis, and keeps its own columns: those of
// vectors too short for visits.
type gathered struct {
	*blocks
	exchange  func(recv, send func() engine.View) engine.Phase
	all, full engine.View // of N elements
}

// enter leaves columns of coefficients for LCH in dst, from what a rank has in src.
func (g *gathered) enter(c *engine.Call, dst, src func() engine.View) []engine.Phase {
	return append(g.gather(src, g.Coefficients), engine.Phase{Steps: 1, Do: func(int, int) {
		g.whole.Enter(&c.Watch, g.full, g.full.N, 1)
		g.keep(dst(), false)
	}})
}

// leave undoes enter, from columns in v to what a rank has, there too.
func (g *gathered) leave(c *engine.Call, v func() engine.View) []engine.Phase {
	return append(g.gather(v, false), engine.Phase{Steps: 1, Do: func(int, int) {
		g.whole.Leave(&c.Watch, g.full, 1)
		g.keep(v(), g.Coefficients)
	}})
}

// gather sends every rank a copy of src, and leaves the whole in full: from contiguous parts or from columns.
func (g *gathered) gather(src func() engine.View, contiguous bool) []engine.Phase {
	n := g.full.N / g.Size
	copies := engine.Phase{Steps: 1, Do: func(int, int) {
		for i := range g.Size {
			g.f.Copy(g.full.Slice(i*n, (i+1)*n), src(), bulks.Copy{Rows: 1, Width: n})
		}
	}}
	join := engine.Phase{Steps: 1, Do: func(int, int) {
		if contiguous {
			g.f.Copy(g.full, g.all, bulks.Copy{Rows: 1, Width: g.full.N})
			return
		}
		for i := range g.Size {
			g.f.Copy(g.full.Slice(i*g.width, g.full.N), g.all.Slice(i*n, (i+1)*n), bulks.Copy{Rows: g.Size,
				Width: g.width, Dst: n, Src: g.width})
		}
	}}
	all, full := func() engine.View { return g.all }, func() engine.View { return g.full }
	return []engine.Phase{copies, g.exchange(all, full), join}
}

// keep takes a rank's own part of the whole: a contiguous one or columns.
func (g *gathered) keep(dst engine.View, contiguous bool) {
	n := g.full.N / g.Size
	if contiguous {
		g.f.Copy(dst, g.full.Slice(g.Rank*n, (g.Rank+1)*n), bulks.Copy{Rows: 1, Width: n})
		return
	}
	g.f.Copy(dst, g.full.Slice(g.Rank*g.width, g.full.N), bulks.Copy{Rows: g.Size, Width: g.width, Dst: g.width,
		Src: n})
}

// gathers says what that does.
func (s *blocks) gathers() string {
	return fmt.Sprintf("exchange of %d · %d elements, change of basis of the whole", s.Size-1, s.Size*s.width)
}
