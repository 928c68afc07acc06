package depthfirst

import (
	"slices"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
	"github.com/galfft/fft/internal/engine/choice"
)

// steps are those of the transforms of the columns of N rows of width elements that touch, in the order of the case. In
// one layer such rows are as many columns as a longer vector has, with the same multipliers.
type steps struct {
	*alone
	cut   *choice.Cut
	width int
	tasks []*layers     // each with its room; nil: none has
	e     *engine.Edges // which steps pack and unpack; or nil
}

// Beside reports whether BindColumns serves.
func (a *alone) Beside() bool { return a.l != nil && a.basis == nil }

// BindColumns is Bind for the columns of N rows of width elements, in the order of the case.
func (a *alone) BindColumns(c *engine.Call, width int, e *engine.Edges) (forward, inverse []engine.Phase, err error) {
	passes := a.ofColumns(width)
	cut := passes.Cut(a.n, width, c.Tasks)
	m := steps{a, &cut, width, nil, e}
	if len(cut.Levels) == 0 || !a.tiled(&cut, width) {
		m.e = nil
	}
	for i := 0; i < c.Tasks && passes.Blocks() > 0; i++ {
		l := *a.l
		l.passes = passes
		if l.room, err = a.f.Make(a.Room(width)); err != nil {
			return nil, nil, err
		}
		m.tasks = append(m.tasks, &l)
	}
	forward, inverse = append(m.begun(c), m.layers(c)...), m.inverse(c, true)
	if m.e != e {
		forward, inverse = e.Around(forward), e.Around(inverse)
	}
	return forward, inverse, nil
}

// tiled reports whether all steps of a cut with levels begin and end between tiles, as those that pack have to: in the
// memory of a slice a packed part of a tile overwrites elements that are not packed yet.
func (a *alone) tiled(cut *choice.Cut, width int) bool {
	s, ok := a.f.(bulks.Spanner)
	if !ok {
		return true
	}
	l, tile := &cut.Levels[0], s.Tile()
	return l.Row%tile == 0 && l.Width%tile == 0 && a.n*width/cut.Parts%tile == 0
}

// enter packs part i, and leave unpacks it.
func (m steps) enter(i int) {
	if m.e != nil {
		n := m.n * m.width / m.cut.Parts
		m.e.Pack(i*n, (i+1)*n)
	}
}

func (m steps) leave(i int) {
	if m.e != nil {
		n := m.n * m.width / m.cut.Parts
		m.e.Unpack(i*n, (i+1)*n)
	}
}

// columnsOf calls do for the elements of the columns of a step of the first level.
func columnsOf(l *choice.Level, from, to int, do func(from, to int)) {
	for i := range l.Top {
		do(i*l.Row+from, i*l.Row+to)
	}
}

// Room is the elements of the rooms of a task for the columns of rows of width elements.
func (a *alone) Room(width int) int {
	passes := a.ofColumns(width)
	return passes.Blocks() * width
}

func (a *alone) ofColumns(width int) choice.Passes {
	if width < choice.Line(a.f.Traits(), a.f.Bytes(bulks.Lanes)/bulks.Lanes) && !a.l.passes.Narrow(a.n, width) {
		return a.l.passes.Apart(a.n, width)
	}
	return a.l.passes
}

// of is the layers that a task has.
func (m steps) of(task int) *layers {
	if m.tasks == nil {
		return m.l
	}
	return m.tasks[task]
}

func (m steps) parts(do func(i, task int)) engine.Phase {
	return engine.Phase{Steps: m.cut.Parts, Do: do}
}

func (m steps) part(v engine.View, i int) engine.View {
	n := m.n * m.width / m.cut.Parts
	return v.Slice(i*n, (i+1)*n)
}

// move copies part i, unless a call is in place.
func (m steps) move(c *engine.Call, i int) {
	if !c.InPlace {
		v := m.part(c.Out, i)
		m.f.Copy(v, m.part(c.In, i), bulks.Copy{Rows: 1, Width: v.N})
	}
}

// layers are the phases of the layers. Where a head is short, the first of them are copies: see short.
func (m steps) layers(c *engine.Call) (list []engine.Phase) {
	short := short{m}
	for i := range m.cut.Levels {
		list = append(append(list, m.columns(c, i)), short.columns(c, i)...)
	}
	all := m.parts(func(i, task int) {
		if len(m.cut.Levels) == 0 {
			m.move(c, i)
		}
		m.of(task).Part(&c.Watch, m.part(c.Out, i), i, m.cut.Parts, m.width, c.Reduce)
		m.leave(i)
	})
	all.If = func() bool { return m.start(c) < len(m.cut.Levels) }
	return append(append(list, all), short.parts(c)...)
}

// inverse has its input moved, or is told that it stands in the output.
func (m steps) inverse(c *engine.Call, move bool) []engine.Phase {
	list := []engine.Phase{m.parts(func(i, task int) {
		if move {
			m.move(c, i)
		}
		m.enter(i)
		if len(m.cut.Levels) == 0 {
			m.of(task).PartInverse(&c.Watch, m.part(c.Out, i), i, m.cut.Parts, m.width, m.scale, c.Reduce)
			return
		}
		m.of(task).PartInverse(&c.Watch, m.part(c.Out, i), i, m.cut.Parts, m.width, nil, false)
	})}
	for i := range slices.Backward(m.cut.Levels) {
		list = append(list, m.columnsInverse(c, i))
	}
	return list
}

// ofStep is what a step of a pass by columns works on: columns from to to of part i.
func ofStep(l *choice.Level, v engine.View, step int) (part engine.View, i, from, to int) {
	each := l.Each()
	i, from = step/each, step%each*l.Width
	return v.Slice(i*l.Part, (i+1)*l.Part), i, from, min(from+l.Width, l.Row)
}

// columns is a pass by columns; the first one moves them.
func (m steps) columns(c *engine.Call, k int) engine.Phase {
	l := &m.cut.Levels[k]
	return engine.Phase{If: func() bool { return m.start(c) < k }, Steps: l.Steps(), Do: func(step, _ int) {
		v, i, from, to := ofStep(l, c.Out, step)
		if k == 0 && !c.InPlace && m.basis == nil {
			cut := func(v engine.View) engine.View { return v.Slice(from, l.Part-l.Row+to) }
			m.f.Copy(cut(c.Out), cut(c.In), bulks.Copy{Rows: l.Top, Width: to - from, Dst: l.Row, Src: l.Row})
		}
		if k == 0 && m.e != nil && m.basis == nil {
			columnsOf(l, from, to, m.e.Pack)
		}
		m.l.Columns(v, l.Top, i, l.Parts, from, to)
	}}
}

// columnsInverse is its inverse; the one of the first ends the transform.
func (m steps) columnsInverse(c *engine.Call, k int) engine.Phase {
	l := &m.cut.Levels[k]
	return engine.Phase{Steps: l.Steps(), Do: func(step, _ int) {
		v, i, from, to := ofStep(l, c.Out, step)
		if k == 0 {
			m.l.ColumnsInverse(v, l.Top, i, l.Parts, from, to, m.scale, c.Reduce)
			if m.e != nil && m.basis == nil {
				columnsOf(l, from, to, m.e.Unpack)
			}
		} else {
			m.l.ColumnsInverse(v, l.Top, i, l.Parts, from, to, nil, false)
		}
	}}
}
