package driver

import (
	"cmp"
	"errors"
	"sync/atomic"
	"unsafe"
)

// Event is a place in a stream.
type Event struct {
	object
	stream  atomic.Pointer[Stream] // that owes it, else it is recorded
	places  atomic.Uint64          // how many there were, with the last one
	reached atomic.Uint64          // the last one of which that is known

	word    *atomic.Uint32 // the last ticket that a stream has come to; or nil
	tickets atomic.Uint32
}

const blocking, untimed = 1, 2 // of CUevent_flags

// NewEvent makes an event that has recorded nothing yet. Who waits for it keeps a core busy.
func (d *Device) NewEvent() (*Event, error) {
	e, err := d.newEvent(untimed)
	if err == nil {
		e.word = d.words.take(d)
	}
	return e, err
}

// NewSleeper makes an event like that of NewEvent, at which who waits for it sleeps.
func (d *Device) NewSleeper() (*Event, error) { return d.newEvent(blocking | untimed) }

// NewTimer makes an event for Milliseconds.
func (d *Device) NewTimer() (*Event, error) { return d.newEvent(0) }

func (d *Device) newEvent(flags uintptr) (*Event, error) {
	e := &Event{object: object{device: d}}
	if err := d.ask(cuEventCreate, uintptr(unsafe.Pointer(&e.handle)), flags); err != nil {
		return nil, err
	}
	return e, nil
}

// Close ends the event. What waits for it goes on to do so.
func (e *Event) Close() error {
	if e == nil {
		return nil
	}
	e.forget()
	if e.tickets.CompareAndSwap(0, 1) {
		e.device.words.put(e.word)
	}
	return e.end(cuEventDestroy)
}

// Record makes the event the place behind all work that the stream has so far. The stream is of the same device.
func (e *Event) Record(s *Stream) error {
	e.forget()
	err := e.record(s)
	e.places.Add(1)
	return err
}

func (e *Event) record(s *Stream) error {
	h, err := e.use("event")
	if err != nil {
		return err
	}
	stream, err := s.use("stream")
	if err != nil {
		return err
	}
	return e.device.call(cuEventRecord, h, stream)
}

// Owe is Record later, and of the same place: when more work comes on the stream, or another stream is to wait for the
// event. That costs host and device a microsecond, and most who wait do so for the last work of a stream, which the
// driver knows without an event. A stream owes one event; another one that it owed is recorded.
func (e *Event) Owe(s *Stream) (err error) {
	if e.stream.Load() != s {
		e.forget()
	}
	if _, err := s.use("stream"); err != nil {
		return err // as what it owed would be owed for good
	}
	s.owing.Lock()
	defer s.owing.Unlock()
	owed := s.owed.Load()
	if owed != nil && owed != e {
		err = s.settle(owed)
	}
	switch {
	case err != nil:
		err = cmp.Or(e.record(s), err)
	case owed != e:
		e.stream.Store(s)
		s.owed.Store(e)
	}
	e.places.Add(1)
	return err
}

// settle records what the stream owes; where that fails, it owes it still, and who waits for it does so for more. The
// caller holds owing.
func (s *Stream) settle(owed *Event) error {
	err := owed.record(s)
	if err == nil {
		s.owed.Store(nil)
		owed.stream.Store(nil)
	}
	return err
}

// pay records what the stream owes before more work comes on it, but for next, which the caller owes again behind that.
func (s *Stream) pay(next *Event) error {
	if owed := s.owed.Load(); owed == nil || owed == next {
		return nil
	}
	s.owing.Lock()
	defer s.owing.Unlock()
	if owed := s.owed.Load(); owed != nil && owed != next {
		return s.settle(owed)
	}
	return nil
}

// recorded records the event where its stream owes it.
func (e *Event) recorded() error {
	s := e.stream.Load()
	if s == nil {
		return nil
	}
	s.owing.Lock()
	defer s.owing.Unlock()
	if s.owed.Load() != e {
		return nil
	}
	return s.settle(e)
}

// forget has no stream owe the event any more.
func (e *Event) forget() {
	if s := e.stream.Load(); s != nil {
		s.owing.Lock()
		defer s.owing.Unlock()
		e.unowed(s)
	}
}

// unowed is forget for who holds owing.
func (e *Event) unowed(s *Stream) {
	if s.owed.Load() == e {
		s.owed.Store(nil)
		e.stream.Store(nil)
	}
}

// Wait returns when the place that was recorded last is reached, at once where there is none.
func (e *Event) Wait() error {
	h, err := e.use("event")
	if err != nil {
		return err
	}
	if err := e.recorded(); err != nil {
		return err
	}
	return e.device.Beside(func() error { return e.device.call(cuEventSynchronize, h) })
}

// Poll reports whether the place that was recorded last is reached; where there is none, it is. It asks until then, or
// until more says no. An error of more is one of Poll's.
func (e *Event) Poll(more func() (bool, error)) (reached bool, err error) {
	h, err := e.use("event")
	if err != nil {
		return false, err
	}
	place := e.places.Load()
	if place == e.reached.Load() {
		return true, nil
	}
	if s := e.stream.Load(); s != nil && e.word != nil {
		ticket := e.tickets.Add(1)
		err := e.write(s, ticket)
		if err == nil {
			return e.look(s, place, ticket, more)
		}
		const notSupported = 801 // there are devices whose streams cannot write
		if of, ok := errors.AsType[*Error](err); !ok || of.Code != notSupported {
			return false, err
		}
	}
	if err := e.recorded(); err != nil {
		return false, err
	}
	d := e.device
	err = d.Beside(func() error {
		if err := d.push(cuEventQuery); err != nil { // once, as it costs as much as to ask
			return err
		}
		defer d.pop()
		for {
			if err := d.library.call(cuEventQuery, h); err != errNotReady {
				if reached = err == nil; reached {
					e.reached.Store(place)
				}
				return err
			}
			if again, err := more(); !again || err != nil {
				return err
			}
		}
	})
	return reached, err
}

// write has a stream that owes the event write a ticket when it comes there.
func (e *Event) write(s *Stream, ticket uint32) error {
	h, err := s.use("stream")
	if err != nil {
		return err
	}
	return e.device.call(cuStreamWriteValue, h, uintptr(unsafe.Pointer(e.word)), uintptr(ticket), 0)
}

// look is Poll by the word: a look at it costs nothing, and a question to the driver two microseconds. A stream that
// has failed writes nothing, so that who gives up hears of it by Wait.
func (e *Event) look(s *Stream, place uint64, ticket uint32, more func() (bool, error)) (reached bool, err error) {
	for int32(e.word.Load()-ticket) < 0 { // a later ticket was taken, and so written, after this one was taken
		if again, err := more(); !again || err != nil {
			return false, err
		}
	}
	e.over(s, place)
	return true, nil
}

// over notes that a place is reached that a stream owes, or has owed.
func (e *Event) over(s *Stream, place uint64) {
	s.owing.Lock()
	defer s.owing.Unlock()
	if e.places.Load() == place { // else it is owed for a later one
		e.unowed(s)
	}
	e.reached.Store(place)
}

// Milliseconds is the time between two timers of one device that were recorded and reached.
func Milliseconds(start, end *Event) (float64, error) {
	from, err := start.use("event")
	if err != nil {
		return 0, err
	}
	to, err := end.use("event")
	if err != nil {
		return 0, err
	}
	var ms float32
	err = start.device.ask(cuEventElapsedTime, uintptr(unsafe.Pointer(&ms)), from, to)
	return float64(ms), err
}
