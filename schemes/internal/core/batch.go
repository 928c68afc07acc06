package core

import (
	"context"
	"sync"

	"github.com/galfft/fft/field"
)

// columns is how many columns a batch by columns gathers at a time: their elements in one row fill a line.
const columns = 8

// batchWorkers divides the workers: a batch of at least as many transforms runs one transform in each task,
// a smaller one its transforms one after the other, each in parallel.
func batchWorkers(s field.Spec, b field.Batch) (inner, outer field.Spec) {
	inner, outer = s, s
	if b.Count > 1 {
		inner.Progress = nil
		if b.Count >= s.Workers {
			inner.Workers = 1
		} else {
			outer.Workers = 1
		}
	}
	return inner, outer
}

// Batched lays transforms out in one slice: each transform is one call of inner, and tasks share the
// transforms. Vectors in working form stay single transforms. A single transform without stride is inner.
func Batched[E any](inner field.Transform[E], f field.Field[E], n int, s field.Spec, tasks int, b field.Batch, move func(dst, src []E, c field.Copy)) field.Transform[E] {
	if b.Count == 1 && !(b.Columns && b.Stride > 1) {
		return inner
	}
	_, length, _ := b.Layout(n) // checked before
	t := &batched[E]{Transform: inner, f: f, n: n, length: length, b: b, s: s, move: move}
	t.tasks = min(b.Count, tasks)
	t.calls.New = func() any { return t.bind() }
	return t
}

type batched[E any] struct {
	field.Transform[E]
	f         field.Field[E]
	n, length int
	b         field.Batch
	s         field.Spec
	tasks     int
	move      func(dst, src []E, c field.Copy)
	calls     sync.Pool
}

// batchCall is the pooled state of one batch.
type batchCall[E any] struct {
	dst, src []E
	inverse  bool
	rows     [][]E // by columns: for each task the gathered transforms
	errs     []error
	run      direction
	c        Call[E]
}

func (t *batched[E]) bind() *batchCall[E] {
	b := &batchCall[E]{errs: make([]error, t.tasks)}
	b.c.Tasks, b.c.progress = t.tasks, t.s.Progress
	phase := Phase{Steps: t.b.Count, Do: func(step, task int) {
		i := step * t.b.Stride
		t.one(b, b.dst[i:][:t.n], b.src[i:][:t.n], task)
	}}
	if t.b.Columns {
		b.rows = make([][]E, t.tasks)
		for i := range b.rows {
			b.rows[i] = make([]E, columns*t.n)
		}
		phase = Phase{Steps: (t.b.Count + columns - 1) / columns, Do: func(step, task int) {
			i := step * columns
			rows, w := b.rows[task], min(columns, t.b.Count-i)
			t.move(rows, b.src[i:], field.Copy{Rows: w, Width: t.n, Dst: t.n, Src: t.b.Stride, Transpose: true})
			for j := range w {
				t.one(b, rows[j*t.n:][:t.n], rows[j*t.n:][:t.n], task)
			}
			t.move(b.dst[i:], rows, field.Copy{Rows: t.n, Width: w, Dst: t.b.Stride, Src: t.n, Transpose: true})
		}}
	}
	b.run = b.c.bind([]Phase{phase}, t.tasks)
	return b
}

func (t *batched[E]) one(b *batchCall[E], dst, src []E, task int) {
	var err error
	if b.inverse {
		err = t.Transform.Inverse(b.c.ctx, dst, src)
	} else {
		err = t.Transform.Forward(b.c.ctx, dst, src)
	}
	if err != nil {
		b.errs[task] = err
	}
}

func (t *batched[E]) Forward(ctx context.Context, dst, src []E) error {
	return t.do(ctx, dst, src, false)
}

func (t *batched[E]) Inverse(ctx context.Context, dst, src []E) error {
	return t.do(ctx, dst, src, true)
}

func (t *batched[E]) do(ctx context.Context, dst, src []E, inverse bool) error {
	if err := CheckCall(ctx, dst, src, t.length); err != nil {
		return err
	}
	b := t.calls.Get().(*batchCall[E])
	b.dst, b.src, b.inverse = dst, src, inverse
	clear(b.errs)
	err := b.c.phases(ctx, &b.run, t.s.Runner)
	for _, e := range b.errs {
		if err == nil {
			err = e
		}
	}
	b.dst, b.src = nil, nil
	t.calls.Put(b)
	return err
}

func (t *batched[E]) Report() field.Report {
	r := t.Transform.Report()
	r.Workers = t.tasks
	r.Scratch *= t.tasks
	if t.b.Columns {
		r.Scratch += t.tasks * columns * field.Slices[E]{}.VecBytes(t.n)
	}
	return r
}
