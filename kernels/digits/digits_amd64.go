//go:build amd64 && !purego

package digits

import (
	"unsafe"

	"github.com/galfft/fft/internal/cpu"
)

var (
	setAVX512 = Set{Form: "AVX-512", Add: addAVX512, Sub: subAVX512, Cross: crossAVX512, Shift: shiftAVX512,
		Mul: mulAVX512, MulBy: mulByAVX512, mostDigits: mostDoubles, mostRadix: mostDoubleRadix,
		Factors: func(f, y, m *uint64, k int) { limbsAVX512(f, y, m, k, 1) }, PackedDigits: 8,
		Load: load, Store: store, Gather: gatherTile, Scatter: scatterTile,
		AddPacked: [...]func(z, x, y *uint64, r uint64, m *[3][8]uint64, n int) (done int){
			addPacked1, addPacked2, addPacked4, addPacked8},
		SubPacked: [...]func(z, x, y *uint64, r uint64, m *[3][8]uint64, n int) (done int){
			subPacked1, subPacked2, subPacked4, subPacked8}}
	setIFMA = func() Set {
		s := setAVX512
		s.Form, s.Mul, s.Factors, s.MulBy = "AVX-512 IFMA", mul, factors, mulBy
		s.mostDigits, s.mostRadix, s.PackedDigits = 128, 1<<64-1, 128
		return s
	}()
	setAVX2 = Set{Form: "AVX2", Add: addAVX2, Sub: subAVX2, Cross: crossAVX2, Shift: shiftAVX2,
		Mul: mulAVX2, MulBy: mulByAVX2, mostDigits: mostDoubles, mostRadix: mostDoubleRadix,
		Factors: func(f, y, m *uint64, k int) { limbsAVX2(f, y, m, k, 1) }}
)

// Products by doubles are exact up to these.
const (
	mostDoubles     = 32
	mostDoubleRadix = 1<<64 - 1<<46
)

// load and store choose the kernel by the number of digits.
func load(z, x *uint64, k, n int) {
	switch k {
	case 2:
		loadTiles2(z, x, n)
	case 4:
		loadTiles4(z, x, n)
	default:
		loadTiles(z, x, k, n)
	}
}

func store(z, x *uint64, k, n int) {
	switch k {
	case 2:
		storeTiles2(z, x, n)
	case 4:
		storeTiles4(z, x, n)
	default:
		storeTiles(z, x, k, n)
	}
}

// leastResidues is the least number of digits whose products go through residues (BenchmarkProducts).
const leastResidues = 32

// mul, mulBy and factors choose the product by the number of digits.
func mul(z, x, y, scratch, m *uint64, k, n int) {
	if k < leastResidues {
		mulIFMA(z, x, y, scratch, m, k, n)
	} else {
		mulResidues(z, x, y, scratch, m, k, n)
	}
}

func mulBy(z, x, f, scratch, m *uint64, k, n int) {
	if k < leastResidues {
		mulByIFMA(z, x, f, scratch, m, k, n)
	} else {
		mulByResidues(z, x, f, scratch, m, k, n)
	}
}

func factors(f, y, m *uint64, k int) {
	if k < leastResidues {
		limbsIFMA(f, y, k)
	} else {
		factorResidues(f, y, m, k)
	}
}

func tile(p *uint64, i, k int) *uint64 { return words(p, lanes*k*i) }

// words returns the place n words behind p.
func words(p *uint64, n int) *uint64 { return (*uint64)(unsafe.Add(unsafe.Pointer(p), 8*n)) }

// Active returns the kernels of the active tier, and nil where there are none.
func Active() *Set {
	switch t := cpu.Active(); {
	case t >= cpu.IFMA:
		return &setIFMA
	case t >= cpu.AVX512:
		return &setAVX512
	case t >= cpu.AVX2:
		return &setAVX2
	}
	return nil
}
