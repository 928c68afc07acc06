package poly

import (
	"math"
	"sync/atomic"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/par"
)

// loop is the state of what is done to vectors element by element, on the workers of a ring.
type loop struct {
	of      *elements
	z, x, y bulks.View
	minus   bool
	first   atomic.Int64
}

// share sets the workers to those of plans.
func (e *elements) share(opts []fft.Option) {
	e.loops.Workers, e.loops.Grain, e.loops.Runner = fft.WorkersOf(opts...)
}

// each does something to dst.N elements, which reads and writes them so many times.
func (e *elements) each(dst, x, y bulks.View, minus bool, times int, do func(l *loop, from, to int)) *par.Loop[loop] {
	const (
		byByte = 0.04 // nanoseconds to read and to write
		least  = 1 << 9
	)
	p := e.loops.Get()
	l := &p.State
	l.of, l.z, l.x, l.y, l.minus = e, dst, x, y, minus
	l.first.Store(math.MaxInt64)
	e.loops.Run(p, dst.N, 1, byByte*float64(times*e.size), least, do)
	return p
}

// copy sets dst to the first dst.N elements of src.
func (e *elements) copy(dst, src bulks.View) {
	e.loops.Put(e.each(dst, src, bulks.View{}, false, 1, func(l *loop, from, to int) {
		l.of.operations.copy(l.z.Slice(from, to), l.x.Slice(from, to))
	}))
}

func (e *elements) zero(dst bulks.View) {
	e.loops.Put(e.each(dst, bulks.View{}, bulks.View{}, false, 1, func(l *loop, from, to int) {
		l.of.operations.zero(l.z.Slice(from, to))
	}))
}

// add sets dst to dst + x, of one length.
func (e *elements) add(dst, x bulks.View) {
	e.loops.Put(e.each(dst, x, bulks.View{}, false, 2, func(l *loop, from, to int) {
		l.of.operations.add(l.z.Slice(from, to), l.x.Slice(from, to))
	}))
}

// copyAdd sets dst to src, and adds x to its first elements.
func (e *elements) copyAdd(dst, src, x bulks.View) {
	e.loops.Put(e.each(dst, src, x, false, 2, func(l *loop, from, to int) {
		z := l.z.Slice(from, to)
		l.of.operations.copy(z, l.x.Slice(from, to))
		if end := min(to, l.y.N); from < end {
			l.of.operations.add(z.Slice(0, end-from), l.y.Slice(from, end))
		}
	}))
}

// subtractHalf sets u to (u − t)/2 modulo x^n + 1, for n = u.N and t of several n; halves is some of 1/2.
func (e *elements) subtractHalf(u, t, halves bulks.View) {
	e.loops.Put(e.each(u, t, halves, false, 2*t.N/u.N+2, func(l *loop, from, to int) {
		o := &l.of.operations
		for ; from < to; from += l.y.N {
			end := min(to, from+l.y.N)
			z := l.z.Slice(from, end)
			for i := 0; i < l.x.N; i += l.z.N {
				if i/l.z.N%2 == 0 {
					o.sub(z, l.x.Slice(i+from, i+end))
				} else {
					o.add(z, l.x.Slice(i+from, i+end))
				}
			}
			o.mul(z, l.y.Slice(0, z.N))
		}
	}))
}

// fold sets dst to a modulo x^n − 1, n = dst.N, or modulo x^n + 1 where negacyclic.
func (e *elements) fold(dst, a bulks.View, negacyclic bool) {
	e.loops.Put(e.each(dst, a, bulks.View{}, negacyclic, a.N/dst.N+1, func(l *loop, from, to int) {
		o, z, n := &l.of.operations, l.z.Slice(from, to), l.z.N
		first := max(from, min(to, l.x.N))
		o.copy(z.Slice(0, first-from), l.x.Slice(min(from, l.x.N), min(to, l.x.N)))
		o.zero(z.Slice(first-from, z.N))
		for i := n; i+from < l.x.N; i += n {
			b := l.x.Slice(i+from, min(i+to, l.x.N))
			if l.minus && i/n%2 == 1 {
				o.sub(z.Slice(0, b.N), b)
			} else {
				o.add(z.Slice(0, b.N), b)
			}
		}
	}))
}

// firstInvalid returns the index of the first element that is not canonical, or −1.
func (e *elements) firstInvalid(a bulks.View) int {
	p := e.each(a, bulks.View{}, bulks.View{}, false, 1, func(l *loop, from, to int) {
		known := l.first.Load()
		if known < int64(from) {
			return
		}
		i := l.of.operations.firstInvalid(l.z.Slice(from, to))
		if i < 0 {
			return
		}
		for at := int64(from + i); at < known && !l.first.CompareAndSwap(known, at); {
			known = l.first.Load()
		}
	})
	first := p.State.first.Load()
	e.loops.Put(p)
	if first == math.MaxInt64 {
		return -1
	}
	return int(first)
}
