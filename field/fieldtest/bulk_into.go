package fieldtest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/galfft/fft/field/bulks"
)

// into checks tails that leave their operand as it is. Where a table says that it has none, nothing is done.
func (s *bulkSuite) into(r *rand.Rand) error {
	p, tails := s.pool(r), s.tails()
	for range 4 * s.scale {
		for _, layers := range tails {
			off, how := r.IntN(2)*r.IntN(9), one(r, []bulks.How{0, bulks.Reduced})
			w, made, err := s.multipliers(r, p, (off+1)<<layers/2+r.IntN(3))
			if err != nil {
				return err
			}
			t, ok := made.(bulks.Into)
			if !ok {
				return errNotOffered
			}
			dst, src := s.vector(r, p, 1<<layers), s.vector(r, p, 1<<layers)
			if r.IntN(2) == 1 {
				if err := s.widen(r, p, src); err != nil {
					return err
				}
			}
			done := t.PassInto(dst.view, src.view, bulks.Pass{Off: off, Layers: int32(layers), How: how})
			if done {
				for i := range dst.part {
					s.f.Set(dst.part[i], src.part[i])
				}
				s.layers(layers, dst.part, w, layer{off, bulks.Rows{Blocks: 1, Half: 1, Width: 1, Stride: 1}})
			}
			err = cmp.Or(s.holds(dst), s.holds(src))
			if err == nil && done && how == bulks.Reduced { // which narrow passes take
				err = s.narrowPass(r, p, dst)
			}
			if err != nil {
				return fmt.Errorf("PassInto of %d layers at place %d, reduced %t, done %t: %w", layers, off,
					how == bulks.Reduced, done, err)
			}
		}
	}
	if len(tails) == 0 {
		return errNotOffered
	}
	return nil
}

// scaleInto checks products by two tables, of rows and of their elements, that leave their operand as it is.
func (s *bulkSuite) scaleInto(r *rand.Rand) error {
	p := s.pool(r)
	for i := range 40 * s.scale {
		off, rows, width := r.IntN(6), 1+r.IntN(20), 1+i/2%40
		if i%2 == 0 {
			width = 8 * (1 + r.IntN(4))
		}
		w, made, err := s.multipliers(r, p, rows*width+r.IntN(3))
		if err != nil {
			return err
		}
		t, ok := made.(bulks.Into)
		if !ok {
			return errNotOffered
		}
		by, coarse, err := s.multipliers(r, p, off+rows+r.IntN(3))
		if err != nil {
			return err
		}
		c := bulks.Copy{Rows: rows, Width: width, Dst: width + gap(r), Src: width + gap(r)}
		dst, src := s.vector(r, p, (rows-1)*c.Dst+width), s.vector(r, p, (rows-1)*c.Src+width)
		if r.IntN(2) == 1 {
			if err := s.widen(r, p, src); err != nil {
				return err
			}
		}
		done := t.ScaleInto(dst.view, src.view, src.view, c, coarse, off, c.Src)
		if done {
			s.move(dst.part, src.part, c)
			for i := range rows {
				row := dst.part[i*c.Dst:][:width]
				s.scaleRows(row, by, off+i, 1, width, width)
				s.scaleRows(row, w, i*width, width, 1, 1)
			}
		}
		err = cmp.Or(s.holds(dst), s.holds(src))
		if err == nil && done && rows == 1 { // all of it is narrow then
			err = s.narrowPass(r, p, dst)
		}
		if err != nil {
			return fmt.Errorf("ScaleInto from row %d on, %+v, done %t: %w", off, c, done, err)
		}
	}
	return nil
}

