package bulks

import (
	"reflect"
	"unsafe"
)

// Memory is that of slices of elements without pointers.
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
