//go:build amd64 && !purego

package limb

import (
	"unsafe"

	"github.com/galfft/fft/internal/cpu"
)

// sets has a Set for every L.
var sets = func() (list [mostLimbs + 1]*Set) {
	for L := 2; L < len(list); L++ {
		s := new(Set)
		s.Factor, _ = parts(L)
		s.Weight = s.Factor + 1
		if L <= mostUnrolled {
			u := &unrolled[L]
			s.Reduce, s.Lower, s.MulBy, s.Mul = u.Reduce, u.Lower, u.MulBy, u.Mul
			s.Radix2, s.Radix2T = u.Radix2, u.Radix2T
			s.Montgomery, s.Product = u.Montgomery, u.Product
		} else {
			s.loop(L)
		}
		if s.Plain = L + 3; L > mostFolded {
			s.Plain = s.Weight
			s.compose(L)
		}
		s.complete(L)
		list[L] = s
	}
	return list
}()

// loop sets the kernels of more limbs than are unrolled. Butterflies go through a tile behind the scratch of products.
func (s *Set) loop(L int) {
	tile := lanes * L
	s.Lower, s.MulBy, s.Mul, s.Montgomery = loopLower, loopMulBy, loopMul, loopMontgomery
	s.Reduce = func(z, x, m, scratch *uint64, n int) {
		loopLower(z, x, m, scratch, n)
		loopOnce(z, z, m, scratch, n)
	}
	s.Radix2 = func(a, b, w, m, scratch *uint64, n int, reduce bool) {
		if reduce {
			loopLower(a, a, m, scratch, n)
		}
		wb := at(scratch, tile*loopTiles)
		for i := range n {
			loopMulBy(wb, at(b, tile*i), w, m, scratch, 1)
			cross(at(a, tile*i), at(b, tile*i), wb, at(m, head(L)+2), m, 1)
		}
	}
	s.Radix2T = func(a, b, w, m, scratch *uint64, k, n int, reduce bool) {
		cross(a, b, b, offset(m, k, L), m, n)
		loopMulBy(b, b, w, m, scratch, n)
		if reduce {
			loopLower(a, a, m, scratch, n)
		}
	}
}

// compose makes Product of two others, one by R. It goes through a tile behind the scratch of these.
func (s *Set) compose(L int) {
	tile, lower, montgomery, mulBy := lanes*L, s.Lower, s.Montgomery, s.MulBy
	s.Product = func(z, x, y, m, scratch *uint64, n int) {
		plain, low := at(m, head(L)+tile*tileFactors+lanePlain), at(scratch, tile*loopTiles)
		for i := range n {
			z, x, y := at(z, tile*i), at(x, tile*i), at(y, tile*i)
			if *at(m, headMore) != 0 {
				lower(low, x, m, scratch, 1)
				x = low
			}
			montgomery(z, x, y, m, scratch, 1)
			mulBy(z, z, plain, m, scratch, 1)
		}
	}
}

// offset returns the place of 2^k·p.
func offset(m *uint64, k, L int) *uint64 { return at(m, head(L)+lanes*L*(tileOffsets+k/lanes)+k%lanes) }

// complete adds what is the same for all L, or made of other kernels.
func (s *Set) complete(L int) {
	tile := lanes * L
	s.Tiles = max(1, 1<<15/(L*L+4*L))
	s.Add, s.Split = add, split
	s.Sub = func(z, x, y, m *uint64, k, n int) { subtract(z, x, y, offset(m, k, L), m, n) }
	lower, reduce, mulBy := s.Lower, s.Reduce, s.MulBy
	s.Join = func(z, x, m, scratch *uint64, words, n int) {
		canonical := at(scratch, tile*loopTiles)
		for block := blockTiles(L); n > 0; n -= block {
			block = min(block, n)
			reduce(canonical, x, m, scratch, block)
			join(z, canonical, m, words, block)
			x, z = at(x, tile*block), at(z, lanes*words*block)
		}
	}
	s.Cross = func(a, b, m, scratch *uint64, k, n int, reduce bool) {
		if reduce {
			lower(a, a, m, scratch, n)
			lower(b, b, m, scratch, n)
		}
		cross(a, b, b, offset(m, k, L), m, n)
	}
	s.Table = func(z, x, m, scratch *uint64, n int) {
		for i := range n {
			for j := range s.Factor {
				to := at(z, tile*(i*s.Factor+j))
				mulBy(to, at(x, tile*i), at(m, head(L)+tile*tileFactors+j), m, scratch, 1)
				reduce(to, to, m, scratch, 1)
			}
		}
	}
}

// at returns the place n words behind p.
func at(p *uint64, n int) *uint64 { return (*uint64)(unsafe.Add(unsafe.Pointer(p), 8*n)) }

// Active returns the kernels of the active tier for L limbs, and nil where there are none.
func Active(L int) *Set {
	if cpu.Active() < cpu.IFMA || L < 2 || L > mostLimbs {
		return nil
	}
	return sets[L]
}
