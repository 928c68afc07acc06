//go:build !linux || (!amd64 && !arm64)

package mpi

import (
	"errors"
	"runtime"
	"time"
)

var errSystem = errors.New("MPI is supported on Linux only, on amd64 and arm64, and this is " + runtime.GOOS + "/" +
	runtime.GOARCH)

func open(string) (uintptr, error)            { return 0, errSystem }
func symbol(uintptr, string) (uintptr, error) { return 0, errSystem }

// The rest is never called: open returns no library.

func invoke(uintptr, ...uintptr) int32 { return 0 }
func pause(time.Duration)              {}
func advise([]byte)                    {}

type handlers struct{}

func handling() handlers { return handlers{} }
func repair(handlers)    {}
