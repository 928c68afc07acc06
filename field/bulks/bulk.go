package bulks

import "context"

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
	// Memory returns the bytes of v, which begins and ends at multiples of Lanes, and of Tile for a Spanner, of the
	// vector that Make returned. ok says that vectors are memory of the host that means the same in another process:
	// bytes without pointers.
	Memory(v View) (b []byte, ok bool)
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
	// Reorder applies share part of parts of the bit-reversal permutation to the rows of width elements that make up v,
	// a power of two of them: all shares together, in any order or at once, apply it all. The range stays. The width is
	// 1, or at most Traits.Rows.
	Reorder(v View, width, part, parts int)
	// Table makes multipliers of the canonical values w in working form, which it does not keep. The layout is the
	// field's secret. What takes long it may leave to share, in parts.
	Table(w View, share Share) (Table, error)
}

// Share calls do for parts that make up 0 … n−1, from from to to−1 each, and returns when all calls are over. Several
// may run at once; they allocate nothing. It leaves parts out where whoever asked for a table has no more use for it.
type Share func(n int, do func(from, to int))

// Alone is the Share of whoever has no workers: one part.
func Alone(n int, do func(from, to int)) { do(0, n) }

// Device is offered by a Bulk whose vectors are in the memory of a device: operations run on after they return, or
// fail, and memory is scarce. Operations on one vector run in the order of their calls. Pack and Unpack are over with
// the canonical elements when they return, and move any part of a vector as cheaply as a whole tile.
type Device interface {
	// Wait returns when all operations on v are over, with the first error of one; operations on other vectors it does
	// not wait for. It ends every call of a transform. Where ctx ends before, operations run on, and the error wraps
	// that of ctx: what they use stays theirs, and whatever is done with v later, Release too, comes after them.
	Wait(ctx context.Context, v View) error
	// Release frees a vector that Make returned, which otherwise waits for the garbage collector.
	Release(v View) error
	// Rest says that v is kept for later calls and that nobody needs its values: where memory is short, it is freed.
	Rest(v View)
	// Wake ends the rest of v. It is false where v was freed.
	Wake(v View) bool
	// Clear sets v to zeros, which would have to be copied from the host.
	Clear(v View)
	// Seeks reports whether the device finds elements that are not canonical sooner than the host, among n: a call on
	// slices then looks at what it has packed, and leaves its destination as it is where there are any.
	Seeks(n int) bool
	// Seek begins to look at v, which Pack has just set; where it is false, the host has to. Found reports, once v has
	// been waited for, whether the last Seek has found any. Neither is asked where Seeks is always false.
	Seek(v View) bool
	Found(v View) (bool, error)
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
	// Affine says that the butterflies of passes are those of affine domains: see [Pass].
	Affine bool
	// Adds, of a bulk for affine domains, says that copies add where Copy.Add asks for it. Without it a sum takes two
	// copies and a butterfly by 1.
	Adds bool
	// Turns, of a bulk that is not InPlace, says that copies go between columns and rows of canonical elements where
	// Copy.Elements asks for it, faster than methods of elements do.
	Turns bool
	// Single says that vectors are slices of canonical elements, and stay so, and that passes take them one by one, by
	// the methods of the field. Each product saved counts there: short base cases are straight-line code.
	Single bool
	// Passes are those of tables.
	Passes Passes
	// Block is the bytes of a vector in which passes go over all of it, one after the other; longer ones are cut first.
	// It is that of the second level of caches where blocks of a pass cost more than to go there; 0: as the first has.
	Block int
	// Scratch is the bytes that passes of a task hold besides rooms, which calls keep.
	Scratch int
	// Columns, a power of two, says that passes are fast where width, stride and places of rows, and the lengths of
	// vectors, are multiples of it; 0 and 1 say nothing. Transforms then take columns side by side, if they have so
	// many.
	Columns int
	// Rows is the elements of the longest rows that Reorder takes; 0 stands for 1.
	Rows int
	// Least and Multiple, 0 for none, say which transforms these vectors are for: those of at least so many elements, a
	// multiple of the second. What chooses between several bulks of a field looks at them.
	Least, Multiple int
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
	// Form is the working form and its arithmetic in words, and Device the name of the device that has the vectors, ""
	// for the processor: for reports.
	Form, Device string
}

// Serves reports whether transforms of n elements are what the vectors are for.
func (t Traits) Serves(n int) bool { return n >= t.Least && n%max(1, t.Multiple) == 0 }

// Lanes is how many elements a tile has, where a working form puts elements side by side digit by digit.
const Lanes = 8
