package gfpf

import (
	"fmt"
	"slices"

	"github.com/galfft/fft/field"
)

// Number is an element as its k digits, or nil for 0: one type for all k, for fields whose k is known at run time alone
// ([Open]). As a slice, it shares its digits with what was copied from it by assignment, slices.Clone or append:
// methods of the field write into the digits that the destination has, so that copies are made with Set. Results of
// transforms and products have digits of their own. Plans hold their roots and factors so, and the schemes are compiled
// once.
type Number []uint64

// numbers is the field of numbers. One of other than k digits is no element: it equals nothing, and counts as one of k.
type numbers struct{ *ring }

// of returns the digits of x.
func (f numbers) of(x *Number) []uint64 {
	switch len(*x) {
	case f.k:
		return *x
	case 0:
		return zeros[:f.k]
	}
	t := make(Number, f.k)
	copy(t, *x)
	return t
}

// room returns the digits of z, to be written.
func (f numbers) room(z *Number) []uint64 {
	if len(*z) != f.k {
		*z = make(Number, f.k)
	}
	return *z
}

// rooms is room for each of a, those that are missing in one piece of memory.
func (f numbers) rooms(a []Number) {
	var all []uint64
	for i := range a {
		if len(a[i]) != f.k {
			if len(all) == 0 {
				all = make([]uint64, (len(a)-i)*f.k)
			}
			a[i], all = all[:f.k:f.k], all[f.k:]
		}
	}
}

// FirstInvalid returns the least i for which x[i] is neither nil nor the k digits of a canonical element, and −1 where
// there is none.
func (f numbers) FirstInvalid(x []Number) int {
	return slices.IndexFunc(x, func(z Number) bool { return len(z) != 0 && (len(z) != f.k || !f.canonical(z)) })
}

func (f numbers) Set(z, x *Number)    { *z = append((*z)[:0], *x...) } // whatever it is
func (f numbers) Add(z, x, y *Number) { f.add(f.room(z), f.of(x), f.of(y)) }
func (f numbers) Sub(z, x, y *Number) { f.sub(f.room(z), f.of(x), f.of(y)) }
func (f numbers) Neg(z, x *Number)    { f.neg(f.room(z), f.of(x)) }

func (f numbers) Mul(z, x, y *Number) {
	var t [most]uint64
	f.mul(t[:f.k], f.of(x), f.of(y))
	copy(f.room(z), t[:f.k])
}

func (f numbers) Inv(z, x *Number) error {
	if isZero(f.of(x)) {
		return fmt.Errorf("fft: %w: 0", field.ErrNotInvertible)
	}
	f.inv(f.room(z), f.of(x))
	return nil
}

func (f numbers) One(z *Number) {
	x := f.room(z)
	clear(x)
	x[0] = 1
}

func (f numbers) Equal(x, y *Number) bool {
	return f.is(x) && f.is(y) && slices.Equal(f.of(x), f.of(y))
}

// is reports whether x has as many digits as elements have.
func (f numbers) is(x *Number) bool { return len(*x) == 0 || len(*x) == f.k }

// ShiftOrder returns 2k, the order of r.
func (f numbers) ShiftOrder() uint64 { return uint64(2 * f.k) }

// Shift sets z = x·r^s, for every s.
func (f numbers) Shift(z, x *Number, s uint64) {
	var t [most]uint64
	f.shift(t[:f.k], f.of(x), s)
	copy(f.room(z), t[:f.k])
}
