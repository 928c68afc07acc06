package crt

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/galfft/fft/field"
)

// Residues sets dst[i][j] to the residue of a[j] modulo prime i, in [0, p), for integers of any size and sign. dst
// has a row for each prime, as long as a (field.ErrLength), and rows do not overlap (field.ErrOverlap); no a[j] is
// nil (field.ErrRange). Nothing is written then. When ctx ends, its error is returned and dst unspecified.
//
// An integer of L words takes L products by the words' place values modulo p and one reduction, for each prime.
func (s *System) Residues(ctx context.Context, dst [][]uint64, a []*big.Int) error {
	if err := s.check(); err != nil {
		return err
	}
	if err := s.checkRows("dst", dst, len(a)); err != nil {
		return err
	}
	if err := checkInts("a", a); err != nil {
		return err
	}
	if err := checkDisjoint(dst); err != nil {
		return err
	}
	if err := stopped(ctx); err != nil {
		return err
	}
	words := 0
	for _, x := range a {
		words = max(words, len(x.Bits()))
	}
	return s.each(ctx, len(a), float64(len(dst)*(words+6)), func(sc *scratch, from, to int) {
		if s.vectors != nil {
			if count := s.vectors.split(sc.rows, a[from:to]); count > 0 {
				s.vectors.residues(sc.rows, dst, from, a[from:to], count)
				return
			}
		}
		for i := range dst {
			s.residues(dst[i][from:to], i, a[from:to])
		}
	})
}

// residues sets dst[j] to the residue of a[j] modulo prime i.
func (s *System) residues(dst []uint64, i int, a []*big.Int) {
	m, t := s.moduli[i], &s.powers[i]
	for j, x := range a {
		r := m.residue(t, x.Bits())
		if r != 0 && x.Sign() < 0 {
			r = m.p - r
		}
		dst[j] = r
	}
}

// group is the number of words of an integer that are summed between two reductions.
const group = 32

// powers holds the place values of the words of an integer modulo a prime, β^i for i ≤ group where β is the base of
// big.Int's words, lifted.
type powers [group + 1]uint64

func newPowers(m modulus) (t powers) {
	base := bits.Rem64(1, 0, m.p) // 2⁶⁴
	if bits.UintSize == 32 {
		base = 1 << 32 % m.p
	}
	t[0] = m.lift(1)
	for i := range group {
		t[i+1] = m.mul(t[i], base)
	}
	return t
}

// residue returns |x| mod p by Horner's rule over groups of words; r is the residue of the groups above.
func (m modulus) residue(t *powers, x []big.Word) uint64 {
	var r uint64
	for len(x) > 0 {
		k := (len(x) - 1) / group * group
		h, l := bits.Mul64(r, t[group])
		r = m.reduce(dot(h, l, x[k:], t[:group]))
		x = x[:k]
	}
	return r
}

// checkDisjoint reports rows that share memory; all have the same length.
func checkDisjoint(rows [][]uint64) error {
	at := make([]uintptr, len(rows))
	for i, row := range rows {
		at[i] = uintptr(unsafe.Pointer(unsafe.SliceData(row)))
	}
	slices.Sort(at)
	size := 8 * uintptr(len(rows[0]))
	for i := range at[1:] {
		if at[i+1]-at[i] < size {
			return fmt.Errorf("crt: %w: two rows of dst share memory", field.ErrOverlap)
		}
	}
	return nil
}
