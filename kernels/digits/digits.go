// Package digits has kernels in assembly for tiles of eight elements of Z/(r^k + 1).
//
// A tile is k vectors of eight words: digit i in radix r of element l is word 8i + l. Elements are canonical: digits
// below r, or −1 with the last digit r and the others 0. What they are for is in field/gfpf. The assembly is written by
// kernels/_gen.
//
// Products of at most Tiles(k) tiles run for less than 50 µs, which counts because assembly cannot be preempted; so do
// sums and shifts of 2^15 words.
package digits

import (
	"math"
	"math/big"

	"github.com/galfft/fft/internal/arith"
)

// Set is the kernels of one tier. Tiles follow each other. Destinations may be operands, except in Shift, and overlap
// no others.
type Set struct {
	Form string // what the kernels use, in words

	// Add sets n tiles z to x + y, Sub to x − y, and Cross s to x + y and d to x − y.
	Add, Sub func(z, x, y *uint64, r uint64, k, n int)
	Cross    func(s, d, x, y *uint64, r uint64, k, n int)
	// Shift sets n tiles z to x·r^s, for 0 ≤ s < 2k.
	Shift func(z, x *uint64, r uint64, s, k, n int)
	// The others are nil in tiers that do not have them.

	// Mul sets n tiles z to xy, if Multiplies says so. m is what Constants returns, scratch comes from NewScratch.
	Mul func(z, x, y, scratch, m *uint64, k, n int)
	// Factors sets f, from NewFactors, to what MulBy reads for the eight elements of the tile y. MulBy sets n tiles z
	// to xy, where y is element l of these, and f is the place of word l.
	Factors func(f, y, m *uint64, k int)
	MulBy   func(z, x, f, scratch, m *uint64, k, n int)
	// PackedDigits is the most digits of which products of packed elements gain by Mul, with the way to tiles and back
	// (by BenchmarkVectors of field/gfpf).
	PackedDigits int
	// What Mul takes at most.
	mostDigits int
	mostRadix  uint64

	// AddPacked sets packed elements z to x + y, SubPacked to x − y, in n groups, n > 0, of PackedGroup(k) elements,
	// and returns how many groups are done: all, or those before one in which a carry goes on through a digit. m is
	// what Carries returns. Their index is the logarithm of the vectors of an element, from k = 8 on; 2 and 4 have that
	// of 8.
	AddPacked, SubPacked [4]func(z, x, y *uint64, r uint64, m *[3][8]uint64, n int) (done int)

	// Load sets n tiles z to packed elements x, one after the other, and Store does the reverse, from tiles x to packed
	// elements z; k is one of those that Loads has.
	Load, Store func(z, x *uint64, k, n int)
	// Gather sets the tile z to the packed elements that stand at places[l]·stride words of x, Scatter those of z to
	// the tile x. They are for few digits; eight and more move faster as transposes of words.
	Gather, Scatter func(z, x *uint64, places *int32, stride, k int)
}

// Loads reports whether Load and Store serve k digits.
func Loads(k int) bool { return k == 2 || k == 4 || k%lanes == 0 }

// PackedGroup returns the number of elements of a group, 0 where there are no kernels for k.
func PackedGroup(k int) int {
	if k > 64 {
		return 0
	}
	return max(32/k, 1)
}

// Carries returns what sums and differences of packed elements read: what the carry of each digit of a vector adds,
// what its borrow does, and the digit whose carry comes to each.
func Carries(k int) *[3][8]uint64 {
	m, n := new([3][8]uint64), min(k, 8)
	for i := range 8 {
		m[0][i] = 1
		if i%n == n-1 {
			m[0][i] = 1<<64 - 1 // its weight is r^k = −1
		}
		m[1][i] = -m[0][i]
		m[2][i] = uint64(i/n*n + (i+n-1)%n)
	}
	return m
}

// Multiplies reports whether Mul and MulBy serve elements of k digits in radix r.
func (s *Set) Multiplies(r uint64, k int) bool {
	return s.Mul != nil && r >= leastProduct && r <= s.mostRadix && k <= s.mostDigits
}

