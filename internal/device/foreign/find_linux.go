//go:build amd64 || arm64

package foreign

import (
	"cmp"
	"os"
	"testing"

	"github.com/ebitengine/purego"
)

func find(t testing.TB, name string) func(args []uintptr) int {
	t.Helper()
	file := cmp.Or(os.Getenv("GALFFT_CUDA_DRIVER"), "libcuda.so.1")
	library, err := purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		t.Fatal(err)
	}
	address, err := purego.Dlsym(library, name)
	if err != nil {
		t.Fatal(err)
	}
	return func(args []uintptr) int {
		code, _, _ := purego.SyscallN(address, args...)
		return int(int32(code))
	}
}
