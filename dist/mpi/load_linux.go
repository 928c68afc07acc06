//go:build amd64 || arm64

package mpi

import (
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
)

func open(file string) (uintptr, error) {
	return purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_GLOBAL) // plugins of Open MPI look for its symbols
}

func symbol(library uintptr, name string) (uintptr, error) { return purego.Dlsym(library, name) }

// invoke calls a function that returns an int: the upper half of its register is not defined.
func invoke(address uintptr, args ...uintptr) int32 {
	code, _, _ := purego.SyscallN(address, args...)
	return int32(code)
}

// pause sleeps without giving up the thread, which time.Sleep would switch twice.
func pause(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil)
}

// advise asks for huge pages inside b: other processes read and write it page by page.
func advise(b []byte) {
	const page, hugePages = 2 << 20, 14
	if len(b) < 2*page {
		return
	}
	skip := -int(uintptr(unsafe.Pointer(&b[0]))) & (page - 1)
	_ = syscall.Madvise(b[skip:skip+(len(b)-skip)/page*page], hugePages) // a wish
}

// action is the kernel's struct sigaction, of amd64 and arm64 alike.
type action struct {
	handler  uintptr
	flags    uint64
	restorer uintptr
	mask     uint64
}

type handlers [65]action

func sigaction(signal int, to, from *action) {
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(signal), uintptr(unsafe.Pointer(to)),
		uintptr(unsafe.Pointer(from)), unsafe.Sizeof(action{}.mask), 0, 0)
}

// handling is the handlers of all signals.
func handling() (h handlers) {
	for s := 1; s < len(h); s++ {
		sigaction(s, nil, &h[s])
	}
	runtime.KeepAlive(&h)
	return h
}

// repair gives back the handlers of faults, which Go makes panics of. Others that are new run on a stack of their own,
// as that of a goroutine is too small.
func repair(before handlers) {
	const onStack = 0x08000000
	for s, a := range handling() {
		switch {
		case s == 0 || a.handler == before[s].handler || a.handler <= 1:
			continue
		case s == int(syscall.SIGILL) || s == int(syscall.SIGABRT) || s == int(syscall.SIGBUS) ||
			s == int(syscall.SIGFPE) || s == int(syscall.SIGSEGV):
			a = before[s]
		default:
			a.flags |= onStack
		}
		sigaction(s, &a, nil)
	}
}
