package rs

import (
	"os"
	"syscall"
)

// peakKiB is the most memory that a process had, which Linux tells in KiB.
func peakKiB(s *os.ProcessState) int { return int(s.SysUsage().(*syscall.Rusage).Maxrss) }
