package schemes

import (
	"fmt"
	"reflect"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/base"
	"github.com/galfft/fft/schemes/internal/core"
)

// BuildTiled makes the transform of f over d as s asks, on tiles of field.Lanes elements. It is what the Plan
// method of a field.Tiled calls. It is the four-step with one factor 8 over tiles: with N = 8·M,
//
//  1. DFT_8 between the rows of an 8 × M matrix, lane by lane, and the twist;
//  2. a transpose of 8 × 8 elements at a time, which turns the factor 8 into lanes;
//  3. a transform of M points over the field of tiles, by any scheme.
//
// The values then stand as an M × 8 matrix by rows: natural order is the inner natural order as it stands, and
// bit-reversed order is the inner one transposed back. Lengths below 64, and those that are no powers of two, run on elements.
func BuildTiled[E, P any](f field.Tiled[E, P], d field.Domain[E], s field.Spec) (field.Transform[E], error) {
	if err := field.Check(f); err != nil {
		return nil, err
	}
	if d.N < lanes*lanes || d.N&(d.N-1) != 0 || s.Algorithm == field.Naive {
		return Build(field.Slices[E]{Field: f}, d, s)
	}
	w := tiles[E, P]{f, f.Tile()}
	return core.NewWorking(w, d, s, func(m *core.Making, s field.Spec, tasks int) (core.Scheme[[]P], error) {
		return newTiled(w, d, s, tasks, m)
	})
}

const lanes = field.Lanes

// tiles is the working form of a tiled field: eight elements after each other are a tile.
type tiles[E, P any] struct {
	field.Tiled[E, P]
	bulk field.Bulk[P, []P]
}

func (t tiles[E, P]) Make(n int) []P            { return t.bulk.Make((n + lanes - 1) / lanes) }
func (t tiles[E, P]) VecBytes(n int) int        { return t.bulk.VecBytes((n + lanes - 1) / lanes) }
func (t tiles[E, P]) Slice(v []P, i, j int) []P { return v[i/lanes : j/lanes] }
func (t tiles[E, P]) Alias([]E) ([]P, bool)     { return nil, false }
func (t tiles[E, P]) Reduce(v []P)              { t.bulk.Reduce(v) }
func (t tiles[E, P]) VecMul(z, x, y []P, n int) { t.bulk.VecMul(z, x, y, n/lanes) }
func (t tiles[E, P]) Pack(v []P, a []E) {
	for i := range v {
		t.LoadTile(&v[i], a[lanes*i:][:lanes])
	}
}
func (t tiles[E, P]) Unpack(a []E, v []P) {
	for i := range v {
		t.StoreTile(a[lanes*i:][:lanes], &v[i])
	}
}

func (t tiles[E, P]) Form() string {
	form := fmt.Sprintf("tiles of %d elements, %v", lanes, reflect.TypeFor[P]())
	if f, ok := t.Tiled.(interface{ Form() string }); ok {
		form += "; " + f.Form()
	}
	return form
}

// tiled is the scheme on tiles: rows are the 8 × M matrix, row r of q tiles from r·q on; columns are the M × 8
// matrix, one tile for each row.
type tiled[E, P any] struct {
	tiles[E, P]
	m, q, c        int // M = N/8, N/64, and the tiles of each row that a step takes
	top            base.Case[[]P]
	twist, untwist field.Table[[]P] // strips of 8·c tiles
	inner          core.Scheme[[]P]
}

func newTiled[E, P any](w tiles[E, P], d field.Domain[E], s field.Spec, tasks int, m *core.Making) (*tiled[E, P], error) {
	t := &tiled[E, P]{tiles: w, m: d.N / lanes, q: d.N / lanes / lanes}
	t.c = min(4, t.q)
	// Two vectors in working form, the twist and its inverse.
	if err := core.CheckMemory(d.N, max(1, w.bulk.VecBytes(lanes)/lanes/lanes), s.MemoryLimit, 4*d.N); err != nil {
		return nil, err
	}
	inv, err := core.InvertDomain[E](w, d)
	if err != nil {
		return nil, err
	}
	split := core.SplitDomain[E](w, d, lanes)
	small := core.Problem[P, []P]{F: w.bulk, D: t.broadcast(split.Outer), S: s, M: m}
	base.Defaults(&small)
	small.S.Base = max(small.S.Base, lanes)
	if t.top, err = base.New(&small, small.D, nil); err != nil {
		return nil, err
	}
	one, eight := core.Int[E](w, 1), core.Int[E](w, lanes)
	if err := w.Inv(&eight, &eight); err != nil {
		return nil, err
	}
	if t.twist, err = t.factors(m, split, &one); err != nil {
		return nil, err
	}
	if t.untwist, err = t.factors(m, core.SplitDomain[E](w, inv, lanes), &eight); err != nil {
		return nil, err
	}
	t.inner, err = choose(&core.Problem[P, []P]{F: w.bulk, D: t.broadcast(split.Inner), S: s, Tasks: tasks, M: m})
	return t, err
}

// broadcast is a domain with the same root and shift in every lane.
func (t *tiled[E, P]) broadcast(d field.Domain[E]) (p field.Domain[P]) {
	p.N = d.N
	for _, x := range []struct {
		tile *P
		e    E
	}{{&p.Root, d.Root}, {&p.Shift, d.Shift}} {
		a := make([]E, lanes)
		for i := range a {
			t.Set(&a[i], &x.e)
		}
		t.LoadTile(x.tile, a)
	}
	return p
}

