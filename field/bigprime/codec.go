package bigprime

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/galfft/fft/field"
)

// outOfRange is the error of a value that is no element.
func (f *prime) outOfRange(what string) error {
	return fmt.Errorf("fft: %w: %s, want 0 to p−1 for p = %s", field.ErrRange, what, short(f.n))
}

// Size returns the number of bytes of an encoded element, that of p − 1, which has as many bits as p.
func (f *prime) Size() int { return (f.n.BitLen() + 7) / 8 }

func (f *prime) putBytes(b []byte, x []uint64) {
	b = b[:f.Size():len(b)] // beyond len is beyond b, whatever its capacity
	for i := range b {
		b[i] = byte(x[i/8] >> (i % 8 * 8))
	}
}

func (f *prime) putBigEndian(b []byte, x []uint64) {
	f.putBytes(b, x)
	slices.Reverse(b[:f.Size()])
}

func (f *prime) setBytes(z []uint64, b []byte) error {
	if len(b) != f.Size() {
		return fmt.Errorf("fft: %w: element of %d bytes, want %d", field.ErrLength, len(b), f.Size())
	}
	var t [most]uint64
	for i, d := range b {
		t[i/8] |= uint64(d) << (i % 8 * 8)
	}
	if !f.valid(t[:f.w]) {
		return f.outOfRange(fmt.Sprintf("a number of %d bytes", len(b)))
	}
	copy(z, t[:f.w])
	return nil
}

func (f *prime) setBigEndian(z []uint64, b []byte) error {
	b = slices.Clone(b)
	slices.Reverse(b)
	return f.setBytes(z, b)
}

func (f *prime) appendText(b []byte, x []uint64) []byte { return f.big(nil, x).Append(b, 10) }

func (f *prime) setText(z []uint64, s []byte) error {
	text := fmt.Sprintf("%.40q", s)
	for i, c := range s {
		if c < '0' || c > '9' {
			return f.outOfRange(text)
		}
		if c != '0' && len(s)-i > f.n.BitLen() { // no longer number is in range
			return f.outOfRange(text)
		}
	}
	x, ok := new(big.Int).SetString(string(s), 10)
	if !ok || x.Cmp(f.n) >= 0 {
		return f.outOfRange(text)
	}
	setWords(z, x)
	return nil
}

func (f *prime) setBig(z []uint64, x *big.Int) error {
	if x == nil {
		return f.outOfRange("nil")
	}
	if x.Sign() < 0 || x.Cmp(f.n) >= 0 {
		return f.outOfRange(fmt.Sprintf("a number of %d bits and sign %d", x.BitLen(), x.Sign()))
	}
	setWords(z[:f.w], x)
	return nil
}

func (f *prime) big(z *big.Int, x []uint64) *big.Int {
	if z == nil {
		z = new(big.Int)
	}
	return setBig(z, x)
}

// forms checks the field, and lengths of vectors in two forms.
func (f *prime) forms(z, x int) error {
	if err := f.check(); err != nil {
		return err
	}
	if x != z {
		return &field.LengthError{What: "x", Want: z, Got: x}
	}
	return nil
}
