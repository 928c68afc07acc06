package crt

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/residues"
)

// Garner sets dst[j] to the integer x of [0, M) with x = r[i][j] modulo prime i for every i. r has a row for each
// prime, as long as dst (field.ErrLength), with values below the prime; dst has no nil (both field.ErrRange) and no
// integer twice (field.ErrOverlap). Nothing is written then. When ctx ends, its error is returned and dst unspecified.
//
// The memory of dst's integers is used again where it suffices, as it does from NewInts. No two share it, as math/big
// has it.
func (s *System) Garner(ctx context.Context, dst []*big.Int, r [][]uint64) error {
	return s.garner(ctx, dst, r, false)
}

// GarnerSymmetric is Garner into [−M/2, M/2); as M is odd, that is from −(M−1)/2 to (M−1)/2.
func (s *System) GarnerSymmetric(ctx context.Context, dst []*big.Int, r [][]uint64) error {
	return s.garner(ctx, dst, r, true)
}

func (s *System) garner(ctx context.Context, dst []*big.Int, r [][]uint64, symmetric bool) error {
	if err := s.check(); err != nil {
		return err
	}
	if err := s.checkRows("r", r, len(dst)); err != nil {
		return err
	}
	if err := checkInts("dst", dst); err != nil {
		return err
	}
	if err := stopped(ctx); err != nil {
		return err
	}
	if err := checkDistinct(ctx, dst); err != nil {
		return err
	}
	if err := s.checkRange(ctx, r); err != nil {
		return err
	}
	return s.each(ctx, len(dst), s.of.Cost(), func(room *residues.SystemRoom, from, to int) {
		s.of.Ints(ctx, room, dst[from:to], r, from, symmetric)
	})
}

// checkRange reports residues that are not below their prime.
func (s *System) checkRange(ctx context.Context, r [][]uint64) error {
	var bad atomic.Bool
	err := s.each(ctx, len(r[0]), float64(len(r))/2, func(_ *residues.SystemRoom, from, to int) {
		for i, m := range s.of.Moduli {
			for _, v := range r[i][from:to] {
				if v >= m.P {
					bad.Store(true)
				}
			}
		}
	})
	if !bad.Load() {
		return err
	}
	for i, m := range s.of.Moduli {
		if j := slices.IndexFunc(r[i], func(v uint64) bool { return v >= m.P }); j >= 0 {
			return fmt.Errorf("crt: %w: r[%d][%d] is %d, want a residue modulo %d", field.ErrRange, i, j, r[i][j], m.P)
		}
	}
	return err
}

// checkDistinct reports an integer that stands twice in dst. Pointers into one slice, in order, are distinct at a
// glance; others are noted one by one, as long as ctx lasts.
func checkDistinct(ctx context.Context, dst []*big.Int) error {
	at := func(x *big.Int) uintptr { return uintptr(unsafe.Pointer(x)) }
	ascending := func() bool {
		for i := 1; i < len(dst); i++ {
			if at(dst[i-1]) >= at(dst[i]) {
				return false
			}
		}
		return true
	}
	if ascending() {
		return nil
	}
	seen := make(map[*big.Int]struct{})
	for i, x := range dst {
		if i%glance == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if seen[x] = struct{}{}; len(seen) <= i {
			return fmt.Errorf("crt: %w: dst has one integer twice", field.ErrOverlap)
		}
	}
	return nil
}
