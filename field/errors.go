package field

import (
	"errors"
	"fmt"
)

// Errors of fields and transforms, found with errors.Is. They arrive wrapped: the text says what was wanted
// and what was got.
var (
	ErrNoRoot        = errors.New("no root of unity of that order")
	ErrNotInvertible = errors.New("not invertible")
	ErrLength        = errors.New("wrong length")
	ErrOverlap       = errors.New("slices overlap in part")
	ErrRange         = errors.New("value out of range")
	ErrModulus       = errors.New("unsupported modulus")
	ErrScheme        = errors.New("scheme that does not serve this length") // also ErrSpec
	ErrSpec          = errors.New("bad plan parameter")
	ErrMemory        = errors.New("not enough memory")
	ErrVec           = errors.New("vector of another plan")
	ErrTuning        = errors.New("bad file of tuned values")
)

// RangeError is an ErrRange with its place: the first element of an operand that is not canonical.
// Methods of a nil one panic.
type RangeError struct {
	What  string // the operand, such as "src"
	Index int
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("fft: %v: element %d of %s, want canonical elements of the field", ErrRange, e.Index, e.What)
}

// Is reports whether target is ErrRange.
func (e *RangeError) Is(target error) bool { return target == ErrRange }

// LengthError is an ErrLength with its figures. Methods of a nil one panic.
type LengthError struct {
	What      string // the operand, such as "dst" or "src"
	Want, Got int
}

func (e *LengthError) Error() string {
	return fmt.Sprintf("fft: %v: %s has %d elements, want %d", ErrLength, e.What, e.Got, e.Want)
}

// Is reports whether target is ErrLength.
func (e *LengthError) Is(target error) bool { return target == ErrLength }
