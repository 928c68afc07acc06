package engine

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"github.com/galfft/fft/field"
)

// groupChunks is how many chunks of a device make a group: so many copies hide that one begins before, and one ends
// after, what they overlap with.
const groupChunks = 16

// overlaps reports whether a batch goes in groups so that a device copies in both directions, and works, at once.
func (t *whole) overlaps() bool {
	return t.one.device != nil && t.batch.Count > 1 && t.batch.Count*t.one.n >= groupChunks*t.one.chunk
}

// Vectors of the groups of a call: so many for a device, where there is memory, keep both directions of the bus busy,
// with one copy behind another; and so many wait at most for the host to have looked at the rest of a batch.
const (
	someVecs = 4
	mostVecs = 64
)

// inGroups is checked in groups of transforms, by way of several vectors, so that a back end can copy for one group
// while it works for another. A group is a step.
//
// Where invalid is not nil, nothing is written before all elements have been looked at: the device looks at groups from
// the first one on, which it copies and transforms at once, and the host at those from the last one on.
func (t *whole) inGroups(ctx context.Context, dst, src View, inverse bool, invalid Rows) error {
	t.many.Lock()
	defer t.many.Unlock()
	vecs, size, err := t.vectors(ctx, src)
	if err != nil {
		return err
	}
	count := (t.batch.Count + size - 1) / size
	g := newGroups(count, invalid != nil)
	p := &groupVecs{t: t, elements: size * t.one.n, made: len(vecs), idle: make(chan *vec, max(len(vecs), mostVecs))}
	tasks := len(vecs)
	if invalid != nil {
		tasks = min(count, cap(p.idle))
	}
	for _, v := range vecs {
		p.idle <- v
	}
	loads := make(chan struct{}, 2) // one on the bus, and one behind it
	c := &Call{Tasks: tasks}
	c.progress = t.one.progress
	d := c.bind([]Phase{{Steps: count, Do: func(int, int) {
		loads <- struct{}{}
		v, err := p.take(ctx, g)
		if err != nil || c.Stopped() { // while it waited
			<-loads
			c.Failed(err)
			if v != nil {
				p.idle <- v
			}
			return
		}
		i, look := g.next() // behind take: what the device is to look at waits for no vector
		b, m, at, length := t.group(i*size, size)
		from := src.Slice(at, at+length)
		part := &vec{v: v.v.Slice(0, b.Count*t.one.n), plan: v.plan}
		k := check{look: look, invalid: func() error { return invalid(from, b) },
			door: func(err error) error { return g.pass(ctx, look, err) }}
		err = m.load(ctx, part, from)
		<-loads
		if err != nil {
			err = k.door(err)
		} else {
			err = t.call(ctx, m, part, dst.Slice(at, at+length), from, inverse, true, nil, k)
		}
		c.Failed(err)
		p.idle <- v
	}}}, t.one.runner)
	var host sync.WaitGroup
	if invalid != nil {
		host.Go(func() {
			for i, n := g.last(ctx); n > 0; i, n = g.last(ctx) {
				b, _, at, length := t.group(i*size, n*size)
				g.seen(n, invalid(src.Slice(at, at+length), b))
			}
		})
	}
	err = c.phases(ctx, &d, t.one.runner)
	host.Wait()
	p.rest()
	if errors.Is(err, field.ErrRange) { // of a group, perhaps not the first
		err = cmp.Or(invalid(src, t.batch), errChanged)
	}
	return err
}

// groups is the groups of a call, and the door that they pass before anything of theirs is written: it opens when all
// have been looked at.
type groups struct {
	mu            sync.Mutex
	begun, behind int // the next group to begin; from behind on the host looks, or has looked
	unseen        int
	err           error         // of what was looked at, or kept a group from it
	open          chan struct{} // closed where unseen is 0, or err is not nil
}

func newGroups(count int, checked bool) *groups {
	g := &groups{open: make(chan struct{})}
	if checked {
		g.behind, g.unseen = count, count
	} else {
		close(g.open)
	}
	return g
}

// next is the group to begin now, and whether the device looks at it.
func (g *groups) next() (i int, look bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	i = g.begun
	g.begun++
	return i, i < g.behind
}

