//go:build amd64 || arm64

package nccl

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// open opens the file of l and finds its functions, on one thread, as dlerror knows its own errors alone.
func open(l *library) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	handle, err := purego.Dlopen(l.file, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return err
	}
	for i, name := range symbols {
		if l.f[i], err = purego.Dlsym(handle, name); err != nil {
			return err
		}
	}
	purego.RegisterFunc(&l.init, l.f[initRankConfig])
	return nil
}

func invoke(address uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(address, args...)
	return r
}
