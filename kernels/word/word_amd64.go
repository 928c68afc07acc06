//go:build amd64 && !purego

package word

import "github.com/galfft/fft/internal/cpu"

// Each of these returns the kernels of an arithmetic for the active tier, and nil where there are none.

// Shoup30 serves p < 2^30: Shoup's products, sums unreduced.
func Shoup30() *Set[uint32] {
	return pick(&shoup30AVX2, &shoup30AVX512)
}

// Shoup31 serves p < 2^31: Shoup's products.
func Shoup31() *Set[uint32] {
	return pick(&shoup31AVX2, &shoup31AVX512)
}

// Montgomery32 serves any odd p < 2^32: Montgomery's products.
func Montgomery32() *Set[uint32] {
	return pick(&mont32AVX2, &mont32AVX512)
}

// IFMA50 serves p < 2^50: Shoup's products of 52 bits.
func IFMA50() *Set[uint64] {
	if cpu.Active() >= cpu.IFMA {
		return &ifma50AVX512
	}
	return nil
}

// Double50 serves p < 2^50: products by doubles.
func Double50() *Set[uint64] {
	return pick(&double50AVX2, &double50AVX512)
}

// Shoup62 serves p < 2^62: Shoup's products, sums unreduced.
func Shoup62() *Set[uint64] {
	return pick(&shoup62AVX2, &shoup62AVX512)
}

// Shoup63 serves p < 2^63: Shoup's products.
func Shoup63() *Set[uint64] {
	return pick(&shoup63AVX2, &shoup63AVX512)
}

// Montgomery64 serves any odd p: Montgomery's products.
func Montgomery64() *Set[uint64] {
	return pick(&mont64AVX2, &mont64AVX512)
}

// Goldilocks serves p = 2^64 − 2^32 + 1.
func Goldilocks() *Set[uint64] {
	return pick(&goldilocksAVX2, &goldilocksAVX512)
}

func pick[W uint32 | uint64](avx2, avx512 *Set[W]) *Set[W] {
	switch t := cpu.Active(); {
	case t >= cpu.AVX512:
		return avx512
	case t >= cpu.AVX2:
		return avx2
	}
	return nil
}
