//go:build amd64 && !purego

package batch

import (
	"unsafe"

	"github.com/galfft/fft/internal/cpu"
)

var setIFMA = Set{
	Name: "AVX-512 IFMA",
	Load: func(z *uint64, x *uint32, f *Form, stride, bytes, groups int) {
		load(z, (*uint64)(unsafe.Pointer(x)), &f.load[0], stride, bytes, groups)
	},
	Store: func(z *uint32, x *uint64, f *Form, stride, bytes, groups int) {
		store((*uint64)(unsafe.Pointer(z)), x, &f.store[0], stride, bytes, groups)
	},
	Product: func(z, x, y *uint64, rows []uint64, shift int) { product(z, x, y, &rows[0], shift) },
	Settle:  settle, Carry: carry, Add: add, Join: join,
	Plus: plus, Minus: minus,
}

// Active returns the kernels of the active tier, and nil where there are none. They take the permutations of bytes
// that cpu.GFNI stands for.
func Active() *Set {
	if cpu.Active() >= cpu.IFMA && cpu.GFNI() {
		return &setIFMA
	}
	return nil
}
