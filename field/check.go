package field

import (
	"fmt"
	"reflect"
)

// Checker is offered by fields whose type has values that are none, such as its zero value: Check returns an ErrSpec
// for them.
type Checker interface{ Check() error }

// Check is an ErrSpec where f is no field: where it is nil, a nil pointer, or refused by its own Check, which is that
// of [Checker]. Whatever takes a field and returns an error asks it.
func Check[E any](f Field[E]) error {
	return CheckValue("field", f)
}

// CheckValue is Check for whatever else a plan stands on, such as a bulk, which messages call what.
func CheckValue(what string, f any) error {
	if f == nil {
		return fmt.Errorf("fft: %w: the %s is nil", ErrSpec, what)
	}
	if v := reflect.ValueOf(f); v.Kind() == reflect.Pointer && v.IsNil() {
		return fmt.Errorf("fft: %w: the %s is a nil %T", ErrSpec, what, f)
	}
	if c, ok := f.(Checker); ok {
		return c.Check()
	}
	return nil
}

// Canonical reports whether x is an element in its canonical form: other values are not their own product by 1.
func Canonical[E any](f Field[E], x *E) bool {
	var one, t E
	f.One(&one)
	f.Mul(&t, x, &one)
	return f.Equal(&t, x)
}
