package memory

import "reflect"

// HoldsPointers reports whether values of E refer to memory that copies of them share.
func HoldsPointers[E any]() bool { return pointersIn(reflect.TypeFor[E]()) }

func pointersIn(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return pointersIn(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if pointersIn(t.Field(i).Type) {
				return true
			}
		}
		return false
	default:
		return k < reflect.Bool || k > reflect.Complex128
	}
}
