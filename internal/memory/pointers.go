package memory

import "reflect"

// HoldsPointers reports whether values of E refer to memory that copies of them share.
func HoldsPointers[E any]() bool { return behind((*E)(nil)) }

// behind is pointersIn for what a pointer points to: generic code that names types of package reflect is compiled with
// all their methods.
func behind(p any) bool { return pointersIn(reflect.TypeOf(p).Elem()) }

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
