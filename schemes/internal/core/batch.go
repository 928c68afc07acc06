package core

import (
	"context"
	"sync"

	"github.com/galfft/fft/field"
)

// columns is how many columns a batch by columns gathers at a time: their elements in one row fill a line.
const columns = 8

// wrapped reports whether a batch is more than its one transform.
func wrapped(b field.Batch) bool { return b.Count > 1 || b.Columns && b.Stride > 1 }

// batchSteps is the number of steps of a batch: columns are taken several at a time.
func batchSteps(b field.Batch) int {
	if b.Columns {
		return (b.Count + columns - 1) / columns
	}
	return b.Count
}

// batchWorkers divides the workers: a batch of at least as many steps runs one step in each task, a smaller one
// its steps one after the other, each transform in parallel.
func batchWorkers(s field.Spec, b field.Batch) (inner, outer field.Spec) {
	inner, outer = s, s
	if wrapped(b) {
		inner.Progress = nil
		if batchSteps(b) >= s.Workers {
			inner.Workers = 1
		} else {
			outer.Workers = 1
		}
	}
	return inner, outer
}

// batched lays transforms out in one slice: each transform is one call of inner, and tasks share the
// transforms. Vectors in working form stay single transforms.
func batched[E any](inner field.Transform[E], n int, s field.Spec, tasks int, b field.Batch, move func(dst, src []E, c field.Copy)) field.Transform[E] {
	if !wrapped(b) {
		return inner
	}
	_, length, _ := b.Layout(n) // checked before
	t := &batch[E]{Transform: inner, n: n, length: length, b: b, s: s, tasks: min(batchSteps(b), tasks), move: move}
	t.calls.New = func() any { return t.bind() }
	return t
}

type batch[E any] struct {
	field.Transform[E]
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

func (t *batch[E]) bind() *batchCall[E] {
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
		phase = Phase{Steps: batchSteps(t.b), Do: func(step, task int) {
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

func (t *batch[E]) one(b *batchCall[E], dst, src []E, task int) {
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

func (t *batch[E]) Forward(ctx context.Context, dst, src []E) error {
	return t.do(ctx, dst, src, false)
}

func (t *batch[E]) Inverse(ctx context.Context, dst, src []E) error {
	return t.do(ctx, dst, src, true)
}

func (t *batch[E]) do(ctx context.Context, dst, src []E, inverse bool) error {
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

func (t *batch[E]) Report() field.Report {
	r := t.Transform.Report()
	r.Workers = max(r.Workers, t.tasks)
	r.Scratch *= t.tasks
	if t.b.Columns {
		r.Scratch += t.tasks * columns * field.Slices[E]{}.VecBytes(t.n)
	}
	return r
}