// last is n groups from i on that the host looks at now, half of those that are left, as to look at few takes its
// workers hardly less time. They are none where there is no need.
func (g *groups) last(ctx context.Context) (i, n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.behind <= g.begun || g.err != nil || ctx.Err() != nil {
		return 0, 0
	}
	n = (g.behind - g.begun + 1) / 2
	g.behind -= n
	return g.behind, n
}

// seen says that n groups have been looked at, with what came of it.
func (g *groups) seen(n int, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.unseen -= n
	if g.err != nil {
		return
	}
	if g.err = err; err != nil || g.unseen == 0 {
		close(g.open)
	}
}

// pass returns when the door is open, or ctx has ended, for a group that the device has looked at, or not, with err.
func (g *groups) pass(ctx context.Context, looked bool, err error) error {
	if looked {
		g.seen(1, err)
	}
	if err != nil {
		return err
	}
	select {
	case <-g.open:
		return g.err
	case <-ctx.Done():
		return Stopped(ctx.Err())
	}
}

// closed reports whether some groups have not been looked at.
func (g *groups) closed() bool {
	select {
	case <-g.open:
		return false
	default:
		return true
	}
}

// groupVecs is the vectors of a call in groups.
type groupVecs struct {
	t        *whole
	elements int
	made     int
	idle     chan *vec // of as many as there may be
	mu       sync.Mutex
}

// take waits for a vector that is idle. While groups wait to be written it makes another one, where there is memory.
func (p *groupVecs) take(ctx context.Context, g *groups) (*vec, error) {
	select {
	case v := <-p.idle:
		return v, nil
	default:
	}
	if v := p.another(g); v != nil {
		return v, nil
	}
	select {
	case v := <-p.idle:
		return v, nil
	case <-ctx.Done():
		return nil, Stopped(ctx.Err())
	}
}

// another is one more vector, or nil.
func (p *groupVecs) another(g *groups) *vec {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.made == cap(p.idle) || !g.closed() {
		return nil
	}
	v := p.t.groupVec(p.elements)
	if v != nil {
		p.made++
	}
	return v
}

// groupVec is a vector beside those that there are, which do where it is nil.
func (t *whole) groupVec(elements int) *vec {
	if v := t.groups.take(); v != nil {
		return v
	}
	x, err := t.one.newVec(elements)
	if err != nil {
		return nil
	}
	return x.(*vec)
}

// rest keeps the vectors for the next call.
func (p *groupVecs) rest() {
	for range len(p.idle) {
		p.t.groups.put(<-p.idle)
	}
}

// group is a batch of at most count transforms, from one on, and the part of a slice that it covers.
func (t *whole) group(from, count int) (b field.Batch, m mover, at, length int) {
	b = t.batch
	b.Count = min(count, t.batch.Count-from)
	at = from * b.Stride
	if b.Columns {
		at = from
	}
	_, length, _ = b.Layout(t.one.n) // checked before
	return b, t.moverOf(b), at, length
}

// vectors finds how many transforms a group has, and returns two vectors for them, for a device more where
// there is memory; one where there is none for more, or one worker.
func (t *whole) vectors(ctx context.Context, src View) (vecs []*vec, size int, err error) {
	want := 2
	if t.workers == 1 && t.one.device == nil { // copies to devices have goroutines whatever the workers are
		want = 1
	}
	size = int(t.size.Load())
	if size == 0 {
		size = t.share
	}
	for {
		for len(vecs) < want && err == nil {
			v := t.groups.take()
			if v == nil {
				_, m, at, length := t.group(0, size)
				v, err = t.loaded(ctx, m, size, src.Slice(at, at+length))
			}
			if err == nil {
				vecs = append(vecs, v)
			}
		}
		full := errors.Is(err, field.ErrMemory)
		switch {
		case err == nil, full && size == 1 && len(vecs) > 0:
			t.size.Store(int64(size))
			for t.one.device != nil && len(vecs) > 1 && len(vecs) < someVecs {
				v := t.groupVec(size * t.one.n)
				if v == nil {
					break
				}
				vecs = append(vecs, v)
			}
			return vecs, size, nil
		case !full || size == 1:
			return nil, 0, cmp.Or(err, closed(vecs))
		}
		if e := closed(vecs); e != nil {
			return nil, 0, e
		}
		vecs, err, size = nil, nil, (size+1)/2
	}
}

// closed closes vectors.
func closed(vecs []*vec) (err error) {
	for _, v := range vecs {
		err = cmp.Or(err, v.Close())
	}
	return err
}
