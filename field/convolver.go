package field

// Convolver is offered by fields that multiply polynomials without roots of unity of their own, by exact products of
// integers. It serves lengths with a large prime factor where the field has no roots for Bluestein's algorithm; plans look for it
// in the Roots of a domain.
type Convolver[E any] interface {
	// NewConvolution prepares cyclic convolutions of length n = len(h), a power of two, by h, which it does not keep.
	NewConvolution(h []E) (Convolution[E], error)
}

// Convolution is a convolution by a fixed operand h. It is immutable and safe for concurrent use; calls allocate nothing once
// warm.
type Convolution[E any] interface {
	// Convolve sets z[k] to Σ x[i]·h[j] over i + j ≡ k modulo n. All are canonical and of length n; z may be x.
	Convolve(z, x []E)
	// Bytes is the memory that it takes, with that of one call.
	Bytes() int
}
