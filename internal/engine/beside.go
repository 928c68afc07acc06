package engine

import (
	"math/bits"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine/choice"
)

// besides has columns taken beside each other, where they stand, if the scheme does that.
func (t *batched) besides(tasks int) {
	s, ok := t.scheme.(Beside)
	if !ok || !s.Beside() {
		return
	}
	t.beside, t.tasks, t.overlay = s, tasks, overlayer(t.f, t.n*t.b.Count)
	if h, ok := t.scheme.(Header); ok && t.least > 0 {
		t.head = h.Least(t.b.Count)
	}
	switch {
	case t.order == t.scheme.Cheapest():
	case choice.Reorders(t.f.Traits(), t.b.Count):
		t.reorders = true
		t.shares = choice.Shares(t.n*t.b.Count, tasks)
	default:
		t.places = newPlaces(t.n, t.b.Count, t.b.Count*t.elementBytes(), tasks)
	}
}

// places is a bit reversal of n rows of a matrix. A tile is the rows whose numbers have the middle bits m, with all
// highest bits h and lowest bits l: side runs of side rows that touch, which go to the places of tile rev(m), where h
// and l are exchanged. So rows are read and written in few pages at a time, whatever the length, and written in runs.
type places struct {
	n, width, side int     // rows, elements of a row, rows of a run
	middle         int     // bits of m
	some           int     // tiles of a step
	from           []int32 // where the rows of a tile come from, before those of the middle bits
}

func newPlaces(n, width, bytes, tasks int) *places {
	side := choice.Run(n, bytes)
	p := &places{n: n, width: width, side: side, middle: log2(n) - 2*log2(side)}
	p.some = choice.TilesAtOnce(side*side*width, 1<<p.middle, tasks)
	for h := range side {
		for l := range side {
			p.from = append(p.from, int32(bulks.Rev(l, log2(side))*(n/side)+bulks.Rev(h, log2(side))))
		}
	}
	return p
}

func log2(n int) int { return bits.Len(uint(n)) - 1 }

// room is the elements of a tile.
func (p *places) room() int { return p.side * p.side * p.width }

func (p *places) steps() int { return 1 << p.middle / p.some }

// tiles calls do for each tile m of a step.
func (p *places) tiles(step int, do func(m int)) {
	for m := step * p.some; m < (step+1)*p.some; m++ {
		do(m)
	}
}

// at is v from the first row of tile m on.
func (p *places) at(v View, m int) View { return v.Slice(m*p.side*p.width, v.N) }

// copy sets tile m of dst to the rows of src that belong there, run by run.
func (p *places) copy(f bulks.Bulk, dst, src View, m int) {
	dst, src = p.at(dst, m), p.at(src, bulks.Rev(m, p.middle))
	for h := range p.side {
		f.Copy(dst.Slice(h*(p.n/p.side)*p.width, dst.N), src, p.rows(h*p.side, p.side))
	}
}

// rows is a copy of count rows of a tile, from row i on, to rows that touch.
func (p *places) rows(i, count int) bulks.Copy {
	return bulks.Copy{Rows: count, Width: p.width, Dst: p.width, Src: p.width, RowPerm: p.from[i : i+count]}
}

// swap exchanges the rows of tiles m and rev(m) of v, where m is the lesser one. x has room for a tile.
func (p *places) swap(f bulks.Bulk, v, x View, m int) {
	other := bulks.Rev(m, p.middle)
	if m > other {
		return
	}
	f.Copy(x, p.at(v, m), p.rows(0, p.side*p.side))
	if m < other {
		p.copy(f, v, v, m)
	}
	run := p.side * p.width
	f.Copy(p.at(v, other), x, bulks.Copy{Rows: p.side, Width: run, Dst: p.n / p.side * p.width, Src: run})
}

// bindBeside makes the phases of both directions. Outside the order of the scheme rows change places behind the passes,
// or before those of an inverse.
func (t *batched) bindBeside(b *batchCall) error {
	var e *Edges
	if t.overlay != nil {
		e = t.edges(&b.c, t.n, t.b.Count, &b.dst, &b.src)
	}
	forward, inverse, err := t.beside.BindColumns(&b.c, t.b.Count, e)
	if err != nil {
		return err
	}
	switch {
	case t.places != nil:
		for range t.tasks {
			x, err := t.f.Make(t.places.room())
			if err != nil {
				return err
			}
			b.x = append(b.x, x)
		}
		forward, inverse = t.bindPlaces(b, forward, inverse)
	case t.reorders:
		forward, inverse = t.bindReorder(b, forward, inverse)
	}
	b.run, b.back = b.c.bind(forward, t.s.Runner), b.c.bind(inverse, t.s.Runner)
	return nil
}

// bindPlaces adds phases in which rows change places by tiles in a copy. On the way of an inverse from one slice to
// another they are copied to them.
func (t *batched) bindPlaces(b *batchCall, forward, inverse []Phase) (_, _ []Phase) {
	p := t.places
	swap := Phase{Steps: p.steps(), Do: func(step, task int) {
		p.tiles(step, func(m int) { p.swap(t.f, b.c.Out, b.x[task], m) })
	}}
	forward = append(forward, swap)
	swap.If = func() bool { return b.inPlace }
	copied := Phase{Steps: p.steps(), If: func() bool { return !b.inPlace }, Do: func(step, _ int) {
		p.tiles(step, func(m int) { p.copy(t.f, b.dst, b.src, m) })
	}}
	return forward, append([]Phase{swap, copied}, inverse...)
}

// bindReorder adds phases in which rows of a part of a vector change places in registers. The last shares have
// most to do: a row changes places with one that stands after it.
func (t *batched) bindReorder(b *batchCall, forward, inverse []Phase) (_, _ []Phase) {
	last := log2(t.shares)
	swap := Phase{Steps: t.shares, Do: func(step, _ int) {
		t.f.Reorder(b.c.Out, t.b.Count, bulks.Rev(t.shares-1-step, last), t.shares)
	}}
	copied := Phase{Steps: t.shares, If: func() bool { return !b.inPlace }, Do: func(step, _ int) {
		n := t.n * t.b.Count
		from, to := step*n/t.shares, (step+1)*n/t.shares
		t.f.Copy(b.dst.Slice(from, to), b.src.Slice(from, to), bulks.Copy{Rows: 1, Width: to - from})
	}}
	return append(forward, swap), append([]Phase{copied, swap}, inverse...)
}
