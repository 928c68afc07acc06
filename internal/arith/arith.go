// Package arith is number theory modulo one word, for set-up: plain and not fast. Arithmetic for vectors is in
// package field/smallprime and in kernels.
package arith

import (
	"math/bits"
	"unsafe"
)

// Mul returns xy mod p, for p > 0.
func Mul(x, y, p uint64) uint64 {
	h, l := bits.Mul64(x, y)
	return bits.Rem64(h, l, p)
}

// Pow returns x^e mod p, for p > 1.
func Pow(x, e, p uint64) uint64 {
	z := uint64(1)
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			z = Mul(z, x, p)
		}
		x = Mul(x, x, p)
	}
	return z
}

// Inverse returns 1/x mod p for a prime p that does not divide x.
func Inverse(x, p uint64) uint64 { return Pow(x, p-2, p) }

// Newton returns 1/p mod 2^64 for odd p, by Newton's iteration, which doubles the 3 bits of the first guess.
func Newton(p uint64) uint64 {
	i := p
	for range 5 {
		i *= 2 - p*i
	}
	return i
}

// Aligned returns n zeros that start where a line of the cache does, as kernels want vectors.
func Aligned(n int) []uint64 {
	const line = 8 // words
	w := make([]uint64, n+line)
	skip := int(-uintptr(unsafe.Pointer(&w[0])) % (8 * line) / 8)
	return w[skip:][:n:n]
}

// Bytes is the memory of words.
func Bytes(w []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), 8*len(w))
}
