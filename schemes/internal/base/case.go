package base

import (
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/core"
)

// Case is a transform of length N on rows, in place. It is immutable and safe for concurrent use.
type Case interface {
	// Forward maps N rows of width elements from natural order to that of core.CaseOrder: bit-reversed for a power of
	// two, natural for others. Wide to wide, or to the canonical representation. Where w stops it the rows are
	// unspecified.
	Forward(w *core.Watch, v core.View, width int, canonical bool)
	// Inverse is N times its inverse, then the product by the one multiplier of by, which
	// may be nil. Narrow to narrow, or to the canonical representation.
	Inverse(w *core.Watch, v core.View, width int, by field.Table, canonical bool)
	// Passes says what Forward does on rows of width elements, in order.
	Passes(width int) []string
	// Sizes lists the lengths of the base cases that run, outermost first; their product is N.
	Sizes() []int
	// Bytes is the memory of the tables, and Scratch that which one call on rows of width elements takes.
	Bytes() int
	Scratch(width int) int
}

// Cheapest is the order of a case of length n.
func Cheapest(n int) field.Order {
	if n&(n-1) != 0 {
		return field.Natural
	}
	return field.BitReversed
}

// New makes the case of d for problem p: a base case where d.N ≤ p.C.Base, and a split otherwise; by prime factors
// where d.N is no power of two. Of p.D only the roots are used. Cyclic cases of one length share their tables through
// cache, which may be nil.
func New(p *core.Problem, d core.Domain, cache *Tables) (Case, error) {
	if cache == nil {
		cache = new(Tables)
	}
	if d.N&(d.N-1) != 0 {
		return newMixed(p, d, cache)
	}
	if d.N > p.C.Base {
		return newSplit(p, d, cache)
	}
	if c, err := newStraight(p, d); c != nil || err != nil {
		return c, err
	}
	return newLayers(p, d, cache)
}
