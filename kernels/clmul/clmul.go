// Package clmul has products in GF(2^64) modulo x^64 + x^4 + x^3 + x + 1 as Algorithm 4.2 of M. Hamilis, Parallel
// Additive Fast Fourier Transform Algorithms (2016), has them: by three carry-less products, one of the factors and two
// by the rest of the modulus, whose degree is so low that each of these two takes off 32 bits. It stands beside package
// gf2 for comparison; no transform uses it. Beside it stand products of slices, in which each bit of an element is in a
// vector of its own ([Bits]): the thesis estimates them in its chapter 8.
//
// The kernels are written by kernels/_gen. Those in Go define what they do: all have the same bits.
package clmul

import "unsafe"

// Set is the kernels of a tier. They trust what they get.
type Set struct {
	// Form is the instructions in words.
	Form string
	// Mul sets z[i] = x[i]·y[i] for i < n, where bit j of an element is the coefficient of x^j. z may be x or y, and
	// overlaps them in no other way. Assembly cannot be preempted: callers keep n below 2^13.
	Mul func(z, x, y *uint64, n int)
}

// Generic is the kernels in Go.
var Generic = Set{Form: "Go", Mul: mul}

// Active returns the kernels that run: with PCLMULQDQ where the processor has it, on every tier but the generic one.
func Active() *Set { return active() }

// rest is the modulus without x^64.
const rest = 0x1b

func mul(z, x, y *uint64, n int) {
	to, from := unsafe.Slice(z, n), unsafe.Slice(x, n)
	for i, b := range unsafe.Slice(y, n) {
		to[i] = product(from[i], b)
	}
}

func product(x, y uint64) uint64 {
	hi, lo := carryless(x, y)
	_, top := carryless(hi>>32, rest)
	hi, lo = hi^top>>32, lo^top<<32
	_, next := carryless(hi&(1<<32-1), rest)
	return lo ^ next
}

// carryless is the product of polynomials over GF(2).
func carryless(x, y uint64) (hi, lo uint64) {
	for i := range 64 {
		bit := -(y >> i & 1)
		lo ^= x << i & bit
		hi ^= x >> 1 >> (63 - i) & bit
	}
	return hi, lo
}

// Bits is kernels for slices: 64 rows of a bit each of so many elements.
type Bits struct {
	// Form is the instructions in words.
	Form string
	// Lanes is how many elements a slice has, and bits a row.
	Lanes int
	// Slice makes a slice of Lanes elements: bit e of word w of row i is bit i of element Lanes/64·e + w. It goes back
	// as well. z may be x.
	Slice func(z, x *uint64)
	// Mul sets z to the products of the elements of the slices x and y, by the schoolbook's 64² products of rows. It
	// takes room of 128 rows, and z may be x or y.
	Mul func(z, x, y, room *uint64)
}

// GenericBits is kernels in Go, of 64 lanes.
var GenericBits = Bits{Form: "Go", Lanes: 64, Slice: slice, Mul: sliced}

// ActiveBits returns the kernels that run.
func ActiveBits() *Bits { return activeBits() }

func slice(z, x *uint64) {
	v := [64]uint64(unsafe.Slice(x, 64))
	for i := range 64 {
		var row uint64
		for e, w := range v {
			row |= w >> i & 1 << e
		}
		unsafe.Slice(z, 64)[i] = row
	}
}

func sliced(z, x, y, room *uint64) {
	sums, b := unsafe.Slice(room, 128), unsafe.Slice(y, 64)
	clear(sums)
	for i, a := range unsafe.Slice(x, 64) {
		for j := range b {
			sums[i+j] ^= a & b[j]
		}
	}
	for i := 126; i >= 64; i-- {
		for _, e := range []int{0, 1, 3, 4} { // of rest
			sums[i-64+e] ^= sums[i]
		}
	}
	copy(unsafe.Slice(z, 64), sums)
}
