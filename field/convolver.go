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

// Products says how products of polynomials are made.
type Products uint8

const (
	// AutoProducts takes transforms over the field where it has the roots of unity for them, unless it is a
	// Convolver and says that its convolutions cost less; and these where it has not.
	AutoProducts   Products = iota
	NativeProducts          // transforms over the field
	CRTProducts             // the convolutions of a Convolver
)

var productsNames = []string{"auto", "native", "crt"}

// String returns auto, native or crt.
func (p Products) String() string { return nameOf(productsNames, int(p)) }

// ParseProducts is the inverse of String.
func ParseProducts(s string) (Products, error) {
	return parseName[Products]("products", productsNames, s)
}

// Convolver is offered by fields that multiply polynomials without roots of unity of their own, by exact products of
// integers. Products of polynomials, and lengths of transforms with a large prime factor, take it where the field lacks
// the roots for a transform; plans look for it in the Roots of a domain.
type Convolver[E any] interface {
	// Convolution prepares products modulo x^n − 1, or modulo x^n + 1 where negacyclic, for n a power of two. A vector
	// holds one product: between its Load and its Store there is at most one MulVec, and no sums, because its values
	// are residues of integers of a bounded size.
	Convolution(n int, negacyclic bool, s Spec) (Convolution[E], error)
	// ConvolutionCost returns about how many times the time of products by transforms over the field, of length n, its
	// convolutions take, wherever the field has the roots for those. It measures nothing: the same n gives the same
	// number.
	ConvolutionCost(n int) float64
}

// Multiplier is offered by a Convolution that makes a product in fewer passes over memory than its other methods, one
// after the other, take.
type Multiplier[E any] interface {
	// Multiply sets dst to the coefficients from, from + 1, … of a·b modulo x^n − 1, or modulo x^n + 1, by way of the
	// vectors x and y, which are not one. a and b have at most n coefficients, and dst ends before coefficient n. dst
	// may share memory with a and b.
	//
	// y then has the values of b. Where b is empty, y has those of the second factor, and keeps them. Where a and b are
	// one slice, y is not used and may be nil.
	Multiply(ctx context.Context, dst []E, from int, a, b []E, x, y Vec) error
}
