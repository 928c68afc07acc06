package engine

import "github.com/galfft/fft/field/bulks"

// Grower makes a long vector of factors from products of parts of itself by single factors, which are bulk operations.
type Grower struct {
	p *Problem
	t bulks.Table // of the single factors
	v View
}

// NewGrower returns one of n elements, all 0 but for the first, which is 1. by lists the factors for Multiply.
func NewGrower(p *Problem, pts Exponents, n int, by []Factor) (*Grower, error) {
	g := &Grower{p: p}
	list, err := pts.Factors(append([]Factor{{}}, by...)...)
	if err != nil {
		return nil, err
	}
	if g.t, err = p.F.Table(list, bulks.Alone); err != nil {
		return nil, err
	}
	if g.v, err = p.F.Make(n); err != nil {
		return nil, err
	}
	p.F.Copy(g.v, list, bulks.Copy{Rows: 1, Width: 1})
	return g, nil
}

// Multiply sets the n elements from to on to those from from on, times the factor of index by; the two do not overlap.
func (g *Grower) Multiply(to, from, n, by int) error {
	ns := max(1, g.p.T.Butterfly)
	if g.p.shares(n, ns) {
		return g.p.share(n, ns, func(i, end int) { g.multiply(to+i, from+i, end-i, by) })
	}
	part := g.p.between(ns, 1<<14)
	for i := 0; i < n; i += part {
		if err := g.p.M.Err(); err != nil {
			return err
		}
		g.multiply(to+i, from+i, min(part, n-i), by)
	}
	return nil
}

func (g *Grower) multiply(to, from, n, by int) {
	dst := g.v.Slice(to, to+n)
	g.p.F.Copy(dst, g.v.Slice(from, from+n), bulks.Copy{Rows: 1, Width: n})
	g.t.Scale(dst, 1+by, 1, n, n)
}

// Vector ends the making and returns the vector, canonical.
func (g *Grower) Vector() View {
	g.p.F.Reduce(g.v)
	return g.v
}

// Powers returns c^0 … c^(n−1) for a factor c.
func Powers(p *Problem, pts Exponents, c Factor, n int) (View, error) {
	var by []Factor
	for h := 1; h < n; h *= 2 {
		by = append(by, c.power(h))
	}
	g, err := NewGrower(p, pts, n, by)
	if err != nil {
		return View{}, err
	}
	for i := range by {
		h := 1 << i
		if err := g.Multiply(h, 0, min(h, n-h), i); err != nil {
			return View{}, err
		}
	}
	return g.Vector(), nil
}

// RevPowers returns c^0 … c^(n−1) in bit-reversed order, for n a power of two: the second half of each prefix of 2h is
// the first one times c^(n/2h).
func RevPowers(p *Problem, pts Exponents, c Factor, n int) (View, error) {
	var by []Factor
	for h := 1; h < n; h *= 2 {
		by = append(by, c.power(n/(2*h)))
	}
	g, err := NewGrower(p, pts, n, by)
	if err != nil {
		return View{}, err
	}
	for i := range by {
		if err := g.Multiply(1<<i, 0, 1<<i, i); err != nil {
			return View{}, err
		}
	}
	return g.Vector(), nil
}

// power is c^e, for a c that is not divided.
func (c Factor) power(e int) Factor {
	return Factor{Root: c.Root * int64(e), Shift: c.Shift * int64(e)}
}

// CaseOrder lists the points whose values stand in the rows of a base case of length n: in bit-reversed order for a
// power of two, in natural order for others. Either is its own inverse.
func CaseOrder(n int) []int32 {
	if n&(n-1) == 0 {
		return Revs(n)
	}
	r := make([]int32, n)
	for i := range r {
		r[i] = int32(i)
	}
	return r
}

// CasePowers returns c^0 … c^(n−1) in the order of a base case of length n.
func CasePowers(p *Problem, pts Exponents, c Factor, n int) (View, error) {
	if n&(n-1) == 0 {
		return RevPowers(p, pts, c, n)
	}
	return Powers(p, pts, c, n)
}

// Revs is the bit reversal of the indices below n, a power of two.
func Revs(n int) []int32 {
	r := make([]int32, n)
	for i := 1; i < n; i++ {
		r[i] = r[i/2]/2 | int32(i&1)*int32(n/2)
	}
	return r
}
