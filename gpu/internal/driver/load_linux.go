//go:build amd64 || arm64

package driver

import "github.com/ebitengine/purego"

// load opens a library and looks all functions up.
func load(name string, address *[functions]uintptr) error {
	library, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return err
	}
	for f, symbol := range symbols {
		if address[f], err = purego.Dlsym(library, symbol); err != nil {
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