// rings checks products of rows that are polynomials modulo X^n − w and X^n + w, by turns.
func (s *bulkSuite) rings(r *rand.Rand) error {
	n := s.passes.Ring
	if n == 0 {
		return errNotOffered
	}
	p := s.pool(r)
	for i := range 10 * s.scale {
		off, pairs := r.IntN(6), 1+r.IntN(9)
		w, made, err := s.multipliers(r, p, off+pairs+r.IntN(3))
		if err != nil {
			return err
		}
		x, y := s.vector(r, p, 2*n*pairs), s.vector(r, p, 2*n*pairs)
		if i%3 == 0 {
			y = x
		}
		for _, v := range []*vector{x, y} {
			if r.IntN(2) == 1 {
				if err := s.widen(r, p, v); err != nil {
					return err
				}
			}
		}
		made.(bulks.Into).MulRings(x.view, y.view, off, 0)
		c := s.f.Clone(w[:1])
		for row := range 2 * pairs {
			s.f.Set(c[0], w[off+row/2])
			if row%2 == 1 {
				s.f.Neg(c[0], c[0])
			}
			s.mulRing(x.part[row*n:][:n], y.part[row*n:][:n], c[0])
		}
		err = cmp.Or(s.holds(x), s.holds(y))
		if err == nil && pairs == 1 { // all of it is narrow then
			err = s.narrowPass(r, p, x)
		}
		if err != nil {
			return fmt.Errorf("MulRings of %d pairs of rows of %d at place %d, square %t: %w", pairs, n, off, x == y, err)
		}
	}
	return s.ringsBetween(r, p)
}

// ringsBetween checks products of rows between passes that leave values to each other.
func (s *bulkSuite) ringsBetween(r *rand.Rand, p pool) error {
	n := s.passes.Ring
	for i := range 10 * s.scale {
		layers, more, off := 1+r.IntN(max(1, s.passes.Layers)), 1+r.IntN(2), r.IntN(3)
		rows := 1 << (layers + more)
		w, made, err := s.multipliers(r, p, (off+1)*rows)
		if err != nil {
			return err
		}
		t := made.(bulks.Into)
		x, y := s.vector(r, p, n*rows), s.vector(r, p, n*rows)
		if i%3 == 0 {
			y = x
		}
		first := layer{off, bulks.Rows{Blocks: 1, Half: 1 << more, Width: n, Stride: n}}
		last := layer{off << layers, bulks.Rows{Blocks: 1 << layers, Half: 1, Width: n, Stride: n}}
		for _, v := range slices.Compact([]*vector{x, y}) {
			first.pass(made, v.view, layers, bulks.Pass{How: bulks.Leave})
			last.pass(made, v.view, more, bulks.Pass{How: bulks.Open | bulks.Leave})
			s.layers(layers, v.part, w, first)
			s.layers(more, v.part, w, last)
		}
		t.MulRings(x.view, y.view, off*rows/2, bulks.Open|bulks.Leave)
		for row := range rows {
			c := s.f.Clone(w[off*rows/2+row/2:][:1])
			if row%2 == 1 {
				s.f.Neg(c[0], c[0])
			}
			s.mulRing(x.part[row*n:][:n], y.part[row*n:][:n], c[0])
		}
		last.pass(made, x.view, more, bulks.Pass{How: bulks.Transposed | bulks.Open | bulks.Leave})
		first.pass(made, x.view, layers, bulks.Pass{How: bulks.Transposed | bulks.Open})
		s.layersT(more, x.part, w, last)
		s.layersT(layers, x.part, w, first)
		if err := s.holds(x); err != nil {
			return fmt.Errorf("MulRings of %d rows of %d behind %d and %d layers at place %d, square %t: %w", rows, n,
				layers, more, off, x == y, err)
		}
	}
	return nil
}

// mulRing sets the n elements of x to n times their product with y, modulo X^n − c.
func (s *bulkSuite) mulRing(x, y elements, c element) {
	n := len(x)
	z, over, t := s.f.Clone(x), s.f.Clone(x), s.f.Clone(x[:1])[0] // below X^n, and from there on
	for i := range n {
		s.f.Sub(z[i], z[i], z[i])
		s.f.Set(over[i], z[i])
	}
	for i := range n {
		for j := range n {
			to := z
			if i+j >= n {
				to = over
			}
			s.f.Mul(t, x[i], y[j])
			s.f.Add(to[(i+j)%n], to[(i+j)%n], t)
		}
	}
	for i := range n {
		s.f.Mul(t, over[i], c)
		s.f.Add(z[i], z[i], t)
		s.f.Set(x[i], z[i])
		for range n - 1 {
			s.f.Add(x[i], x[i], z[i])
		}
	}
}
