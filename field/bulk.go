package field

// Bulk is the arithmetic of whole vectors in the field's own working form: a slice, tiles of digits, the memory of a
// device. Nothing in it depends on the type of elements, so that transforms are compiled once for all fields.
//
// Vectors are passed as views. A view that Make returned, or a part of one, is in the working form; one of [ViewOf] is
// of canonical elements.
//
// Values behind a view are *wide* (anything that the field's passes leave, such as [0, 4p)) or *narrow* (a range inside
// it, such as [0, 2p), in which canonical values are). Each method says what it accepts and leaves; a field without
// lazy reduction has one range. A forward transform has wide values until its end; an inverse has narrow ones, and a
// vector that a forward transform left is reduced before it, unless a product comes in between.
//
// Methods are safe for concurrent use on disjoint vectors, allocate nothing but in Make and Table, and may assume
// checked arguments: lengths, overlap, contexts and elements are checked once for each call of a transform, before its
// first pass.
type Bulk interface {
	// Traits describes the working form and its passes. It is the same at each call.
	Traits() Traits
	// Make returns a vector of n zeros, or an error, which the call that needed it returns. Bytes is the memory that it
	// takes.
	Make(n int) (View, error)
	Bytes(n int) int
	// Pack sets v to the canonical elements a, leaving narrow values. Unpack sets a to the canonical form of wide
	// values. v and a have one length, may be one view where the bulk works in place, and do not overlap otherwise.
	Pack(v, a View)
	Unpack(a, v View)
	// Reduce replaces wide values by the canonical representation, which is narrow.
	Reduce(v View)
	// VecMul sets z to the products of x and y, all of one length; z may be x or y. Wide to narrow.
	VecMul(z, x, y View)
	// Copy moves a block of elements; dst and src do not overlap. The range stays.
	Copy(dst, src View, c Copy)
	// Reorder applies share part of parts of the bit-reversal permutation to v, whose length is a power of two: all
	// shares together, in any order or at once, apply it all. The range stays.
	Reorder(v View, part, parts int)
	// Table makes multipliers of the canonical values w in working form, which it does not keep. The layout is the
	// field's secret.
	Table(w View) (Table, error)
}

// Waiter is offered by a Bulk whose operations run on after they return, or fail, as those of a device do. Operations
// on one vector run in the order of their calls. Pack and Unpack are over with the canonical elements when they return.
type Waiter interface {
	// Wait returns when all operations on v are over, with the first error of one. It ends every call of a transform.
	Wait(v View) error
}

// Releaser is offered by a Bulk whose memory is scarcer than the host's, so that it does not wait for the garbage
// collector.
type Releaser interface {
	// Release frees a vector that Make returned.
	Release(v View) error
	// Rest says that v is kept for later calls and that nobody needs its values: where memory is short, it is freed.
	Rest(v View)
	// Wake ends the rest of v. It is false where v was freed.
	Wake(v View) bool
}

// TableMaker is offered by a Bulk whose tables are made in parts, so that workers share the making of long ones.
type TableMaker interface {
	// NewTable returns a table of n multipliers that are not yet set. fill sets those from off on to the canonical
	// values w, which it does not keep; calls for disjoint parts may run at once, and allocate nothing. Once all are
	// set it is as the table that Table makes of them.
	NewTable(n int) (t Table, fill func(off int, w View), err error)
}

// Traits describes a bulk, for the function that chooses how to transform: all choices follow from it, the length and
// the Spec.
type Traits struct {
	// InPlace says that a view of canonical elements is a vector: its values are narrow, transforms work on the slices
	// of the caller, and Reduce makes those that passes leave canonical again. Without it, transforms start with Pack
	// and end with Unpack.
	InPlace bool
	// Canonical says of such a bulk that views of canonical elements stay canonical, whatever passes and copies write
	// to them, so that Reduce has nothing to do.
	Canonical bool
	// Affine says that the butterflies of passes are those of affine domains: see [Table].
	Affine bool
	// Single says that passes take elements one by one, by methods of theirs, where each product saved counts.
	Single bool
	// MaxLayers is that of tables that are HighRadix, and 0 or 1 for others.
	MaxLayers int
	// Columns, a power of two, says that passes are fast where width, stride and places of rows, and the lengths of
	// vectors, are multiples of it; 0 and 1 say nothing. Transforms then take columns side by side, if they have so
	// many.
	Columns int
	// ShiftOrder is the order of the root of unity by whose powers passes multiply at the cost of an addition; 0: none.
	ShiftOrder uint64
	// Multiplier is the bytes of a multiplier in a table, where that is more than twice an element and four; else 0.
	Multiplier int
	// Butterfly is about the time that a sum, a difference and a product take, in nanoseconds. Work is shared among
	// tasks by it.
	Butterfly float64
	// Chunk, a multiple of 512, is how many elements Pack and Unpack are to move at a time at least, where each call is
	// dear; less is left to the transforms.
	Chunk int
	// Form is the working form and its arithmetic in words, for reports.
	Form string
}

