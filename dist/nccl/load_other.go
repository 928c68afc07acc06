//go:build !linux || (!amd64 && !arm64)

package nccl

import (
	"errors"
	"runtime"
)

var errSystem = errors.New("NCCL is supported on Linux only, on amd64 and arm64, and this is " + runtime.GOOS + "/" +
	runtime.GOARCH)

func open(*library) error { return errSystem }

// invoke is never called: open returns no library.
func invoke(uintptr, ...uintptr) uintptr { return 0 }
