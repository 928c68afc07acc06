//go:build !linux

package rs

import "os"

// peakKiB is not known.
func peakKiB(*os.ProcessState) int { return 0 }
