package cpu

import (
	"runtime"
	"syscall"
)

// Name is the processor's name, or the architecture where the system gives no name.
func Name() string {
	if name, err := syscall.Sysctl("machdep.cpu.brand_string"); err == nil {
		return name
	}
	return runtime.GOARCH
}
