//go:build !linux && !darwin

package benchjson

import "runtime"

// CPU is the architecture: this system is not asked for more.
func CPU() string { return runtime.GOARCH }
