// Package pointer is for code that computes by the methods of elements alone. Go compiles generic code anew for each
// type of elements, but once for all pointers, whatever they point to: such code takes P = *E in place of E.
package pointer

import (
	"unsafe"

	"github.com/galfft/fft/internal/memory"
)

// Field is a field.Field[E] for P = *E, and every one of these is a Field[*E].
type Field[P any] interface {
	Set(z, x P)
	Add(z, x, y P)
	Sub(z, x, y P)
	Neg(z, x P)
	Mul(z, x, y P)
	Inv(z, x P) error
	One(z P)
	Equal(x, y P) bool
}

// Shifter is a field.Shifter[E] for P = *E.
type Shifter[P any] interface {
	ShiftOrder() uint64
	Shift(z, x P, s uint64)
}

// Type is what there is to know about the elements that P points to.
type Type[P any] struct {
	Size  int  // in bytes
	Plain bool // without pointers
	// Make returns the first of n elements, all of them 0.
	Make func(n int) P
	// Swap swaps two elements by value.
	Swap func(x, y P)
}

// Of is the type E.
func Of[E any]() Type[*E] {
	var e E
	return Type[*E]{int(unsafe.Sizeof(e)), Plain[E](), first[E], swap[E]}
}

// Plain reports whether E has no pointers.
func Plain[E any]() bool { return !memory.HoldsPointers[E]() }

func first[E any](n int) *E { return unsafe.SliceData(make([]E, n)) }

func swap[E any](x, y *E) { *x, *y = *y, *x }

// At is the pointer that many bytes behind p, in the same slice.
func At[P any](p P, bytes int) P {
	q := unsafe.Add(Raw(p), bytes)
	return *(*P)(unsafe.Pointer(&q))
}

// Raw is p, which is a pointer.
func Raw[P any](p P) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

// Move sets z to x, an element without pointers.
func Move(z, x unsafe.Pointer, size int) {
	switch size {
	case 4:
		*(*uint32)(z) = *(*uint32)(x)
	case 8:
		*(*uint64)(z) = *(*uint64)(x)
	case 32:
		*(*[4]uint64)(z) = *(*[4]uint64)(x)
	default:
		copy(unsafe.Slice((*byte)(z), size), unsafe.Slice((*byte)(x), size))
	}
}
