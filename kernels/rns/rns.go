// Package rns has kernels in assembly for residue number systems: sums of products of columns of numbers by constants,
// on which conversions between integers and residues rest. What they are for is in package crt. The assembly is written
// by kernels/_gen.
package rns

import (
	"math"
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
	// Clear is Limb for sums to which a multiple z·p of p is added that clears their low 52 bits, z below 2^52. m comes
	// from Constants, for the low 52 bits of an odd p. z may be the row above x.
	Clear func(z, carry, x, c *uint64, m *[2]uint64, n int)
	// Quotient sets row z to ⌊(Σ c[i]·x[i] + up·2^Limb)/2^QuotientBits⌋, for rows x and words c below 2^52 and up below
	// 2^(QuotientBits−Limb). z may be the row above x.
	Quotient func(z, x, c *uint64, n int, up uint64)
	// Scale sets n rows, step words apart from z on, to wx modulo p, below 2p, for rows x below 2^52. m comes from
	// Multiplier.
	Scale func(z, x *uint64, m *[3]uint64, step, n int)
	// Split sets rows z to the first n limbs of Block packed numbers x of so many words. c comes from Splits.
	Split func(z, x, c *uint64, words, n int)
	// Join sets Block packed numbers z of so many words to those with n limbs in rows x, less p, of n limbs, where they
	// are p or more; it uses x up. c comes from Joins, and the rows above x that it reads are 0.
	Join func(z, x, p, c *uint64, words, n int)
	// Words sets n rows z to the words of Block numbers with limbs in rows x, low first. c comes from Joins, and the
	// rows above x that it reads are 0.
	Words func(z, x, c *uint64, n int)
	// Cut sets 8n words z to windows of the number x, which go on by step bytes after each eight. c comes from Windows.
	// It reads the 8 bytes from where a window begins.
	Cut func(z, x *uint64, c *[17]uint64, step, n int)
	// Add[w] adds 0 < n ≤ Block numbers of w words to sum, of length words: the first one at bit, each of the others
	// size bits above the one before. Word i of number j is element j of row i. What is carried beyond the end of sum
	// is dropped. Nil where there is none.
	Add [9]func(sum, rows *uint64, n, bit, size, length int)
	// Garner[k] sets rows z to the words of Block numbers with the residues r[i][from], r[i][from+1], … modulo k
	// primes, below them: the digits of Dot, the limbs of Limb and Words in one. The product of the first j primes has
	// PrimeBits·j bits. c has for each prime but the first, i, the words of Dot for digits i, 0, 1, …, i − 1, and what
	// Constants has for it; and then for each limb the words that Limb takes. Nil where there is none.
	Garner [10]func(z *uint64, r *[]uint64, c *uint64, from int)
	// Pair sets 2 rows z to the words of Block numbers with the residues r[0][from], … and r[1][from], … modulo two
	// primes p and q, below them; p < 4q. c comes from Pairs. Nil where there is Garner.
	Pair func(z *uint64, r *[]uint64, c *[4]uint64, from int)
}

// QuotientBits is the place of 1 in the sums of Quotient.
const QuotientBits = 101

// Constants returns what Dot reads for the prime p, Least < p < 2^PrimeBits, and Clear for any odd p below 2^52.
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

// Multiplier returns what Scale reads for w below p, p below 2^PrimeBits.
func Multiplier(w, p uint64) *[3]uint64 {
	q, _ := bits.Div64(w>>(64-Limb), w<<Limb, p)
	return &[3]uint64{w, q, 1<<Limb - p}
}

// Pairs returns what Pair reads for the primes p and q below 2^PrimeBits.
func Pairs(p, q uint64) *[4]uint64 {
	w, by := float64(arith.Inverse(p%q, q)), float64(q)
	if w > by/2 {
		w -= by
	}
	c := new([4]uint64)
	for i, x := range []float64{w, w / by, by, float64(p)} {
		c[i] = math.Float64bits(x)
	}
	return c
}

// Splits returns what Split reads for n limbs of numbers of so many words: for each limb the byte of a number where
// eight bytes that have all of it begin, and where in these it begins. n is at most Limbs(64·words).
func Splits(words, n int) []uint64 {
	c := make([]uint64, 0, 2*n)
	for i := range n {
		byte, shift := i*Limb/8, i*Limb%8
		if last := 8 * (words - 1); byte > last {
			byte, shift = last, i*Limb-8*last
		}
		c = append(c, uint64(byte), uint64(shift))
	}
	return c
}

// Windows returns what Cut reads for windows of size bits, at most 57, of which the first begins at bit from and each
// of the others step bits above the one before: eight of them are step bytes.
func Windows(from, step, size int) *[17]uint64 {
	c := new([17]uint64)
	for i := range 8 {
		c[i], c[8+i] = uint64(from/8), uint64(from%8)
		from += step
	}
	c[16] = 1<<size - 1
	return c
}

// Joins returns what Join reads for numbers of so many words, and the number of rows that it reads.
func Joins(words int) (c []uint64, rows int) {
	for i := range words {
		row, bit := i*64/Limb, i*64%Limb
		c = append(c, uint64(row*Block*8), uint64(bit), uint64(Limb-bit), uint64(2*Limb-bit))
		rows = row + 3
	}
	return c, rows
}

// Limbs returns the number of limbs that have so many bits.
func Limbs(bits int) int { return (bits + Limb - 1) / Limb }
