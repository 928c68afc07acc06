package testfields

import (
	"fmt"
	"math/rand/v2"

	"github.com/galfft/fft/field"
)

// Binary8 is GF(2^8) as bytes of coefficients modulo x^8 + x^4 + x^3 + x + 1 (FIPS 197), by element methods alone: a
// field of characteristic 2 for affine domains.
type Binary8 struct{}

func (Binary8) Set(z, x *uint8)               { *z = *x }
func (Binary8) Add(z, x, y *uint8)            { *z = *x ^ *y }
func (Binary8) Sub(z, x, y *uint8)            { *z = *x ^ *y }
func (Binary8) Neg(z, x *uint8)               { *z = *x }
func (Binary8) Equal(x, y *uint8) bool        { return *x == *y }
func (Binary8) One(z *uint8)                  { *z = 1 }
func (Binary8) Random(z *uint8, r *rand.Rand) { *z = uint8(r.Uint32()) }

// Mul multiplies bit by bit.
func (Binary8) Mul(z, x, y *uint8) {
	a, t := uint32(*x), uint32(0)
	for b := uint32(*y); b != 0; b >>= 1 {
		t ^= a & -(b & 1)
		a <<= 1
		a ^= 0x11B & -(a >> 8)
	}
	*z = uint8(t)
}

// Inv is the power 2^8 − 2.
func (f Binary8) Inv(z, x *uint8) error {
	if *x == 0 {
		return field.ErrNotInvertible
	}
	field.PowUint[uint8](f, z, x, 254)
	return nil
}

// RootOfUnity returns a power of x + 1, which generates the 255 units.
func (f Binary8) RootOfUnity(z *uint8, n uint64) error {
	if n == 0 || 255%n != 0 {
		return fmt.Errorf("GF(2^8): %w: order %d, want a divisor of 255", field.ErrNoRoot, n)
	}
	g := uint8(3)
	field.PowUint[uint8](f, z, &g, 255/n)
	return nil
}