// factors packs the twist, times a constant, in the order of strips: row r of strip j has tiles j·c …
func (t *tiled[E, P]) factors(m *core.Making, s core.Split[E], constant *E) (field.Table[[]P], error) {
	all, err := s.Table(m, t)
	if err != nil {
		return nil, err
	}
	for i := range all {
		t.Mul(&all[i], &all[i], constant)
	}
	z := make([]P, 0, t.m)
	for j := 0; j < t.q; j += t.c {
		for r := range lanes {
			for i := range t.c {
				var p P
				t.LoadTile(&p, all[r*t.m+(j+i)*lanes:][:lanes])
				z = append(z, p)
			}
		}
	}
	return t.bulk.Table(z)
}

func (t *tiled[E, P]) Cheapest() field.Order { return field.Scheme }

func (t *tiled[E, P]) Steps() int { return max(t.q/t.c, t.inner.Steps()) }

// Permutation is the inner one, over rows of eight values.
func (t *tiled[E, P]) Permutation() []int {
	inner := core.Permutation(t.m, t.inner.Cheapest())
	p := make([]int, 0, lanes*t.m)
	for _, k2 := range inner {
		for k1 := range lanes {
			p = append(p, lanes*k2+k1)
		}
	}
	return p
}

// Bind runs the phases of the inner scheme between its own, on columns. Where the columns are not at the end
// of a direction in c.Out, it exchanges c.Out and the scratch that has them.
func (t *tiled[E, P]) Bind(c *core.Call[[]P], o field.Order) (forward, inverse []core.Phase) {
	tmp := t.bulk.Make(t.m)
	strips := make([]strip[P], c.Tasks)
	for i := range strips {
		strips[i].x = t.bulk.Make(lanes * t.c)
	}
	inner := &core.Call[[]P]{InPlace: true, Tasks: c.Tasks}
	orderInside := o
	if o == field.Scheme {
		orderInside = t.inner.Cheapest()
	}
	up, down := t.inner.Bind(inner, orderInside)
	on := func(v *[]P) core.Phase { return once(func() { inner.In, inner.Out = *v, *v }) }
	exchange := once(func() { c.Out, tmp = tmp, c.Out })
	steps := t.q / t.c

	toColumns := core.Phase{Steps: steps, Do: func(j, task int) {
		s := &strips[task]
		t.rows(s.x, c.In, j, true)
		t.top.Forward(&c.Watch, s.x, t.c, false)
		t.twist.Scale(s.x, j*lanes*t.c, lanes*t.c, 1, 1)
		t.transpose(tmp, s, j, true)
	}}
	fromColumns := func(src, dst *[]P) core.Phase {
		return core.Phase{Steps: steps, Do: func(j, task int) {
			s := &strips[task]
			t.transpose(*src, s, j, false)
			t.untwist.Scale(s.x, j*lanes*t.c, lanes*t.c, 1, 1)
			t.top.Inverse(&c.Watch, s.x, t.c, nil, false)
			t.rows(s.x, *dst, j, false)
		}}
	}
	turn := func(toRows bool) core.Phase { // between the columns in tmp and bit-reversed rows
		return core.Phase{Steps: steps, Do: func(j, task int) {
			s := &strips[task]
			if toRows {
				t.transpose(tmp, s, j, false)
				t.rows(s.x, c.Out, j, false)
			} else {
				t.rows(s.x, c.In, j, true)
				t.transpose(tmp, s, j, true)
			}
		}}
	}
	join := func(a []core.Phase, p []core.Phase, b ...core.Phase) []core.Phase {
		return append(append(a, p...), b...)
	}
	if o == field.BitReversed {
		forward = join([]core.Phase{toColumns, on(&tmp)}, up, turn(true))
		inverse = join([]core.Phase{turn(false), on(&tmp)}, down, fromColumns(&tmp, &c.Out))
		return forward, inverse
	}
	forward = join([]core.Phase{toColumns, on(&tmp)}, up, exchange)
	inverse = join([]core.Phase{on(&c.Out)}, down, fromColumns(&c.Out, &tmp), exchange)
	return forward, inverse
}

func once(f func()) core.Phase { return core.Phase{Steps: 1, Do: func(int, int) { f() }} }

// rows copies strip j of the rows of v to x, 8 rows of c tiles, or back.
func (t *tiled[E, P]) rows(x, v []P, j int, out bool) {
	from := v[j*t.c : 7*t.q+(j+1)*t.c]
	if out {
		t.bulk.Copy(x, from, field.Copy{Rows: lanes, Width: t.c, Dst: t.c, Src: t.q})
	} else {
		t.bulk.Copy(from, x, field.Copy{Rows: lanes, Width: t.c, Dst: t.q, Src: t.c})
	}
}

// strip is the scratch of one task: 8 rows of c tiles, and the operands of a transpose, which would escape as
// local variables.
type strip[P any] struct {
	x          []P
	rows, cols [lanes]*P
}

// transpose exchanges columns of s.x, whose rows are in bit-reversed order, with the tiles of v from 8·c·j on.
func (t *tiled[E, P]) transpose(v []P, s *strip[P], j int, toColumns bool) {
	for i := range t.c {
		for l := range lanes {
			s.rows[l], s.cols[l] = &s.x[field.Rev(l, 3)*t.c+i], &v[(j*t.c+i)*lanes+l]
		}
		if toColumns {
			t.Transpose(&s.cols, &s.rows)
		} else {
			t.Transpose(&s.rows, &s.cols)
		}
	}
}

func (t *tiled[E, P]) Report(r *field.Report, o field.Order) {
	if o == field.Scheme {
		o = t.inner.Cheapest()
	}
	t.inner.Report(r, o)
	r.Split = append([]int{lanes}, r.Split...)
	r.Base = max(r.Base, lanes)
	r.Tables += t.top.Bytes() + t.twist.Bytes() + t.untwist.Bytes()
	r.Scratch += t.bulk.VecBytes(t.m) + r.Workers*t.bulk.VecBytes(lanes*t.c)
}
