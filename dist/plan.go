package dist

import (
	"context"
	"io"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/erased"
)

// Plan is a rank's part of a transform that is spread over a group, in both directions. All ranks make the same calls,
// in the same order, those on one group one at a time; NewVec, Load, Store, MulVec, and what only tells something, are
// a rank's own affair.
//
// Slices have Size elements, the rank's part: Coefficients and Values say which. Beside that, operands are as those of
// fft.Plan. A call has one error, which all ranks return: the worst of theirs. What a rank finds wrong with its
// operands, or has no memory for, all know before anyone writes to a destination. After other errors, of a context or
// of a rank that is not there, destinations are unspecified, as after a context that ends; before the first exchange
// nothing has left a rank. Ranks that share memory may read and write the vectors of each other's calls, but only until
// such a call has returned.
//
// Plans come from NewPlan alone: nil and the zero Plan are none. What returns an error returns ErrSpec for them, and
// the rest zero values.
type Plan[E any] struct{ v *views }

// NewPlan plans transforms of length n over f, as fft.NewPlan does, for the ranks of g, all of which call it. What the
// ranks ask for, but for workers and memory, must be the same. The length is a power of two, at least Size², and Size a
// power of two. Batches are dealt out: a rank has its share of Count ≥ Size whole transforms, of any length and on
// groups of any size, which need no exchange.
//
// Over an affine domain values are in natural order; the matrix has Size rows, or more on devices, so that a rank has
// rows of values, which are contiguous. Coefficients for [field.LCH] take the one exchange. The change from powers of x
// takes two more for long vectors, up to two for each bit of N for short ones, and one of N points for N = Size².
// Coefficients(rank) says which coefficients a rank has: they are spread more finely than those for LCH.
//
// Errors are those of fft.NewPlan, the same on all ranks; ErrLength for other lengths; ErrSpec for other sizes, and
// over affine domains for bit-reversed order, and for monomial coefficients on devices; ErrDisagree; and ErrRank.
func NewPlan[E any](ctx context.Context, g Group, f field.Field[E], n int, b Blocks, opts ...fft.Option) (*Plan[E],
	error) {
	v, err := NewErased(ctx, g, erased.Of(f), n, b, opts...)
	if v == nil {
		return nil, err
	}
	return &Plan[E]{v}, err
}

// views is what p does, compiled once for all elements; nil is no plan.
func (p *Plan[E]) views() *views {
	if p == nil {
		return nil
	}
	return p.v
}

// Len is the length N of one transform.
func (p *Plan[E]) Len() int { return p.views().Len() }

// Size is the length of the slices of this rank.
func (p *Plan[E]) Size() int { return p.views().Size() }

// Coefficients is the part of the polynomial that a rank has: of the input of Forward and the output of Inverse. Of a
// batch it is the rank's share, with the gaps between its transforms; by columns its own slices have none.
func (p *Plan[E]) Coefficients(rank int) Part { return p.views().Coefficients(rank) }

// Values is the part of the values that a rank has, of the whole in the plan's order: of the output of Forward and the
// input of Inverse.
func (p *Plan[E]) Values(rank int) Part { return p.views().Values(rank) }

// Forward sets dst to this rank's part of the values of the polynomial of which src is its part. dst may be src.
func (p *Plan[E]) Forward(ctx context.Context, dst, src []E) error {
	return p.views().Forward(ctx, bulks.ViewOf(dst), bulks.ViewOf(src))
}

// Inverse undoes Forward.
func (p *Plan[E]) Inverse(ctx context.Context, dst, src []E) error {
	return p.views().Inverse(ctx, bulks.ViewOf(dst), bulks.ViewOf(src))
}

// NewVec makes a vector in working form, zero, of this rank's part.
func (p *Plan[E]) NewVec() (field.Vec, error) { return p.views().NewVec() }

// Load sets the first elements of v to a, coefficients or values of this rank's part, and all others to 0.
func (p *Plan[E]) Load(v field.Vec, a []E) error { return p.views().Load(v, bulks.ViewOf(a)) }

// Store sets a to the first elements of v.
func (p *Plan[E]) Store(a []E, v field.Vec) error { return p.views().Store(bulks.ViewOf(a), v) }

// ForwardVec transforms v in place. Values are by rows, which are contiguous: in bit-reversed order, and over an affine
// domain in natural order.
func (p *Plan[E]) ForwardVec(ctx context.Context, v field.Vec) error {
	return p.views().ForwardVec(ctx, v)
}

// InverseVec undoes ForwardVec.
func (p *Plan[E]) InverseVec(ctx context.Context, v field.Vec) error {
	return p.views().InverseVec(ctx, v)
}

// MulVec sets z to the products of the elements of x and y; z may be x or y. It is this rank's own affair: between
// ForwardVec and InverseVec of all ranks it is the product of polynomials modulo the one that vanishes on the domain.
func (p *Plan[E]) MulVec(z, x, y field.Vec) error { return p.views().MulVec(z, x, y) }

// Report says what was chosen for this rank: vectors, tables and scratch are its own.
func (p *Plan[E]) Report() field.Report { return p.views().Report() }

// Explain writes what was chosen, for people. A nil w is ErrSpec.
func (p *Plan[E]) Explain(w io.Writer) error { return p.views().Explain(w) }

// Cut sets dst to a part of a whole vector, and Paste sets that part of the whole to src. Slices are of the lengths
// that the part says; the whole may be longer. They do not overlap.
func (p *Plan[E]) Cut(dst, whole []E, part Part) error {
	return p.views().Cut(bulks.ViewOf(dst), bulks.ViewOf(whole), part)
}

// Paste is the reverse of Cut.
func (p *Plan[E]) Paste(whole, src []E, part Part) error {
	return p.views().Paste(bulks.ViewOf(whole), bulks.ViewOf(src), part)
}

// Read sets dst to a part of a whole vector that r has from offset on, as the field's Codec encodes elements, one after
// the other. All ranks may read one file so, each its own part. The errors are those of r and of the Codec; after one
// dst is unspecified. A field without a Codec is ErrSpec.
func (p *Plan[E]) Read(dst []E, r io.ReaderAt, offset int64, part Part) error {
	return p.views().Read(bulks.ViewOf(dst), r, offset, part)
}
