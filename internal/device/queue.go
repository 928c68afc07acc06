package device

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/device/driver"
)

// Queue is a stream with vectors of its own. What is put on it runs in order, beside other queues. Its failures are
// those of all its vectors since the last Wait. It is safe for concurrent use.
type Queue struct {
	failure
	d      *Device
	stream *Stream
	marks  bool        // the queue of all who name none: each vector has an event of its own
	shown  atomic.Bool // others may use the stream, and have it capture
	closed atomic.Bool

	order   sync.Mutex // held while several operations must follow each other in the stream
	scratch buffer
}

// NewQueue makes a queue.
func (d *Device) NewQueue() (*Queue, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	s, err := d.d.NewStream()
	if err != nil {
		return nil, err
	}
	return d.keep(&Queue{d: d, stream: s}), nil
}

// Borrow makes a queue of a stream that somebody else has made, and ends after the queue's Close. It is ErrStream for a
// stream of another context.
func (d *Device) Borrow(stream uintptr) (*Queue, error) {
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	s, err := d.d.Borrow(stream)
	if err != nil {
		return nil, fmt.Errorf("gpu: %w", err)
	}
	q := &Queue{d: d, stream: s}
	q.shown.Store(true)
	return d.keep(q), nil
}

// keep has the queue end with the device.
func (d *Device) keep(q *Queue) *Queue {
	d.mu.Lock()
	d.queues[q] = struct{}{}
	d.beside.Store(int64(len(d.queues)))
	d.mu.Unlock()
	return q
}

// Device is where the queue is.
func (q *Queue) Device() *Device { return q.d }

// Stream is that of the queue, for launches.
func (q *Queue) Stream() *Stream { return q.stream }

// Show is the CUstream, on which others may put work and capture from then on.
func (q *Queue) Show() uintptr {
	q.shown.Store(true)
	q.d.late.Note(q.stream.Pay()) // of a wait that was left
	return q.stream.Handle()
}

// Capturing is ErrCapturing where the stream records a graph, for what cannot be a part of one.
func (q *Queue) Capturing() error {
	is, err := q.captures()
	if is {
		err = fmt.Errorf("gpu: %w", ErrCapturing)
	}
	return err
}

// captures reports whether the stream records a graph. Only where others have it, it may.
func (q *Queue) captures() (bool, error) {
	if !q.shown.Load() {
		return false, nil
	}
	return q.stream.Capturing()
}

// Wait returns when all is over that q has so far, with the first failure. Where ctx ends before, the error wraps that
// of ctx, and what runs goes on. It is ErrCapturing while the stream records.
func (q *Queue) Wait(ctx context.Context) error {
	if err := q.d.enter(); err != nil {
		return err
	}
	defer q.d.leave()
	if err := q.Capturing(); err != nil {
		return cmp.Or(q.Take(), err)
	}
	err := q.settle(ctx)
	return cmp.Or(q.Take(), err, q.d.late.Take())
}

// settle waits for all that is on the stream so far.
func (q *Queue) settle(ctx context.Context) error {
	event, err := q.d.events.take(q.d.d)
	if err != nil {
		return err
	}
	defer q.d.events.put(event)
	mark := event.Owe
	if q.shown.Load() { // others may have the stream record a graph before it pays
		mark = event.Record
	}
	return cmp.Or(mark(q.stream), q.d.reach(ctx, event))
}

// After has later work of q begin after all that other has so far.
func (q *Queue) After(other *Queue) error {
	if q == other {
		return nil
	}
	if err := q.d.enter(); err != nil {
		return err
	}
	defer q.d.leave()
	if err := other.d.enter(); err != nil {
		return err
	}
	defer other.d.leave()
	event, err := other.d.events.take(other.d.d)
	if err != nil {
		return err
	}
	defer other.d.events.put(event) // who waits for it does so for the place that it is now
	return cmp.Or(event.Record(other.stream), q.stream.After(event))
}

// Close waits for what runs on the queue, and ends its stream, unless that is borrowed. Its vectors keep their memory
// and do nothing any more. A second call does nothing.
func (q *Queue) Close() error {
	if q.d.enter() != nil {
		return nil
	}
	defer q.d.leave()
	if err := q.Capturing(); err != nil {
		return err
	}
	if q.closed.Swap(true) {
		return nil
	}
	err := q.settle(context.Background())
	q.d.mu.Lock()
	delete(q.d.queues, q) // not before, as what is given back waits for what it has
	q.d.beside.Store(int64(len(q.d.queues)))
	q.d.mu.Unlock()
	return cmp.Or(q.Take(), err, q.end())
}

// end frees what the queue has. Nothing runs on it, or is put on it, any more.
func (q *Queue) end() error {
	q.closed.Store(true)
	return cmp.Or(q.scratch.free(q.d), q.stream.Close())
}

// Scratch has do called, alone, with the address of so many bytes of any content. They are do's until all has run that
// it has put on the stream, which nothing else of Scratch comes between.
func (q *Queue) Scratch(bytes int, do func(at uint64) error) error {
	if err := q.d.enter(); err != nil {
		return err
	}
	defer q.d.leave()
	q.order.Lock()
	defer q.order.Unlock()
	if err := q.scratch.grow(q, bytes); err != nil {
		return err
	}
	return do(uint64(q.scratch.at))
}

// Clear sets bytes to 0. It is ErrCapturing while the stream records.
func (q *Queue) Clear(at uint64, bytes int) error {
	if err := q.d.enter(); err != nil {
		return err
	}
	defer q.d.leave()
	if err := q.Capturing(); err != nil {
		return err
	}
	return q.stream.Fill(driver.Pointer(at), 0, bytes)
}

// Make is Device.Make of a vector of the queue. It is ErrCapturing while the stream records.
func (q *Queue) Make(bytes int) (*Memory, error) {
	if err := q.Capturing(); err != nil {
		return nil, err
	}
	return q.d.make(q, bytes)
}

// aligned is how addresses of others lie: as whole accesses of kernels and of copies want.
const aligned = 16

// Around is a vector of the queue in memory of somebody else, which it neither fills nor frees. It is ErrPointer for
// memory that is not the device's, that is shorter or not aligned.
func (q *Queue) Around(at uint64, bytes int) (*Memory, error) {
	d := q.d
	if err := d.enter(); err != nil {
		return nil, err
	}
	defer d.leave()
	base, size, err := d.d.Allocation(driver.Pointer(at))
	if err != nil {
		return nil, fmt.Errorf("gpu: %w", err)
	}
	switch left := size - int(at-uint64(base)); {
	case at%aligned != 0:
		return nil, fmt.Errorf("gpu: %w %d: address %#x, want a multiple of %d", ErrPointer, d.Info().Index, at, aligned)
	case bytes > left:
		return nil, fmt.Errorf("gpu: %w %d: %d bytes from address %#x to the end of its allocation, want %d: %w",
			ErrPointer, d.Info().Index, left, at, bytes, field.ErrLength)
	}
	o := &owned{q: q, at: driver.Pointer(at), foreign: true}
	return d.own(&Memory{failure: &q.failure, d: d, At: at, owned: o}), nil
}
