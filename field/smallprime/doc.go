// Package smallprime provides the prime fields 𝔽ₚ with odd p < 2^64, the modulus chosen at run time.
//
// [Field32] holds elements in uint32, for p < 2^32; [Field64] holds them in uint64, for every p. An element
// is its canonical residue, a number below p in plain form, so that any slice of residues is a vector.
// Constructors test that p is prime; [Presets] lists moduli of common use.
//
// Plans work on the slices in place, with values that may exceed p in between. The modulus chooses the
// arithmetic:
//
//	elements  p       products by a multiplier          wide      narrow
//	uint32    < 2^30  Shoup, quotient of 32 bits, lazy  [0, 4p)   [0, 2p)
//	uint32    < 2^31  Shoup, quotient of 32 bits        [0, 2p)   [0, 2p)
//	uint32    < 2^32  Montgomery with kernels, or Shoup [0, p)    [0, p)
//	uint64    < 2^50  Shoup, quotient of 52 bits, lazy  [0, 4p)   [0, 2p)   with AVX-512 IFMA
//	uint64    < 2^62  Shoup, quotient of 64 bits, lazy  [0, 4p)   [0, 2p)
//	uint64    < 2^63  Shoup, quotient of 64 bits        [0, 2p)   [0, 2p)
//	uint64    < 2^64  Montgomery                        [0, p)    [0, p)
//	2^64 − 2^32 + 1   Montgomery, by shifts and sums    any word  [0, p)    with kernels
//
// [Montgomery] has any of these primes with transforms in Montgomery's form, for comparison.
//
// Passes run by the assembly of package kernels/word where the processor has the instructions, and in Go elsewhere, to
// the same bits: GALFFT_CPU and the build tag purego choose less.
//
// # Roots
//
// The root of unity of order n is the product, over the prime powers q^e that divide n exactly, of
// c^((p−1)/q^e) for the smallest c ≥ 2 with c^((p−1)/q) ≠ 1. It exists for the divisors n of p−1 alone. For
// powers of two, root(2n)² = root(n).
//
// Time depends on the values: the package is not for secrets.
package smallprime
