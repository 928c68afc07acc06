//go:build amd64 && !purego

package limb

import (
	"unsafe"

	"github.com/galfft/fft/internal/cpu"
)

// kernels are those in assembly of which the others are made.
type kernels struct {
	split      func(z, x, m *uint64, words, n int) // without a shift; nil in those with loops
	finish     func(z, x, m, scratch *uint64, words, n int, narrow bool)
	lower      func(z, x, m, scratch *uint64, n int)
	mulBy      func(z, x, w, m, scratch *uint64, n, blocks int)
	mul        func(z, x, w, m, scratch *uint64, n int)
	radix2     func(a, b, w, m, scratch *uint64, n, blocks int, reduce bool)
	radix2T    func(a, b, w, m, scratch *uint64, k, n, blocks int, reduce bool)
	montgomery func(z, x, y, m, scratch *uint64, n int)
	product    func(z, x, y, m, scratch *uint64, n int)

	packedMontgomery, packedProduct func(z, x, y, m, scratch *uint64, n int) // nil for some
}

// simple are kernels without products, for every L.
type simple struct {
	add             func(z, x, y, m *uint64, n int)
	subtract, cross func(z, x, y, off, m *uint64, n int)
	split           func(z, x, m *uint64, words, shift, n int)
	floats          func(z, x *uint64, n int) // where factors are doubles
}

// sets has a Set for every L that a tier has kernels for.
var sets = func() map[cpu.Tier]*[mostLimbs + 1]*Set {
	var ifma, avx512, avx2 [mostLimbs + 1]*Set
	words := simple{add: add, subtract: subtract, cross: cross, split: loopSplit}
	floats := words
	floats.floats = floatsAVX512
	for L := 2; L <= mostLimbs; L++ {
		k, ok := unrolled[L]
		if !ok {
			k = loops(L)
		}
		ifma[L] = newSet(L, k, &words)
		ifma[L].Arithmetic, ifma[L].Cost = "AVX-512 IFMA", 1
	}
	for L, k := range doubles512 {
		avx512[L] = newSet(L, k, &floats)
		avx512[L].Arithmetic, avx512[L].Cost = "doubles of AVX-512", 2.2
	}
	half := simple{add: addAVX2, subtract: subtractAVX2, cross: crossAVX2, split: loopSplitAVX2, floats: floatsAVX2}
	for L, k := range doubles256 {
		avx2[L] = newSet(L, k, &half)
		avx2[L].Arithmetic, avx2[L].Cost = "doubles of AVX2", 3.6
	}
	return map[cpu.Tier]*[mostLimbs + 1]*Set{cpu.IFMA: &ifma, cpu.AVX512: &avx512, cpu.AVX2: &avx2}
}()

func newSet(L int, k kernels, e *simple) *Set {
	folds := k.product != nil
	if !folds {
		k.product = k.composed(L)
	}
	s := &Set{folds: folds, doubles: e.floats != nil, Tiles: max(1, 1<<15/(L*L+4*L)), Split: e.split, Join: k.finish,
		Lower: k.lower, Add: e.add, MulBy: k.mulBy, Mul: k.mul, Radix2: k.radix2, Radix2T: k.radix2T,
		Montgomery: k.montgomery, Product: k.product,
		PackedMontgomery: k.packedMontgomery, PackedProduct: k.packedProduct}
	s.Factor, _ = parts(L)
	s.Weight = s.Factor + 1
	if s.Plain = s.Weight; folds {
		s.Plain = L + 3
	}
	if k.split != nil {
		s.Split = func(z, x, m *uint64, words, shift, n int) {
			if shift == 0 {
				k.split(z, x, m, words, n)
			} else {
				e.split(z, x, m, words, shift, n)
			}
		}
	}
	tile := lanes * L
	s.Reduce = func(z, x, m, scratch *uint64, n int) { k.finish(z, x, m, scratch, 0, n, false) }
	s.Sub = func(z, x, y, m *uint64, i, n int) { e.subtract(z, x, y, offset(m, i, L), m, n) }
	s.Cross = func(a, b, m, scratch *uint64, i, n int, reduce bool) {
		if reduce {
			k.lower(a, a, m, scratch, n)
			k.lower(b, b, m, scratch, n)
		}
		e.cross(a, b, b, offset(m, i, L), m, n)
	}
	s.Table = func(z, x, m, scratch *uint64, n int) {
		for i := range n {
			for j := range s.Factor {
				to := at(z, tile*(i*s.Factor+j))
				k.mulBy(to, at(x, tile*i), at(m, head(L)+tile*tileFactors+j), m, scratch, 1, 1)
				k.finish(to, to, m, scratch, 0, 1, false)
			}
		}
		if s.doubles {
			e.floats(z, z, n*s.Factor*L)
		}
	}
	return s
}

