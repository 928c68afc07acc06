package engine

import (
	"context"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/internal/par"
)

// inBatch lays transforms out in one slice; tasks share them. Vectors in working form have them one after the other.
func inBatch(inner *transform, s field.Spec, tasks int, b field.Batch, beside bool) Transform {
	if !choice.Wrapped(b) {
		return withProducts(inner)
	}
	t := &batched{transform: inner, b: b, s: s, turns: inner.vectors.t.Turns}
	t.vectors = newVectors(inner.f, inner.vectors.t, inner.n, s, inner.chunk)
	t.Groups = choice.OfBatch(inner.vectors.t, inner.elementBytes(), inner.n, b, tasks, inner.columns != nil,
		inner.now != nil)
	t.tasks = min(t.Steps, tasks)
	if t.Rows > 0 {
		t.tasks = min(max(t.Steps, b.Count), tasks)
	}
	if beside {
		t.besides(tasks)
	}
	if b.Columns && t.beside == nil && inner.order != inner.scheme.Cheapest() {
		t.rev = Revs(inner.n)
	}
	return t
}

// batched has its own steps, tasks and calls in place of the transform's.
type batched struct {
	*transform
	b field.Batch
	s field.Spec
	choice.Groups
	rev   []int32 // by columns in another order than the cheapest
	tasks int
	// beside takes columns where they stand; or nil. Then rows have places in another order than the cheapest, or a
	// bulk that reorders them, in shares.
	beside   Beside
	head     int // of the columns that it takes: see transform.least
	places   *places
	reorders bool
	shares   int
	turns    bool          // copies of the bulk turn elements
	overlay  bulks.Spanner // the bulk, where columns stand in slices that are no vectors; or nil
	// vectors stand in for those of the transform where all of a batch is meant.
	vectors *vectors
	calls   sync.Pool // *batchCall
	lines   sync.Pool // *View, of Load and Store by columns: one transform
}

// batchCall is the pooled state of one batch.
type batchCall struct {
	dst, src View
	inPlace  bool
	inverse  bool
	x        []View // by columns: for each task its columns, or the rows that it moves
	run      direction
	back     direction // the inverse, where it has steps of its own
	c        Call

	vec  *vec // of ForwardVec and InverseVec, run by runVec
	vecs direction
}

func (t *batched) get() (*batchCall, error) {
	if b, ok := t.calls.Get().(*batchCall); ok {
		return b, nil
	}
	b := new(batchCall)
	b.c.Tasks, b.c.progress = t.tasks, t.s.Progress
	b.vecs = b.c.bind([]Phase{{Steps: t.b.Count, Do: func(i, _ int) {
		row := b.vec.v.Slice(i*t.n, (i+1)*t.n)
		b.c.Failed(t.inVec(b.c.ctx, row, b.vec.wide, b.inverse))
	}}}, t.s.Runner)
	if t.beside != nil {
		return b, t.bindBeside(b)
	}
	do, of := t.someRows, t.host
	if t.inPlace {
		of = t.f
	}
	if t.Rows > 0 {
		return b, t.bindWhole(b, of)
	}
	switch {
	case t.b.Columns && t.Gathered:
		do = t.gather
	case t.b.Columns:
		do = t.strip
	}
	for i := 0; t.b.Columns && i < t.tasks; i++ {
		x, err := of.Make(t.Group * t.n)
		if err != nil {
			return nil, err
		}
		b.x = append(b.x, x)
	}
	phase := Phase{Steps: t.Steps, Do: func(step, task int) {
		first := step * t.Group
		do(b, first, min(t.Group, t.b.Count-first), task)
	}}
	b.run = b.c.bind([]Phase{phase}, t.s.Runner)
	b.back = b.run
	return b, nil
}

// someRows takes count transforms by rows.
func (t *batched) someRows(b *batchCall, first, count, task int) {
	i := first * t.b.Stride
	dst, src := b.dst.Slice(i, i+count*t.n), b.src.Slice(i, i+count*t.n)
	if t.now != nil {
		t.rows(dst, src, count, b.inPlace, b.inverse)
		return
	}
	t.one(b, dst, src, b.inPlace) // count is 1
}

// strip takes columns side by side, on rows of count elements, but for those that are left over: fewer than Least, and
// over affine domains those that fill no line, for which there are no kernels.
func (t *batched) strip(b *batchCall, first, count, task int) {
	rest := 0
	switch {
	case count < t.Least:
		rest = count
	case t.Least > 0 && t.vectors.t.Affine:
		rest = count % t.Least
	}
	if count -= rest; count > 0 {
		t.together(b, first, count, task)
	}
	if rest > 0 {
		t.gather(b, first+count, rest, task)
	}
}