// Table is a vector of multipliers w, most of the time twiddle factors, in a form that the field chose, with the passes
// that use them, so that nobody else must know the form. It may also implement HighRadix, Final, Tail, FinalTail,
// LongTail and Odd, or Elementwise.
type Table interface {
	// Radix2 maps the rows (a, b) to (a + wb, a − wb): one layer of decimation in time. Wide to wide. In a bulk for
	// affine domains, of a field of characteristic 2, it maps them to (a + wb, a + (w+1)b).
	Radix2(v View, l Layer)
	// Radix2T is its transpose: (a, b) to (a + b, (a − b)w), one layer of decimation in frequency. Narrow
	// to narrow. In a bulk for affine domains it undoes Radix2: (a, b) to (a + w(a+b), a + b).
	Radix2T(v View, l Layer)
	// Scale multiplies row i, the width elements at i·stride, by w[off+i], for i < rows. Wide to narrow.
	Scale(v View, off, rows, width, stride int)
	// Bytes is the memory that the table takes.
	Bytes() int
}

// HighRadix does 2 ≤ layers ≤ MaxLayers layers in one pass, of radix 2^layers: block b, of 2^layers·Half rows, uses
// w[Off+b] for the first, w[2(Off+b)] and w[2(Off+b)+1] for the second, and so on. LayersT is its transpose. Results
// and ranges are those of as many calls of Radix2 (of Radix2T).
type HighRadix interface {
	MaxLayers() int
	Layers(v View, l Layer, layers int)
	LayersT(v View, l Layer, layers int)
}

// Final is offered by tables that can end an inverse transform in its last pass: LayersT (of 1 layer too), then the
// product by the one multiplier of by, a table of the same field, such as 1/n. Narrow to the canonical representation.
type Final interface {
	Final(v View, l Layer, layers int, by Table)
}

// Tail does the last layers of a transform, where rows are too short for the other passes: every layer inside each
// of b's blocks. TailT is its transpose. Ranges are those of Radix2 (of Radix2T), but with canonical Tail leaves
// the canonical representation.
type Tail interface {
	// TailSize is the size of blocks in transforms of rows rows: a power of two from 2 to rows, or 1 for none.
	TailSize(rows int) int
	Tail(v View, b Blocks, canonical bool)
	TailT(v View, b Blocks)
}

// FinalTail is offered by tables with a Tail that can end an inverse transform which is that tail alone: TailT, then
// the product by the one multiplier of by, as Final does. Narrow to the canonical representation.
type FinalTail interface {
	FinalTail(v View, b Blocks, by Table)
}

// LongTail is offered by tables with a Tail that has passes of its own, which does not stand where somebody asks for a
// radix.
type LongTail interface {
	// TailLayers returns the layers of the first pass of a tail of size rows; 0: it has none.
	TailLayers(size int) int
}

// Odd does DFT_n of odd lengths n = 2h + 1 in one pass. With u_j = x_j + x_(n−j) and v_j = x_j − x_(n−j) of the rows x,
// 0 < j ≤ h, row 0 becomes x_0 + Σ u_j, and rows k and n − k the sum and the difference of x_0 + Σ c_jk·u_j and
// Σ s_jk·v_j, 0 < k ≤ h. Behind multiplier 0 of the table, which it does not use, there are c_1k … c_hk and s_1k … s_hk
// for each k in turn. Wide to wide.
type Odd interface {
	// OddScratch is how many elements Odd takes beside the rows, and 0 where it does not do DFT_n.
	OddScratch(n int) int
	// Odd works on n rows of width elements, stride apart, with scratch of as many elements as OddScratch tells.
	Odd(v View, n, width, stride int, scratch View)
}

// Blocks are Count contiguous blocks of Size elements. Block i stands at place o = Off+i among all blocks of that size,
// so that its first layer uses w[o], the next w[2o] and w[2o+1], and so on. With Same every block stands at Off:
// they belong to transforms of their own.
type Blocks struct {
	Off, Size, Count int
	Same             bool
}

// Elementwise is implemented by tables of vectors that are plain slices of canonical elements. Base cases then work on
// the elements one by one, where each product saved counts, and short ones are straight-line code.
type Elementwise[E any] interface {
	Elements() (f Field[E], w []E)
}

// Layer describes one pass over rows of a vector. Row r is the Width elements at r·Stride; block b is the
// 2·Half rows from 2·Half·b on; its row j < Half meets row j+Half, with the multiplier w[Off+b]:
//
//	block b ┌ row 0          ▒▒▒▒ ─┐
//	        │ row 1          ▒▒▒▒ ─┼─┐      Radix2   (a, b) → (a + wb, a − wb)
//	        │ row Half       ▒▒▒▒ ─┘ │      Radix2T  (a, b) → (a + b, (a − b)w)
//	        └ row Half + 1   ▒▒▒▒ ───┘
//	block b+1 …
//	          ├──┤ Width
//	          ├──────── Stride ────────┤
//
// Rows of a plain vector touch, so that Width = Stride; in a strip of columns they do not.
type Layer struct{ Off, Blocks, Half, Width, Stride int }

// NewLayer folds rows that touch into one long row, so that the inner loop runs over Width.
func NewLayer(off, blocks, half, width, stride int) Layer {
	if width == stride {
		return Layer{off, blocks, 1, half * width, half * width}
	}
	return Layer{off, blocks, half, width, stride}
}

// Contiguous reports whether rows touch; a block is then two runs of h elements. A kernel for rows that touch must ask
// it: Half = 1 does not mean that they do.
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

// Lanes is how many elements a tile has, where a working form puts elements side by side digit by digit.
const Lanes = 8
