// Package rns has kernels in assembly for residue number systems: sums of products of columns of numbers by constants,
// on which conversions between integers and residues rest. What they are for is in package crt. The assembly is written
// by kernels/_gen.
package rns

import (
	"math/bits"

	"github.com/galfft/fft/internal/arith"
)

const (
	// Block is the number of elements of a row: kernels take all of them.
	Block = 32
	// Limb is the bits of a number in a row.
	Limb = 52
	// Most is the most rows of a sum.
	Most = 511
)

// Least and the limit below it bound the primes.
const (
	Least     = 1 << 8
	PrimeBits = 50
)

// Set is the kernels of one tier. Rows of Block words follow each other, n > 0 of them.
type Set struct {
	// Dot sets row z to Σ c[i]·x[i]/2^104 modulo p, below p, for rows x below 2^52 and words c below p. m comes from
	// Constants. z may be a row of x.
	Dot func(z, x, c *uint64, m *[2]uint64, n int)
	// Limb adds Σ c[i]·x[i] to the row carry, for rows x and words c below 2^52, sets row z to the low 52 bits of the
	// sums, and leaves what is above them in carry: below 2^62 where it was.
	Limb func(z, carry, x, c *uint64, n int)
}

// Constants returns what Dot reads for the prime p, Least < p < 2^PrimeBits.
func Constants(p uint64) *[2]uint64 {
	return &[2]uint64{p, -arith.Newton(p) & (1<<Limb - 1)}
}

// Lift returns 2^104·x modulo p, the form of Dot's constants.
func Lift(x, p uint64) uint64 {
	for range 2 {
		x = bits.Rem64(x>>(64-Limb), x<<Limb, p)
	}
	return x
}
