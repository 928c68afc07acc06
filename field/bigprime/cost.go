package bigprime

import (
	"math"
	"math/bits"

	"github.com/galfft/fft/internal/residues"
	kernels "github.com/galfft/fft/kernels/word"
)

// What products take, in nanoseconds on one processor, by BenchmarkConvolution.
const (
	// Butterflies of helper primes.
	butterflyIFMA  = 0.24 // of 50 bits by kernels
	butterfly512   = 0.57 // of 62 bits, eight in a vector
	butterfly256   = 1.2  // four
	butterflyPlain = 1.6

	// For an element and a helper prime, all conversions of a product with the product of residues: once, and for each
	// limb of 52 bits or word of 64.
	convertKernels, convertLimb = 2.3, 0.11
	convertPlain, convertWord   = 15, 1.5

	// For a helper prime, and for tiles of the field: calls, whatever the length.
	primeCalls, tileCalls = 400, 4000

	// For an element of the field, packing, products and unpacking: for each limb of a tile, or in butterflies.
	tileLimb, packedElement = 5, 3.7
)

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
	butterfly, convert, room := butterflyIFMA, convertKernels+convertLimb*size/52, float64(residues.KernelBits)
	if !residues.Kernels() {
		butterfly, convert, room = butterflyPlain, convertPlain+convertWord*size/64, residues.PlainBits
		if k := kernels.Shoup62(); k != nil && k.Lanes >= 8 {
			butterfly = butterfly512
		} else if k != nil {
			butterfly = butterfly256
		}
	}
	return math.Ceil(need/room) * (layers*butterfly + convert + primeCalls/float64(n)) / f.nativeCost(layers, n)
}

// nativeCost is the time for an element of a product of n points by transforms over the field: so many butterflies, and
// what comes on top.
func (f *prime) nativeCost(layers float64, n int) float64 {
	if f.tiled(n) {
		return f.tiles.Traits().Butterfly*layers + float64(tileLimb*f.tiles.Rows) + tileCalls/float64(n)
	}
	return f.bulk.Traits().Butterfly * (layers + packedElement)
}