// leastProduct is the least radix that products serve: from there on the quotients of the generator's proofs fit.
const leastProduct = 1 << 30

// NewScratch returns the scratch of products, NewFactors the memory of what Factors makes. They are aligned to lines of
// the cache: with vectors across lines a product takes half as long again.
func NewScratch(k int) []uint64 { return arith.Aligned((12*k + 8) * lanes) }

func NewFactors(k int) []uint64 { return arith.Aligned(6 * lanes * k) }

const lanes = 8

// Tiles is the most tiles of one call.
func Tiles(k int) int { return max(1, 1<<12/(k*k)) }

// Constants returns what products modulo r^k + 1 read, for r ≥ 2^30; the order is that of kernels/_gen.
func Constants(r uint64, k int) []uint64 {
	const whole, step = 2 * limb, 24
	one := big.NewInt(1)
	pow := func(e int) *big.Int { return new(big.Int).Lsh(one, uint(e)) }
	R, K := new(big.Int).SetUint64(r), big.NewInt(int64(k))
	var z []uint64
	put := func(x *big.Int, n int) { z = append(z, limbs(x, n)...) }
	// Coefficients are at least −k·r². With A = k(r + 2) the offsets A(r + 1) of the first and A(r − 1) of the others
	// are A(r^k + 1) = 0 together.
	a := new(big.Int).Add(R, big.NewInt(2))
	a.Mul(a, K)
	first, other := new(big.Int).Add(R, one), new(big.Int).Sub(R, one)
	first.Mul(first, a)
	other.Mul(other, a)
	largest := new(big.Int).Mul(R, R)
	largest.Mul(largest, K).Add(largest, first)
	e1, e0 := max(limb+1, largest.BitLen()-limb), R.BitLen()-(limb-step-2)

	z = append(z, r)
	for _, x := range []*big.Int{first, other} {
		put(x, 3)
		l := z[len(z)-3:]
		l[0], l[1], l[2] = -l[0], -l[1], -l[2]
		z = append(z, l[0]+l[1])
	}
	put(new(big.Int).Div(pow(e1+limb-step), R), 1)
	put(new(big.Int).Sub(pow(whole), new(big.Int).Lsh(R, step)), 2)
	put(new(big.Int).Div(pow(e0+limb), R), 1)
	put(new(big.Int).Sub(pow(whole), R), 2)
	for _, up := range []int{whole - e1, limb - e0} {
		z = append(z, uint64(up), 1<<up)
	}
	z = append(z, doubleConstants(R)...)
	if k >= 16 {
		z = append(z, residueConstants([2]*big.Int{first, other}, k)...)
	}
	return z
}

// doubleConstants returns what products by doubles read: see kernels/_gen.
func doubleConstants(r *big.Int) []uint64 {
	const bits = 22
	var z []uint64
	put := func(x float64) { z = append(z, math.Float64bits(x)) }
	limbs := func(x *big.Int) {
		low := big.NewInt(1<<bits - 1)
		for i := range 3 {
			l := new(big.Int).Rsh(x, uint(bits*i))
			if i < 2 {
				l.And(l, low)
			}
			put(float64(l.Uint64()))
		}
	}
	limbs(r)
	inverse, _ := new(big.Float).Quo(big.NewFloat(1), new(big.Float).SetInt(r)).Float64()
	put(inverse / (1 << bits))
	put(inverse)
	for _, s := range []int64{1, -1} {
		x := new(big.Int).Add(r, big.NewInt(s))
		limbs(x.Lsh(x, 23))
	}
	put(1 << bits)
	put(3 << 51)
	put(-1. / (1 << 20))
	return append(z, 1<<bits-1, math.Float64bits(1<<52))
}

const limb = 52 // bits

// limbs returns n limbs of x; the last one has all further bits, with the sign.
func limbs(x *big.Int, n int) []uint64 {
	z, rest, mask := make([]uint64, n), new(big.Int).Set(x), big.NewInt(1<<limb-1)
	for i := range n - 1 {
		z[i] = new(big.Int).And(rest, mask).Uint64()
		rest.Rsh(rest, limb)
	}
	z[n-1] = uint64(rest.Int64())
	return z
}
