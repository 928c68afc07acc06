package residues

import (
	"context"
	"math/big"
	"math/bits"
)

// WordsPerUint64 is the number of words of a big.Int in 64 bits.
const WordsPerUint64 = 64 / bits.UintSize

// Residues sets r[i][from+j] to the residue of a[j] modulo prime i, in [0, p), for at most rns.Block integers of any
// size and sign. When ctx ends, it leaves out what is left.
func (s *System) Residues(ctx context.Context, room *SystemRoom, r [][]uint64, from int, a []*big.Int) {
	if s.set == nil || !s.pack(room, r, from, a) {
		for i, m := range s.Moduli {
			if ctx.Err() != nil { // the integers of a block can be long
				return
			}
			for j, x := range a {
				r[i][from+j] = Residue(m, &s.powers[i], x.Bits())
			}
		}
	}
	for j, x := range a {
		if x.Sign() < 0 {
			for i, row := range r {
				if d := &row[from+j]; *d != 0 {
					*d = s.Moduli[i].P - *d
				}
			}
		}
	}
}

// pack sets r to the residues of absolute values by kernels, and returns false where an integer is longer than the
// system's.
func (s *System) pack(room *SystemRoom, r [][]uint64, from int, a []*big.Int) bool {
	longest := 0
	for _, x := range a {
		longest = max(longest, x.BitLen())
	}
	if longest > s.project.Bits() {
		return false
	}
	w := s.project.Words()
	for j, x := range a {
		z := room.packed[j*w:][:w]
		clear(z)
		for t, d := range x.Bits() {
			z[t/WordsPerUint64] |= uint64(d) << (t % WordsPerUint64 * bits.UintSize)
		}
	}
	s.project.Project(room.project, r, from, room.packed[:len(a)*w], longest)
	return true
}

// Ints sets dst to the integers with the residues r[i][from+j], at most rns.Block of them: those of [0, M), or those of
// [−M/2, M/2) where symmetric. Their memory is used again where it suffices. When ctx ends, it leaves out what is left.
func (s *System) Ints(ctx context.Context, room *SystemRoom, dst []*big.Int, r [][]uint64, from int, symmetric bool) {
	s.Combine(ctx, room, r, from, from+len(dst))
	for j, z := range dst {
		if ctx.Err() != nil {
			return
		}
		x := s.Integer(room, j)
		negative := symmetric && s.complement(x)
		w := z.Bits()[:0]
		if n := len(x) * WordsPerUint64; cap(w) < n {
			w = make([]big.Word, 0, n)
		}
		for _, d := range x {
			w = append(w, big.Word(d))
			if WordsPerUint64 == 2 {
				w = append(w, big.Word(d>>32))
			}
		}
		if z.SetBits(w); negative {
			z.Neg(z)
		}
	}
}
