package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// events are counters of one kind, for each thread of this process, outside the system.
type events []int

// openMisses counts what the processor's last cache does not have.
func openMisses() (events, error) {
	return openEvents(unix.PERF_TYPE_HARDWARE, unix.PERF_COUNT_HW_CACHE_MISSES)
}

func openEvents(kind uint32, event uint64) (m events, err error) {
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return nil, err
	}
	attr := unix.PerfEventAttr{
		Type:   kind,
		Config: event,
		Bits:   unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}
	attr.Size = uint32(unsafe.Sizeof(attr))
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			return nil, errors.Join(err, m.close())
		}
		fd, err := unix.PerfEventOpen(&attr, id, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
		switch {
		case errors.Is(err, unix.ESRCH): // it has ended
		case err != nil:
			return nil, errors.Join(fmt.Errorf("perf_event_open: %w", err), m.close())
		default:
			m = append(m, fd)
		}
	}
	return m, nil
}

// read returns how many there were.
func (m events) read() (n uint64, err error) {
	var b [8]byte
	for _, fd := range m {
		if _, err := unix.Read(fd, b[:]); err != nil {
			return 0, fmt.Errorf("a counter: %w", err)
		}
		n += binary.NativeEndian.Uint64(b[:])
	}
	return n, nil
}

func (m events) close() (err error) {
	for _, fd := range m {
		err = errors.Join(err, unix.Close(fd))
	}
	return err
}
