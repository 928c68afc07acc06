package binary

import (
	"fmt"
	"math/big"

	"github.com/galfft/fft/field"
)

// outOfRange is the error of a value that is no element.
func (c *core) outOfRange(what string) error {
	return fmt.Errorf("fft: %w: %s, want an element of %s, below 2^%d", field.ErrRange, what, c.name, c.m)
}

// Size returns the number of bytes of an encoded element, ⌈m/8⌉.
func (f *Field[E]) Size() int { return (f.Degree() + 7) / 8 }

// PutBytes writes x to b[:Size()], the lowest bits first. It panics where b is shorter.
func (f *Field[E]) PutBytes(b []byte, x *E) {
	var t [1]uint64
	w := wordsIn(f, x, &t)
	b = b[:f.Size():len(b)] // beyond len is beyond b, whatever its capacity
	for i := range b {
		b[i] = byte(w[i/8] >> (i % 8 * 8))
	}
}

// SetBytes sets z to the element of Size() bytes b, the lowest bits first.
func (f *Field[E]) SetBytes(z *E, b []byte) error {
	if err := f.core.operands(z == nil); err != nil {
		return err
	}
	if len(b) != f.Size() {
		return fmt.Errorf("fft: %w: element of %d bytes, want %d", field.ErrLength, len(b), f.Size())
	}
	var t [most]uint64
	for i, d := range b {
		t[i/8] |= uint64(d) << (i % 8 * 8)
	}
	if !f.core.valid(t[:f.core.w]) {
		return f.core.outOfRange(fmt.Sprintf("bits of %d bytes", len(b)))
	}
	setWordsOf(f, z, t[:f.core.w])
	return nil
}

// AppendText appends x in hexadecimal digits, the highest bit first: bit i of the number is bit i of the element.
func (f *Field[E]) AppendText(b []byte, x *E) []byte { return f.Big(nil, x).Append(b, 16) }

// SetText sets z to the hexadecimal number s, of one digit or more and nothing else, the highest bit first. Digits are
// of either case, and leading zeros are allowed.
func (f *Field[E]) SetText(z *E, s []byte) error {
	if err := f.core.operands(z == nil); err != nil {
		return err
	}
	text := fmt.Sprintf("%.40q", s)
	if len(s) == 0 {
		return f.core.outOfRange(text)
	}
	var t [most]uint64
	for i, c := range s {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return f.core.outOfRange(text)
		}
		if place := len(s) - 1 - i; place < 16*f.core.w {
			t[place/16] |= uint64(c) << (place % 16 * 4)
		} else if c != 0 {
			return f.core.outOfRange(text)
		}
	}
	if !f.core.valid(t[:f.core.w]) {
		return f.core.outOfRange(text)
	}
	setWordsOf(f, z, t[:f.core.w])
	return nil
}

// SetBig sets z to the element whose bit i is bit i of x.
func (f *Field[E]) SetBig(z *E, x *big.Int) error {
	if err := f.core.operands(z == nil); err != nil {
		return err
	}
	switch {
	case x == nil:
		return f.core.outOfRange("nil")
	case x.Sign() < 0 || x.BitLen() > f.core.m:
		return f.core.outOfRange(fmt.Sprintf("a number of %d bits and sign %d", x.BitLen(), x.Sign()))
	}
	var t [most]uint64
	setWordsOf(f, z, setWords(t[:f.core.w], x))
	return nil
}

// Big sets z, or a fresh integer where z is nil, to x and returns it.
func (f *Field[E]) Big(z *big.Int, x *E) *big.Int {
	if z == nil {
		z = new(big.Int)
	}
	var t [1]uint64
	return setBig(z, wordsIn(f, x, &t))
}
