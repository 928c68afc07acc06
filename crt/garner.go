package crt

import (
	"context"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/residues"
	"github.com/galfft/fft/kernels/rns"
)

// Garner sets dst[j] to the integer x of [0, M) with x = r[i][j] modulo prime i for every i. r has a row for each
// prime, as long as dst (field.ErrLength), with values below the prime; dst has no nil (both field.ErrRange) and no
// integer twice (field.ErrOverlap). Nothing is written then. When ctx ends, its error is returned and dst unspecified.
//
// The memory of dst's integers is used again where it suffices, as it does from NewInts. No two share it, as math/big
// has it.
//
// This is Garner's algorithm (Knuth, The Art of Computer Programming, volume 2, section 4.3.2) with one reduction a
// digit: x = d₀ + d₁·p₀ + d₂·p₀p₁ + …, where 0 ≤ dᵢ < pᵢ, so that with P_j = p₀…p_(j−1) and every constant known
// beforehand
//
//	dᵢ = (rᵢ − d₀P₀ − … − d_(i−1)P_(i−1))·Pᵢ⁻¹ mod pᵢ.
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
	return s.each(ctx, len(dst), s.combining(), func(sc *scratch, from, to int) {
		s.combine(ctx, sc, dst, r, from, to, symmetric)
	})
}

// combining is about how many nanoseconds combine takes for an element.
func (s *System) combining() float64 {
	k := float64(len(s.moduli))
	return k * (k + 8)
}

// combine sets elements from, …, to−1 of dst, at most a block, to the integers with the residues r. When ctx ends, it
// leaves out what is left.
func (s *System) combine(ctx context.Context, sc *scratch, dst []*big.Int, r [][]uint64, from, to int, symmetric bool) {
	if s.vectors != nil {
		s.vectors.combine(sc.rows, r, from, to, len(s.words))
	} else {
		s.digits(ctx, sc, r, from, to)
	}
	for j, x := range dst[from:to] {
		if ctx.Err() != nil {
			return
		}
		if s.vectors != nil {
			sc.rows.integer(sc.x, j)
		} else {
			s.integer(sc.x, sc.digits[j*len(r):][:len(r)])
		}
		negative := symmetric && s.complement(sc.x)
		setWords(x, sc.x)
		if negative {
			x.Neg(x)
		}
	}
}

// block is the number of elements that are recombined together: their digits do not wait for each other.
const block = rns.Block

// scratch is what one worker needs.
type scratch struct {
	digits []uint64 // of block elements: one for each prime, side by side
	x      []uint64 // an integer, as long as M
	rows   rows     // where there are vectors
}

func newScratch(s *System) *scratch {
	sc := &scratch{digits: make([]uint64, block*len(s.moduli)), x: make([]uint64, len(s.words))}
	if s.vectors != nil {
		sc.rows = newRows(s.vectors)
	}
	return sc
}

// mixedRow returns the constants of digit i: −P_j/Pᵢ for j < i, and 1/Pᵢ, modulo pᵢ.
func (s *System) mixedRow(i int) []uint64 {
	m, row, product := s.moduli[i], make([]uint64, i+1), uint64(1)
	for j := range row {
		row[j] = product
		product = m.Mul(product, s.moduli[j].P)
	}
	inv := m.Inverse(row[i])
	for j, x := range row[:i] {
		row[j] = m.P - m.Mul(x, inv)
	}
	row[i] = inv
	return row
}

// digits sets sc.digits to the mixed-radix digits of elements from, …, to−1.
func (s *System) digits(ctx context.Context, sc *scratch, r [][]uint64, from, to int) {
	for i, m := range s.moduli {
		if ctx.Err() != nil {
			return
		}
		row := s.mixed[i]
		for j, v := range r[i][from:to] {
			d := sc.digits[j*len(r):][:i+1]
			d[i] = v
			d[i] = m.Reduce(residues.Dot(0, 0, d, row))
		}
	}
}

// column is the words, or limbs, at one place of P₀, …, P_(k−1), from the first P on that reaches it; P's have as many
// words as those before them, or more.
type column struct {
	first int
	words []uint64
}

// newColumns returns count columns of words of so many bits, at most 64.
func (s *System) newColumns(ctx context.Context, count, size int) ([]column, error) {
	columns, product, factor := make([]column, count), big.NewInt(1), new(big.Int)
	for i, m := range s.moduli {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := words(product, (product.BitLen()+63)/64)
		for w := range columns {
			if c, at := &columns[w], w*size; at < product.BitLen() {
				c.words = append(c.words, bitsAt(p, at)&(1<<size-1))
			} else {
				c.first = i + 1
			}
		}
		product.Mul(product, factor.SetUint64(m.P))
	}
	return columns, nil
}

// bitsAt returns the 64 bits of x from bit at on, which is one of x.
func bitsAt(x []uint64, at int) uint64 {
	w, shift := at/64, at%64
	v := x[w] >> shift
	if w+1 < len(x) && shift > 0 {
		v |= x[w+1] << (64 - shift)
	}
	return v
}

// integer sets x, as long as M, to the sum of dᵢPᵢ.
func (s *System) integer(x, d []uint64) {
	var c, h, l uint64
	for w, col := range s.places {
		c, h, l = residues.Dot(c, h, d[col.first:], col.words)
		x[w] = l
	}
}

// complement replaces x by M − x and returns true where x > M/2.
func (s *System) complement(x []uint64) bool {
	for i, w := range slices.Backward(x) {
		if w < s.half[i] {
			return false
		}
		if w > s.half[i] {
			var borrow uint64
			for t, w := range x {
				x[t], borrow = bits.Sub64(s.words[t], w, borrow)
			}
			return true
		}
	}
	return false
}

// setWords sets z to the 64-bit words x, in z's own memory where it suffices.
func setWords(z *big.Int, x []uint64) {
	w := z.Bits()[:0]
	if n := len(x) * wordsPerUint64; cap(w) < n {
		w = make([]big.Word, 0, n)
	}
	for _, d := range x {
		w = append(w, big.Word(d))
		if wordsPerUint64 == 2 {
			w = append(w, big.Word(d>>32))
		}
	}
	z.SetBits(w)
}

// checkRange reports residues that are not below their prime.
func (s *System) checkRange(ctx context.Context, r [][]uint64) error {
	var bad atomic.Bool
	err := s.each(ctx, len(r[0]), float64(len(r))/2, func(_ *scratch, from, to int) {
		for i, m := range s.moduli {
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
	for i, m := range s.moduli {
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
