package gfpf

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/galfft/fft/field"
)

// outOfRange is the error of a value that is no element.
func (f *Field[E]) outOfRange(what string) error {
	return fmt.Errorf("fft: %w: %s, want 0 to p−1 for %s", field.ErrRange, what, f.name)
}

// Size returns the number of bytes of an encoded element, that of p − 1.
func (f *Field[E]) Size() int {
	return (f.powers[len(f.powers)-1].BitLen() + 7) / 8
}

// PutBytes writes x to b[:Size()] as a number, little-endian. It panics where b is shorter.
func (f *Field[E]) PutBytes(b []byte, x *E) {
	b = b[:f.Size():len(b)] // beyond len is beyond b, whatever its capacity
	f.Big(new(big.Int), x).FillBytes(b)
	slices.Reverse(b)
}

// SetBytes sets z to the little-endian number b of Size() bytes.
func (f *Field[E]) SetBytes(z *E, b []byte) error {
	if len(b) != f.Size() {
		return fmt.Errorf("fft: %w: element of %d bytes, want %d for %s", field.ErrLength, len(b), f.Size(), f.name)
	}
	b = slices.Clone(b)
	slices.Reverse(b)
	return f.SetBig(z, new(big.Int).SetBytes(b))
}

// AppendText appends x in decimal.
func (f *Field[E]) AppendText(b []byte, x *E) []byte { return f.Big(new(big.Int), x).Append(b, 10) }

// SetText sets z to the decimal number s, of one digit or more and nothing else. Leading zeros are allowed.
func (f *Field[E]) SetText(z *E, s []byte) error {
	short := fmt.Sprintf("%.40q", s)
	for i, c := range s {
		if c < '0' || c > '9' {
			return f.outOfRange(short)
		}
		if c != '0' && len(s)-i > f.p.BitLen() { // no longer number is in range
			return f.outOfRange(short)
		}
	}
	x, ok := new(big.Int).SetString(string(s), 10)
	if !ok || x.Cmp(f.p) >= 0 {
		return f.outOfRange(short)
	}
	return f.SetBig(z, x)
}

// SetBig sets z to x.
func (f *Field[E]) SetBig(z *E, x *big.Int) error {
	if x.Sign() < 0 || x.Cmp(f.p) >= 0 {
		return f.outOfRange(fmt.Sprintf("a number of %d bits and sign %d", x.BitLen(), x.Sign()))
	}
	f.fromBig(words(z), x)
	return nil
}

// Big sets z to x and returns it.
func (f *Field[E]) Big(z *big.Int, x *E) *big.Int { return f.toBig(z, words(x)) }
