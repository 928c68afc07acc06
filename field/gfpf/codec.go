package gfpf

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/galfft/fft/field"
)

// outOfRange is the error of a value that is no element.
func (f *prime) outOfRange(what string) error {
	return fmt.Errorf("fft: %w: %s, want 0 to p−1 for %s", field.ErrRange, what, f.name)
}

// Size returns the number of bytes of an encoded element, that of p − 1.
func (f *prime) Size() int {
	return (f.powers[len(f.powers)-1].BitLen() + 7) / 8
}

func (f *prime) putBytes(b []byte, x []uint64) {
	b = b[:f.Size():len(b)] // beyond len is beyond b, whatever its capacity
	f.big(nil, x).FillBytes(b)
	slices.Reverse(b)
}

func (f *prime) setBytes(z []uint64, b []byte) error {
	if len(b) != f.Size() {
		return fmt.Errorf("fft: %w: element of %d bytes, want %d for %s", field.ErrLength, len(b), f.Size(), f.name)
	}
	b = slices.Clone(b)
	slices.Reverse(b)
	return f.setBig(z, new(big.Int).SetBytes(b))
}

func (f *prime) appendText(b []byte, x []uint64) []byte { return f.big(nil, x).Append(b, 10) }

func (f *prime) setText(z []uint64, s []byte) error {
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
	return f.setBig(z, x)
}

func (f *prime) setBig(z []uint64, x *big.Int) error {
	if x == nil {
		return f.outOfRange("nil")
	}
	if x.Sign() < 0 || x.Cmp(f.p) >= 0 {
		return f.outOfRange(fmt.Sprintf("a number of %d bits and sign %d", x.BitLen(), x.Sign()))
	}
	f.fromBig(z, x)
	return nil
}

func (f *prime) big(z *big.Int, x []uint64) *big.Int {
	if z == nil {
		z = new(big.Int)
	}
	return f.toBig(z, x)
}
