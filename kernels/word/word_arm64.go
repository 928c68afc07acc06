//go:build arm64 && !purego

package word

import "github.com/galfft/fft/internal/cpu"

// Each of these returns the kernels of an arithmetic for the active tier, and nil where there are none. Those of 64-bit
// words multiply in general registers, and move words in vectors.

// Shoup30 serves p < 2^30: Shoup's products, sums unreduced.
func Shoup30() *Set[uint32] { return pick(&shoup30NEON) }

// Shoup31 serves p < 2^31: Shoup's products.
func Shoup31() *Set[uint32] { return pick(&shoup31NEON) }

// Montgomery32 serves any odd p < 2^32: Montgomery's products.
func Montgomery32() *Set[uint32] { return pick(&mont32NEON) }

// IFMA50 returns nil: there are no products of 52 bits.
func IFMA50() *Set[uint64] { return nil }

// Double50 returns nil: products in general registers serve these primes.
func Double50() *Set[uint64] { return nil }

// Shoup62 serves p < 2^62: Shoup's products, sums unreduced.
func Shoup62() *Set[uint64] { return pick(&shoup62NEON) }

// Shoup63 serves p < 2^63: Shoup's products.
func Shoup63() *Set[uint64] { return pick(&shoup63NEON) }

// Montgomery64 serves any odd p: Montgomery's products.
func Montgomery64() *Set[uint64] { return pick(&mont64NEON) }

// Goldilocks serves p = 2^64 − 2^32 + 1.
func Goldilocks() *Set[uint64] { return pick(&goldilocksNEON) }

func pick[W uint32 | uint64](neon *Set[W]) *Set[W] {
	if cpu.Active() == cpu.NEON {
		return neon
	}
	return nil
}