// together takes columns side by side.
func (t *batched) together(b *batchCall, first, count, task int) {
	x := b.x[task].Slice(0, count*t.n)
	in := bulks.Copy{Rows: t.n, Width: count, Dst: count, Src: t.b.Stride}
	out := bulks.Copy{Rows: t.n, Width: count, Dst: t.b.Stride, Src: count}
	if b.inverse {
		in.RowPerm = t.rev
	} else {
		out.RowPerm = t.rev
	}
	t.f.Copy(x, b.src.Slice(first, b.src.N), in)
	t.columns.Columns(&b.c.Watch, x, count, b.inverse, true)
	t.f.Copy(b.dst.Slice(first, b.dst.N), x, out)
}

// gather takes columns one after the other, each as a row.
func (t *batched) gather(b *batchCall, first, count, task int) {
	x := b.x[task]
	t.copy(x, b.src.Slice(first, b.src.N), bulks.Copy{Rows: count, Width: t.n, Dst: t.n, Src: t.b.Stride,
		Transpose: true})
	if t.now != nil {
		rows := x.Slice(0, count*t.n)
		t.rows(rows, rows, count, true, b.inverse)
	}
	for j := 0; j < count && t.now == nil; j++ {
		row := x.Slice(j*t.n, (j+1)*t.n)
		t.one(b, row, row, true)
	}
	t.copy(b.dst.Slice(first, b.dst.N), x, bulks.Copy{Rows: t.n, Width: count, Dst: t.b.Stride, Src: t.n,
		Transpose: true})
}

// bindWhole makes the phases of columns that are all gathered at once: copies by parts, and between them a column in
// each step, or all in one of workers that share each.
func (t *batched) bindWhole(b *batchCall, of bulks.Bulk) error {
	x, err := of.Make(t.b.Count * t.n)
	if err != nil {
		return err
	}
	b.x = append(b.x, x)
	part := func(step int) (from, rows int) {
		from = step * t.Rows
		return from, min(t.Rows, t.n-from)
	}
	split := Phase{Steps: t.Steps, Do: func(step, _ int) {
		from, rows := part(step)
		t.copy(x.Slice(from, x.N), b.src.Slice(from*t.b.Stride, b.src.N), bulks.Copy{Rows: t.b.Count, Width: rows,
			Dst: t.n, Src: t.b.Stride, Transpose: true})
	}}
	join := Phase{Steps: t.Steps, Do: func(step, _ int) {
		from, rows := part(step)
		t.copy(b.dst.Slice(from*t.b.Stride, b.dst.N), x.Slice(from, x.N), bulks.Copy{Rows: rows, Width: t.b.Count,
			Dst: t.b.Stride, Src: t.n, Transpose: true})
	}}
	each := t.b.Count
	if t.transform.tasks < 2 && t.tasks > 1 {
		each = 1
		if t.now == nil {
			if err := t.transform.calls.fill(t.tasks); err != nil {
				return err
			}
		}
	}
	columns := Phase{Steps: t.b.Count / each, Do: func(step, _ int) {
		rows := x.Slice(step*each*t.n, (step+1)*each*t.n)
		if t.now != nil {
			t.rows(rows, rows, each, true, b.inverse)
			return
		}
		for j := range each {
			row := rows.Slice(j*t.n, (j+1)*t.n)
			t.one(b, row, row, true)
		}
	}}
	b.run = b.c.bind([]Phase{split, columns, join}, t.s.Runner)
	b.back = b.run
	return nil
}

// copy transposes canonical elements: by the bulk, where they are vectors, or where it turns them faster than the host.
func (t *batched) copy(dst, src View, c bulks.Copy) {
	switch {
	case t.inPlace:
		t.f.Copy(dst, src, c)
	case t.turns:
		c.Elements = true
		t.f.Copy(dst, src, c)
	default:
		t.host.Copy(dst, src, c)
	}
}

func (t *batched) one(b *batchCall, dst, src View, inPlace bool) {
	b.c.Failed(t.transform.Run(b.c.ctx, dst, src, inPlace, b.inverse))
}

func (t *batched) Run(ctx context.Context, dst, src View, inPlace, inverse bool) error {
	b, err := t.get()
	if err != nil {
		return err
	}
	b.dst, b.src, b.inPlace, b.inverse = dst, src, inPlace, inverse
	b.c.Out, b.c.In, b.c.Reduce = dst, src, t.reduce
	b.c.InPlace = inPlace || inverse && (t.places != nil || t.reorders) // rows have come to their places
	if t.overlay != nil {
		v := t.overlay.Overlay(dst)
		b.c.Out, b.c.In, b.c.InPlace = v, v, true
	}
	do := &b.run
	if inverse {
		do = &b.back
	}
	b.c.Head = 0
	if !inverse && t.head > 0 {
		b.c.Head = Head(ctx, t.host, src, t.n, t.head)
	}
	err = b.c.phases(ctx, do, t.s.Runner)
	b.dst, b.src, b.c.Out, b.c.In = View{}, View{}, View{}, View{}
	t.calls.Put(b)
	return err
}

