package bigprime

import (
	"fmt"
	"unsafe"

	"github.com/galfft/fft/field"
)

// word is a word of vectors that a bulk made: views name their memory by it.
type word uint64

// vector returns the words of the elements of a view, one after the other: of a vector, or of a slice of elements of
// one of the types of Words. The type of these is that of the field, which w is the number of words of.
func (b *bulk) vector(v field.View) []uint64 {
	if v.N == 0 {
		return nil
	}
	return unsafe.Slice(first(v), (v.Off+v.N)*b.w)[v.Off*b.w:]
}

// first returns the first word of the memory of a view.
func first(v field.View) *uint64 {
	switch p := v.Buf.(type) {
	case *word:
		return (*uint64)(p)
	case *[2]uint64:
		return &p[0]
	case *[3]uint64:
		return &p[0]
	case *[4]uint64:
		return &p[0]
	case *[5]uint64:
		return &p[0]
	case *[6]uint64:
		return &p[0]
	case *[8]uint64:
		return &p[0]
	case *[10]uint64:
		return &p[0]
	case *[12]uint64:
		return &p[0]
	case *[16]uint64:
		return &p[0]
	case *[20]uint64:
		return &p[0]
	case *[24]uint64:
		return &p[0]
	case *[32]uint64:
		return &p[0]
	case *[48]uint64:
		return &p[0]
	case *[64]uint64:
		return &p[0]
	case *[96]uint64:
		return &p[0]
	case *[128]uint64:
		return &p[0]
	}
	panic(fmt.Sprintf("bigprime: a vector of %T", v.Buf))
}
