package core

import (
	"math/big"

	"github.com/galfft/fft/field"
)

// Powers returns w^0 … w^(n−1).
func Powers[E any](m *Making, f field.Field[E], w *E, n int) ([]E, error) {
	p := make([]E, n)
	for i := range p {
		if i == 0 {
			f.One(&p[0])
		} else {
			f.Mul(&p[i], &p[i-1], w)
		}
		if err := m.every(i); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// Grower makes a long vector of factors from products of parts of itself by single factors, which are bulk operations.
type Grower[E, V any] struct {
	m     *Making
	f     field.Bulk[E, V]
	a     []E
	v     V
	alias bool
}

// NewGrower returns one of n elements, all 0 but for the first, which is 1.
func NewGrower[E, V any](m *Making, f field.Bulk[E, V], n int) *Grower[E, V] {
	g := &Grower[E, V]{m: m, f: f, a: make([]E, n)}
	f.One(&g.a[0])
	if g.v, g.alias = f.Alias(g.a); !g.alias {
		g.v = f.Make(n)
		f.Pack(g.v, g.a)
	}
	return g
}

// Multiply sets the n elements from to on to c times those from from on; the two do not overlap.
func (g *Grower[E, V]) Multiply(to, from, n int, c *E) error {
	t, err := g.f.Table([]E{*c})
	if err != nil {
		return err
	}
	const part = 1 << 14 // a multiple of what working forms cut
	for i := 0; i < n; i += part {
		if err := g.m.Err(); err != nil {
			return err
		}
		n := min(part, n-i)
		dst := g.f.Slice(g.v, to+i, to+i+n)
		g.f.Copy(dst, g.f.Slice(g.v, from+i, from+i+n), field.Copy{Rows: 1, Width: n})
		t.Scale(dst, 0, 1, n, n)
	}
	return nil
}

// Elements ends the making and returns the elements.
func (g *Grower[E, V]) Elements() []E {
	if g.alias {
		g.f.Reduce(g.v)
	} else {
		g.f.Unpack(g.a, g.v)
	}
	return g.a
}

// RevPowers returns w^0 … w^(n−1) in bit-reversed order, for n a power of two: the second half of each prefix of 2^(k+1)
// is the first one times w^(n/2^(k+1)).
func RevPowers[E, V any](m *Making, f field.Bulk[E, V], w *E, n int) ([]E, error) {
	g := NewGrower(m, f, n)
	for h := 1; h < n; h *= 2 {
		c := Pow[E](f, w, n/(2*h))
		if err := g.Multiply(h, 0, h, &c); err != nil {
			return nil, err
		}
	}
	return g.Elements(), nil
}

// Pow returns w^e for e ≥ 0.
func Pow[E any](f field.Field[E], w *E, e int) (z E) {
	field.Pow(f, &z, w, big.NewInt(int64(e)))
	return z
}

// IsOne reports whether x = 1.
func IsOne[E any](f field.Field[E], x *E) bool {
	var one E
	f.One(&one)
	return f.Equal(x, &one)
}

// Int returns the n-fold sum of 1, for n ≥ 0.
func Int[E any](f field.Field[E], n int) (z E) {
	var one E
	f.One(&one)
	for i := 62; i >= 0; i-- {
		f.Add(&z, &z, &z)
		if n>>i&1 == 1 {
			f.Add(&z, &z, &one)
		}
	}
	return z
}

// Inverse returns 1/x.
func Inverse[E any](f field.Field[E], x *E) (z E, err error) {
	err = f.Inv(&z, x)
	return z, err
}

// InvertDomain returns the domain of inverse root and inverse shift.
func InvertDomain[E any](f field.Field[E], d field.Domain[E]) (i field.Domain[E], err error) {
	i.N = d.N
	if i.Root, err = Inverse(f, &d.Root); err == nil {
		i.Shift, err = Inverse(f, &d.Shift)
	}
	return i, err
}

// CaseOrder lists the points whose values stand in the rows of a base case of length n: in bit-reversed order for a power of two,
// in natural order for others. Either is its own inverse.
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

// LargestFactor returns the largest prime factor of n > 1.
func LargestFactor(n int) int {
	p := 2
	for p*p <= n {
		if n%p == 0 {
			n /= p
		} else {
			p++
		}
	}
	return n
}

// Revs is the bit reversal of the indices below n, a power of two.
func Revs(n int) []int32 {
	r := make([]int32, n)
	for i := 1; i < n; i++ {
		r[i] = r[i/2]/2 | int32(i&1)*int32(n/2)
	}
	return r
}
