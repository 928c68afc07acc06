package bulks

import (
	"math/bits"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/pointer"
)

// Slices is the complete fallback: a [Bulk] whose vectors are slices of E, from element methods alone, for every E. A
// field whose working form is the slice embeds it and overrides what it does faster. The zero Slices has no field:
// its Table is ErrSpec, and methods that compute panic.
type Slices[E any] struct {
	Field field.Field[E]
	// Affine says that passes are for affine domains, of a field of characteristic 2.
	Affine bool
	// Sums has the butterflies of affine domains in rows; nil: they go by element methods.
	Sums *Sums[E]
}

// Sums is butterflies of affine domains, (x, y) = (x + wy, x + wy + y), of rows of elements. Back, they are undone.
type Sums[E any] struct {
	// Row does those of two rows of as many elements, by one multiplier.
	Row func(x, y []E, w *E, back bool)
	// Blocks does those of blocks of 2·half elements that touch, each by a multiplier of its own.
	Blocks func(v, w []E, half int, back bool)
	// Scratch is the bytes that a call holds.
	Scratch int
}

// NewSlices returns Slices as a bulk that is of one type for all elements: a program with many types of elements
// compiles it once.
func NewSlices[E any](f field.Field[E], affine bool) Bulk {
	r := &rows[*E]{pointer.Of[E](), f, butterfliesOf(f), addOf(f), nil}
	return newErased(r, func() error { return field.Check(f) }, traitsOf(f, r.Size, affine))
}

// Check is that of the field.
func (f *Slices[E]) Check() error { return field.Check(f.Field) }

// Traits describes element methods.
func (f *Slices[E]) Traits() Traits {
	t := traitsOf(f.Field, f.Bytes(1), f.Affine)
	if f.Sums != nil {
		t.Form, t.Scratch = "slices of elements, tables for rows", f.Sums.Scratch
	}
	return t
}

// traitsOf describes the element methods of f, whose elements have that many bytes.
func traitsOf(f any, size int, affine bool) Traits {
	t := Traits{InPlace: true, Single: true, Affine: affine, Adds: affine, Form: "slices of elements, element methods"}
	if g, ok := f.(interface{ ShiftOrder() uint64 }); ok {
		t.ShiftOrder = g.ShiftOrder()
	}
	words := float64(size) / 8
	t.Butterfly = 10 + 2*words*words
	return t
}

func (f *Slices[E]) Make(n int) (View, error) { return ViewOf(make([]E, n)), nil }
func (f *Slices[E]) Bytes(n int) int          { return n * sizeOf[E]() }
func (f *Slices[E]) Unpack(a, v View)         { f.Pack(a, v) }
func (f *Slices[E]) Reduce(View)              {}
func (f *Slices[E]) Table(w View, _ Share) (Table, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	r := &rows[*E]{pointer.Of[E](), f.Field, butterfliesOf(f.Field), nil, sumsOf(f.Sums)}
	return newSlicesTable(r, w, f.Affine), nil
}

func sizeOf[E any]() int {
	var e E
	return int(unsafe.Sizeof(e))
}

func (f *Slices[E]) Pack(v, a View) {
	pack[*E](f.Field, sizeOf[E](), v, a)
}

func (f *Slices[E]) VecMul(to, by, other View) {
	vecMul[*E](f.Field, sizeOf[E](), to, by, other)
}

func (f *Slices[E]) Copy(to, from View, c Copy) {
	var add func(z, x *E, n int)
	if c.Add {
		add = addOf(f.Field)
	}
	copyRows[*E](f.Field, add, sizeOf[E](), false, to, from, c)
}

// Reorder swaps by value: each element keeps one owner, so that pointers inside stay unshared.
func (f *Slices[E]) Reorder(of View, _, part, parts int) {
	v, n := SliceOf[E](of), of.N
	k := bits.Len(uint(n)) - 1
	if 0 <= k && k < len(shortSwaps) {
		list := shortSwaps[k]
		for m := part; m < len(list); m += parts {
			i, j := list[m][0], list[m][1]
			v[i], v[j] = v[j], v[i]
		}
		return
	}
	for i := part; i < n; i += parts {
		if j := Rev(i, k); i < j {
			v[i], v[j] = v[j], v[i]
		}
	}
}

// shortSwaps lists the pairs of places that the reversal of k bits exchanges: to reverse them in each call took more
// than half of the time of a transform of 32 words.
var shortSwaps = [...][][2]uint8{
	2: {{1, 2}},
	3: {{1, 4}, {3, 6}},
	4: {{1, 8}, {2, 4}, {3, 12}, {5, 10}, {7, 14}, {11, 13}},
	5: {
		{1, 16}, {2, 8}, {3, 24}, {5, 20}, {6, 12}, {7, 28}, {9, 18}, {11, 26}, {13, 22}, {15, 30}, {19, 25}, {23, 29},
	},
}

// Rev returns the reversal of the low k bits of i, which has no others.
func Rev(i, k int) int { return int(bits.Reverse64(uint64(i)) >> (64 - uint(k))) }
