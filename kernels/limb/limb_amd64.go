//go:build amd64 && !purego

package limb

import (
	"unsafe"

	"github.com/galfft/fft/internal/cpu"
)

var sets = func() (list [mostUnrolled + 1]*Set) {
	for L := 2; L <= mostUnrolled; L++ {
		s := unrolled[L]
		n, _ := parts(L)
		s.Factor, s.Weight, s.Plain = n, n+1, L+3
		s.complete(L)
		list[L] = &s
	}
	return list
}()

// complete adds what is the same for all sizes, or made of other kernels.
func (s *Set) complete(L int) {
	tile := lanes * L
	s.Tiles = max(1, 1<<15/(L*L+4*L))
	s.Add, s.Sub, s.Split = add, sub, split
	lower, reduce, mulBy := s.Lower, s.Reduce, s.MulBy
	s.Join = func(z, x, m, scratch *uint64, words, n int) {
		for block := scratchTiles(L); n > 0; n -= block {
			block = min(block, n)
			reduce(scratch, x, m, scratch, block)
			join(z, scratch, m, words, block)
			x, z = words64(x, tile*block), words64(z, lanes*words*block)
		}
	}
	s.Cross = func(a, b, m, scratch *uint64, k, n int, reduce bool) {
		if reduce {
			lower(a, a, m, scratch, n)
			lower(b, b, m, scratch, n)
		}
		cross(a, b, m, k, n)
	}
	s.Table = func(z, x, m, scratch *uint64, n int) {
		for i := range n {
			for j := range s.Factor {
				to := words64(z, tile*(i*s.Factor+j))
				mulBy(to, words64(x, tile*i), words64(m, head+tile*tileFactors+j), m, scratch, 1)
				reduce(to, to, m, scratch, 1)
			}
		}
	}
}

// words64 returns the place n words behind p.
func words64(p *uint64, n int) *uint64 { return (*uint64)(unsafe.Add(unsafe.Pointer(p), 8*n)) }

// Active returns the kernels of the active tier for L limbs, and nil where there are none.
func Active(L int) *Set {
	if cpu.Active() < cpu.IFMA || L < 2 || L > Limbs(Most) {
		return nil
	}
	return sets[L]
}
