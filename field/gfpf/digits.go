package gfpf

import "unsafe"

// Digits is the types of elements: k digits in radix r, digit 0 first.
type Digits interface {
	[2]uint64 | [4]uint64 | [8]uint64 | [16]uint64 | [32]uint64 | [64]uint64 | [128]uint64
}

// most is the largest k.
const most = 128

// words returns the digits of x as a slice over them.
func words[E Digits](x *E) []uint64 { return unsafe.Slice((*uint64)(unsafe.Pointer(x)), len(*x)) }
