package bulks

import (
	"reflect"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/pointer"
)

// ShiftPowers returns, for each of w, the e with 0 ≤ e < ShiftOrder for which it is g^e, where f is a [field.Shifter]
// of g; 0 for those that are 1, in any field; and −1 for all others. It panics where f is nil.
func ShiftPowers[E any](f field.Field[E], w []E) []int32 {
	t := pointer.Of[E]()
	return shiftPowers[*E](f, &t, ViewOf(w))
}

func shiftPowers[P any](f pointer.Field[P], t *pointer.Type[P], w View) []int32 {
	e := make([]int32, w.N)
	one := t.Make(1)
	f.One(one)
	powers := exponents(f, t)
	for i := range e {
		x := at[P](w, t.Size, i)
		e[i] = -1
		if f.Equal(as[P](x), one) {
			e[i] = 0
		} else if p, ok := powers[string(unsafe.Slice((*byte)(x), t.Size))]; ok {
			e[i] = p
		}
	}
	return e
}

// exponents returns the exponents of the powers of g by their bytes; nil where there are none, or where equal elements
// may differ in these.
func exponents[P any](f pointer.Field[P], t *pointer.Type[P]) map[string]int32 {
	const most = 1 << 12 // more would cost more than they save
	g, ok := f.(pointer.Shifter[P])
	if x := t.Make(1); ok && g.ShiftOrder() <= most && keys(x) {
		m := make(map[string]int32)
		f.One(x)
		for y, s := t.Make(1), int32(0); s < int32(g.ShiftOrder()); s++ {
			m[string(unsafe.Slice((*byte)(pointer.Raw(x)), t.Size))] = s
			g.Shift(y, x, 1)
			f.Set(x, y)
		}
		return m
	}
	return nil
}

// keys reports whether equal elements have equal bytes: whether their type, which p points to, is made of words.
func keys(p any) bool {
	t := reflect.TypeOf(p).Elem()
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uintptr
}
