package bulks

import (
	"reflect"

	"github.com/galfft/fft/field"
)

// ShiftPowers returns, for each of w, the e with 0 ≤ e < ShiftOrder for which it is g^e, where f is a [field.Shifter]
// of g; 0 for those that are 1, in any field; and −1 for all others. It panics where f is nil.
func ShiftPowers[E any](f field.Field[E], w []E) []int32 {
	e := make([]int32, len(w))
	var one E
	f.One(&one)
	powers := shiftPowers(f)
	for i := range w {
		e[i] = -1
		if f.Equal(&w[i], &one) {
			e[i] = 0
		} else if powers != nil {
			if p, ok := powers[w[i]]; ok {
				e[i] = p
			}
		}
	}
	return e
}

// shiftPowers returns the exponents of the powers of g; nil where there are none, or elements are no keys of a map.
func shiftPowers[E any](f field.Field[E]) map[any]int32 {
	const most = 1 << 12 // more would cost more than they save
	g, ok := f.(field.Shifter[E])
	if !ok || g.ShiftOrder() > most || !keys((*E)(nil)) {
		return nil
	}
	m := make(map[any]int32)
	var x, y E
	f.One(&x)
	for s := range int32(g.ShiftOrder()) {
		m[x] = s
		g.Shift(&y, &x, 1)
		f.Set(&x, &y)
	}
	return m
}

// keys reports whether equal elements are equal keys: whether their type, which p points to, is made of words.
func keys(p any) bool {
	t := reflect.TypeOf(p).Elem()
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return t.Kind() >= reflect.Int && t.Kind() <= reflect.Uintptr
}
