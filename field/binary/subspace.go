package binary

import (
	"math/bits"
	"slices"

	"github.com/galfft/fft/field"
)

// Subspace sets b to the first vectors of the field's own basis of m: v_0 = 1, v_(i+1) the smaller solution, as an
// integer, of z² + z = v_i, as many as the largest power of two that divides m (Cantor's chain, on which transforms
// are fastest), and then the least basis elements, which are the integers 2^i, that do not depend on those before. The
// error is a field.LengthError where b is longer than m, and nothing is written.
func (f *Field[E]) Subspace(b []E) error {
	if err := f.Check(); err != nil {
		return err
	}
	if len(b) > f.core.m {
		return &field.LengthError{What: "the basis of a subspace of " + f.core.name, Want: f.core.m, Got: len(b)}
	}
	if len(b) == 0 {
		return nil
	}
	for i, v := range f.core.basis()[:len(b)] {
		setWordsOf(f, &b[i], v)
	}
	return nil
}

func (c *core) newBasis() [][]uint64 {
	b := [][]uint64{c.unit(0)}
	e := newEchelon(c.m)
	e.insert(c.unit(0))
	for range 1<<bits.TrailingZeros(uint(c.m)) - 1 {
		v := make([]uint64, c.w)
		c.quadratic().solve(v, b[len(b)-1])
		b = append(b, v)
		e.insert(slices.Clone(v))
	}
	for i := 1; len(b) < c.m; i++ {
		if e.insert(c.unit(i)) {
			b = append(b, c.unit(i))
		}
	}
	return b
}
