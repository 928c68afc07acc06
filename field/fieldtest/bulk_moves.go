package fieldtest

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/testscale"
)

// copies checks Copy for blocks of odd and even sizes, squares among them, with every combination of transposition and
// permutations, which may also pick from a larger source.
func (s *bulkSuite) copies(r *rand.Rand) error {
	p := s.pool(r)
	size := func(i, limit int) int {
		if i%4 == 0 {
			return 8 * (1 + r.IntN(limit/8))
		}
		return 1 + r.IntN(limit)
	}
	for kind := range 8 {
		for i := range 24 * s.scale {
			rows, width := size(i, 24), size(i/4, 40)
			if i%6 == 0 {
				width = rows
			}
			if err := s.copyBlock(r, p, rows, width, kind); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyBlock moves a block of rows × width elements; the bits of kind ask for Transpose, RowPerm and ColPerm.
func (s *bulkSuite) copyBlock(r *rand.Rand, p pool, rows, width, kind int) error {
	c := bulks.Copy{Rows: rows, Width: width, Dst: width + gap(r), Transpose: kind&1 != 0}
	sourceRows, sourceCols := rows, width // before transposition
	switch {
	case kind&2 != 0 && c.Transpose:
		c.RowPerm = involution(r, rows)
	case kind&2 != 0:
		sourceRows += gap(r)
		c.RowPerm = pick(r, rows, sourceRows)
	}
	if kind&4 != 0 {
		sourceCols += gap(r)
		c.ColPerm = pick(r, width, sourceCols)
	}
	if c.Transpose {
		sourceRows, sourceCols = sourceCols, sourceRows
	}
	c.Src = sourceCols + gap(r)
	src := s.vector(r, p, (sourceRows-1)*c.Src+sourceCols)
	dst := s.vector(r, p, (rows-1)*c.Dst+width)
	s.b.Copy(dst.view, src.view, c)
	s.move(dst.part, src.part, c)
	if err := s.holds(dst); err != nil {
		return fmt.Errorf("%+v: %w", c, err)
	}
	if err := s.holds(src); err != nil {
		return fmt.Errorf("%+v changes its source: %w", c, err)
	}
	return nil
}

// turns checks copies between columns and rows of canonical elements, beside vectors of another form.
func (s *bulkSuite) turns(r *rand.Rand) error {
	traits := s.b.Traits()
	switch {
	case !traits.Turns:
		return errNotOffered
	case traits.InPlace:
		return errors.New("elements that are vectors turn as vectors do")
	}
	p := s.pool(r)
	for i := range 40 * s.scale {
		rows, width := 1+r.IntN(40), 1+r.IntN(40)
		if i%2 == 0 {
			rows = 8 * (1 + r.IntN(4))
		}
		if i%4 < 2 {
			width = 8 * (1 + r.IntN(4))
		}
		c := bulks.Copy{Rows: rows, Width: width, Dst: width + gap(r), Src: rows + gap(r), Transpose: true,
			Elements: true}
		skip, before := r.IntN(3), r.IntN(3)
		dst, src := p.fill(r, before+(rows-1)*c.Dst+width+r.IntN(3)), p.fill(r, skip+(width-1)*c.Src+rows+r.IntN(3))
		want, kept := s.f.Clone(dst), s.f.Clone(src)
		s.move(want[before:], kept[skip:], c)
		s.b.Copy(dst.view().Slice(before, len(dst)), src.view().Slice(skip, len(src)), c)
		if err := cmp.Or(s.agree(want, dst), s.agree(kept, src)); err != nil {
			return fmt.Errorf("elements %d and %d on, %+v: %w", before, skip, c, err)
		}
	}
	return nil
}

// gap returns 0 half of the time, else a number up to 9.
func gap(r *rand.Rand) int { return r.IntN(2) * (1 + r.IntN(9)) }

// pick returns n different numbers below m ≥ n.
func pick(r *rand.Rand, n, m int) []int32 {
	list := make([]int32, 0, n)
	for _, i := range r.Perm(m)[:n] {
		list = append(list, int32(i))
	}
	return list
}

// involution returns a permutation of the numbers below n that is its own inverse.
func involution(r *rand.Rand, n int) []int32 {
	list, order := make([]int32, n), r.Perm(n)
	for i := 0; i < n; i += 2 {
		x, y := order[i], order[min(i+1, n-1)]
		list[x], list[y] = int32(y), int32(x)
	}
	return list
}

// reorder checks the bit-reversal permutation.
func (s *bulkSuite) reorder(r *rand.Rand) error {
	p := s.pool(r)
	for n := 1; n <= 1<<12; n *= 2 {
		v := s.vector(r, p, n)
		for range 2 {
			parts := 1 + r.IntN(2)*r.IntN(6)
			for _, part := range r.Perm(parts) {
				s.b.Reorder(v.view, 1, part, parts)
			}
			s.reverse(v.part)
			if err := s.holds(v); err != nil {
				return fmt.Errorf("Reorder of %d: %w", n, err)
			}
		}
	}
	return nil
}

// reorderRows checks that permutation of rows that touch. Rows of a power of two may go by tiles of their own, so that
// there are more of them. Long rows may go in pieces: below testscale.Full all widths are taken up to several pieces,
// and behind them those beside powers of two and an eighth of the others. Widths that are not beside powers of two then
// have the most rows that they can, and half of the other numbers.
func (s *bulkSuite) reorderRows(r *rand.Rand) error {
	longest := s.b.Traits().Rows
	if longest == 0 {
		return errNotOffered
	}
	p := s.pool(r)
	const several = 80
	for width := 2; width <= longest; width++ {
		edge := width&(width-1) == 0 || (width+1)&width == 0 || (width-1)&(width-2) == 0
		if s.scale < testscale.Full && width > several && !edge && r.IntN(8) > 0 {
			continue
		}
		most := 1 << 12
		if width&(width-1) == 0 {
			most = 1 << 14
		}
		for n := 1; n*width <= most; n *= 2 {
			if s.scale < testscale.Full && !edge && 2*n*width <= most && r.IntN(2) == 0 {
				continue
			}
			v := s.vector(r, p, n*width)
			parts := 1 + r.IntN(2)*r.IntN(6)
			for _, part := range r.Perm(parts) {
				s.b.Reorder(v.view, width, part, parts)
			}
			s.reverseRows(v.part, width)
			if err := s.holds(v); err != nil {
				return fmt.Errorf("Reorder of %d rows of %d elements in %d parts: %w", n, width, parts, err)
			}
		}
	}
	return nil
}
