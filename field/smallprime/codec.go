package smallprime

import (
	"fmt"
	"math/big"
	"math/bits"
	"strconv"

	"github.com/galfft/fft/field"
)

// outOfRange is the error of a value that is no canonical element.
func (f *prime[W]) outOfRange(format string, value any) error {
	return fmt.Errorf("fft: %w: "+format+", want 0 to p−1 for p = %d", field.ErrRange, value, f.m.p)
}

// Size returns the number of bytes of an encoded element.
func (f *prime[W]) Size() int { return (bits.Len64(f.m.p-1) + 7) / 8 }

// PutBytes writes x to b[:Size()], little-endian. It panics where b is shorter.
func (f *prime[W]) PutBytes(b []byte, x *W) {
	b = b[:f.Size():len(b)] // beyond len is beyond b, whatever its capacity
	for i := range b {
		b[i] = byte(uint64(*x) >> (8 * i))
	}
}

// SetBytes sets z to the little-endian number b of Size() bytes.
func (f *prime[W]) SetBytes(z *W, b []byte) error {
	if err := f.check(z, z); err != nil {
		return err
	}
	if len(b) != f.Size() {
		return fmt.Errorf("fft: %w: element of %d bytes, want %d for p = %d", field.ErrLength, len(b), f.Size(), f.m.p)
	}
	var x uint64
	for i, c := range b {
		x |= uint64(c) << (8 * i)
	}
	if x >= f.m.p {
		return f.outOfRange("%d", x)
	}
	*z = W(x)
	return nil
}

// AppendText appends x in decimal.
func (f *prime[W]) AppendText(b []byte, x *W) []byte { return strconv.AppendUint(b, uint64(*x), 10) }

// SetText sets z to the decimal number s, of one digit or more and nothing else. Leading zeros are allowed.
func (f *prime[W]) SetText(z *W, s []byte) error {
	if err := f.check(z, z); err != nil {
		return err
	}
	x, ok := parse(s)
	if !ok || x >= f.m.p {
		return f.outOfRange("%.40q", s)
	}
	*z = W(x)
	return nil
}

// parse reads a decimal number below 2^64.
func parse(s []byte) (x uint64, ok bool) {
	for _, c := range s {
		h, l := bits.Mul64(x, 10)
		var carry uint64
		x, carry = bits.Add64(l, uint64(c-'0'), 0)
		if c < '0' || c > '9' || h+carry != 0 {
			return 0, false
		}
	}
	return x, len(s) > 0
}

// SetBig sets z to x.
func (f *prime[W]) SetBig(z *W, x *big.Int) error {
	if err := f.check(z, z); err != nil {
		return err
	}
	if x == nil || !x.IsUint64() || x.Uint64() >= f.m.p {
		return f.outOfRange("%d", x)
	}
	*z = W(x.Uint64())
	return nil
}

// Big sets z, or a fresh integer where z is nil, to x and returns it.
func (f *prime[W]) Big(z *big.Int, x *W) *big.Int {
	if z == nil {
		z = new(big.Int)
	}
	return z.SetUint64(uint64(*x))
}
