package memory

import (
	"syscall"
	"unsafe"
)

// memoryStatus is the MEMORYSTATUSEX of the system.
type memoryStatus struct {
	size, load uint32
	total      uint64 // of the physical memory
	rest       [6]uint64
}

func system() (bytes uint64, ok bool) {
	s := memoryStatus{}
	s.size = uint32(unsafe.Sizeof(s))
	f := syscall.NewLazyDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")
	if f.Find() != nil {
		return 0, false
	}
	done, _, _ := f.Call(uintptr(unsafe.Pointer(&s)))
	return s.total, done != 0
}
