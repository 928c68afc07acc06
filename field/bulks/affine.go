package bulks

// Spanner is offered by a Bulk for affine domains with kernels for what lies around passes, as those of package
// field/binary: no other has such domains. Its tables of all layers take no more than the constants from which the
// multipliers come, so that transforms make no list of as many multipliers as they have points. It folds vectors, which
// without it takes copies and passes. Its vectors of n elements take the memory of n canonical ones: transforms whose N
// is a multiple of Tile work in the slices of the caller, and need no vector beside them.
type Spanner interface {
	Bulk
	// Span returns a table for so many layers. The multiplier of block b of layer l, at place 2^l + b, is the sum of
	// element l(l+1)/2 of g and of those j + 1 places behind it, for the bits j < l of b that are set. g is canonical
	// values in working form, which the table does not keep. Passes are those of the table of all multipliers, and
	// Scale is not asked for.
	Span(g View, layers int) (Table, error)
	// Fold does folds, one after the other, to the runs that make up v, whose elements are rows of width elements here.
	// Back, it undoes them, the last one first.
	Fold(v View, list []Fold, width int, back bool)
	// FoldPart does what the fold of v, which is one run of v.N, by shift adds to the elements from to to of the first
	// half; where from is 0 what it adds to the second half is before that, and, back, where to is v.N/2, behind it.
	// Parts of at least twice the shift and twice Tile touch nothing that another one writes, but that, back, the first
	// one has to be over before the last one begins.
	FoldPart(v View, shift, from, to int, back bool)
	// Overlay returns the vector in the memory of the canonical elements a, whose number is a multiple of Tile. Pack
	// and Unpack take it together with a. It is asked for where the bulk is not InPlace.
	Overlay(a View) View
	// Tile is how many elements lie together.
	Tile() int
	// Swap copies the rows of v to z, as c says, which has neither orders nor sums, and rows of x, which lie as those
	// of z do, to those of v. No two of the three have an element in common. It reports false, and does nothing, where
	// two copies serve as well.
	Swap(v, z, x View, c Copy) bool
	// Scales is how many elements ScaleFold takes a multiple of; 0: it serves no rows.
	Scales() int
	// ScaleFold multiplies rows of v, each by one multiplier of t, which Table has made, and then does two folds of
	// rows: of all of them by a quarter, and of both halves by a quarter of each. Results are rows of z, which are
	// those of v or apart from them. Back, it undoes the folds first, and multiplies what is left.
	ScaleFold(t Table, z, v View, r Scaled, back bool)
}

// Fold is a sum inside runs of Run elements: for j from Run/2 − 1 down to 0, element Run/2 + j is added to element
// j + Shift. Both are powers of two, and Shift is at most Run/4. Where a run is a polynomial, whose coefficients are
// its elements, this is the division by a power of x^n + x whose degree is Run/2, n > 1: the halves become remainder
// and quotient.
type Fold struct{ Run, Shift int }

// Scaled is the rows of ScaleFold, a multiple of eight, of Width elements that begin From elements apart in v and To in
// z, all multiples of what Scales says. Row i is multiplied by element i of the table, and, Twice, those of the second
// half as those of the first.
type Scaled struct {
	Rows, Width, From, To int
	Twice                 bool
}
