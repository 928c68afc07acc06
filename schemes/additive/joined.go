package additive

import (
	"math/bits"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// Layers is those that follow the change of basis.
type Layers interface {
	// Upper does the first log₂ rows layers of the transform of N points to rows of width elements, some columns of
	// what N/rows points are apart; or, back, undoes them.
	Upper(w *engine.Watch, v engine.View, rows, width int, back bool)
	// Lower does the other layers to part i of so many, or undoes them.
	Lower(c *engine.Call, i, parts int, back bool)
}

// The first layers join rows, each with a factor, whatever the column, as folds and products of the high bits do. What
// is done to columns inside of rows may come after them, so that strips take both in one walk, and parts the rest.

// Joins reports whether Joined serves calls of so many tasks.
func (c *Basis) Joins(tasks int) bool { return c.skew != nil && tasks < 2 || c.last() != nil }

// fewest is how many rows make it worth while to join layers to strips.
const fewest = 16

// long reports whether the vector is longer than caches of the third level hold, by those of the second: to join layers
// to strips with products takes more below.
func (c *Basis) long() bool { return c.f.Bytes(c.n) >= 128*c.blocks[0] }

// last is the stage of strips to which layers join; nil: there is none.
func (c *Basis) last() *stage {
	if len(c.stages) == 0 || !c.long() {
		return nil
	}
	s := &c.stages[len(c.stages)-1]
	if s.row == 0 || s.block > 0 || c.n/s.row < fewest || c.inPlace(s) {
		return nil
	}
	return s
}

// Room returns what both directions of a call of so many tasks take for Joined; nothing where strips do.
func (c *Basis) Room(tasks int) (engine.View, error) {
	if c.skew == nil || tasks > 1 {
		return engine.View{}, nil
	}
	return c.f.Make(c.skew.room())
}

// Joined is the phases of Enter and of all layers, or back of their inverses, for the output of a call that has no
// shorter head, in its Room.
func (c *Basis) Joined(call *engine.Call, room engine.View, l Layers, back bool) (list []engine.Phase) {
	rows := 0
	var inside func(part engine.View)
	if c.skew != nil && call.Tasks < 2 {
		rows = c.skew.rows
		list = append(list, c.skewed(call, room, l, back))
		inside = func(part engine.View) { c.run(&call.Watch, part, 0, c.skew.inside, 1, c.blocks, back) }
	} else {
		s := c.last()
		rows = c.n / s.row
		list = []engine.Phase{{Steps: c.steps(s, 1), Do: func(step, _ int) {
			c.strips(&call.Watch, call.Out, s, step, 1, back, l)
		}}}
		before := *c
		before.stages = c.stages[:len(c.stages)-1]
		if others := before.Phases(call, back); back {
			list = append(list, others...)
		} else {
			list = append(others, list...)
		}
	}
	lower := engine.Phase{Steps: rows, Do: func(i, _ int) {
		n := c.n / rows
		if part := call.Out.Slice(i*n, (i+1)*n); inside != nil && !back {
			inside(part)
		}
		l.Lower(call, i, rows, back)
		if part := call.Out.Slice(i*n, (i+1)*n); inside != nil && back {
			inside(part)
		}
	}}
	if !back {
		return append(list, lower)
	}
	return append([]engine.Phase{lower}, list...)
}

// skew is the change over Cantor's chain of a vector of more points than caches hold. Folds of runs of two rows and
// more shift by few elements: what they make of some columns of all rows depends on these and on few before them. So
// one walk over the columns does all of them in cache, and with them the folds of whole rows, and layers. What is
// inside of rows is left.
type skew struct {
	rows   int
	folds  []bulks.Fold // whose runs are rows, and halve
	whole  list         // of rows
	inside list
	// A visit takes so many columns, and as many before them as all folds shift.
	columns, before int
}

// newSkew returns the skew for 2^m points; nil: there is none.
func (c *Basis) newSkew(m int) *skew {
	k := 1
	for 2*k < m {
		k *= 2
	}
	if c.folder == nil || m < k+bits.Len(uint(fewest))-1 {
		return nil
	}
	row, tile := 1<<k, c.folder.Tile()
	s := &skew{rows: 1 << (m - k)}
	for i := m; i > k; i-- {
		shift := 1 << (i - k - 1)
		s.folds = append(s.folds, bulks.Fold{Run: 1 << (i - k), Shift: shift})
		s.before += shift
	}
	s.before = max(tile, s.before+1) // a power of two
	for n := s.before; n+s.before <= row && c.f.Bytes(s.rows*(n+s.before)) <= c.strip; n *= 2 {
		s.columns = n
	}
	if s.columns == 0 {
		return nil
	}
	s.inside.fold(expansions(nil, k, 1)...)
	s.whole.fold(expansions(nil, m-k, 1)...)
	return s
}

// room is the elements that a call takes: rows of a visit with what is before them, the columns alone, and what the
// next visit has before it.
func (s *skew) room() int { return s.rows * 2 * (s.columns + s.before) }

// skewed is the phase of the skew. It is for one task: a visit leaves what the next one reads.
func (c *Basis) skewed(call *engine.Call, room engine.View, l Layers, back bool) engine.Phase {
	s := c.skew
	row := c.n / s.rows
	take := func(n int) (v engine.View) {
		v, room = room.Slice(0, s.rows*n), room.Slice(s.rows*n, room.N)
		return v
	}
	both, columns, before := take(s.columns+s.before), take(s.columns), take(s.before)
	move := func(to, from engine.View, dst, src, width int) {
		c.f.Copy(to, from, bulks.Copy{Rows: s.rows, Width: width, Dst: dst, Src: src})
	}
	side := s.columns + s.before
	at := func(v engine.View, i int) engine.View { return v.Slice(i, v.N) }
	return engine.Phase{Steps: row / s.columns, Do: func(step, _ int) {
		w, first := &call.Watch, at(call.Out, step*s.columns)
		rows := func(v engine.View, width int) { // what is done to whole rows, or back undone
			if back {
				l.Upper(w, v, s.rows, width, true)
			}
			c.run(w, v, 0, s.whole, width, c.blocks, back)
			if !back {
				l.Upper(w, v, s.rows, width, false)
			}
		}
		move(columns, first, s.columns, row, s.columns)
		if back {
			rows(columns, s.columns)
		}
		// Behind the last columns of a row are the first ones of the next: with these alone between them rows are a
		// shorter polynomial.
		main, other := s.before, 0
		if step == 0 {
			main, other = 0, s.columns
			move(before, at(call.Out, row-s.before), s.before, row, s.before)
			if back {
				rows(before, s.before)
			}
		}
		move(at(both, other), before, side, s.before, s.before)
		move(at(both, main), columns, side, s.columns, s.columns)
		move(before, at(columns, s.columns-s.before), s.before, s.columns, s.before)
		c.nested(w, both, s.folds, back)
		move(columns, at(both, main), s.columns, side, s.columns)
		if !back {
			rows(columns, s.columns)
		}
		move(first, columns, row, s.columns, s.columns)
	}}
}

// nested does folds of all of v, of each of its halves and so on, or undoes them.
func (c *Basis) nested(w *engine.Watch, v engine.View, folds []bulks.Fold, back bool) {
	if len(folds) == 0 || w.Stopped() {
		return
	}
	half := v.N / 2
	fold := func() { c.folder.FoldPart(v, folds[0].Shift, 0, half, back) }
	if !back {
		fold()
	}
	c.nested(w, v.Slice(0, half), folds[1:], back)
	c.nested(w, v.Slice(half, v.N), folds[1:], back)
	if back && !w.Stopped() {
		fold()
	}
}
