package field

import "context"

// Convolution is what products of polynomials modulo x^n − 1, or modulo x^n + 1, need of a [Transform], whose methods
// these are: Load both factors, ForwardVec both, MulVec, InverseVec, Store. Every Transform is one, over a domain of
// n-th or of odd 2n-th roots of unity. It is immutable and safe for concurrent use.
type Convolution[E any] interface {
	NewVec() (Vec, error)
	Load(v Vec, a []E) error
	Store(a []E, v Vec) error
	ForwardVec(ctx context.Context, v Vec) error
	InverseVec(ctx context.Context, v Vec) error
	MulVec(z, x, y Vec) error
	Report() Report
}

// Convolver is offered by fields that multiply polynomials without roots of unity of their own, by exact products of
// integers. Products of polynomials, and lengths of transforms with a large prime factor, take it where the field lacks
// the roots for a transform; plans look for it in the Roots of a domain.
type Convolver[E any] interface {
	// Convolution prepares products modulo x^n − 1, or modulo x^n + 1 where negacyclic, for n a power of two. A vector
	// holds one product: between its Load and its Store there is at most one MulVec, and no sums, because its values
	// are residues of integers of a bounded size.
	Convolution(n int, negacyclic bool, s Spec) (Convolution[E], error)
}
