//go:build !linux && !darwin && !freebsd && !windows

package memory

func system() (bytes uint64, ok bool) { return 0, false }
