package main

import (
	"errors"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// Counters count: the system's own are there where the processor's are not.
func TestEvents(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	m, err := openEvents(unix.PERF_TYPE_SOFTWARE, unix.PERF_COUNT_SW_PAGE_FAULTS)
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) || errors.Is(err, unix.ENOSYS) {
		t.Skip("no counters here: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	const pages = 100
	size := unix.Getpagesize()
	b, err := unix.Mmap(-1, 0, pages*size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	before, errBefore := m.read()
	for i := range pages {
		b[i*size] = 1
	}
	after, errAfter := m.read()
	if err := errors.Join(errBefore, errAfter, m.close(), unix.Munmap(b)); err != nil {
		t.Fatal(err)
	}
	if n := after - before; n < pages || n > 10*pages {
		t.Errorf("%d faults of pages, want %d and some", n, pages)
	}
	if _, err := m.read(); err == nil {
		t.Error("closed counters count")
	}
	if _, err := openEvents(unix.PERF_TYPE_HARDWARE, 1<<40); err == nil {
		t.Error("an event that no processor has is counted")
	}
}
