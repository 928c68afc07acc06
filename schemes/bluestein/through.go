package bluestein

import (
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine"
)

// through is the convolutions of a field of its own, column by column.
type through struct {
	f, host bulks.Bulk
	inPlace bool // views of f, reduced, are elements
	c       engine.Convolution
	h       []field.Vec // the values of the chirp: for each part, or of the first of two
	parts   int
	share   int       // values of a part, but for the last
	chirps  int       // as many h
	rooms   sync.Pool // *column
}

// column is one column: in working form, as elements, and as the convolution has it. What is not needed is empty.
type column struct {
	v, x engine.View
	r    *engine.ConvolutionRoom
}

// leastReversed is the least share for which one chirp serves two parts. A shorter one's product by a reverse takes up
// to a third more of the time of a transform; behind the caches it takes less than the second chirp.
const leastReversed = 1 << 17

// newThrough is for parts of so many of n values. The chirp is even, so that the one of the second of two parts is
// that of the first with its coefficients in reverse: x_j meets h(j−k) in place of h(k−j), for k from share on.
func newThrough(p *engine.Problem, d engine.Domain, l, share int, s field.Spec) (*through, error) {
	c, err := d.Convolution(l, s)
	if err != nil {
		return nil, err
	}
	t := &through{f: p.F, host: d.Host(), inPlace: p.T.InPlace, c: c, parts: (d.N + share - 1) / share, share: share}
	if t.chirps = t.parts; t.parts == 2 && share >= leastReversed && c.Reverses(share) {
		t.chirps = 1
	}
	return t, nil
}

// add adds the chirp h of a part.
func (t *through) add(m *engine.Making, h engine.View) error {
	x, err := t.host.Make(h.N)
	if err != nil {
		return err
	}
	t.f.Unpack(x, h)
	v, err := t.c.NewVec()
	if err != nil {
		return err
	}
	t.h = append(t.h, v)
	return t.c.Fixed(m.Watch(), v, x)
}

// room is for a column of so many rows, one of so many.
func (t *through) room(rows, columns int) (*column, error) {
	r, ok := t.rooms.Get().(*column)
	if !ok {
		r = new(column)
	}
	var err error
	if columns > 1 && r.v.N == 0 {
		if r.v, err = t.f.Make(rows); err != nil {
			return nil, err
		}
	}
	if ok {
		return r, nil
	}
	if !t.inPlace {
		if r.x, err = t.host.Make(rows); err != nil {
			return nil, err
		}
	}
	r.r, err = t.c.NewRoom(t.share, t.parts, t.chirps)
	return r, err
}

// convolve replaces rows of so many columns by the values of their convolutions, part by part.
func (t *through) convolve(w *engine.Watch, v engine.View, columns int) {
	rows := v.N / columns
	r, err := t.room(rows, columns)
	if w.Failed(err) {
		return
	}
	for i := 0; i < columns && !w.Stopped(); i++ {
		part, x := v.Slice(i, (rows-1)*columns+i+1), v
		if columns > 1 {
			x = r.v
			t.f.Copy(x, part, bulks.Copy{Rows: rows, Width: 1, Dst: 1, Src: columns})
		}
		if t.inPlace {
			t.f.Reduce(x)
			w.Failed(t.c.Parts(w, x, t.share, t.h, r.r))
		} else {
			t.f.Unpack(r.x, x)
			w.Failed(t.c.Parts(w, r.x, t.share, t.h, r.r))
			t.f.Pack(x, r.x)
		}
		if columns > 1 {
			t.f.Copy(part, x, bulks.Copy{Rows: rows, Width: 1, Dst: columns, Src: 1})
		}
	}
	t.rooms.Put(r)
}

// Bytes is the memory of the convolution, and of the chirp.
func (t *through) Bytes() int {
	r := t.c.Report()
	return r.Tables + len(t.h)*r.Vector
}

// Scratch is that of the convolution, and a column of so many rows, one of so many.
func (t *through) Scratch(rows, columns int) int {
	r := t.c.Report()
	b := r.Scratch + min(2, t.parts)*r.Vector
	if columns > 1 {
		b += t.f.Bytes(rows)
	}
	if !t.inPlace {
		b += t.host.Bytes(rows)
	}
	return b
}
