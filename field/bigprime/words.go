package bigprime

import "unsafe"

// Words is the types of elements: words of 64 bits, the lowest first.
type Words interface {
	[2]uint64 | [3]uint64 | [4]uint64 | [5]uint64 | [6]uint64 | [8]uint64 | [10]uint64 | [12]uint64 | [16]uint64 |
		[20]uint64 | [24]uint64 | [32]uint64 | [48]uint64 | [64]uint64 | [96]uint64 | [128]uint64
}

// sizes are the numbers of words that elements have, and most is the largest.
var sizes = [...]int{2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, most}

const most = 128

// words returns the words of x as a slice over them.
func words[E Words](x *E) []uint64 { return unsafe.Slice((*uint64)(unsafe.Pointer(x)), len(*x)) }

// packed returns the words of the elements a, one after the other.
func packed[E Words](a []E) []uint64 {
	var e E
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(a))), len(a)*len(e))
}