func (t *batched) First(x View, rows, width, stride int, find func(v View) int) int {
	return t.vectors.First(x, rows, width, stride, find)
}

func (t *batched) NewVec() (field.Vec, error) { return t.newVec(t.b.Count * t.n) }

func (t *batched) Load(ctx context.Context, x field.Vec, a View) error {
	return t.began(x, t.load(ctx, x, a))
}

func (t *batched) Store(ctx context.Context, a View, x field.Vec) error {
	return t.moved(x, t.store(ctx, a, x))
}

func (t *batched) load(ctx context.Context, x field.Vec, a View) error {
	err := t.move(x, a, "src", func(v, a View) error { return t.vectors.pack(ctx, v, a) }, true)
	if err == nil {
		x.(*vec).wide = false
	}
	return err
}

func (t *batched) store(ctx context.Context, a View, x field.Vec) error {
	return t.move(x, a, "dst", func(v, a View) error {
		err := t.vectors.unpack(ctx, a, v)
		if err == nil && t.b.Columns { // after a failure a is what another call has left there
			err = t.wait(context.Background(), v)
		}
		return err
	}, false)
}

// move does something to each transform of a vector and its elements, which are read or else written.
func (t *batched) move(x field.Vec, a View, name string, do func(v, a View) error, read bool) error {
	v, err := t.vec(x)
	if err != nil {
		return err
	}
	_, length, _ := t.b.Layout(t.n) // checked before
	if err := CheckLen(name, a.N, length); err != nil {
		return err
	}
	if !t.b.Columns && t.b.Stride == t.n {
		return do(v.v, a)
	}
	if !t.b.Columns {
		for i := range t.b.Count {
			if err := do(v.v.Slice(i*t.n, (i+1)*t.n), a.Slice(i*t.b.Stride, i*t.b.Stride+t.n)); err != nil {
				return err
			}
		}
		return nil
	}
	row, ok := t.lines.Get().(*View)
	if !ok {
		made, err := t.host.Make(t.n)
		if err != nil {
			return err
		}
		row = &made
	}
	for i := range t.b.Count {
		to, column := v.v.Slice(i*t.n, (i+1)*t.n), a.Slice(i, a.N)
		if read {
			t.host.Copy(*row, column, bulks.Copy{Rows: t.n, Width: 1, Dst: 1, Src: t.b.Stride})
		}
		if err := do(to, *row); err != nil {
			return err
		}
		if !read {
			t.host.Copy(column, *row, bulks.Copy{Rows: t.n, Width: 1, Dst: t.b.Stride, Src: 1})
		}
	}
	t.lines.Put(row)
	return nil
}

// MulVec multiplies all transforms of a batch at once.
func (t *batched) MulVec(ctx context.Context, z, x, y field.Vec) error {
	return t.mulVec(ctx, t.vectors, z, x, y)
}

func (t *batched) ForwardVec(ctx context.Context, x field.Vec) error { return t.runVec(ctx, x, false) }

func (t *batched) InverseVec(ctx context.Context, x field.Vec) error { return t.runVec(ctx, x, true) }

func (t *batched) runVec(ctx context.Context, x field.Vec, inverse bool) error {
	v, err := t.vec(x)
	if err == nil {
		err = checkContext(ctx)
	}
	if err != nil {
		return err
	}
	b, err := t.get()
	if err != nil {
		return err
	}
	b.vec, b.inverse = v, inverse
	err = b.c.phases(ctx, &b.vecs, t.s.Runner)
	v.wide, b.vec = true, nil
	t.calls.Put(b)
	return err
}

func (t *batched) Report() field.Report {
	r := t.transform.Report()
	r.Workers = max(r.Workers, t.tasks)
	r.Scratch = r.Scratch*t.tasks + par.Bytes(t.tasks)
	r.Vector *= t.b.Count
	r.Tables += 4 * len(t.rev)
	if t.beside != nil {
		r.Scratch += t.tasks * t.f.Bytes(t.beside.Room(t.b.Count))
		if t.places != nil {
			r.Tables += 4 * len(t.places.from)
			r.Scratch += t.tasks * t.f.Bytes(t.places.room())
		}
		return r
	}
	if t.b.Columns {
		size := t.host.Bytes(t.n)
		if t.inPlace {
			size = t.f.Bytes(t.n)
		}
		if !t.Gathered {
			r.Scratch *= t.Group // at most, as cases take columns side by side
		}
		if t.Rows > 0 {
			r.Scratch += t.Group * size
		} else {
			r.Scratch += t.tasks * t.Group * size
		}
	}
	return r
}
