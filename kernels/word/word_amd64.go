//go:build amd64 && !purego

package word

import "github.com/galfft/fft/internal/cpu"

// Each of these returns the kernels of an arithmetic for the active tier, and nil where there are none.

// Shoup30 serves p < 2^30: Shoup's products, sums unreduced.
func Shoup30() *Set[uint32] {
	if cpu.Active() >= cpu.AVX512 {
		return &shoup30AVX512
	}
	return nil
}

// Shoup31 serves p < 2^31: Shoup's products.
func Shoup31() *Set[uint32] {
	if cpu.Active() >= cpu.AVX512 {
		return &shoup31AVX512
	}
	return nil
}

// IFMA50 serves p < 2^50: Shoup's products of 52 bits.
func IFMA50() *Set[uint64] {
	if cpu.Active() >= cpu.IFMA {
		return &ifma50AVX512
	}
	return nil
}

// Shoup62 serves p < 2^62: Shoup's products, sums unreduced.
func Shoup62() *Set[uint64] {
	if cpu.Active() >= cpu.AVX512 {
		return &shoup62AVX512
	}
	return nil
}

// Shoup63 serves p < 2^63: Shoup's products.
func Shoup63() *Set[uint64] {
	if cpu.Active() >= cpu.AVX512 {
		return &shoup63AVX512
	}
	return nil
}

// Montgomery64 serves any odd p: Montgomery's products.
func Montgomery64() *Set[uint64] {
	if cpu.Active() >= cpu.AVX512 {
		return &mont64AVX512
	}
	return nil
}

// Goldilocks serves p = 2^64 − 2^32 + 1.
func Goldilocks() *Set[uint64] {
	if cpu.Active() >= cpu.AVX512 {
		return &goldilocksAVX512
	}
	return nil
}
