package gfpf

import (
	"fmt"
	"sync"

	"github.com/galfft/fft/field"
)

// kronecker is products by those of integers.
type kronecker struct {
	mul  func(z, x, y []uint64)
	room sync.Pool // *[12 * most]uint64
}

func newKronecker(mul func(z, x, y []uint64)) *kronecker {
	return &kronecker{mul, sync.Pool{New: func() any { return new([12 * most]uint64) }}}
}

// Kronecker returns the field of f with another way to multiply, for comparison: by Kronecker substitution. The digits
// of an element become those of an integer in radix 2^192, which has room for the coefficients of a product, and mul
// sets z to the product of the integers x and y, of 3k words each, the lowest first; z has 6k and overlaps neither.
// Results are the same. The name of the field is name. Package field/bigprime/gmp brings products by GMP in this way.
//
// Mul must be safe for concurrent use. The error is field.ErrSpec for nil, the zero Field and a nil mul.
func (f *Field[E]) Kronecker(name string, mul func(z, x, y []uint64)) (*Field[E], error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	if mul == nil {
		return nil, fmt.Errorf("fft: %w: the product of integers is nil", field.ErrSpec)
	}
	g := newField[E](f.Radix())
	g.prime.name = name
	g.prime.integers = newKronecker(mul)
	g.prime.tiles.product = false
	return g, nil
}

// byIntegers sets z = xy; z may be x or y.
func (f *ring) byIntegers(z, x, y []uint64) {
	room := f.integers.room.Get().(*[12 * most]uint64)
	n := 3 * f.k
	a, b, c := room[:n], room[n:2*n], room[2*n:4*n]
	for i := range f.k {
		a[3*i], b[3*i] = x[i], y[i]
	}
	f.integers.mul(c, a, b)
	offset, q := f.first, wide{}
	for i := range z[:f.k] {
		low, high := c[3*i:][:3], c[n+3*i:][:3]
		u := wide{low[0], low[1], low[2]}.sub(wide{high[0], high[1], high[2]})
		z[i], q = f.quoRem(u.add(offset).add(q))
		offset = f.other
	}
	f.end(z[:f.k], q)
	f.integers.room.Put(room)
}
