package bulks

import (
	"reflect"
	"unsafe"
)

// Flat is offered by a bulk whose vectors are memory of the host that means the same in another process: bytes without
// pointers.
type Flat interface {
	// Memory returns the bytes of v, which begins and ends at multiples of Lanes of the vector that Make returned, and
	// whether vectors are such memory.
	Memory(v View) (b []byte, ok bool)
}

// Memory is that of slices of elements without pointers. It implements [Flat].
func (f *Slices[E]) Memory(v View) ([]byte, bool) {
	if !pointerFree(reflect.TypeFor[E]()) {
		return nil, false
	}
	if v.N == 0 {
		return nil, true
	}
	a := SliceOf[E](v)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(a))), f.Bytes(len(a))), true
}

func pointerFree(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return pointerFree(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !pointerFree(t.Field(i).Type) {
				return false
			}
		}
		return true
	default:
		return k >= reflect.Bool && k <= reflect.Complex128
	}
}
