package engine

import "github.com/galfft/fft/field/bulks"

// Split is a factoring N = N1·N2 of a domain, with the twiddles between its stages. Input index i is
// N2·i1 + i2 and point index k is k1 + N1·k2, so that
//
//	X[k] = Σ_{i2} (s^{i2} w^{k1·i2}) · (w^{N1})^{k2·i2} · Σ_{i1} (s^{N2})^{i1} (w^{N2})^{k1·i1} x[N2·i1 + i2],
//
// a transform of length N1 over the coset of s^{N2}, a twiddle, and a cyclic transform of length N2
// (Cooley and Tukey; for cosets, every shift but s^{N2} goes into the twiddle).
type Split struct {
	N1, N2       int
	Outer, Inner Domain // of the sums over i1 and over i2
	whole        Domain
	first, count int // of the columns i2 that twiddles are for
}

// Columns is s with the twiddles of count columns from first on.
func (s Split) Columns(first, count int) Split {
	s.first, s.count = first, count
	return s
}

// SplitDomain splits d.N = n1·(d.N/n1).
func SplitDomain(d Domain, n1 int) Split {
	n2 := d.N / n1
	s := Split{N1: n1, N2: n2, Outer: d, Inner: d, whole: d, count: n2}
	s.Outer.N, s.Outer.Root, s.Outer.Shift = n1, d.Root*int64(n2), d.Shift*int64(n2)
	s.Inner.N, s.Inner.Root, s.Inner.Shift = n2, d.Root*int64(n1), 0
	return s
}

// Coset is the domain of Inner at the points s·w^k1 times those of a cyclic one: a transform over it is the twiddles of
// row k1, then that over Inner.
func (s *Split) Coset(k1 int) Domain {
	d := s.Inner
	d.Shift, d.Turn = s.whole.Shift, s.whole.Root*int64(k1)
	return d
}

// Matrix returns the twiddles c·s^i·w^(k1(r)·i), for i = first, first + step, … (count of them), as N1 rows r of count
// elements: row r of a base case has value k1(r), and c is 1/over.
func (s *Split) Matrix(p *Problem, first, step, count, over int) (View, error) {
	v, err := p.F.Make(s.N1 * count)
	if err != nil {
		return v, err
	}
	if first == 0 {
		c, err := s.whole.Factors(Factor{Over: over})
		if err != nil {
			return v, err
		}
		for r := range s.N1 {
			p.F.Copy(v.Slice(r*count, r*count+1), c, bulks.Copy{Rows: 1, Width: 1})
		}
	} else {
		column, err := s.column(p, first, over)
		if err != nil {
			return v, err
		}
		p.F.Copy(v, column, bulks.Copy{Rows: s.N1, Width: 1, Dst: count, Src: 1})
	}
	for h := 1; h < count; h *= 2 { // columns h … 2h−1 are columns 0 … h−1 times s^(h·step)·w^(k1·h·step)
		if err := p.M.Err(); err != nil {
			return v, err
		}
		ratio, err := s.column(p, h*step, 1)
		if err != nil {
			return v, err
		}
		by, err := p.F.Table(ratio, bulks.Alone)
		if err != nil {
			return v, err
		}
		width := min(h, count-h)
		dst := v.Slice(h, v.N)
		p.F.Copy(dst, v, bulks.Copy{Rows: s.N1, Width: width, Dst: count, Src: count})
		some := max(1, p.between(max(1, p.T.Butterfly), s.N1*width)/width) // rows between two looks
		for r := 0; r < s.N1; r += some {
			if err := p.M.Err(); err != nil {
				return v, err
			}
			by.Scale(dst.Slice(r*count, dst.N), r, min(some, s.N1-r), width, count)
		}
	}
	p.F.Reduce(v)
	return v, nil
}

// column returns c·s^i·w^(k1(r)·i) for all rows r, canonical.
func (s *Split) column(p *Problem, i, over int) (View, error) {
	e := int64(i)
	v, err := CasePowers(p, s.whole.Exponents, Factor{Root: s.whole.Root * e}, s.N1)
	if err != nil || s.whole.Shift == 0 && over == 1 {
		return v, err
	}
	by, err := s.table(p, Factor{Shift: s.whole.Shift * e, Over: over})
	if err != nil {
		return v, err
	}
	by.Scale(v, 0, 1, s.N1, s.N1)
	p.F.Reduce(v)
	return v, nil
}

