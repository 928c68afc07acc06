//go:build amd64 && !purego

package digits

import (
	"unsafe"

	"github.com/galfft/fft/internal/cpu"
)

var (
	setAVX512 = Set{Form: "AVX-512", Add: addAVX512, Sub: subAVX512, Cross: crossAVX512, Shift: shiftAVX512,
		Load: loadTiles, Store: storeTiles, Gather: gatherTile, Scatter: scatterTile,
		AddPacked: [4]func(z, x, y *uint64, r uint64, m *[3][8]uint64, n int) (done int){addPacked1, addPacked2, addPacked4, addPacked8},
		SubPacked: [4]func(z, x, y *uint64, r uint64, m *[3][8]uint64, n int) (done int){subPacked1, subPacked2, subPacked4, subPacked8}}
	setIFMA = func() Set {
		s := setAVX512
		s.Form, s.Mul, s.MulBy = "AVX-512 IFMA", mul, mulBy
		return s
	}()
	setAVX2 = Set{Form: "AVX2", Add: addAVX2, Sub: subAVX2, Cross: crossAVX2, Shift: shiftAVX2}
)

// leastHalves is the least number of digits whose products take Karatsuba's identity (BenchmarkProducts).
const leastHalves = 64

// mul and mulBy choose the product by the number of digits.
func mul(z, x, y, scratch, m *uint64, k, n int) {
	if k < leastHalves {
		mulIFMA(z, x, y, scratch, m, k, n)
	} else {
		mulHalves(z, x, y, scratch, m, k, n)
	}
}

func mulBy(z, x, y, scratch, m *uint64, k, n int) {
	if k < leastHalves {
		mulByIFMA(z, x, y, scratch, m, k, n)
	} else {
		mulByHalves(z, x, y, scratch, m, k, n)
	}
}

// mulHalves sets n tiles z to xy, k ≥ 4, by three products of k/2 digits each.
func mulHalves(z, x, y, scratch, m *uint64, k, n int) {
	h := newHalves(scratch, k)
	for i := range n {
		splitHalvesIFMA(h.y, tile(y, i, k), k)
		h.times(tile(z, i, k), tile(x, i, k), m, k)
	}
}

// mulByHalves is mulHalves for one element y of k words.
func mulByHalves(z, x, y, scratch, m *uint64, k, n int) {
	h := newHalves(scratch, k)
	splitHalvesByIFMA(h.y, y, k)
	for i := range n {
		h.times(tile(z, i, k), tile(x, i, k), m, k)
	}
}

// halves is the scratch of a product: limbs of both factors, and the sums of three products with room for one more.
type halves struct{ x, y, sums *uint64 }

func newHalves(scratch *uint64, k int) halves {
	limbs := 8 * 9 * k / 2
	return halves{scratch, words(scratch, limbs), words(scratch, 2*limbs)}
}

func (h halves) times(z, x, m *uint64, k int) {
	splitHalvesIFMA(h.x, x, k)
	limbs, sums, room := 8*3*k/2, 8*5*k/2, 0
	for i := range 3 {
		sumsIFMA(words(h.sums, i*sums+room), words(h.x, i*limbs), words(h.y, i*limbs), k/2)
		room = 8 * 5 // behind the first
	}
	combineIFMA(z, h.sums, m, k)
}

func tile(p *uint64, i, k int) *uint64 { return words(p, 8*k*i) }

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
