//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package emulator

import (
	"errors"
	"os"
	"syscall"
)

// lock waits for the lock on f, which ends with f.
func lock(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}
