package device

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/device/driver"
)

// alloc takes memory of the device, for what q has from then on. Where there is none left it takes what is being given
// back, that of vectors at rest, and then what the garbage collector finds.
func (d *Device) alloc(q *Queue, bytes int) (driver.Pointer, error) {
	if err := d.enter(); err != nil {
		return 0, err
	}
	defer d.leave()
	at, err := q.stream.Alloc(bytes)
	if errors.Is(err, field.ErrMemory) {
		d.reclaim()
		at, err = d.allocAgain(q, bytes)
	}
	for range 2 { // as a sync.Pool keeps what it has for the first collection
		if !errors.Is(err, field.ErrMemory) {
			break
		}
		at, err = d.collected(q, bytes)
	}
	return at, err
}

// collected is allocAgain once the garbage collector has run, and what it found is free.
func (d *Device) collected(q *Queue, bytes int) (at driver.Pointer, err error) {
	runtime.GC()
	queued, _ := cleanups()
	for {
		_, ran := cleanups()
		if at, err = d.allocAgain(q, bytes); !errors.Is(err, field.ErrMemory) || ran >= queued {
			return at, err
		}
		time.Sleep(time.Millisecond)
	}
}

// allocAgain is after something was given back.
func (d *Device) allocAgain(q *Queue, bytes int) (driver.Pointer, error) {
	if d.freeing != nil {
		if err := d.freeing.Wait(); err != nil {
			return 0, err
		}
	}
	return q.stream.Alloc(bytes)
}

// cleanups is how many cleanups the garbage collector has found so far, and how many of them have run.
func cleanups() (queued, ran uint64) {
	s := []metrics.Sample{{Name: "/gc/cleanups/queued:cleanups"}, {Name: "/gc/cleanups/executed:cleanups"}}
	metrics.Read(s)
	return s[0].Value.Uint64(), s[1].Value.Uint64()
}

// reclaim frees all vectors at rest.
func (d *Device) reclaim() {
	var list []*owned
	d.mu.Lock()
	for o := range d.vectors {
		if o.rests {
			delete(d.vectors, o)
			list = append(list, o)
		}
	}
	d.mu.Unlock()
	for _, o := range list {
		d.late.Note(o.end(d))
	}
}

// buffer is device memory that grows.
type buffer struct {
	at    driver.Pointer
	bytes int
}

// grow makes room for n bytes, for what is on q. What the buffer held is lost.
func (b *buffer) grow(q *Queue, n int) error {
	if n <= b.bytes {
		return nil
	}
	if err := q.settle(context.Background()); err != nil {
		return err
	}
	if err := b.free(q.d); err != nil {
		return err
	}
	at, err := q.d.alloc(q, n)
	if err == nil {
		b.at, b.bytes = at, n
	}
	return err
}

func (b *buffer) free(d *Device) error {
	if b.bytes == 0 {
		return nil
	}
	at := b.at
	*b = buffer{}
	return d.release(at)
}

// failure is the first of several errors, for who asks next.
type failure struct{ first atomic.Pointer[error] }

// Note keeps an error, where it is one and the first.
func (f *failure) Note(err error) {
	if err != nil {
		first := err // on the heap, as err would be for every call
		f.first.CompareAndSwap(nil, &first)
	}
}

// Failed reports whether there is an error to take.
func (f *failure) Failed() bool { return f.first.Load() != nil }

// Take is what Note kept, once.
func (f *failure) Take() error {
	if err := f.first.Swap(nil); err != nil {
		return *err
	}
	return nil
}

// Memory is a vector on a device. Its failures are those of operations on it since the last Wait, or those of its
// queue.
type Memory struct {
	*failure
	At    uint64 // its address
	Pitch int    // for who makes it: words between planes, or what else its layout needs
	d     *Device
	owned *owned
	found *Memory // a word; see Found
}

// owned is what a vector has on the device.
type owned struct {
	q       *Queue
	at      driver.Pointer
	bytes   int           // at least 1; 0 where it is somebody else's
	foreign bool          // it is somebody else's
	last    *driver.Event // behind the last operation on it; nil where the queue is waited for
	rests   bool          // guarded by the device's mu
	mu      sync.Mutex
	told    bool                       // somebody keeps its address
	graphs  map[graphKey]*driver.Graph // nil for calls that ran once
}

// Make makes so many bytes, all 0. The garbage collector releases what nobody has.
func (d *Device) Make(bytes int) (*Memory, error) { return d.make(d.common, bytes) }

func (d *Device) make(q *Queue, bytes int) (*Memory, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	at, err := d.alloc(q, max(bytes, 1))
	if err != nil {
		return nil, err
	}
	o := &owned{q: q, at: at, bytes: max(bytes, 1)}
	m := &Memory{failure: &q.failure, d: d, At: uint64(at), owned: o}
	if q.marks {
		m.failure = new(failure)
		if o.last, err = d.events.take(d.d); err != nil {
			return nil, errors.Join(err, d.release(at))
		}
	}
	d.own(m)
	if bytes > 0 {
		if err := cmp.Or(q.stream.Fill(at, 0, bytes), o.mark()); err != nil {
			return nil, errors.Join(err, o.free(d))
		}
	}
	return m, nil
}

