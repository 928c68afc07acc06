//go:build arm64 && !purego

package word

import "github.com/galfft/fft/internal/cpu"

// Each of these returns the kernels of an arithmetic for the active tier, and nil where there are none: NEON has no
// products of 64-bit words.

// Shoup30 serves p < 2^30: Shoup's products, sums unreduced.
func Shoup30() *Set[uint32] { return pick(&shoup30NEON) }

// Shoup31 serves p < 2^31: Shoup's products.
func Shoup31() *Set[uint32] { return pick(&shoup31NEON) }

// Montgomery32 serves any odd p < 2^32: Montgomery's products.
func Montgomery32() *Set[uint32] { return pick(&mont32NEON) }

func IFMA50() *Set[uint64]       { return nil }
func Double50() *Set[uint64]     { return nil }
func Shoup62() *Set[uint64]      { return nil }
func Shoup63() *Set[uint64]      { return nil }
func Montgomery64() *Set[uint64] { return nil }
func Goldilocks() *Set[uint64]   { return nil }

func pick(neon *Set[uint32]) *Set[uint32] {
	if cpu.Active() == cpu.NEON {
		return neon
	}
	return nil
}
