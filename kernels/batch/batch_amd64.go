//go:build amd64 && !purego

package batch

import (
	"unsafe"

	"github.com/galfft/fft/internal/cpu"
)

var setIFMA = Set{
	Name: "AVX-512 IFMA",
	Bits: LimbBits, LeastWords: 1, LeastCount: 2,
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

var setAVX512 = Set{
	Name: "AVX-512",
	Bits: shortBits, LeastWords: 1, LeastCount: 3,
	Load: func(z *uint64, x *uint32, f *Form, stride, bytes, groups int) {
		loadPairs(z, (*uint64)(unsafe.Pointer(x)), &f.load[0], stride, bytes, groups)
	},
	Store: func(z *uint32, x *uint64, f *Form, stride, bytes, groups int) {
		storePairs((*uint64)(unsafe.Pointer(z)), x, &f.store[0], stride, bytes, groups)
	},
	Product: func(z, x, y *uint64, rows []uint64, _ int) { columns(z, x, y, &rows[0]) },
	Carry:   carry, Add: add, Join: join,
	Plus: plus, Minus: minus,
}

var setAVX2 = Set{
	Name: "AVX2",
	Bits: shortBits, LeastWords: 16, LeastCount: 6,
	Load: loadWords, Store: storeWords,
	Product: func(z, x, y *uint64, rows []uint64, _ int) { columnsAVX2(z, x, y, &rows[0]) },
	Carry:   carryAVX2, Add: addAVX2, Join: joinAVX2,
}

// Active returns the kernels of the active tier, and nil where there are none. Those of IFMA take the permutations of
// bytes that cpu.GFNI stands for; without them limbs are those of AVX-512.
func Active() *Set {
	switch t := cpu.Active(); {
	case t >= cpu.IFMA && cpu.GFNI():
		return &setIFMA
	case t >= cpu.AVX512:
		return &setAVX512
	case t >= cpu.AVX2:
		return &setAVX2
	}
	return nil
}
