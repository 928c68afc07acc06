package core

import "github.com/galfft/fft/field"

// Split is a factoring N = N1·N2 of a domain, N2 ≥ N1, with the twist between its stages. Input index i is
// N2·i1 + i2 and point index k is k1 + N1·k2, so that
//
//	X[k] = Σ_{i2} (s^{i2} w^{k1·i2}) · (w^{N1})^{k2·i2} · Σ_{i1} (s^{N2})^{i1} (w^{N2})^{k1·i1} x[N2·i1 + i2],
//
// a transform of length N1 over the coset of s^{N2}, a factor, and a cyclic transform of length N2
// (Cooley and Tukey; for cosets, every shift but s^{N2} goes into the factor).
type Split[E any] struct {
	N1, N2       int
	Outer, Inner field.Domain[E] // of the sums over i1 and over i2
	w, s         E
}

// Table returns all factors of the split, by rows r of N2.
func (s *Split[E]) Table(m *Making, f field.Field[E]) ([]E, error) {
	one := Int(f, 1)
	z, err := s.factors(m, f, 1, s.N2, &one)
	return byColumns(z, s.N1, s.N2), err
}

// SplitDomain splits d.N = n1·(d.N/n1).
func SplitDomain[E any](f field.Field[E], d field.Domain[E], n1 int) Split[E] {
	n2 := d.N / n1
	s := Split[E]{N1: n1, N2: n2, w: d.Root, s: d.Shift}
	s.Outer = field.Domain[E]{N: n1, Root: Pow(f, &d.Root, n2), Shift: Pow(f, &d.Shift, n2)}
	s.Inner = field.Domain[E]{N: n2, Root: Pow(f, &d.Root, n1)}
	f.One(&s.Inner.Shift)
	return s
}

// factors returns c·s^i·w^(k1(r)·i), where row r of a base case has value k1(r), for i = 0, step, 2·step, … (count of them) and r < N1: row i has N1
// factors.
func (s *Split[E]) factors(m *Making, f field.Field[E], step, count int, c *E) ([]E, error) {
	z := make([]E, s.N1*count)
	rev := CaseOrder(s.N1)
	var si, wi, t E
	f.Set(&si, c)
	f.One(&wi)
	ss, ws := Pow(f, &s.s, step), Pow(f, &s.w, step)
	for i := range count { // t runs through si·wi^k1
		f.Set(&t, &si)
		for k1 := range s.N1 {
			f.Set(&z[i*s.N1+int(rev[k1])], &t)
			f.Mul(&t, &t, &wi)
			if err := m.every(i*s.N1 + k1); err != nil {
				return nil, err
			}
		}
		f.Mul(&si, &si, &ss)
		f.Mul(&wi, &wi, &ws)
	}
	return z, nil
}

// byColumns turns blocks of c rows of n elements, one after the other, into blocks of n rows of c.
func byColumns[E any](z []E, n, c int) []E {
	t := make([]E, 0, len(z))
	for b := 0; b < len(z); b += n * c {
		for r := range n {
			for i := range c {
				t = append(t, z[b+i*n+r])
			}
		}
	}
	return t
}

// Factors are the factors between the stages of a split (or of the inverse), const·s^i2·w^(k1·i2), for row r
// with k1 = rev(r) and column i2 = j·c + i of strip j.
//
// With two levels the exponent is split at c: fine has the factors of i, coarse those of j·c. That is
// N1·(c + N2/c) factors, and two products for each element; a full table has N1·N2, and one product.
type Factors[V any] struct {
	fine, coarse field.Table[V] // coarse is nil where fine has all factors
	n1, c        int
}

// Full decides whether n factors are kept in one table.
func Full[E, V any](p *Problem[E, V], n int) bool {
	switch p.S.Twiddles {
	case field.FullTwiddles:
		return true
	case field.TwoLevel:
		return false
	}
	_, dear := Elementwise(p.F)
	if _, ok := Shifts(p.F); ok {
		dear = true
	}
	return dear && p.F.VecBytes(n) <= p.S.MemoryLimit/8
}

// Shifts returns the shifts that the passes of f take for products, or false where they take none.
func Shifts[E, V any](f field.Bulk[E, V]) (field.Shifter[E], bool) {
	if e, ok := Elementwise(f); ok {
		g, ok := e.(field.Shifter[E])
		return g, ok
	}
	g, ok := f.(field.Shifter[E])
	return g, ok
}

// Columns is the least width of rows at which the passes of f are fast, and 1 where n points do not split into multiples of it.
func Columns[E, V any](f field.Bulk[E, V], n int) int {
	if c, ok := f.(field.Columnar); ok && n%(c.Columns()*c.Columns()) == 0 {
		return c.Columns()
	}
	return 1
}

// Elementwise reports whether the passes of f work on the elements one by one, and by which methods.
func Elementwise[E, V any](f field.Bulk[E, V]) (field.Field[E], bool) {
	t, err := f.Table([]E{Int[E](f, 1)})
	if e, ok := t.(field.Elementwise[E]); ok && err == nil {
		methods, _ := e.Elements()
		return methods, true
	}
	return nil, false
}

// NewFactors makes the factors of a split for strips of c columns: for Strip, or for Column where byRows.
func NewFactors[E, V any](p *Problem[E, V], s Split[E], c int, constant *E, full, byRows bool) (*Factors[V], error) {
	f, t := p.F, &Factors[V]{n1: s.N1, c: c}
	count, coarse := c, s.N2/c
	if full {
		count, coarse = s.N2, 0
	}
	if err := p.Take(float64(s.N1)*float64(count+coarse), 2*float64(s.N1)*float64(max(count, coarse))); err != nil {
		return nil, err
	}
	fine, err := s.factors(p.M, f, 1, count, constant)
	if err != nil {
		return nil, err
	}
	if !byRows {
		fine = byColumns(fine, s.N1, c)
	}
	if t.fine, err = f.Table(fine); err != nil || full {
		return t, err
	}
	one := Int[E](f, 1)
	table, err := s.factors(p.M, f, c, coarse, &one)
	if err != nil {
		return nil, err
	}
	t.coarse, err = f.Table(table)
	return t, err
}

// Strip applies the factors of strip j to x, N1 rows of c elements.
func (t *Factors[V]) Strip(x V, j int) {
	if t.coarse == nil {
		t.fine.Scale(x, j*t.n1*t.c, t.n1*t.c, 1, 1)
		return
	}
	t.fine.Scale(x, 0, t.n1*t.c, 1, 1)
	t.coarse.Scale(x, j*t.n1, t.n1, t.c, t.c)
}

// Column applies the factors of column i2 to x, its N1 elements.
func (t *Factors[V]) Column(x V, i2 int) {
	if t.coarse == nil {
		t.fine.Scale(x, i2*t.n1, t.n1, 1, 1)
		return
	}
	t.fine.Scale(x, i2%t.c*t.n1, t.n1, 1, 1)
	t.coarse.Scale(x, i2/t.c*t.n1, t.n1, 1, 1)
}

// Bytes is the memory of the factors.
func (t *Factors[V]) Bytes() int {
	b := t.fine.Bytes()
	if t.coarse != nil {
		b += t.coarse.Bytes()
	}
	return b
}
