package crt

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/residues"
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
	if err := stopped(ctx); err != nil {
		return err
	}
	if err := checkInts("a", a); err != nil {
		return err
	}
	if err := checkDisjoint(dst); err != nil {
		return err
	}
	return s.reduce(ctx, dst, a, func() {})
}

// reduce is Residues with checked arguments, and does something else beside it where a is not empty.
func (s *System) reduce(ctx context.Context, dst [][]uint64, a []*big.Int, beside func()) error {
	words := 1
	if len(a) > 0 {
		words = len(a[0].Bits()) // others have about as many
	}
	return s.each(ctx, len(a), float64(len(dst)*(words+6)), func(room *residues.SystemRoom, from, to int) {
		if from == 0 {
			beside()
		}
		s.of.Residues(ctx, room, dst, from, a[from:to])
	})
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
