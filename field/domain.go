package field

import "fmt"

// Domain is the points over which a transform evaluates: Len of them, each another, in an order of their own. It is
// [Cyclic] or [Affine]; transforms know no third kind.
type Domain[E any] interface {
	// Len is the number of points, and the length of the transform.
	Len() int
	// Point sets z to point j, for 0 ≤ j < Len.
	Point(f Field[E], z *E, j int)
}

// Length is the number of points of d, and 0 for nil, which is none.
func Length[E any](d Domain[E]) int {
	if d == nil {
		return 0
	}
	return d.Len()
}

// Cyclic is the domain whose point j is Shift·Root^j. Root has order exactly N and Shift is not 0; Shift = 1 is the
// cyclic transform. A negacyclic transform is the domain with Shift² of order N, at the odd powers of a 2N-th root.
//
// What holds for this kind alone: N has an inverse in the field, by which inverse transforms end; N divides the order
// of the group of units; and for even N point j + N/2 is −point j, on which butterflies a ± wb stand.
type Cyclic[E any] struct {
	N           int
	Root, Shift E
	// Roots gives further roots of the field to algorithms that take a longer transform on the way; nil: they go
	// without.
	Roots Rooted[E]
}

// Len is N.
func (d Cyclic[E]) Len() int { return d.N }

// Point sets z to Shift·Root^j.
func (d Cyclic[E]) Point(f Field[E], z *E, j int) {
	PowUint(f, z, &d.Root, uint64(j))
	f.Mul(z, z, &d.Shift)
}

// NewCyclic returns the cyclic domain of n points of f with f's own root.
func NewCyclic[E any](f Field[E], n int) (Cyclic[E], error) {
	d := Cyclic[E]{N: n}
	if err := checkDomain(f, n); err != nil {
		return d, err
	}
	f.One(&d.Shift)
	err := rootOf(f, &d.Root, uint64(n))
	d.Roots, _ = f.(Rooted[E])
	return d, err
}

// NewNegacyclic returns the domain of the n points x with x^n = −1 of f: the odd powers of root(2n).
func NewNegacyclic[E any](f Field[E], n int) (Cyclic[E], error) {
	d := Cyclic[E]{N: n}
	if err := checkDomain(f, n); err != nil {
		return d, err
	}
	if err := rootOf(f, &d.Shift, 2*uint64(n)); err != nil {
		return d, err
	}
	f.Mul(&d.Root, &d.Shift, &d.Shift)
	d.Roots, _ = f.(Rooted[E])
	return d, nil
}

func checkDomain[E any](f Field[E], n int) error {
	if err := Check(f); err != nil {
		return err
	}
	return checkLength(n)
}

func checkLength(n int) error {
	if n < 1 {
		return fmt.Errorf("fft: %w: transform length %d, want at least 1", ErrLength, n)
	}
	return nil
}

func rootOf[E any](f Field[E], z *E, n uint64) error {
	r, ok := f.(Rooted[E])
	if !ok {
		return noRoots(f)
	}
	return r.RootOfUnity(z, n)
}

func noRoots(f any) error {
	return fmt.Errorf("fft: %w: %T gives no roots (give one with the domain)", ErrNoRoot, f)
}
