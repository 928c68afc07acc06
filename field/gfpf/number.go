package gfpf

import (
	"fmt"
	"slices"

	"github.com/galfft/fft/field"
)

// number is an element as plans hold roots and factors: its k digits, or nil for 0. It is one type for all k, so that the
// schemes are compiled once for all of them.
type number []uint64

// numbers is the field of numbers.
type numbers struct{ *ring }

// of returns the digits of x.
func (f numbers) of(x *number) []uint64 {
	if *x == nil {
		return zeros[:f.k]
	}
	return *x
}

// room returns the digits of z, to be written.
func (f numbers) room(z *number) []uint64 {
	if *z == nil {
		*z = make(number, f.k)
	}
	return *z
}

func (f numbers) Set(z, x *number)    { copy(f.room(z), f.of(x)) }
func (f numbers) Add(z, x, y *number) { f.add(f.room(z), f.of(x), f.of(y)) }
func (f numbers) Sub(z, x, y *number) { f.sub(f.room(z), f.of(x), f.of(y)) }
func (f numbers) Neg(z, x *number)    { f.neg(f.room(z), f.of(x)) }

func (f numbers) Mul(z, x, y *number) {
	var t [most]uint64
	f.mul(t[:f.k], f.of(x), f.of(y))
	copy(f.room(z), t[:f.k])
}

func (f numbers) Inv(z, x *number) error {
	if isZero(f.of(x)) {
		return fmt.Errorf("fft: %w: 0", field.ErrNotInvertible)
	}
	f.inv(f.room(z), f.of(x))
	return nil
}

func (f numbers) One(z *number) {
	x := f.room(z)
	clear(x)
	x[0] = 1
}

func (f numbers) Equal(x, y *number) bool { return slices.Equal(f.of(x), f.of(y)) }

func (f numbers) ShiftOrder() uint64 { return uint64(2 * f.k) }

func (f numbers) Shift(z, x *number, s uint64) {
	var t [most]uint64
	f.shift(t[:f.k], f.of(x), s)
	copy(f.room(z), t[:f.k])
}
