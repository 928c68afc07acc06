//go:build !linux

package main

import "time"

var started = time.Now()

// processTime is the time since the process began.
func processTime() time.Duration { return time.Since(started) }
