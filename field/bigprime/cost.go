package bigprime

import (
	"math"
	"math/bits"

	"github.com/galfft/fft/internal/residues"
	"github.com/galfft/fft/kernels/rns"
	kernels "github.com/galfft/fft/kernels/word"
)

// What products take, in nanoseconds on one processor, by BenchmarkConvolution.
const (
	primeCalls, tileCalls = 400, 4000 // for a helper prime, and for tiles of the field: calls, whatever the length

	// For an element of the field, packing, products and unpacking: for each limb of a tile, or in butterflies.
	tileLimb, packedElement = 5, 3.7
)

// helperCost is what a helper prime takes: for a butterfly, and for an element all conversions of a product with the
// product of residues, once and for each word of the element.
type helperCost struct {
	butterfly, convert, convertWord float64
	bits, word                      float64 // of primes and words
}

// Figures of IFMA are those of an Emerald Rapids. By doubles, with AVX-512 and AVX2, a butterfly of p50 takes 1.4 and
// 2.5 times as long there. Conversions take 1.5 times as long with AVX-512, and 2.5 and for limbs 3.8 with AVX2, on a
// Zen 5.
var (
	helperIFMA      = helperCost{0.24, 2.3, 0.11, residues.KernelBits, rns.Limb}
	helperDouble512 = helperCost{0.33, 3.4, 0.17, residues.KernelBits, rns.Limb}
	helperDouble256 = helperCost{0.6, 5.8, 0.42, residues.KernelBits, rns.Limb}
	helperWords     = helperCost{1.2, 15, 1.5, residues.PlainBits, 64} // kernels for transforms alone
	helperPlain     = helperCost{1.6, 15, 1.5, residues.PlainBits, 64}
)

// helper is that of the active tier.
func helper() helperCost {
	doubles := kernels.Double50()
	switch {
	case !residues.Kernels() && kernels.Shoup62() != nil:
		return helperWords
	case !residues.Kernels():
		return helperPlain
	case kernels.IFMA50() != nil:
		return helperIFMA
	case doubles != nil && doubles.Lanes >= 8:
		return helperDouble512
	}
	return helperDouble256
}

// ConvolutionCost returns about how many times the time of products by transforms over the field, of length n, those of
// Convolution take: by what a butterfly costs in both, and the conversions. It is smaller for short elements, and for
// tiers that have faster arithmetic for words.
func (f *Field[E]) ConvolutionCost(n int) float64 { return f.prime.convolutionCost(n) }

// ConvolutionCost is that of [Field].
func (f *Any) ConvolutionCost(n int) float64 { return f.convolutionCost(n) }

func (f *prime) convolutionCost(n int) float64 {
	if n < 1 {
		return 1
	}
	layers := 1.5 * float64(bits.Len(uint(n))-1) // butterflies for an element, in three transforms
	size := float64(f.n.BitLen())
	need := 2*size + float64(bits.Len(uint(n))) + 1
	h := helper()
	each := layers*h.butterfly + h.convert + h.convertWord*size/h.word + primeCalls/float64(n)
	return math.Ceil(need/h.bits) * each / f.nativeCost(layers, n)
}

// nativeCost is the time for an element of a product of n points by transforms over the field: so many butterflies, and
// what comes on top.
func (f *prime) nativeCost(layers float64, n int) float64 {
	if f.tiles != nil && f.tiles.Traits().Serves(n) {
		return f.tiles.Traits().Butterfly*layers + float64(tileLimb*f.tiles.Rows) + tileCalls/float64(n)
	}
	return f.bulk.Traits().Butterfly * (layers + packedElement)
}
