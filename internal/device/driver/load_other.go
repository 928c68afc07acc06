//go:build !linux || (!amd64 && !arm64)

package driver

import (
	"errors"
	"runtime"
)

func load(string, *[functions]string, *[functions]uintptr) error {
	return errors.New("CUDA is supported on Linux only, on amd64 and arm64, and this is " + runtime.GOOS + "/" + runtime.GOARCH)
}

// invoke is never called: load returns no library.
func invoke(uintptr, []uintptr) int { return 0 }
