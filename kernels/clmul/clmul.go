// Package clmul has products in GF(2^64) modulo x^64 + x^4 + x^3 + x + 1 as Algorithm 4.2 of M. Hamilis, Parallel
// Additive Fast Fourier Transform Algorithms (2016), has them: by three carry-less products, one of the factors and two
// by the rest of the modulus, whose degree is so low that each of these two takes off 32 bits. It stands beside package
// gf2 for comparison; no transform uses it.
//
// The kernel is written by kernels/_gen. That in Go defines what it does: both have the same bits.
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
