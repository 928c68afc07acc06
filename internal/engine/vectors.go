package engine

import (
	"context"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine/choice"
	"github.com/galfft/fft/internal/par"
)

// vectors is what is done to whole vectors element by element, on the workers of a plan: what lies between callers'
// slices and transforms, and would be one worker's otherwise.
type vectors struct {
	bulk  bulks.Bulk
	t     bulks.Traits
	chunk int // elements, of which parts are multiples
	run   int // elements that are moved between two looks at a context: chunks of about runBytes
	times int // that are multiplied
	loops par.Loops[operands]
	looks par.Loops[operands] // of First, which is the host's work
	// look is the nanoseconds of an element by which First is shared out: those of the transform behind it, so that it
	// has as many tasks. Lines come from the caches of all its workers, and one alone waits for most of them: that took
	// up to a quarter of 2^16 words by 16 workers.
	look float64
	// device: how its work is shared and cut is its own affair.
	device bool
}

// operands is the state of a loop.
type operands struct {
	*vectors
	ctx     context.Context // of loops that it stops
	run     int             // elements between two looks
	z, x, y View
	rows    bulks.Copy // of x, which First looks at
	do      func(o *operands, from, to int)
	find    func(v View) int
	first   atomic.Int64 // what it has found
}

func newVectors(f bulks.Bulk, t bulks.Traits, n int, s field.Spec, chunk int) *vectors {
	v := &vectors{bulk: f, t: t, chunk: chunk}
	v.look = max(v.moving(), choice.Element(t, n))
	v.loops.Workers, v.loops.Grain, v.loops.Runner = s.Workers, s.Grain, s.Runner
	v.looks.Workers, v.looks.Grain, v.looks.Runner = s.Workers, s.Grain, s.Runner
	if _, v.device = f.(bulks.Device); v.device {
		v.loops.Workers = 1
		v.look = v.moving()
		v.looks.Workers = max(s.Workers, runtime.GOMAXPROCS(0)) // one is slower than the bus
	}
	const runBytes = 1 << 18 // which take about 100 µs where elements are words
	v.run = max(1, runBytes/f.Bytes(chunk)) * chunk
	v.times = choice.Between(max(v.moving(), t.Butterfly), 8*bulks.Lanes, v.run)
	return v
}

// moving is about how many nanoseconds it takes to read and to write an element.
func (v *vectors) moving() float64 {
	const byByte = 0.04
	return byByte * float64(v.bulk.Bytes(bulks.Lanes)/bulks.Lanes)
}

// sharing is the memory that a call takes to share moves of n elements.
func (v *vectors) sharing(n int) int {
	return par.Bytes(par.Tasks(v.loops.Workers, v.loops.Grain, n, v.moving()))
}

// alone reports whether there is one worker, for whom a loop would cost more than a short vector.
func (v *vectors) alone() bool { return v.loops.Workers < 2 }

// short reports whether a loop would cost more than it brings, or is not for a device.
func (v *vectors) short(n, run int) bool { return v.device || v.alone() && n <= run }

// stopping is move in runs, until ctx ends. do is for one of them.
func (v *vectors) stopping(ctx context.Context, z, x, y View, ns float64, run int,
	do func(o *operands, from, to int)) error {
	l := v.loops.Get()
	o := &l.State
	o.vectors, o.ctx, o.run, o.do, o.z, o.x, o.y = v, ctx, run, do, z, x, y
	v.loops.Run(l, z.N, 1, ns, v.chunk, func(o *operands, from, to int) {
		for ; from < to && o.ctx.Err() == nil; from += o.run {
			o.do(o, from, min(from+o.run, to))
		}
	})
	v.loops.Put(l)
	if err := ctx.Err(); err != nil {
		return Stopped(err)
	}
	return nil
}

// pack sets z to the canonical elements x, unless ctx ends on the way.
func (v *vectors) pack(ctx context.Context, z, x View) error {
	if v.short(z.N, v.run) {
		v.bulk.Pack(z, x)
		return nil
	}
	return v.stopping(ctx, z, x, View{}, v.moving(), v.run, func(o *operands, from, to int) {
		o.bulk.Pack(o.z.Slice(from, to), o.x.Slice(from, to))
	})
}

// clear sets z to zeros; zeros is a chunk of canonical ones.
func (v *vectors) clear(ctx context.Context, z, zeros View) error {
	return v.stopping(ctx, z, zeros, View{}, v.moving(), v.run, func(o *operands, from, to int) {
		for ; from < to; from += o.chunk {
			end := min(from+o.chunk, to)
			o.bulk.Pack(o.z.Slice(from, end), o.x.Slice(0, end-from))
		}
	})
}

// unpack sets z to the canonical form of the elements x, unless ctx ends on the way.
func (v *vectors) unpack(ctx context.Context, z, x View) error {
	if v.short(z.N, v.run) {
		v.bulk.Unpack(z, x)
		return nil
	}
	return v.stopping(ctx, z, x, View{}, v.moving(), v.run, func(o *operands, from, to int) {
		o.bulk.Unpack(o.z.Slice(from, to), o.x.Slice(from, to))
	})
}

// reduce is that of the bulk, unless ctx ends on the way.
func (v *vectors) reduce(ctx context.Context, z View) error {
	if v.short(z.N, v.run) {
		v.bulk.Reduce(z)
		return nil
	}
	return v.stopping(ctx, z, View{}, View{}, v.moving(), v.run, func(o *operands, from, to int) {
		o.bulk.Reduce(o.z.Slice(from, to))
	})
}

// mul sets z to the products of x and y, unless ctx ends on the way.
func (v *vectors) mul(ctx context.Context, z, x, y View) error {
	if v.short(z.N, v.times) {
		v.bulk.VecMul(z, x, y)
		return nil
	}
	return v.stopping(ctx, z, x, y, max(v.moving(), v.t.Butterfly), v.times, func(o *operands, from, to int) {
		o.bulk.VecMul(o.z.Slice(from, to), o.x.Slice(from, to), o.y.Slice(from, to))
	})
}

// First returns the least index that find has for a part of x, and −1 where it has none. It looks at rows of width
// elements.
func (v *vectors) First(x View, rows, width, stride int, find func(v View) int) int {
	if rows == 1 || width == stride {
		rows, width = 1, rows*width
	}
	if v.looks.Workers < 2 {
		for i := range rows {
			if at := find(x.Slice(i*stride, i*stride+width)); at >= 0 {
				return i*stride + at
			}
		}
		return -1
	}
	l := v.looks.Get()
	o := &l.State
	o.x, o.rows, o.find = x, bulks.Copy{Rows: rows, Width: width, Src: stride}, find
	o.first.Store(math.MaxInt64)
	if rows == 1 {
		v.looks.Run(l, width, 1, v.look, v.chunk, finding)
	} else {
		v.looks.Run(l, rows, width, v.look, 1, func(o *operands, from, to int) {
			for i := from; i < to; i++ {
				finding(o, i*o.rows.Src, i*o.rows.Src+o.rows.Width)
			}
		})
	}
	at := o.first.Load()
	v.looks.Put(l)
	if at == math.MaxInt64 {
		return -1
	}
	return int(at)
}

// finding looks for an index in a part of x, unless one before it is known.
func finding(o *operands, from, to int) {
	known := o.first.Load()
	if known < int64(from) {
		return
	}
	i := o.find(o.x.Slice(from, to))
	if i < 0 {
		return
	}
	for at := int64(from + i); at < known && !o.first.CompareAndSwap(known, at); {
		known = o.first.Load()
	}
}
