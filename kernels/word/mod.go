package word

import (
	"math"
	"math/bits"

	"github.com/galfft/fft/internal/arith"
)

// The constants begin with p and 2p; the pointwise product also needs 1/p modulo a word, and a word (or 2^52) modulo
// p with its companion, to multiply one factor by it. Those of Rings need as much, times 8.

func ifma50Mod(p uint64) []uint64 {
	const word = 1 << 52
	r := word % p
	q, _ := bits.Div64(r>>12, r<<52, p)
	r8 := 8 * r % p
	q8, _ := bits.Div64(r8>>12, r8<<52, p)
	return []uint64{p, 2 * p, word - p, arith.Newton(p) % word, r, q, r8, q8}
}

// double50Mod has, as doubles, p, its inverse, what rounds to integers, and what turns words into doubles: 2^52,
// 2^52 + p and 2^52 + 2p.
func double50Mod(p uint64) []uint64 {
	x := float64(p)
	m := []uint64{p, 2 * p}
	for _, c := range []float64{x, 1 / x, 3 << 51, 1 << 52, 1<<52 + x, 1<<52 + 2*x} {
		m = append(m, math.Float64bits(c))
	}
	return m
}

func shoup62Mod(p uint64) []uint64 {
	_, r := bits.Div64(1%p, 0, p)
	q, _ := bits.Div64(r, 0, p)
	return []uint64{p, 2 * p, arith.Newton(p), r, q}
}

func shoup63Mod(p uint64) []uint64 { return shoup62Mod(p) }

// mont64Mod has 2^128 mod p, with its companion, so that Montgomery's product by it is one by 2^64.
func mont64Mod(p uint64) []uint64 {
	_, r := bits.Div64(1%p, 0, p)
	_, r = bits.Div64(r, 0, p)
	return []uint64{p, 0, arith.Newton(p), r, r * arith.Newton(p)}
}

// mont32Mod has 2^64 mod p, with its companion, so that Montgomery's product by it is one by 2^32. It leaves out 2p.
func mont32Mod(p uint64) []uint32 {
	r, i := uint32(-p%p), uint32(arith.Newton(p))
	return []uint32{uint32(p), i, r, r * i}
}

func goldilocksMod(p uint64) []uint64 { return mont64Mod(p) }

func shoup31Mod(p uint64) []uint32 {
	r := 1 << 32 % p
	return []uint32{uint32(p), uint32(2 * p), uint32(arith.Newton(p)), uint32(r), uint32(r << 32 / p)}
}

func shoup30Mod(p uint64) []uint32 { return shoup31Mod(p) }
