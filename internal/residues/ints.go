package residues

import (
	"context"
	"math/big"
	"math/bits"

	"github.com/galfft/fft/kernels/rns"
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
	n := len(s.words) * WordsPerUint64
	for j, z := range dst {
		if ctx.Err() != nil {
			return
		}
		w := z.Bits()
		if cap(w) < n {
			w = make([]big.Word, n)
		}
		s.setInt(z, w[:n], room, j, symmetric)
	}
}

// NewInts is Ints for new integers, which are written once.
func (s *System) NewInts(ctx context.Context, room *SystemRoom, dst []*big.Int, r [][]uint64, from int,
	symmetric bool) {
	s.Combine(ctx, room, r, from, from+len(dst))
	n := len(s.words) * WordsPerUint64
	if len(room.ints) < len(dst) {
		// Pieces of some 8 kB for several blocks: what the allocator does for each is as much as filling short ones.
		const most = 8 * rns.Block
		count := max(rns.Block, min(most, 4*most/n))
		room.ints, room.fresh = make([]big.Int, count), make([]big.Word, count*n)
	}
	ints, words := room.ints[:len(dst)], room.fresh[:len(dst)*n]
	room.ints, room.fresh = room.ints[len(dst):], room.fresh[len(dst)*n:]
	for j := range dst {
		if ctx.Err() != nil {
			return
		}
		dst[j] = &ints[j]
		s.setInt(dst[j], words[j*n:(j+1)*n:(j+1)*n], room, j, symmetric)
	}
}

// setInt sets z to integer j of the block, in the words w.
func (s *System) setInt(z *big.Int, w []big.Word, room *SystemRoom, j int, symmetric bool) {
	x := s.Integer(room, j)
	negative := symmetric && s.complement(x)
	setWords(w, x)
	if z.SetBits(w); negative {
		z.Neg(z)
	}
}

// setWords sets w to the words of x, of as many bits.
func setWords(w []big.Word, x []uint64) {
	if WordsPerUint64 == 1 {
		w = w[:len(x)]
		for t, d := range x {
			w[t] = big.Word(d)
		}
		return
	}
	for t, d := range x {
		w[2*t], w[2*t+1] = big.Word(d), big.Word(d>>32)
	}
}
