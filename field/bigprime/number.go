package bigprime

import (
	"fmt"
	"slices"

	"github.com/galfft/fft/field"
)

// Number is an element as its words, or nil for 0: one type for all sizes. As a slice, it shares its words with what
// was copied from it by assignment, slices.Clone or append: methods of the field write into the words that the
// destination has, so that copies are made with Set. Results of transforms and products have words of their own.
type Number []uint64

// numbers is the field of numbers. One of another number of words is no element: it equals nothing, and counts as one
// of as many words as there should be.
type numbers struct{ *modulus }

// of returns the words of x.
func (f numbers) of(x *Number) []uint64 {
	switch len(*x) {
	case f.w:
		return *x
	case 0:
		return zeros[:f.w]
	}
	t := make(Number, f.w)
	copy(t, *x)
	return t
}

// room returns the words of z, to be written.
func (f numbers) room(z *Number) []uint64 {
	if len(*z) != f.w {
		*z = make(Number, f.w)
	}
	return *z
}

// rooms is room for each of a, those that are missing in one piece of memory.
func (f numbers) rooms(a []Number) {
	var all []uint64
	for i := range a {
		if len(a[i]) != f.w {
			if len(all) == 0 {
				all = make([]uint64, (len(a)-i)*f.w)
			}
			a[i], all = all[:f.w:f.w], all[f.w:]
		}
	}
}

// FirstInvalid returns the least i for which x[i] is neither nil nor the words of an element, and −1 where there is
// none.
func (f numbers) FirstInvalid(x []Number) int {
	for i, z := range x {
		if !f.is(&z) || len(z) != 0 && !f.valid(z) {
			return i
		}
	}
	return -1
}

func (f numbers) Set(z, x *Number)    { *z = append((*z)[:0], *x...) } // whatever it is
func (f numbers) Add(z, x, y *Number) { f.add(f.room(z), f.of(x), f.of(y)) }
func (f numbers) Sub(z, x, y *Number) { f.sub(f.room(z), f.of(x), f.of(y)) }
func (f numbers) Neg(z, x *Number)    { f.neg(f.room(z), f.of(x)) }
func (f numbers) Mul(z, x, y *Number) { f.mul(f.room(z), f.of(x), f.of(y)) }

func (f numbers) Inv(z, x *Number) error {
	if isZero(f.of(x)) {
		return fmt.Errorf("fft: %w: 0", field.ErrNotInvertible)
	}
	f.inverse(f.room(z), f.of(x))
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

// is reports whether x has as many words as elements have.
func (f numbers) is(x *Number) bool { return len(*x) == 0 || len(*x) == f.w }
