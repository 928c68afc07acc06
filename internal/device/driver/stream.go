package driver

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Stream is a queue of work on a device.
type Stream struct {
	object
	borrowed bool
	owing    sync.Mutex // held while a place is recorded that was owed, or is owed no more
	owed     atomic.Pointer[Event]
}

const nonBlocking = 1 // of CUstream_flags

// NewStream makes a stream that runs beside all others.
func (d *Device) NewStream() (*Stream, error) {
	s := &Stream{object: object{device: d}}
	if err := d.ask(cuStreamCreate, uintptr(unsafe.Pointer(&s.handle)), nonBlocking); err != nil {
		return nil, err
	}
	return s, nil
}

// NewUrgentStream makes a stream whose kernels get multiprocessors before those of all others that wait for some.
func (d *Device) NewUrgentStream() (*Stream, error) {
	var highest int32 = -1 << 10 // which the driver takes for the highest priority there is
	s := &Stream{object: object{device: d}}
	if err := d.ask(cuStreamCreateWithPriority, uintptr(unsafe.Pointer(&s.handle)), nonBlocking,
		uintptr(uint32(highest))); err != nil {
		return nil, err
	}
	return s, nil
}

// Borrow is a stream that somebody else has made, and ends after the Close of what Borrow returns. It is ErrStream for
// one of another device or context, and for the default streams, 0 to 2: the first two wait for all other streams, and
// the third is another one on each thread.
func (d *Device) Borrow(handle uintptr) (*Stream, error) {
	const defaults = 2
	if handle <= defaults {
		return nil, fmt.Errorf("%w %d: %d is a default stream, want one that was made", ErrStream, d.info.Index, handle)
	}
	var context uintptr
	if err := d.ask(cuStreamGetCtx, handle, uintptr(unsafe.Pointer(&context))); err != nil {
		return nil, d.strange(err, ErrStream, "%#x", handle)
	}
	if context != d.context {
		return nil, fmt.Errorf("%w %d: %#x is one of another context, want the primary one of the device", ErrStream,
			d.info.Index, handle)
	}
	return &Stream{object: object{device: d, handle: handle}, borrowed: true}, nil
}

// Borrowed reports whether the stream is somebody else's.
func (s *Stream) Borrowed() bool { return s.borrowed }

// Handle is the CUstream.
func (s *Stream) Handle() uintptr { return s.handle }

// Capturing reports whether the stream records a graph, whoever began that. It allocates nothing.
func (s *Stream) Capturing() (bool, error) {
	l := s.device.library
	if l.address[cuStreamIsCapturing] == 0 {
		return false, nil
	}
	h, err := s.use("stream")
	if err != nil {
		return false, err
	}
	frame := l.take()
	frame.out = 0
	err = s.device.call(cuStreamIsCapturing, h, uintptr(unsafe.Pointer(&frame.out)))
	capturing := frame.out != 0
	l.give(frame)
	return capturing, err
}

// Close ends the stream, unless it is borrowed. Work that is under way goes on.
func (s *Stream) Close() error {
	switch {
	case s == nil:
		return nil
	case s.borrowed:
		s.closed.Store(true)
		return nil
	}
	return s.end(cuStreamDestroy)
}

// Wait returns when all work on the stream is done, with the error of any.
func (s *Stream) Wait() error {
	h, err := s.use("stream")
	if err != nil {
		return err
	}
	return s.device.Beside(func() error { return s.device.call(cuStreamSynchronize, h) })
}

// Pay records the event that the stream owes, before others may have it record a graph.
func (s *Stream) Pay() error { return s.pay(nil) }

// After lets later work of the stream begin after what the event recorded last, on any stream of any device.
func (s *Stream) After(e *Event) error {
	h, err := s.use("stream")
	if err != nil {
		return err
	}
	event, err := e.use("event")
	if err != nil {
		return err
	}
	if err := e.recorded(); err != nil {
		return err
	}
	if err := s.pay(nil); err != nil {
		return err
	}
	return s.device.call(cuStreamWaitEvent, h, event, 0)
}

// CopyIn copies from the host to the device. The memory at src stays as it is until the stream has been waited for;
// where it is Go's own, the caller keeps a reference to it until then. Next is that of Graph.Launch.
func (s *Stream) CopyIn(dst Pointer, src unsafe.Pointer, bytes int, next *Event) error {
	h, err := s.use("stream")
	if err != nil {
		return err
	}
	if err := s.pay(next); err != nil {
		return err
	}
	escape(src)
	err = s.device.call(cuMemcpyHtoDAsync, uintptr(dst), uintptr(src), uintptr(bytes), h)
	runtime.KeepAlive(src)
	return sized(err, bytes)
}

// CopyOut copies from the device to the host. The memory at dst is for nobody else until the stream has been waited
// for; where it is Go's own, the caller keeps a reference to it until then. Next is that of Graph.Launch.
func (s *Stream) CopyOut(dst unsafe.Pointer, src Pointer, bytes int, next *Event) error {
	h, err := s.use("stream")
	if err != nil {
		return err
	}
	if err := s.pay(next); err != nil {
		return err
	}
	escape(dst)
	err = s.device.call(cuMemcpyDtoHAsync, uintptr(dst), uintptr(src), uintptr(bytes), h)
	runtime.KeepAlive(dst)
	return sized(err, bytes)
}

// Copy copies within the device, between parts that do not overlap.
func (s *Stream) Copy(dst, src Pointer, bytes int) error {
	h, err := s.use("stream")
	if err != nil {
		return err
	}
	if err := s.pay(nil); err != nil {
		return err
	}
	return sized(s.device.call(cuMemcpyDtoDAsync, uintptr(dst), uintptr(src), uintptr(bytes), h), bytes)
}

// Fill sets device memory to one byte.
func (s *Stream) Fill(dst Pointer, value byte, bytes int) error {
	h, err := s.use("stream")
	if err != nil {
		return err
	}
	if err := s.pay(nil); err != nil {
		return err
	}
	return sized(s.device.call(cuMemsetD8Async, uintptr(dst), uintptr(value), uintptr(bytes), h), bytes)
}

// sized adds the bytes of a copy to an error. It is no call of detail, whose arguments would go to the heap.
func sized(err error, bytes int) error {
	if err == nil {
		return nil
	}
	return detail(err, "%d bytes", bytes)
}

// escape makes what p points to live on the heap, as stacks move and the driver keeps addresses.
func escape(p unsafe.Pointer) {
	if kept.wanted {
		kept.pointer = p
	}
}

// kept is never wanted, which the compiler does not know.
var kept struct {
	wanted  bool
	pointer unsafe.Pointer
}
