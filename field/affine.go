package field

// Affine is the domain whose point j is Shift plus the sum of Basis[i] over the bits i of j that are set: an affine
// subspace of a field of characteristic 2 over its prime field, of 2^m points for m vectors, which are linearly
// independent. Transforms over it are additive FFTs; they need no roots of unity and no 1/N.
type Affine[E any] struct {
	Basis []E
	Shift E
}

// Len is 2^m, and 0 where that is no int.
func (d Affine[E]) Len() int { return max(0, 1<<len(d.Basis)) }

// Point sets z to point j.
func (d Affine[E]) Point(f Field[E], z *E, j int) {
	f.Set(z, &d.Shift)
	for i := range d.Basis {
		if j>>i&1 == 1 {
			f.Add(z, z, &d.Basis[i])
		}
	}
}
