package main

import (
	"time"

	"golang.org/x/sys/unix"
)

// processTime is the time that the process has had on processors: others on the same machine do not count.
func processTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &t); err != nil {
		panic(err) // the clock is there since Linux 2.6.12
	}
	return time.Duration(t.Nano())
}