// own has the garbage collector, or the end of the device, end what m has.
func (d *Device) own(m *Memory) *Memory {
	o := m.owned
	d.mu.Lock()
	d.vectors[o] = struct{}{}
	d.mu.Unlock()
	runtime.AddCleanup(m, func(d *Device) { d.late.Note(o.free(d)) }, d)
	return m
}

// mark is the end of an operation that others may wait for alone.
func (o *owned) mark() error {
	if o.last == nil {
		return nil
	}
	return o.last.Owe(o.q.stream)
}

// Queue is where operations on m run.
func (m *Memory) Queue() *Queue { return m.owned.q }

// Stream is that of its queue.
func (m *Memory) Stream() *Stream { return m.owned.q.stream }

// Reads has later operations on m begin after all that the queue of an operand has so far, or, where each vector has
// its own place in it, after those on the operand. nil is an operand elsewhere. What is done to the operand later does
// not come after them.
func (m *Memory) Reads(operand *Memory) {
	switch {
	case operand == nil || operand.owned.q == m.owned.q:
	case operand.owned.last == nil:
		m.Note(m.owned.q.After(operand.owned.q))
	case m.d.enter() == nil:
		// A capture takes nothing from outside. What calls have waited for is over there.
		if captures, err := m.owned.q.captures(); err != nil || !captures {
			m.Note(cmp.Or(err, m.Stream().After(operand.owned.last)))
		}
		m.d.leave()
	}
}

// Swap exchanges the memory of two vectors with what is in it, and reports whether that can be: both are of one layout
// and one queue, nobody else's, and no graph and nobody who was told has their addresses. What is begun later finds it
// so.
func (m *Memory) Swap(with *Memory) bool {
	a, b := m.owned, with.owned
	if a == b || a.q != b.q || a.bytes != b.bytes || a.bytes == 0 || m.Pitch != with.Pitch || a.known() || b.known() {
		return false
	}
	m.d.mu.Lock()
	_, live := m.d.vectors[a]
	_, both := m.d.vectors[b]
	if both = both && live; both {
		a.at, b.at = b.at, a.at
		m.At, with.At = with.At, m.At
	}
	m.d.mu.Unlock()
	m.Did(nil)
	with.Did(nil)
	return both
}

// Tell is At for somebody who keeps it.
func (m *Memory) Tell() uint64 {
	m.owned.mu.Lock()
	defer m.owned.mu.Unlock()
	m.owned.told = true
	return m.At
}

// known reports whether somebody has the address.
func (o *owned) known() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.told || len(o.graphs) > 0
}

// Release waits for what runs, and gives the memory back, unless that is done: after a Close it is.
func (m *Memory) Release() error { return m.owned.free(m.d) }

// Rest lets the device free the vector where memory is short, until Wake. Its values are nobody's then.
func (m *Memory) Rest() {
	m.d.mu.Lock()
	m.owned.rests = true
	m.d.mu.Unlock()
}

// Wake ends the vector's rest. It is false where the vector was freed.
func (m *Memory) Wake() bool {
	m.d.mu.Lock()
	defer m.d.mu.Unlock()
	m.owned.rests = false
	_, live := m.d.vectors[m.owned]
	return live
}

// Drop is Release for those who cannot fail any more: the next Wait has its error.
func (m *Memory) Drop() { m.d.late.Note(m.Release()) }

// Did ends an operation on m that has begun, or failed: Wait waits for all that the stream has so far.
func (m *Memory) Did(err error) {
	m.Note(err)
	if m.owned.last != nil && m.d.enter() == nil {
		m.Note(m.owned.mark())
		m.d.leave()
	}
}

// NoteFrom makes a failure of an operand one of m: nobody waits for scratch. nil is an operand elsewhere.
func (m *Memory) NoteFrom(of *Memory) {
	if of != nil && of.failure != m.failure {
		m.Note(of.Take())
	}
}

func (o *owned) free(d *Device) error {
	if d.enter() != nil {
		return nil
	}
	defer d.leave()
	d.mu.Lock()
	_, live := d.vectors[o]
	delete(d.vectors, o)
	d.mu.Unlock()
	if !live {
		return nil
	}
	return o.end(d)
}

// end waits for operations on the vector, asleep; the device, or the driver, waits for what else may read it.
func (o *owned) end(d *Device) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	err := o.settle()
	for _, g := range o.graphs {
		err = cmp.Or(err, g.Close())
	}
	if !o.foreign {
		err = cmp.Or(err, d.release(o.at))
	}
	if o.last != nil {
		d.events.put(o.last)
	}
	return err
}

// settle waits for operations on the vector.
func (o *owned) settle() error {
	if o.last != nil {
		return o.q.d.reach(context.Background(), o.last)
	}
	if captures, err := o.q.captures(); captures || err != nil || o.q.closed.Load() {
		return nil // nothing of its runs, or nothing may be asked
	}
	return o.q.settle(context.Background())
}
