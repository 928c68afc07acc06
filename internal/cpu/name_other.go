//go:build !linux && !darwin

package cpu

import "runtime"

// Name is the architecture: this system is not asked for more.
func Name() string { return runtime.GOARCH }