// loops returns the kernels with loops over limbs. Those that are made of others have a tile behind the scratch of
// these.
func loops(L int) kernels {
	tile := lanes * L
	return kernels{
		lower: loopLower, mul: loopMul, montgomery: loopMontgomery,
		finish: func(z, x, m, scratch *uint64, words, n int, narrow bool) {
			y := at(scratch, tile*loopTiles)
			for i := range n {
				loopLower(y, at(x, tile*i), m, scratch, 1)
				if words == 0 {
					loopOnce(at(z, tile*i), y, m, scratch, 1)
				} else {
					loopOnce(y, y, m, scratch, 1)
					loopJoin(at(z, lanes*words*i), y, m, words, 1)
				}
			}
		},
		mulBy: func(z, x, w, m, scratch *uint64, n, blocks int) {
			for i := range blocks {
				loopMulBy(at(z, tile*n*i), at(x, tile*n*i), at(w, i), m, scratch, n)
			}
		},
		radix2: func(a, b, w, m, scratch *uint64, n, blocks int, reduce bool) {
			wb := at(scratch, tile*loopTiles)
			for block := range blocks {
				a, b, w := at(a, tile*2*n*block), at(b, tile*2*n*block), at(w, block)
				if reduce {
					loopLower(a, a, m, scratch, n)
				}
				for i := range n {
					loopMulBy(wb, at(b, tile*i), w, m, scratch, 1)
					cross(at(a, tile*i), at(b, tile*i), wb, at(m, head(L)+2), m, 1)
				}
			}
		},
		radix2T: func(a, b, w, m, scratch *uint64, k, n, blocks int, reduce bool) {
			for block := range blocks {
				a, b := at(a, tile*2*n*block), at(b, tile*2*n*block)
				cross(a, b, b, offset(m, k, L), m, n)
				loopMulBy(b, b, at(w, block), m, scratch, n)
				if reduce {
					loopLower(a, a, m, scratch, n)
				}
			}
		},
	}
}

// composed is Product made of two others, one by R.
func (k *kernels) composed(L int) func(z, x, y, m, scratch *uint64, n int) {
	tile := lanes * L
	return func(z, x, y, m, scratch *uint64, n int) {
		plain, low := at(m, head(L)+tile*tileFactors+lanePlain), at(scratch, tile*loopTiles)
		for i := range n {
			z, x, y := at(z, tile*i), at(x, tile*i), at(y, tile*i)
			if *at(m, headMore) != 0 {
				k.lower(low, x, m, scratch, 1)
				x = low
			}
			k.montgomery(z, x, y, m, scratch, 1)
			k.mulBy(z, z, plain, m, scratch, 1, 1)
		}
	}
}

// offset returns the place of 2^k·p.
func offset(m *uint64, k, L int) *uint64 { return at(m, head(L)+lanes*L*(tileOffsets+k/lanes)+k%lanes) }

// at returns the place n words behind p.
func at(p *uint64, n int) *uint64 { return (*uint64)(unsafe.Add(unsafe.Pointer(p), 8*n)) }

// Active returns the kernels of the active tier for L limbs, and nil where there are none.
func Active(L int) *Set {
	if list := sets[cpu.Active()]; list != nil && L <= mostLimbs {
		return list[L]
	}
	return nil
}
