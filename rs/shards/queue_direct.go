//go:build linux && (amd64 || arm64)

package shards

import (
	"syscall"
	"unsafe"
)

// queue has the system write pages to files around its cache, from memory of its own, while who asks goes on
// (io_submit). Who has no goroutine to wait for a disk need not wait.
type queue struct {
	id       uintptr
	memory   []byte
	room     int // bytes of a slot
	requests []request
	free     []int   // slots
	given    []*iocb // to be submitted together
	running  int     // that were submitted
	events   []ioEvent
}

// request is a write of a slot.
type request struct {
	iocb
	f *file
}

// iocb is the struct of the system, on a little-endian machine.
type iocb struct {
	data   uint64
	_, _   uint32
	op     uint16
	_      int16
	fd     uint32
	buffer uint64
	bytes  uint64
	offset int64
	_      uint64
	_, _   uint32
}

// ioEvent is the system's io_event.
type ioEvent struct {
	data, object uint64
	result, _    int64
}

// givenAtOnce is how many writes are submitted together: the device is told once of them.
const givenAtOnce = 16

// newQueue makes one of so many slots.
func newQueue(slots, room int) (*queue, error) {
	q := &queue{room: room, requests: make([]request, slots), events: make([]ioEvent, slots)}
	var err error
	q.memory, err = syscall.Mmap(-1, 0, slots*room, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANONYMOUS)
	if err != nil {
		return nil, err
	}
	if _, _, no := syscall.Syscall(syscall.SYS_IO_SETUP, uintptr(slots), uintptr(unsafe.Pointer(&q.id)), 0); no != 0 {
		_ = syscall.Munmap(q.memory)
		return nil, no
	}
	for i := range slots {
		q.free = append(q.free, i)
	}
	return q, nil
}

// close waits for what was submitted.
func (q *queue) close() {
	_, _, _ = syscall.Syscall(syscall.SYS_IO_DESTROY, q.id, 0, 0)
	_ = syscall.Munmap(q.memory)
}

// take returns a slot that nothing is written from, and its memory. It waits for one.
func (q *queue) take() (slot int, b []byte, err error) {
	for len(q.free) == 0 { // a signal may end a wait
		if err := q.submit(); err != nil {
			return 0, nil, err
		}
		if len(q.free) == 0 {
			if err := q.reap(); err != nil {
				return 0, nil, err
			}
		}
	}
	slot = q.free[len(q.free)-1]
	q.free = q.free[:len(q.free)-1]
	return slot, q.memory[slot*q.room : (slot+1)*q.room], nil
}

// give gives back a slot that was not written.
func (q *queue) give(slot int) { q.free = append(q.free, slot) }

// write has the first n bytes of a slot written.
func (q *queue) write(slot int, f *file, n int, at int64) error {
	const pwrite = 1
	r := &q.requests[slot]
	*r = request{iocb{data: uint64(slot), op: pwrite, fd: uint32(f.fd),
		buffer: uint64(uintptr(unsafe.Pointer(&q.memory[slot*q.room]))), bytes: uint64(n), offset: at}, f}
	q.given = append(q.given, &r.iocb)
	if len(q.given) == givenAtOnce {
		return q.submit()
	}
	return nil
}

// submit tells the system of what was given.
func (q *queue) submit() error {
	for len(q.given) > 0 {
		n, _, no := syscall.Syscall(syscall.SYS_IO_SUBMIT, q.id, uintptr(len(q.given)),
			uintptr(unsafe.Pointer(unsafe.SliceData(q.given))))
		switch {
		case no == 0:
			q.running += int(n)
			q.given = append(q.given[:0], q.given[n:]...)
		case no == syscall.EAGAIN && q.running > 0:
			if err := q.reap(); err != nil {
				return err
			}
		case no != syscall.EINTR:
			slot := int(q.given[0].data)
			q.given = append(q.given[:0], q.given[1:]...)
			if err := q.ended(slot, -int64(no)); err != nil {
				return err
			}
		}
	}
	return nil
}

// reap waits until something that was submitted has ended.
func (q *queue) reap() error {
	n, _, no := syscall.Syscall6(syscall.SYS_IO_GETEVENTS, q.id, 1, uintptr(len(q.events)),
		uintptr(unsafe.Pointer(unsafe.SliceData(q.events))), 0, 0)
	if no == syscall.EINTR {
		return nil
	}
	if no != 0 {
		return no
	}
	q.running -= int(n)
	var failed error
	for _, e := range q.events[:n] {
		if err := q.ended(int(e.data), e.result); failed == nil {
			failed = err
		}
	}
	return failed
}

// wait waits until all has ended.
func (q *queue) wait() error {
	err := q.submit()
	for err == nil && q.running > 0 {
		err = q.reap()
	}
	return err
}

// ended frees a slot. What was not written of it is written as any file is, whose error counts: a system may refuse to
// write around its cache, and a full disk takes what fits.
func (q *queue) ended(slot int, result int64) error {
	r := &q.requests[slot]
	f, n, at := r.f, int64(r.bytes), r.offset
	r.f = nil
	defer q.give(slot)
	if f.d.written != nil {
		result = f.d.written(at, result)
	}
	if result == n {
		return nil
	}
	result = max(result, 0)
	if err := f.around(false); err != nil {
		return err
	}
	_, err := f.WriteAt(q.memory[slot*q.room:][result:n], at+result)
	return err
}

// around has what is written to f go around the system's cache, or by way of it.
func (f *file) around(yes bool) error {
	flags := uintptr(syscall.O_RDWR)
	if yes {
		flags |= syscall.O_DIRECT
	}
	if _, _, no := syscall.Syscall(syscall.SYS_FCNTL, uintptr(f.fd), syscall.F_SETFL, flags); no != 0 {
		return no
	}
	return nil
}
