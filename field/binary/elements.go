package binary

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/galfft/fft/field"
)

// Elements is the types of elements: one word, or words of 64 bits, the lowest first. Number is of one type for all
// sizes, for those that are known at run time alone: it costs an allocation each.
type Elements interface {
	uint8 | uint16 | uint32 | uint64 | [2]uint64 | [3]uint64 | [4]uint64 | [5]uint64 | [6]uint64 | [8]uint64 |
		[10]uint64 | [12]uint64 | [16]uint64 | [20]uint64 | [24]uint64 | [32]uint64 | Number
}

// Number is an element as its ⌈m/64⌉ words, or nil for 0. As a slice, it shares its words with what was copied from it
// by assignment, slices.Clone or append: methods of a field write into the words that the destination has, so that
// copies are made with Set. Results of transforms have words of their own.
type Number []uint64

// Bounds of degrees, and the words of the longest elements.
const (
	leastDegree = 2
	mostDegree  = 2048
	most        = mostDegree / 64
)

// wordSizes are the numbers of words that arrays have.
var wordSizes = [...]int{1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, most}

// Size returns the bytes of the shortest type of elements, Number aside, that has m bits: 1, 2, 4, or 8 for each word.
// The error is field.ErrModulus where m is not from 2 to 2048.
func Size(m int) (int, error) {
	if err := checkDegree(m); err != nil {
		return 0, err
	}
	for bytes := 1; bytes <= 8; bytes *= 2 {
		if m <= 8*bytes {
			return bytes, nil
		}
	}
	i, _ := slices.BinarySearch(wordSizes[:], (m+63)/64)
	return 8 * wordSizes[i], nil
}

func checkDegree(m int) error {
	if m < leastDegree || m > mostDegree {
		return fmt.Errorf("fft: %w: degree %d over GF(2), want %d to %d", field.ErrModulus, m, leastDegree, mostDegree)
	}
	return nil
}

// isNumber reports whether E is Number.
func isNumber[E Elements]() bool {
	_, ok := any((*E)(nil)).(*Number)
	return ok
}

// wordsOf returns how many words elements of E have for degree m, or an ErrModulus where E is not for m.
func wordsOf[E Elements](m int) (int, error) {
	size, err := Size(m)
	if err != nil {
		return 0, err
	}
	if isNumber[E]() {
		return (m + 63) / 64, nil
	}
	if own := int(unsafe.Sizeof(*new(E))); own != size {
		return 0, fmt.Errorf("fft: %w: degree %d over GF(2) in elements of %d bits, want those of %d", field.ErrModulus, m,
			8*own, 8*size)
	}
	return (size + 7) / 8, nil
}

// load returns an element of at most one word.
func load[E Elements](x *E) uint64 {
	switch p := unsafe.Pointer(x); unsafe.Sizeof(*x) {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	default:
		return *(*uint64)(p)
	}
}

// store sets an element of at most one word.
func store[E Elements](z *E, w uint64) {
	switch p := unsafe.Pointer(z); unsafe.Sizeof(*z) {
	case 1:
		*(*uint8)(p) = uint8(w)
	case 2:
		*(*uint16)(p) = uint16(w)
	case 4:
		*(*uint32)(p) = uint32(w)
	default:
		*(*uint64)(p) = w
	}
}

var zeros [most]uint64

// wordsIn returns the words of x, which are to be read. Those of elements of less than a word are in t. A number of
// another count of words counts as one of as many words as there should be.
func wordsIn[E Elements](f *Field[E], x *E, t *[1]uint64) []uint64 {
	switch f.core.kind {
	case scalar:
		t[0] = load(x)
		return t[:]
	case array:
		return unsafe.Slice((*uint64)(unsafe.Pointer(x)), f.core.w)
	}
	switch n := *(*Number)(unsafe.Pointer(x)); len(n) {
	case f.core.w:
		return n
	case 0:
		return zeros[:f.core.w]
	default:
		t := make(Number, f.core.w)
		copy(t, n)
		return t
	}
}

// roomOf returns words to be written, which putBack makes those of z.
func roomOf[E Elements](f *Field[E], z *E, t *[1]uint64) []uint64 {
	switch f.core.kind {
	case scalar:
		return t[:]
	case array:
		return unsafe.Slice((*uint64)(unsafe.Pointer(z)), f.core.w)
	}
	n := (*Number)(unsafe.Pointer(z))
	if len(*n) != f.core.w {
		*n = make(Number, f.core.w)
	}
	return *n
}

// putBack ends what was written to the words of roomOf.
func putBack[E Elements](f *Field[E], z *E, t *[1]uint64) {
	if f.core.kind == scalar {
		store(z, t[0])
	}
}

// setWordsOf sets z to the words w.
func setWordsOf[E Elements](f *Field[E], z *E, w []uint64) {
	var t [1]uint64
	copy(roomOf(f, z, &t), w)
	putBack(f, z, &t)
}

// bytesOf returns the bytes of elements that hold no pointers.
func bytesOf[E Elements](a []E) []byte {
	var e E
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(a))), len(a)*int(unsafe.Sizeof(e)))
}
