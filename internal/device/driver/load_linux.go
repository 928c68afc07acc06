//go:build amd64 || arm64

package driver

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// load opens a library and looks all functions up; 0 is one that a driver may lack and this one does. It stays on one
// thread: dlerror, that purego calls after a function that failed, knows the errors of its own thread alone.
func load(name string, symbols *[functions]string, address *[functions]uintptr) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	library, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return err
	}
	for f, symbol := range symbols {
		if address[f], err = purego.Dlsym(library, symbol); err != nil && function(f) < optional {
			return err
		}
	}
	return nil
}

// invoke calls a function that returns a code.
func invoke(address uintptr, args []uintptr) int {
	code, _, _ := purego.SyscallN(address, args...)
	return int(int32(code))
}
