package testfields

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/galfft/fft/field"
)

// encoding gives a prime field what files and tests ask for, by way of math/big: field.Info, field.Codec and
// field.Sampler.
type encoding[E any] struct {
	name string
	p    *big.Int
	put  func(z *E, x *big.Int) // z = x, for 0 ≤ x < p; keeps nothing of x
	get  func(z *big.Int, x *E) // z = x; keeps nothing of z
}

// Name is for reports; the command does not know the fields of this package.
func (c *encoding[E]) Name() string { return c.name }

// Characteristic returns p.
func (c *encoding[E]) Characteristic() *big.Int { return new(big.Int).Set(c.p) }

// Order returns p.
func (c *encoding[E]) Order() *big.Int { return new(big.Int).Set(c.p) }

// Size returns ⌈bits(p−1)/8⌉.
func (c *encoding[E]) Size() int {
	return (new(big.Int).Sub(c.p, big.NewInt(1)).BitLen() + 7) / 8
}

// PutBytes writes x little-endian into b[:Size()].
func (c *encoding[E]) PutBytes(b []byte, x *E) {
	b = b[:c.Size():len(b)]
	c.Big(new(big.Int), x).FillBytes(b)
	slices.Reverse(b)
}

// SetBytes sets z from exactly Size() little-endian bytes.
func (c *encoding[E]) SetBytes(z *E, b []byte) error {
	if len(b) != c.Size() {
		return fmt.Errorf("testfields: %w: element of %d bytes, want %d", field.ErrLength, len(b), c.Size())
	}
	b = slices.Clone(b)
	slices.Reverse(b)
	return c.SetBig(z, new(big.Int).SetBytes(b))
}

// AppendText appends x in decimal.
func (c *encoding[E]) AppendText(b []byte, x *E) []byte {
	return c.Big(new(big.Int), x).Append(b, 10)
}

// SetText sets z from decimal digits.
func (c *encoding[E]) SetText(z *E, s []byte) error {
	for _, d := range s {
		if d < '0' || d > '9' {
			return fmt.Errorf("testfields: %w: element %q, want decimal digits", field.ErrRange, s)
		}
	}
	x, ok := new(big.Int).SetString(string(s), 10)
	if !ok {
		return fmt.Errorf("testfields: %w: element %q, want decimal digits", field.ErrRange, s)
	}
	return c.SetBig(z, x)
}

// SetBig sets z = x for 0 ≤ x < p.
func (c *encoding[E]) SetBig(z *E, x *big.Int) error {
	if x == nil || x.Sign() < 0 || x.Cmp(c.p) >= 0 {
		return fmt.Errorf("testfields: %w: element %v, want 0 to %v − 1", field.ErrRange, x, c.p)
	}
	c.put(z, x)
	return nil
}

// Big sets z = x and returns z, a fresh one where that is nil.
func (c *encoding[E]) Big(z *big.Int, x *E) *big.Int {
	if z == nil {
		z = new(big.Int)
	}
	c.get(z, x)
	return z
}

// Random draws as many bits as p has until they are below p.
func (c *encoding[E]) Random(z *E, r *rand.Rand) {
	n := c.p.BitLen()
	x, b := new(big.Int), make([]byte, (n+63)/64*8)
	for {
		for i := 0; i < len(b); i += 8 {
			binary.BigEndian.PutUint64(b[i:], r.Uint64())
		}
		x.SetBytes(b)
		if x.Rsh(x, uint(8*len(b)-n)); x.Cmp(c.p) < 0 {
			c.put(z, x)
			return
		}
	}
}
