package testfields

import (
	"fmt"
	"math/big"

	"github.com/galfft/fft/field"
)

const (
	fermatPrime = 1<<16 + 1
	fermatOrder = 32 // of 2, as 2^16 = −1

	// fermatRoot has order 2^16 and its power 2^11 is 2. It is 3^27: 3 generates all units, 3^(2^11) is
	// 2^19, and 19·27 = 1 modulo 32.
	fermatRoot = 3491
)

// Fermat is the field of integers modulo the Fermat prime 2^16 + 1, canonical in 32 bits, where the powers
// of 2 are cheap: field.Shifter with g = 2, of order 32. Its roots fit g: root(n)^(n/32) = 2 for 32 | n.
type Fermat struct{ encoding[uint32] }

// NewFermat returns the field.
func NewFermat() *Fermat {
	return &Fermat{encoding[uint32]{
		name: "fermat",
		p:    big.NewInt(fermatPrime),
		put:  func(z *uint32, x *big.Int) { *z = uint32(x.Uint64()) },
		get:  func(z *big.Int, x *uint32) { z.SetUint64(uint64(*x)) },
	}}
}

func (f *Fermat) Set(z, x *uint32)        { *z = *x }
func (f *Fermat) Add(z, x, y *uint32)     { *z = (*x + *y) % fermatPrime }
func (f *Fermat) Sub(z, x, y *uint32)     { *z = (*x + fermatPrime - *y) % fermatPrime }
func (f *Fermat) Neg(z, x *uint32)        { *z = (fermatPrime - *x) % fermatPrime }
func (f *Fermat) Mul(z, x, y *uint32)     { *z = uint32(uint64(*x) * uint64(*y) % fermatPrime) }
func (f *Fermat) One(z *uint32)           { *z = 1 }
func (f *Fermat) Equal(x, y *uint32) bool { return *x == *y }

func (f *Fermat) Inv(z, x *uint32) error {
	if *x == 0 {
		return fmt.Errorf("testfields: %w: 0", field.ErrNotInvertible)
	}
	field.Pow(f, z, x, big.NewInt(fermatPrime-2))
	return nil
}

// RootOfUnity sets z to a root of order n, for the powers of two up to 2^16.
func (f *Fermat) RootOfUnity(z *uint32, n uint64) error {
	if n == 0 || (fermatPrime-1)%n != 0 {
		return fmt.Errorf("testfields: %w: order %d modulo %d, want a divisor of 2^16", field.ErrNoRoot, n, fermatPrime)
	}
	w := uint32(fermatRoot)
	field.Pow(f, z, &w, new(big.Int).SetUint64((fermatPrime-1)/n))
	return nil
}

// ShiftOrder is the order of 2.
func (f *Fermat) ShiftOrder() uint64 { return fermatOrder }

// Shift sets z = x·2^s.
func (f *Fermat) Shift(z, x *uint32, s uint64) {
	*z = uint32(uint64(*x) << (s % fermatOrder) % fermatPrime)
}
