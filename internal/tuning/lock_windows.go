package tuning

import (
	"errors"
	"os"
	"syscall"
	"unsafe"
)

var lockFileEx = syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")

// tryLock takes the lock on f unless somebody has it: LockFileEx of Windows, on the first byte.
func tryLock(f *os.File) (taken bool, err error) {
	const (
		failImmediately, exclusive = 1, 2
		lockViolation              = syscall.Errno(33)
	)
	ok, _, err := lockFileEx.Call(f.Fd(), failImmediately|exclusive, 0, 1, 0,
		uintptr(unsafe.Pointer(new(syscall.Overlapped))))
	switch {
	case ok != 0:
		return true, nil
	case errors.Is(err, lockViolation) || errors.Is(err, syscall.ERROR_IO_PENDING):
		return false, nil
	}
	return false, err
}

// syncDir does nothing: directories cannot be synced here.
func syncDir(string) error { return nil }
