package field

// Bulk is the arithmetic of whole vectors in the field's own working form.
//
// V is the handle of a vector: the slice itself, planes of limbs, device memory. A handle is cheap to copy,
// several handles may share memory, and only the field reads behind it.
//
// Values behind a V are *wide* (anything that the field's passes leave, such as [0, 4p)) or *narrow* (a
// range inside it, such as [0, 2p)). Each method says what it accepts and leaves; a field without lazy
// reduction has one range. Methods are safe for concurrent use on disjoint vectors, allocate nothing but
// in Make and Table, and may assume checked arguments.
//
// A Bulk that is itself a [Shifter] has passes that take powers of its root for shifts.
type Bulk[E, V any] interface {
	Working[E, V]

	// Copy moves a block of elements; dst and src do not overlap. The range stays.
	Copy(dst, src V, c Copy)
	// Reorder applies share part of parts of the bit-reversal permutation to v, whose length n is a power of two: all
	// shares together, in any order or at once, apply it all. The range stays.
	Reorder(v V, n, part, parts int)
	// Table makes multipliers of w, which it does not keep. The layout is the field's secret.
	Table(w []E) (Table[V], error)
}

// Working is the part of a Bulk that passes vectors of elements E to a scheme and takes them back.
type Working[E, V any] interface {
	Field[E]

	// Make returns a vector of n zeros. VecBytes is the memory that it takes.
	Make(n int) V
	VecBytes(n int) int
	// Slice returns elements i to j−1 of v as a view.
	Slice(v V, i, j int) V
	// Alias returns a itself as a vector where the working form is the slice, and ok = false elsewhere.
	// Canonical elements are then narrow values, and Reduce makes values canonical in place.
	Alias(a []E) (v V, ok bool)
	// Pack sets v to the canonical elements a, leaving narrow values. Unpack sets a to the canonical form
	// of wide values. v and a may be aliases of one slice and do not overlap otherwise.
	Pack(v V, a []E)
	Unpack(a []E, v V)
	// Reduce replaces wide values by the canonical representation, which is narrow.
	Reduce(v V)
	// VecMul sets z to the products of x and y, of n elements each; z may be x or y. Wide to narrow.
	VecMul(z, x, y V, n int)
}

// Columnar is offered by a Bulk that is fast on columns side by side: where width, stride and places of rows, and the lengths of
// vectors, are multiples of Columns, a power of two. Schemes then take columns of rows, if they have so many.
type Columnar interface{ Columns() int }

// Table is a vector of multipliers w in a form that the field chose, with the passes that use them. It may
// also implement HighRadix, Final and Tail, or Elementwise.
type Table[V any] interface {
	// Radix2 maps the rows (a, b) to (a + wb, a − wb): one layer of decimation in time. Wide to wide.
	Radix2(v V, l Layer)
	// Radix2T is its transpose: (a, b) to (a + b, (a − b)w), one layer of decimation in frequency. Narrow
	// to narrow.
	Radix2T(v V, l Layer)
	// Scale multiplies row i, the width elements at i·stride, by w[off+i], for i < rows. Wide to narrow.
	Scale(v V, off, rows, width, stride int)
	// Bytes is the memory that the table takes.
	Bytes() int
}

// HighRadix does 2 ≤ layers ≤ MaxLayers layers in one pass, of radix 2^layers: block b, of 2^layers·Half rows, uses w[Off+b]
// for the first, w[2(Off+b)] and w[2(Off+b)+1] for the second, and so on. LayersT is its transpose. Results and
// ranges are those of as many calls of Radix2 (of Radix2T).
type HighRadix[V any] interface {
	MaxLayers() int
	Layers(v V, l Layer, layers int)
	LayersT(v V, l Layer, layers int)
}

// Final is offered by tables that can end an inverse transform in its last pass: LayersT (of 1 layer too), then the product
// by the one multiplier of by, a table of the same field, which leaves the canonical representation.
type Final[V any] interface {
	Final(v V, l Layer, layers int, by Table[V])
}

// Tail does the last layers of a transform, where rows are too short for the other passes: every layer inside each
// of b's blocks. TailT is its transpose. Ranges are those of Radix2 (of Radix2T), but with canonical Tail leaves
// the canonical representation.
type Tail[V any] interface {
	// TailSize is the size of blocks in transforms of rows rows: a power of two from 2 to rows, or 1 for none.
	TailSize(rows int) int
	Tail(v V, b Blocks, canonical bool)
	TailT(v V, b Blocks)
}

// Blocks are Count contiguous blocks of Size elements. Block i stands at place o = Off+i among all blocks of that size,
// so that its first layer uses w[o], the next w[2o] and w[2o+1], and so on. With Same every block stands at Off:
// they belong to transforms of their own.
type Blocks struct {
	Off, Size, Count int
	Same             bool
}

// Elementwise is implemented by tables of vectors that are plain slices of canonical elements. Base cases
// then work on the elements one by one, where each product saved counts.
type Elementwise[E any] interface {
	Elements() (f Field[E], w []E)
}

// Layer describes one pass over rows of a vector. Row r is the Width elements at r·Stride; block b is the
// 2·Half rows from 2·Half·b on; its row j < Half meets row j+Half, with the multiplier w[Off+b].
type Layer struct{ Off, Blocks, Half, Width, Stride int }

// NewLayer folds rows that touch into one long row, so that the inner loop runs over Width.
func NewLayer(off, blocks, half, width, stride int) Layer {
	if width == stride {
		return Layer{off, blocks, 1, half * width, half * width}
	}
	return Layer{off, blocks, half, width, stride}
}

// Contiguous reports whether rows touch; a block is then two runs of h elements.
func (l Layer) Contiguous() (h int, ok bool) { return l.Half * l.Width, l.Width == l.Stride }

// Copy describes a move of Rows × Width elements: element j of row i of the destination, at i·Dst + j, comes
// from row P(i) and column Q(j) of the source, at P(i)·Src + Q(j), or at Q(j)·Src + P(i) with Transpose. P is
// RowPerm and Q is ColPerm; nil means the identity. With Transpose, RowPerm is its own inverse. From panics for a nil
// Copy.
type Copy struct {
	Rows, Width, Dst, Src int
	Transpose             bool
	RowPerm, ColPerm      []int32
}

// From returns the index in the source of element j of row i of the destination.
func (c *Copy) From(i, j int) int {
	if c.RowPerm != nil {
		i = int(c.RowPerm[i])
	}
	if c.ColPerm != nil {
		j = int(c.ColPerm[j])
	}
	if c.Transpose {
		i, j = j, i
	}
	return i*c.Src + j
}
