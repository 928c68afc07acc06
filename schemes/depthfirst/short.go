package depthfirst

import (
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// short is the steps of polynomials that are 0 behind their head, over affine domains. Where the second rows of all
// butterflies are 0, layers copy the first ones: all parts as long as the head begin as the head, and go on as they do
// otherwise. Passes by columns that leave parts at least as long have nothing to do, as there is one part. The first
// level that leaves shorter ones, or the parts, take the copies with them, the part that is the head last.
type short struct{ steps }

// start is the number of the first level that has something to do, and of all of them where the parts are the first;
// −1: polynomials are long, and so is every level.
func (m steps) start(c *engine.Call) int {
	head := m.head(c)
	if head == m.n {
		return -1
	}
	for k := range m.cut.Levels {
		if m.cut.Levels[k].Row < head*m.width {
			return k
		}
	}
	return len(m.cut.Levels)
}

// moved moves the head of a call that is not in place, where what follows takes it in the output.
func (m steps) moved(c *engine.Call) engine.Phase {
	p := m.parts(func(i, _ int) {
		n := m.n * m.width / m.cut.Parts
		if size := min(n, m.head(c)*m.width-i*n); size > 0 {
			m.f.Copy(m.part(c.Out, i), m.part(c.In, i), bulks.Copy{Rows: 1, Width: size})
		}
	})
	p.If = func() bool { return !c.InPlace && (m.basis != nil || m.start(c) >= 0) }
	return p
}

// begun is what comes before the layers: the head of a call is moved or packed where what follows takes it in the
// output.
func (m steps) begun(c *engine.Call) []engine.Phase {
	if m.e == nil {
		return []engine.Phase{m.moved(c)}
	}
	p := m.e.Packed
	p.If = func() bool { return m.basis != nil || m.start(c) >= 0 }
	return []engine.Phase{p}
}

// columns is a pass by columns where that is the first one: of all parts but the first, and then of that.
func (m short) columns(c *engine.Call, k int) []engine.Phase {
	l := &m.cut.Levels[k]
	first := func() bool { return m.start(c) == k }
	do := func(step, _ int) {
		head := c.Out.Slice(0, m.head(c)*m.width)
		v, i, from, to := ofStep(l, c.Out, step)
		m.l.spreadColumns(v, head, l.Top, i, l.Parts, from, to)
	}
	list := []engine.Phase{{If: first, Steps: l.Each(), Do: do}}
	if l.Parts > 1 {
		others := engine.Phase{If: first, Steps: l.Steps() - l.Each(), Do: func(step, task int) {
			do(l.Each()+step, task)
		}}
		list = append([]engine.Phase{others}, list...)
	}
	return list
}

// parts are the parts where they are the first ones to have something to do: all but the first, and then that.
func (m short) parts(c *engine.Call) []engine.Phase {
	first := func() bool { return m.start(c) == len(m.cut.Levels) }
	do := func(i, task int) {
		head := c.Out.Slice(0, m.head(c)*m.width)
		m.of(task).spread(&c.Watch, m.part(c.Out, i), head, i, m.cut.Parts, m.width, c.Reduce)
		m.leave(i)
	}
	list := []engine.Phase{{If: first, Steps: 1, Do: do}}
	if m.cut.Parts > 1 {
		others := engine.Phase{If: first, Steps: m.cut.Parts - 1, Do: func(i, task int) { do(1+i, task) }}
		list = append([]engine.Phase{others}, list...)
	}
	return list
}

// spread is Part for a part of which every block as long as the head begins as the head, which is the first block of
// part 0. That one goes last.
func (c *layers) spread(w *engine.Watch, v, head engine.View, i, parts, width int, canonical bool) {
	n := head.N
	blocks := v.N / n
	together := c.passes.Together(n, blocks)
	for b := blocks - together; b >= 0 && !w.Stopped(); b -= together {
		group := v.Slice(b*n, (b+together)*n)
		for j := range together {
			if i+b+j > 0 {
				c.f.Copy(group.Slice(j*n, (j+1)*n), head, bulks.Copy{Rows: 1, Width: n})
			}
		}
		c.down(w, group, (c.first*parts+i)*blocks+b, together, n/width, width, canonical)
	}
}

// spreadColumns is Columns for a part that begins as the head, which is longer than what the pass leaves, where all
// behind that is 0.
func (c *layers) spreadColumns(v, head engine.View, top, i, parts, from, to int) {
	row, width := v.N/top, to-from
	rows := head.N / row
	columns := v.Slice(from, v.N-row+to)
	copies := bulks.Copy{Rows: rows, Width: width, Dst: row, Src: row}
	if i > 0 {
		c.f.Copy(columns, head.Slice(from, head.N-row+to), copies)
	}
	for ; copies.Rows < top; copies.Rows *= 2 {
		c.f.Copy(columns.Slice(copies.Rows*row, columns.N), columns, copies)
	}
	blocks := top / rows
	p := bulks.Pass{Off: (c.first*parts + i) * blocks, Layers: log(rows)}
	c.forward.Pass(columns, p, bulks.NewRows(blocks, 1, width, row))
}
