package device

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/galfft/fft/internal/device/driver"
)

// polling is how long a wait asks again and again before it sleeps. A sleeper wakes up 25 to 55 µs after its event, so
// that no call takes more than about a quarter longer for the sleep.
const polling = 200 * time.Microsecond

// events are those of a device that nobody has at the time. They are kept until Close: a wait that was left may still
// have one, and takes no harm where it is recorded again.
type events struct {
	mu   sync.Mutex
	all  []*driver.Event
	idle []*driver.Event
}

// take returns an event, at a place that was reached or at none.
func (e *events) take(d *driver.Device) (*driver.Event, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n := len(e.idle); n > 0 {
		last := e.idle[n-1]
		e.idle = e.idle[:n-1]
		return last, nil
	}
	event, err := d.NewEvent()
	if err == nil {
		e.all = append(e.all, event)
	}
	return event, err
}

func (e *events) put(event *driver.Event) {
	e.mu.Lock()
	e.idle = append(e.idle, event)
	e.mu.Unlock()
}

func (e *events) close() (err error) {
	for _, event := range e.all {
		err = cmp.Or(err, event.Close())
	}
	return err
}

// sleepers wait asleep for events that do not: an event at which somebody may sleep costs the device more
// whenever it is recorded. Each has a stream of its own, so that none waits for what another waits for.
type sleepers struct {
	mu   sync.Mutex
	all  []*sleeper
	idle []*sleeper
}

type sleeper struct {
	stream *driver.Stream
	place  *driver.Event
}

func (s *sleepers) take(d *driver.Device) (*sleeper, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.idle); n > 0 {
		last := s.idle[n-1]
		s.idle = s.idle[:n-1]
		return last, nil
	}
	stream, err := d.NewStream()
	if err != nil {
		return nil, err
	}
	place, err := d.NewSleeper()
	if err != nil {
		return nil, errors.Join(err, stream.Close())
	}
	made := &sleeper{stream, place}
	s.all = append(s.all, made)
	return made, nil
}

func (s *sleepers) put(z *sleeper) {
	s.mu.Lock()
	s.idle = append(s.idle, z)
	s.mu.Unlock()
}

func (s *sleepers) close() (err error) {
	for _, z := range s.all {
		err = cmp.Or(err, z.place.Close(), z.stream.Close())
	}
	return err
}

// sleep returns when an event is reached.
func (d *Device) sleep(event *driver.Event) error {
	z, err := d.sleepers.take(d.d)
	if err != nil {
		return event.Wait()
	}
	defer d.sleepers.put(z)
	return cmp.Or(z.stream.After(event), z.place.Record(z.stream), z.place.Wait())
}

// waiter sleeps for a caller whose context may end before. One that was left sleeps on until its event is reached, and
// keeps the device open until then.
type waiter struct {
	event *driver.Event
	sleep func()
	done  chan error // of one
}

func newWaiter(d *Device) *waiter {
	w := &waiter{done: make(chan error, 1)}
	w.sleep = func() {
		err := d.sleep(w.event)
		d.leave()
		w.done <- err
	}
	return w
}

// reach returns when an event is reached, or with the error of a context that ends before; what runs goes on then. It
// allocates nothing where no wait was left.
func (d *Device) reach(ctx context.Context, event *driver.Event) error {
	start := time.Now()
	reached, err := event.Poll(func() (bool, error) {
		if err := ctx.Err(); err != nil {
			return false, ended(err)
		}
		return time.Since(start) <= polling, nil
	})
	if reached || err != nil {
		return err
	}
	if ctx.Done() == nil {
		return d.sleep(event)
	}
	if err := d.enter(); err != nil { // for the goroutine
		return err
	}
	w := d.waiters.Get().(*waiter)
	w.event = event
	go w.sleep()
	select {
	case err := <-w.done:
		d.waiters.Put(w)
		return err
	case <-ctx.Done():
		return ended(ctx.Err())
	}
}

// ended wraps the error of a context.
func ended(err error) error { return fmt.Errorf("gpu: wait left: %w", err) }

// Wait returns when all operations on m are over, or all that are of no other queue so far where m is nil, with the
// first failure of one. Where ctx ends before, the error wraps that of ctx, and operations go on: what they use is
// theirs until a later Wait, and Release, Close and operations that follow come after them.
func (d *Device) Wait(ctx context.Context, m *Memory) error {
	if err := d.enter(); err != nil {
		return err
	}
	defer d.leave()
	if m == nil {
		return cmp.Or(d.common.settle(ctx), d.late.Take())
	}
	if m.owned.last == nil {
		return m.owned.q.Wait(ctx)
	}
	err := d.reach(ctx, m.owned.last)
	return cmp.Or(m.Take(), err, d.late.Take())
}
