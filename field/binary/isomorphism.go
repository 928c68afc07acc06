package binary

import (
	"fmt"
	"slices"

	"github.com/galfft/fft/field"
)

// Isomorphism is the map from a field of 2^m elements to another, which keeps sums and products. It is immutable and
// safe for concurrent use. Nil and the zero value are none: methods that return an error return field.ErrSpec for them.
type Isomorphism[E Elements] struct {
	from, to *Field[E]
	images   []uint64 // of the elements of each four bits in turn, 16 of w words
	inverse  *Isomorphism[E]
}

// NewIsomorphism returns the isomorphism that sends the generator of from, x or that of the last extension of a tower,
// to the least of its m possible images, as an integer. The error is field.ErrSpec where the degrees differ or a field
// is none. Where m is a power of two it takes about m³/64 steps, and about m² products in the field elsewhere.
func NewIsomorphism[E Elements](from, to *Field[E]) (*Isomorphism[E], error) {
	if err := from.Check(); err != nil {
		return nil, err
	}
	if err := to.Check(); err != nil {
		return nil, err
	}
	if from.core.m != to.core.m {
		return nil, fmt.Errorf("fft: %w: isomorphism from %s to %s, want one degree", field.ErrSpec, from.core.name, to.core.name)
	}
	down := isomorphic(&from.core, &to.core)
	up := inverse(down, from.core.m, from.core.w)
	i, j := newIsomorphism(from, to, down), newIsomorphism(to, from, up)
	i.inverse, j.inverse = j, i
	return i, nil
}

// newIsomorphism takes the images of the elements 2^i.
func newIsomorphism[E Elements](from, to *Field[E], basis [][]uint64) *Isomorphism[E] {
	w := from.core.w
	t := make([]uint64, (len(basis)+3)/4*16*w)
	for i, v := range basis {
		of := t[i/4*16*w:][:16*w]
		bit := 1 << (i % 4)
		for j := range bit { // the sums of those before and this one
			z := of[(bit+j)*w:][:w]
			copy(z, of[j*w:])
			xor(z, v)
		}
	}
	return &Isomorphism[E]{from: from, to: to, images: t}
}

// Inverse returns the isomorphism back, and nil for none.
func (i *Isomorphism[E]) Inverse() *Isomorphism[E] {
	if i == nil {
		return nil
	}
	return i.inverse
}

// Map sets zᵢ to the image of xᵢ. The slices have one length (field.ErrLength) and z may be x; other overlap is not
// allowed. Where an xᵢ is not canonical the error is a field.RangeError. After an error nothing is written.
func (i *Isomorphism[E]) Map(z, x []E) error {
	if i == nil || i.from == nil {
		return fmt.Errorf("fft: %w: an isomorphism that is nil or zero, want one of NewIsomorphism", field.ErrSpec)
	}
	if len(z) != len(x) {
		return &field.LengthError{What: "x", Want: len(z), Got: len(x)}
	}
	if err := field.CheckRange[E](i.from, "x", x); err != nil {
		return err
	}
	f := i.from
	var t [1]uint64
	var sum [most]uint64
	for k := range x {
		clear(sum[:f.core.w])
		for j, word := range wordsIn(f, &x[k], &t) {
			for part := 16 * j; word != 0; part++ {
				if d := word & 15; d != 0 {
					xor(sum[:f.core.w], i.images[(16*part+int(d))*f.core.w:][:f.core.w])
				}
				word >>= 4
			}
		}
		setWordsOf(i.to, &z[k], sum[:f.core.w])
	}
	return nil
}

// isomorphic returns the images of the elements 2^i.
func isomorphic(from, to *core) [][]uint64 {
	if from.m&(from.m-1) == 0 {
		return throughTower(from, to)
	}
	// Both are polynomial bases: the images are powers of a root of the modulus.
	root, _ := to.least(to.rootOf(from))
	images := [][]uint64{to.unit(0)}
	for range from.m - 1 {
		next := make([]uint64, to.w)
		to.mul(next, images[len(images)-1], root)
		images = append(images, next)
	}
	return images
}

// throughTower goes from one field by Wiedemann's tower to the other, for degrees that are powers of two.
func throughTower(from, to *core) [][]uint64 {
	back := inverse(from.towerBasis(), from.m, from.w)
	forth := to.towerBasis()
	images := make([][]uint64, from.m)
	for i := range images {
		images[i] = combine(forth, back[i], to.w)
	}
	generator := make([]uint64, from.w)
	copy(generator, from.generator())
	_, squares := to.least(combine(images, generator, to.w))
	for _, v := range images {
		for range squares {
			to.square(v, v)
		}
	}
	return images
}

// towerBasis returns the basis elements of the tower in the field, whose degree is a power of two: X_0, X_1, … are
// solutions of X² + YX + 1 = 0, where Y is the one before, and Y·z solves it for z² + z = 1/Y².
func (c *core) towerBasis() [][]uint64 {
	basis := [][]uint64{c.unit(0)}
	y := c.unit(0)
	for len(basis) < c.m {
		x, t := make([]uint64, c.w), make([]uint64, c.w)
		c.square(t, y)
		c.invert(t, t)
		c.quadratic().solve(x, t)
		c.mul(x, x, y)
		for _, v := range slices.Clone(basis) {
			z := make([]uint64, c.w)
			c.mul(z, v, x)
			basis = append(basis, z)
		}
		y = x
	}
	return basis
}

// combine adds the vectors for the bits of x.
func combine(vectors [][]uint64, x []uint64, w int) []uint64 {
	z := make([]uint64, w)
	for i, v := range vectors {
		if x[i/64]>>(i%64)&1 == 1 {
			xor(z, v)
		}
	}
	return z
}

// inverse returns the inverse of a matrix over GF(2), whose rows are what the elements 2^i become.
func inverse(rows [][]uint64, m, w int) [][]uint64 {
	e := newEchelon(m)
	for i, v := range rows {
		row := make([]uint64, 2*w)
		copy(row, v)
		row[w+i/64] = 1 << (i % 64)
		e.insert(row)
	}
	e.finish()
	inverse := make([][]uint64, m)
	for lead, row := range e.rows {
		inverse[lead] = row[w:]
	}
	return inverse
}
