package benchjson

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// CPU is the processor's name, or the architecture where the system gives no name.
func CPU() string {
	if name, err := unix.Sysctl("machdep.cpu.brand_string"); err == nil {
		return name
	}
	return runtime.GOARCH
}
