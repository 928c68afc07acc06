package additive

import (
	"slices"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// visit is a part of what a stage does to a strip or a block, which are longer than caches of the first level. What
// bounds it is walks over the second level. A product takes as long as one of them, so that it goes with the two folds
// behind it. Where the rows that some levels join are few, all that they do is done in a window: some elements of each
// row, which the first product brings to the first level.
type visit struct {
	list          // of rows of the window behind that product and its folds; or of rows of the stage, where of is nil
	of   *product // nil: there is none that has two folds with it
	// Elements: of the runs that the product and its folds take, of the rows with one factor that make them up, and of
	// such a row in a window, or all of it.
	run, row, side int
	twice          bool // both halves of a run have the same factors
}

// windows are the bytes of a window at most, and paired what a visit takes of a list at least: a product and two folds.
const windows, paired = 1 << 15, 3

// eight rows or more are what a product is done to with folds.
const eight = 8

// setVisits sets the visits of a stage, if some product of it has folds with it.
func (c *Basis) setVisits(s *stage) {
	unit := 1
	if s.row > 0 {
		unit = c.side(s, 1)
	}
	var list []visit
	rest, n := s.list, 0 // the first n of the rest are in no visit yet
	plain := func() {
		if n > 0 {
			list = append(list, visit{list: rest.slice(0, n)})
		}
	}
	found := false
	for n < len(rest.folds) {
		v := c.visitOf(rest.slice(n, len(rest.folds)), unit)
		if v == nil {
			n++
			continue
		}
		plain()
		rest = rest.slice(n+paired+len(v.folds), len(rest.folds))
		list, n, found = append(list, *v), 0, true
		if len(v.folds) > 0 {
			c.window = max(c.window, v.run/v.row*v.side)
		}
	}
	if plain(); found {
		s.visits = list
	}
}

// visitOf returns the visit that begins l, whose rows have unit elements, with a product and folds; or nil.
func (c *Basis) visitOf(l list, unit int) *visit {
	line := c.folder.Scales()
	if line == 0 || !scales(l) {
		return nil
	}
	p, run := &l.products[0], l.folds[1].Run
	v := &visit{of: p, run: run * unit, row: p.run * unit, twice: p.every < run}
	if v.row%line != 0 || run < eight*p.run {
		return nil
	}
	room := v.run
	for c.f.Bytes(room) > min(windows, c.blocks[len(c.blocks)-1]) {
		room /= 2
	}
	if v.side = min(v.row, room/(v.run/v.row)); v.side >= line {
		v.take(l, unit)
	}
	if !slices.ContainsFunc(v.products, func(p product) bool { return p.into != nil }) { // copies would not pay
		v.list, v.side = list{}, v.row
	}
	return v
}

// scales reports whether l begins with a product and folds that are done together.
func scales(l list) bool {
	if len(l.folds) < paired || l.folds[0].Run > 0 {
		return false
	}
	p, run := &l.products[0], l.folds[1].Run
	for i, f := range l.folds[1:paired] {
		if f.Run == 0 || f.Run != run>>i || f.Shift != f.Run/4 {
			return false
		}
	}
	return p.every == run || p.every == run/2
}

// take adds to v what follows in l and joins rows of the same windows.
func (v *visit) take(l list, unit int) {
	inside := func(run, least int) bool { return run*unit <= v.run && least*unit >= v.row }
	for i := paired; i < len(l.folds); i++ {
		f, p := l.folds[i], l.products[i]
		if f.Run > 0 && !inside(f.Run, f.Shift) || f.Run == 0 && !inside(p.every, p.run) {
			return
		}
		f.Run, f.Shift = f.Run*unit/v.row, f.Shift*unit/v.row
		p.every, p.run = p.every*unit/v.row, p.run*unit/v.row
		v.folds, v.products = append(v.folds, f), append(v.products, p)
	}
}

// visit does what s does to v, whose rows have width elements, or undoes it. Windows are in room.
func (c *Basis) visit(w *engine.Watch, v, room engine.View, s *stage, width int, back bool) {
	for i := range s.visits {
		if back {
			i = len(s.visits) - 1 - i
		}
		g := &s.visits[i]
		if g.of == nil {
			c.run(w, v, 0, g.list, width, c.blocks, back)
			continue
		}
		for at := 0; at < v.N; at += g.run {
			for o := 0; o < g.row && !w.Stopped(); o += g.side {
				c.joint(w, v.Slice(at+o, at+g.run), room, g, back)
			}
		}
	}
}

// joint does a visit to rows the first of which begins at v, or undoes it.
func (c *Basis) joint(w *engine.Watch, v, room engine.View, g *visit, back bool) {
	r := bulks.Scaled{Rows: g.run / g.row, Width: g.side, From: g.row, To: g.row, Twice: g.twice}
	near, apart := v, len(g.folds) > 0 && g.side < g.row
	if apart {
		near = room.Slice(0, r.Rows*g.side)
	}
	if back {
		if apart {
			c.f.Copy(near, v, bulks.Copy{Rows: r.Rows, Width: g.side, Dst: g.side, Src: g.row})
			r.From = g.side
		}
		c.all(w, near, 0, g.list, g.side, true)
		c.folder.ScaleFold(g.of.from, v, near, r, true)
		return
	}
	if apart {
		r.To = g.side
	}
	c.folder.ScaleFold(g.of.into, near, v, r, false)
	c.all(w, near, 0, g.list, g.side, false)
	if apart {
		c.f.Copy(v, near, bulks.Copy{Rows: r.Rows, Width: g.side, Dst: g.row, Src: g.side})
	}
}
