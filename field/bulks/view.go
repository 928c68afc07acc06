package bulks

import (
	"fmt"
	"unsafe"
)

// View is N elements from element Off on of the memory Buf: of a vector in a field's working form, or of a slice of
// canonical elements. Views are copied freely, and several may share memory. Only the field reads behind Buf, whose
// type is a pointer, so that a View is made without an allocation.
type View struct {
	Buf    any
	Off, N int
}

// ViewOf returns the elements of a as they lie in memory: Buf is a pointer to the first of them.
func ViewOf[E any](a []E) View { return View{Buf: unsafe.SliceData(a), N: len(a)} }

// SliceOf returns the elements of v, a view of a slice of E. It panics where v is a view of something else.
func SliceOf[E any](v View) []E { return unsafe.Slice(v.Buf.(*E), v.Off+v.N)[v.Off:] }

// Slice returns elements i to j−1 of v. It panics unless 0 ≤ i ≤ j ≤ N.
func (v View) Slice(i, j int) View {
	if uint(i) > uint(j) || uint(j) > uint(v.N) {
		v.outside(i, j)
	}
	return View{v.Buf, v.Off + i, j - i}
}

func (v View) outside(i, j int) {
	panic(fmt.Sprintf("fft: elements %d to %d of a vector of %d", i, j, v.N))
}
