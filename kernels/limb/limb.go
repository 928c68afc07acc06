// Package limb has kernels in assembly for vectors of numbers of several words modulo an odd number p of 65 to 8192
// bits. It knows no field. What it is for is in field/bigprime. The assembly is written by kernels/_gen.
//
// # Tiles
//
// A tile is eight numbers in L limbs of 52 bits: L vectors of eight words, where word 8i + l is limb i of number l.
// Tiles follow each other. R is 2^(52L), and 16p < R.
//
// Limbs are signed words, not digits: a number is Σ x_i·2^(52i) modulo R, taken in [0, R), and its limbs may be
// anything in [−2^62, 2^62]. Kernels carry when they multiply, and store sums as they are. Residues are plain, not in
// Montgomery's form; only multipliers have a form of their own.
//
// # Weights
//
// A number has the weight u when it is below u·p. Kernels take tiles of every weight up to Wide(p), which is at least
// 16, and say which weight their results have; what keeps to it also keeps the limbs in range. Canonical numbers have
// the weight 1, and limbs in [0, 2^52). As an example, layers of Radix2 on canonical numbers have the weights 1 + N,
// 1 + 2N, … for N = Set.Weight, so that (Wide(p) − 1)/N of them may follow each other; the next one has its flag reduce
// set and leaves 2 + N. Layers of Radix2T leave 2N, 4N, ….
//
// # Multipliers
//
// Table makes multipliers from numbers: eight of them are a table tile of Set.Factor·L vectors. Mul multiplies by a
// table tile, number by number. Radix2, Radix2T and MulBy multiply whole tiles by one multiplier: number l of a table
// tile is at its word l, and has every eighth word from there.
package limb

import (
	"github.com/galfft/fft/internal/arith"
)

const (
	// Bits is the bits of a limb.
	Bits = 52
	// Least and Most bound the bits of p.
	Least, Most = 65, 8192
)

const lanes = 8

// Limbs returns L for a modulus of so many bits.
func Limbs(bits int) int { return (bits + 4 + Bits - 1) / Bits }

// Set is the kernels for one number L of limbs. n > 0 counts tiles, at most Tiles. m is what Constants returns, scratch
// comes from NewScratch; a call writes to it, so that calls at the same time need one each. Destinations may be
// operands, and overlap no others.
type Set struct {
	Tiles  int // the most tiles of one call, which takes less than 50 µs: assembly cannot be preempted
	Factor int // a table tile has Factor·L vectors
	Weight int // of products by multipliers: N
	Plain  int // the weight of what Product leaves

	// Arithmetic names what multiplies limbs, and Cost is its time, where that of IFMA is 1.
	Arithmetic string
	Cost       float64
	doubles    bool // factors are doubles
	folds      bool // Product folds; otherwise it is made of two other products

	// Split sets tiles z to 2^shift·x, which is below R, for numbers x of so many 64-bit words and shift ≥ 0: word i of
	// number l of a tile is word 8i + l. Join does the reverse, and reduces: x has any weight, at most 2 if narrow is
	// set, which is faster, and z becomes canonical. Numbers have at least the words of p; further ones are not read,
	// and become 0. Both have z apart from x.
	Split func(z, x, m *uint64, words, shift, n int)
	Join  func(z, x, m, scratch *uint64, words, n int, narrow bool)

	// Reduce sets tiles z to the canonical form of x.
	Reduce func(z, x, m, scratch *uint64, n int)
	// Lower brings tiles z to the weight 2.
	Lower func(z, x, m, scratch *uint64, n int)
	// Add sets tiles z to x + y; the weights add up. Sub sets z to x − y + 2^k·p: the weight of y is at most 2^k, and
	// 2^k joins that of x.
	Add func(z, x, y, m *uint64, n int)
	Sub func(z, x, y, m *uint64, k, n int)
	// Cross sets tiles a to a + b and b to a − b + 2^k·p, with weights as Add and Sub. With reduce it lowers both
	// operands first, and k = 1 will do.
	Cross func(a, b, m, scratch *uint64, k, n int, reduce bool)

	// Table sets table tiles z to the multipliers x, which have any weight; z is apart from x.
	Table func(z, x, m, scratch *uint64, n int)
	// Mul sets tiles z to wx for the table tiles w, of the weight N. MulBy does so for the multiplier at w, and for all
	// blocks ≥ 1 of n tiles, n·blocks at most Tiles: the multiplier of the next block is at the next word of its tile.
	Mul   func(z, x, w, m, scratch *uint64, n int)
	MulBy func(z, x, w, m, scratch *uint64, n, blocks int)
	// Radix2 sets tiles a to a + wb and b to a − wb for the multiplier at w: N joins the weight of a. With reduce it
	// lowers a first: both results have the weight 2 + N. It does so for all blocks ≥ 1 of n tiles, as MulBy; those of
	// a and of b take turns, so that the next n tiles of either are 2n behind the last ones.
	Radix2 func(a, b, w, m, scratch *uint64, n, blocks int, reduce bool)
	// Radix2T sets tiles a to a + b and b to (a − b)w, where the weight of b is at most 2^k, and Wide(p) at least that
	// of a and 2^k together. The weights of a and b add up in the sum, and the product has N. With reduce the sum is
	// lowered: it has the weight 2. Blocks are as for Radix2.
	Radix2T func(a, b, w, m, scratch *uint64, k, n, blocks int, reduce bool)

	// Montgomery sets tiles z to xy/R modulo p, which is below xy/R + p: for weights u and v that is at most
	// min(u, v) + 1, which is to be at most Wide(p). Product sets z to xy modulo p.
	Montgomery func(z, x, y, m, scratch *uint64, n int)
	Product    func(z, x, y, m, scratch *uint64, n int)

	// PackedMontgomery sets n times eight packed numbers z, of w = ⌊52L/64⌋ words, one after the other, to xy/2^(64w)
	// modulo p; PackedProduct sets them to xy. Numbers are canonical. Both are nil for most L.
	PackedMontgomery, PackedProduct func(z, x, y, m, scratch *uint64, n int)
}

// NewScratch returns the scratch of kernels for L limbs. It is aligned to lines of the cache, as tiles should be.
func NewScratch(L int) []uint64 { return arith.Aligned((loopTiles + 1) * lanes * L) }

// loopTiles is what kernels in assembly take of the scratch. Those that are made of them have a tile behind.
const loopTiles = 5

// mostLimbs is the largest L.
const mostLimbs = (Most + 4 + Bits - 1) / Bits
