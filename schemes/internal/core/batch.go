package core

import (
	"context"
	"sync"

	"github.com/galfft/fft/field"
)

// line is how many columns a batch by columns takes at a time at least: their elements in one row fill a line.
const line = 8

// wrapped reports whether a batch is more than its one transform.
func wrapped(b field.Batch) bool { return b.Count > 1 || b.Columns && b.Stride > 1 }

// batchSteps is the most steps of a batch: columns are taken several at a time.
func batchSteps(b field.Batch) int {
	if b.Columns {
		return (b.Count + line - 1) / line
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

// batched lays transforms out in one slice; tasks share them. Vectors in working form stay single transforms.
func batched[E, V any](inner *transform[E, V], s field.Spec, tasks int, b field.Batch) field.Transform[E] {
	if !wrapped(b) {
		return inner
	}
	_, length, _ := b.Layout(inner.n) // checked before
	t := &batch[E, V]{transform: inner, length: length, b: b, s: s, group: 1}
	const cache = 1 << 12 // elements that a step takes, at most, where it takes several transforms
	switch {
	case b.Columns:
		t.group = min(line, b.Count)
		if inner.columns == nil {
			break
		}
		for 2*t.group*inner.n <= 8*cache && t.group < 8*line && 2*t.group*tasks <= b.Count {
			t.group *= 2
		}
		if inner.order == field.Natural && inner.scheme.Cheapest() == field.BitReversed {
			t.rev = Revs(inner.n)
		}
	case inner.now != nil && b.Stride == inner.n:
		t.group = max(1, min(cache/inner.n, b.Count/tasks))
	}
	t.steps = (b.Count + t.group - 1) / t.group
	t.tasks = min(t.steps, tasks)
	t.calls.New = func() any { return t.bind() }
	return t
}

// batch has its own steps, tasks and calls in place of the transform's.
type batch[E, V any] struct {
	*transform[E, V]
	length int
	b      field.Batch
	s      field.Spec
	group  int     // transforms of a step
	rev    []int32 // by columns in natural order
	steps  int
	tasks  int
	calls  sync.Pool
}

// batchCall is the pooled state of one batch.
type batchCall[E any] struct {
	dst, src []E
	inverse  bool
	x        [][]E // by columns: for each task its columns
	errs     []error
	run      direction
	c        Call[E]
}

func (t *batch[E, V]) bind() *batchCall[E] {
	b := &batchCall[E]{errs: make([]error, t.tasks)}
	b.c.Tasks, b.c.progress = t.tasks, t.s.Progress
	if t.b.Columns {
		b.x = make([][]E, t.tasks)
		for i := range b.x {
			b.x[i] = make([]E, t.group*t.n)
		}
	}
	do := t.someRows
	switch {
	case t.b.Columns && t.columns != nil:
		do = t.strip
	case t.b.Columns:
		do = t.gather
	}
	phase := Phase{Steps: t.steps, Do: func(step, task int) {
		first := step * t.group
		do(b, first, min(t.group, t.b.Count-first), task)
	}}
	b.run = b.c.bind([]Phase{phase}, t.tasks)
	return b
}

// someRows takes count transforms by rows.
func (t *batch[E, V]) someRows(b *batchCall[E], first, count, task int) {
	i := first * t.b.Stride
	dst, src := b.dst[i:][:count*t.n], b.src[i:][:count*t.n]
	if t.now != nil {
		t.rows(dst, src, count, b.inverse)
		return
	}
	t.one(b, dst, src, task) // count is 1
}

// strip takes columns side by side, on rows of count elements.
func (t *batch[E, V]) strip(b *batchCall[E], first, count, task int) {
	x := b.x[task][:count*t.n]
	in := field.Copy{Rows: t.n, Width: count, Dst: count, Src: t.b.Stride}
	out := field.Copy{Rows: t.n, Width: count, Dst: t.b.Stride, Src: count}
	if b.inverse {
		in.RowPerm = t.rev
	} else {
		out.RowPerm = t.rev
	}
	t.copyBlock(x, b.src[first:], in)
	v, _ := t.f.Alias(x)
	t.columns.Columns(&b.c.Watch, v, count, b.inverse, true)
	t.copyBlock(b.dst[first:], x, out)
}

// gather takes columns one after the other, each as a row.
func (t *batch[E, V]) gather(b *batchCall[E], first, count, task int) {
	x := b.x[task]
	t.copyBlock(x, b.src[first:], field.Copy{Rows: count, Width: t.n, Dst: t.n, Src: t.b.Stride, Transpose: true})
	for j := range count {
		row := x[j*t.n:][:t.n]
		t.one(b, row, row, task)
	}
	t.copyBlock(b.dst[first:], x, field.Copy{Rows: t.n, Width: count, Dst: t.b.Stride, Src: t.n, Transpose: true})
}

func (t *batch[E, V]) one(b *batchCall[E], dst, src []E, task int) {
	if err := t.transform.checked(b.c.ctx, dst, src, b.inverse); err != nil {
		b.errs[task] = err
	}
}

func (t *batch[E, V]) Forward(ctx context.Context, dst, src []E) error {
	return t.do(ctx, dst, src, false)
}

func (t *batch[E, V]) Inverse(ctx context.Context, dst, src []E) error {
	return t.do(ctx, dst, src, true)
}

func (t *batch[E, V]) do(ctx context.Context, dst, src []E, inverse bool) error {
	if err := CheckCall(ctx, dst, src, t.length); err != nil {
		return err
	}
	if err := t.checkRows(src); err != nil {
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

// checkRows is checkRange for what the layout covers: there may be anything in gaps.
func (t *batch[E, V]) checkRows(src []E) error {
	rows, width := t.b.Count, t.n
	if t.b.Columns {
		rows, width = t.n, t.b.Count
	}
	if width == t.b.Stride {
		rows, width = 1, len(src)
	}
	for i := range rows {
		if err := t.checkRange(src[i*t.b.Stride:][:width], i*t.b.Stride); err != nil {
			return err
		}
	}
	return nil
}

func (t *batch[E, V]) Report() field.Report {
	r := t.transform.Report()
	r.Workers = max(r.Workers, t.tasks)
	r.Scratch *= t.tasks
	if t.b.Columns {
		if t.columns != nil {
			r.Scratch *= t.group // at most, as cases take columns side by side
		}
		r.Scratch += t.tasks * t.group * field.Slices[E]{}.VecBytes(t.n)
	}
	return r
}
