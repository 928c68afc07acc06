package base

import (
	"math"
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes/internal/codelet"
	"github.com/galfft/fft/schemes/internal/core"
)

// Case is a transform of length N on rows, in place. It is immutable and safe for concurrent use.
type Case interface {
	// Forward maps N rows of width elements from natural order to that of core.CaseOrder: bit-reversed for a power of two, natural for
	// others. Wide to wide, or to the canonical representation. Where w stops it the rows are unspecified.
	Forward(w *core.Watch, v core.View, width int, canonical bool)
	// Inverse is N times its inverse, then the product by the one multiplier of by, which
	// may be nil. Narrow to narrow, or to the canonical representation.
	Inverse(w *core.Watch, v core.View, width int, by field.Table, canonical bool)
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

// Defaults fills in the base case and the cache of p, and reports whether p is one case: no longer than that, or with nothing to
// split.
//
// A base case is as long as rows that stay in the second-level cache, because layers skip their products by 1
// and then take no more than straight-line code (BenchmarkFallback). Where shifts are the products, it is the longest that they
// serve. A transform that has several workers, or passes that want columns, is split, however short it is.
func Defaults(p *core.Problem) (alone bool) {
	if p.S.Base == 0 {
		p.S.Base = defaultBase(p)
		if p.Tasks > 1 && p.D.N <= p.S.Base {
			p.S.Base = max(2, p.D.N/2)
		}
	}
	if p.S.Cache == 0 {
		p.S.Cache = defaultCache(p)
	}
	c := core.Columns(p.T, p.D.N)
	if c > 1 {
		p.S.Base = min(p.S.Base, p.D.N/c)
	}
	return p.D.N <= p.S.Base || firstFactor(p.D.N, p.S.Base, c) == 1
}

func defaultBase(p *core.Problem) int {
	if k := bits.TrailingZeros64(p.T.ShiftOrder); k > 1 && k < 64 {
		most := math.MaxInt
		if p.T.Single {
			most = codelet.Most
		}
		return min(1<<min(k, bits.UintSize-2), most)
	}
	const cache = 1 << 18 // bytes
	n := 1 << 6
	for p.F.Bytes(2*n) <= cache && n < cache {
		n *= 2
	}
	return n
}

// defaultCache is the number of elements that depth-first layers take to fit in the first-level cache.
func defaultCache(p *core.Problem) int {
	if p.T.ShiftOrder > 0 {
		return math.MaxInt // base cases are short, and their passes choose their own way
	}
	const cache = 1 << 15 // bytes
	return max(64, cache*field.Lanes/max(1, p.F.Bytes(field.Lanes)))
}

// New makes the case of d for problem p: a base case where d.N ≤ p.S.Base, and a split otherwise; by prime factors where d.N is no
// power of two. p.S.Base and p.S.Cache are set; of p.D only the roots are used. Cyclic cases of one length share their tables through cache, which may
// be nil.
func New(p *core.Problem, d core.Domain, cache *Tables) (Case, error) {
	if cache == nil {
		cache = new(Tables)
	}
	if d.N&(d.N-1) != 0 {
		return newMixed(p, d, cache)
	}
	if d.N > p.S.Base {
		return newSplit(p, d, cache)
	}
	if c, err := newStraight(p, d); c != nil || err != nil {
		return c, err
	}
	return newLayers(p, d, cache)
}
