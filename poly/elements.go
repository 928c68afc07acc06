package poly

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/memory"
)

// elements moves the elements of a field.
type elements[E any] struct {
	f     field.Field[E]
	v     field.Vectors[E]
	plain bool // E holds no pointers, so that copy does for Set
}

func newElements[E any](f field.Field[E]) *elements[E] {
	return &elements[E]{f, field.VectorsOf(f), !holdsPointers(reflect.TypeFor[E]())}
}

func holdsPointers(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return holdsPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	default:
		return k < reflect.Bool || k > reflect.Complex128
	}
}

// copy sets dst to the first len(dst) elements of src.
func (e *elements[E]) copy(dst, src []E) {
	if e.plain {
		copy(dst, src[:len(dst)])
		return
	}
	for i := range dst {
		e.f.Set(&dst[i], &src[i])
	}
}

func (e *elements[E]) zero(dst []E) {
	if e.plain {
		clear(dst)
		return
	}
	var zero E
	for i := range dst {
		e.f.Set(&dst[i], &zero)
	}
}

// add sets dst to dst + x, of one length.
func (e *elements[E]) add(dst, x []E) { e.v.AddVec(dst, dst, x) }

// sub sets dst to dst − x, of one length.
func (e *elements[E]) sub(dst, x []E) { e.v.SubVec(dst, dst, x) }

// fold sets dst to a modulo x^n − 1, n = len(dst), or modulo x^n + 1 where negacyclic.
func (e *elements[E]) fold(dst, a []E, negacyclic bool) {
	n := min(len(a), len(dst))
	e.copy(dst[:n], a)
	e.zero(dst[n:])
	minus := negacyclic
	for i := len(dst); i < len(a); i += len(dst) {
		b := a[i:min(len(a), i+len(dst))]
		if minus {
			e.sub(dst[:len(b)], b)
		} else {
			e.add(dst[:len(b)], b)
		}
		minus = negacyclic && !minus
	}
}

// fits is an ErrMemory where the machine cannot hold n elements.
func (e *elements[E]) fits(n int) error {
	var x E
	if limit := memory.Limit(); n >= limit/max(1, int(unsafe.Sizeof(x))) {
		return fmt.Errorf("poly: %w: %d coefficients of %d bytes, want at most %d bytes", field.ErrMemory, n,
			unsafe.Sizeof(x), limit)
	}
	return nil
}

// make returns n elements that are 0.
func (e *elements[E]) make(n int) ([]E, error) {
	if err := e.fits(n); err != nil {
		return nil, err
	}
	return make([]E, n), nil
}

// same reports whether a and b are one slice.
func same[E any](a, b []E) bool { return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) }

// apart is an ErrOverlap when dst shares memory with one of the sources.
func apart[E any](dst []E, src ...[]E) error {
	for _, s := range src {
		if shared, _ := memory.Overlap(dst, s); shared {
			return fmt.Errorf("poly: %w: dst of %d elements and an operand of %d, want memory apart", field.ErrOverlap,
				len(dst), len(s))
		}
	}
	return nil
}

// checkLen is the length check of a destination.
func checkLen(got, want int) error {
	if got != want {
		return &field.LengthError{What: "dst", Want: want, Got: got}
	}
	return nil
}