func (s *Split) table(p *Problem, f Factor) (bulks.Table, error) {
	v, err := s.whole.Factors(f)
	if err != nil {
		return nil, err
	}
	return p.F.Table(v, bulks.Alone)
}

// Twiddles is those between the stages of a split (or of the inverse), const·s^i2·w^(k1·i2), for row r
// with k1 = rev(r) and column i2 = j·c + i of strip j.
//
// With two levels the exponent is split at c: fine has the twiddles of i, coarse those of j·c. That is
// N1·(c + N2/c) factors, and two products for each element; a full table has N1·N2, and one product.
type Twiddles struct {
	fine, coarse bulks.Table // coarse is nil where fine has all
	n1, c        int
}

// NewTwiddles makes the twiddles of a split over a constant, for strips of c columns: for Strip, or for Column where
// byRows.
func NewTwiddles(p *Problem, s Split, c, over int, full, byRows bool) (*Twiddles, error) {
	t := &Twiddles{n1: s.N1, c: c}
	first, count, coarse := 0, c, s.count/c
	if full {
		first, count, coarse = s.first, s.count, 0
	}
	if err := p.Take(float64(s.N1)*float64(count+coarse), 2*float64(s.N1)*float64(max(count, coarse))); err != nil {
		return nil, err
	}
	fine, err := s.Matrix(p, first, 1, count, over)
	if err != nil {
		return nil, err
	}
	if t.fine, err = s.arrange(p, fine, count, c, byRows); err != nil || full {
		return t, err
	}
	table, err := s.Matrix(p, s.first, c, coarse, 1)
	if err != nil {
		return nil, err
	}
	t.coarse, err = s.arrange(p, table, coarse, coarse, true)
	return t, err
}

// arrange makes a table of N1 rows of count twiddles: in strips of c columns, or column by column where byRows.
func (s *Split) arrange(p *Problem, v View, count, c int, byRows bool) (bulks.Table, error) {
	if !byRows && count == c {
		return p.Table(v)
	}
	z, err := p.F.Make(v.N)
	if err != nil {
		return nil, err
	}
	if byRows {
		p.F.Copy(z, v, bulks.Copy{Rows: count, Width: s.N1, Dst: s.N1, Src: count, Transpose: true})
		return p.Table(z)
	}
	for j := 0; j < count; j += c {
		p.F.Copy(z.Slice(j*s.N1, z.N), v.Slice(j, v.N), bulks.Copy{Rows: s.N1, Width: c, Dst: c, Src: count})
	}
	return p.Table(z)
}

// Strip applies the twiddles of strip j to x, N1 rows of c elements.
func (t *Twiddles) Strip(x View, j int) {
	if t.coarse == nil {
		t.fine.Scale(x, j*t.n1*t.c, t.n1*t.c, 1, 1)
		return
	}
	t.fine.Scale(x, 0, t.n1*t.c, 1, 1)
	t.coarse.Scale(x, j*t.n1, t.n1, t.c, t.c)
}

// Move is Strip on the way from src to dst, rows c.Dst and c.Src elements apart. One of them is the strip, whose rows
// touch; it has anything then where it is src. Rows of ahead, next elements apart, are read soon.
func (t *Twiddles) Move(f bulks.Bulk, dst, src, ahead View, j int, c bulks.Copy, next int) {
	c.Rows, c.Width = t.n1, t.c
	if m, ok := t.fine.(bulks.Into); ok && t.coarse != nil && m.ScaleInto(dst, src, ahead, c, t.coarse, j*t.n1, next) {
		return
	}
	if c.Src == t.c {
		t.Strip(src, j)
	}
	f.Copy(dst, src, c)
	if c.Src != t.c {
		t.Strip(dst, j)
	}
}

// Column applies the twiddles of column i2 to x, its N1 elements.
func (t *Twiddles) Column(x View, i2 int) {
	if t.coarse == nil {
		t.fine.Scale(x, i2*t.n1, t.n1, 1, 1)
		return
	}
	t.fine.Scale(x, i2%t.c*t.n1, t.n1, 1, 1)
	t.coarse.Scale(x, i2/t.c*t.n1, t.n1, 1, 1)
}

// Bytes is the memory of the twiddles.
func (t *Twiddles) Bytes() int {
	b := t.fine.Bytes()
	if t.coarse != nil {
		b += t.coarse.Bytes()
	}
	return b
}
