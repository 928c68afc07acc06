//go:build !darwin && !dragonfly && !freebsd && !linux && !netbsd && !openbsd

package emulator

import "os"

// lock is never called: the emulated driver is for Linux.
func lock(*os.File) error { return nil }
