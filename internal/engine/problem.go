package engine

import (
	"errors"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/engine/choice"
)

// Problem is what a scheme is built for: a field in working form, a domain, the parameters that were asked for, and
// what was chosen.
type Problem struct {
	F bulks.Bulk
	T bulks.Traits // of F
	D Domain
	S field.Spec
	C choice.Choice
	M *Making
	// Batched says that the transform is one of several in a call.
	Batched bool
	Ignored string // tuned values that were not taken, and why
}

// Spread is a rank's place in a group, which makes the scheme of the rank in place of the builder: a scheme whose
// vectors are the N/Size elements of its part.
type Spread interface {
	Size() int // of the group
	Build(p *Problem) (Scheme, error)
}

// part is the elements of a vector: N, or those of a rank.
func (p *Problem) part() int { return part(p.D.N, p.S) }

func part(n int, s field.Spec) int {
	if of, ok := s.Spread.(Spread); ok {
		return n / max(1, of.Size())
	}
	return n
}

// Domain is the N points of a transform as schemes see them. All kinds have what Points has, a Heap, a Cheapest order
// and a Gain. Splits and prime lengths, which stand on powers, ask for Exponents, and conversions for a Subspace.
type Domain struct {
	N int
	Points
	Cyclic   // whose Exponents are nil for other kinds
	Subspace // of an affine domain; nil for other kinds
}

// Cyclic is points that are named by exponents: point j is s^Shift·w^Turn·(w^Root)^j, for the root w and the shift s of
// Exponents. Only domains of [Domain.Block] and [Split.Coset] have a Turn, and they have a Heap alone.
type Cyclic struct {
	Root, Shift, Turn int64
	Exponents
}

// Shifted reports whether the shift, and the turn, are not 1.
func (d Cyclic) Shifted() bool {
	return (d.Shift != 0 || d.Turn != 0) && !d.IsOne(Factor{Root: d.Turn, Shift: d.Shift})
}

// Inverse is the domain of inverse root and inverse shift.
func (d Domain) Inverse() Domain {
	d.Root, d.Shift, d.Turn = -d.Root, -d.Shift, -d.Turn
	return d
}

// Factor names the element w^Root·s^Shift/Over, for the root w and the shift s of the points that it is asked of; Over
// 0 counts as 1. Exponents may be negative.
type Factor struct {
	Root, Shift int64
	Over        int
}

// Points is what the points of every kind have that depends on the type of elements. Schemes know no more of elements.
type Points interface {
	// Check finds what makes a domain none: a root of the wrong order, a shift of 0, a basis that is dependent, values
	// that are no elements.
	Check() error
	// Host is element methods over views of canonical elements.
	Host() bulks.Bulk
	// Type is the type of the field in words.
	Type() string
}

// Exponents is the root and the shift of a cyclic domain.
type Exponents interface {
	// Factors returns a vector of so many elements in working form, and Elements as elements.
	Factors(list ...Factor) (View, error)
	Elements(list ...Factor) (View, error)
	// IsOne reports whether a factor is 1.
	IsOne(f Factor) bool
	// Roots returns the domain of the n-th roots of unity, or ErrNoRoot.
	Roots(n int) (Domain, error)
	// Convolves reports whether the field has convolutions of its own, and Convolution returns that of length n.
	Convolves() bool
	Convolution(n int, s field.Spec) (Convolution, error)
	// Codelet returns the straight-line code for the points of d, for a bulk that is Single.
	Codelet(d Domain) (Codelet, error)
	// Sum sets element j of z to Σᵢ x[i]·w[ij mod n], for views of n canonical elements. It computes in t, of one.
	Sum(z, x, w View, j int, t View)
}

// View is bulks.View.
type View = bulks.View

// Subspace is the basis b_0 … b_(m−1) and the shift of an affine domain. With W_0 = x, c_k = W_k(b_k) and
// W_(k+1) = (W_k/c_k)² + W_k/c_k, which is 0 on the span of the first k+1 vectors, layers take coefficients for
// the basis of polynomials X_i, the products of W_k/c_k over the bits k of i that are set (S.-J. Lin, W.-H. Chung,
// Y. S. Han, FOCS 2014, where no W_k is divided).
type Subspace interface {
	// Tree returns the multipliers of all layers, canonical: see Domain.Heap.
	Tree() (View, error)
	// Generators returns what they are sums of, canonical, for a bulks.Spanner.
	Generators() (View, error)
	// Powers returns the powers 0 … n − 1 of c_k^(2^squares) or of its inverse, canonical, and whether c_k is 1.
	Powers(k, squares, n int, inverse bool) (v View, one bool, err error)
	// Blocks cuts the tree below its first k layers, 0 < k < m: top has these, and block those of block b of the 2^k
	// that they leave, whose points stand from b·2^(m − k) on. Transforms of the columns of 2^k rows over top, and of
	// each row over its block, are the whole.
	Blocks(k, b int) (top, block Domain, err error)
}

// Convolution is a field.Convolution that takes elements as views.
type Convolution interface {
	NewVec() (field.Vec, error)
	Report() field.Report
	// Reverses reports whether one factor serves two parts, the second of which begins at coefficient first.
	Reverses(first int) bool
	// NewRoom returns what Parts needs for so many parts by so many factors.
	NewRoom(share, parts, factors int) (*ConvolutionRoom, error)
	// Parts replaces x by parts of its products by each of the vectors h: the first coefficients, each time share of
	// them, or as many as x has left. Where one h serves two parts, the second is coefficients share and on of the
	// product by its reverse, whose coefficient k is coefficient −k of h.
	Parts(w *Watch, x View, share int, h []field.Vec, r *ConvolutionRoom) error
	// Fixed loads x into h, which is then a factor for Parts.
	Fixed(w *Watch, h field.Vec, x View) error
}

// ConvolutionRoom is vectors for the values of x, and for a product, which the last part has in X: Y is nil for one
// part. Last is the coefficients of X for the second of two parts by one factor, else nil.
type ConvolutionRoom struct{ X, Y, Last field.Vec }

// Codelet is straight-line code for transforms of the columns of N rows, natural to bit-reversed order, and back; over
// a coset without its shift.
type Codelet interface {
	Columns(v View, width int, inverse bool)
	Bytes() int
}

// HasHalf reports whether 2 has an inverse.
func HasHalf(p Exponents) (bool, error) {
	_, err := p.Factors(Factor{Over: 2})
	if errors.Is(err, field.ErrNotInvertible) {
		return false, nil
	}
	return err == nil, err
}
