package bigprime

import (
	"fmt"
	"unsafe"

	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/internal/tiles"
)

// word is a word of vectors that a bulk made: views name their memory by it.
type word uint64

// vector returns the words of the elements of a view, one after the other: of a vector, or of a slice of elements of
// one of the types of Words. The type of these is that of the field, which w is the number of words of.
func (b *bulk) vector(v bulks.View) []uint64 {
	if v.N == 0 {
		return nil
	}
	return unsafe.Slice(first(v), (v.Off+v.N)*b.w)[v.Off*b.w:]
}

// first returns the first word of the memory of a view.
func first(v bulks.View) *uint64 {
	if p, ok := v.Buf.(*word); ok {
		return (*uint64)(p)
	}
	p, ok := tiles.First(v.Buf)
	if !ok {
		panic(fmt.Sprintf("bigprime: a vector of %T", v.Buf))
	}
	return p
}
