package bigprime

import (
	"math"
	"math/bits"

	"github.com/galfft/fft/internal/residues"
	kernels "github.com/galfft/fft/kernels/word"
)

// What products through other primes take, in nanoseconds, by BenchmarkConvolution.
const (
	butterflyIFMA  = 0.26 // of helper primes: 50 bits by kernels
	butterfly512   = 0.57 // 62 bits, eight in a vector
	butterfly256   = 1.2  // four
	butterflyPlain = 1.6

	// For an element and a helper prime, all conversions of a product with the product of residues: once, and for each
	// limb of 52 bits or word of 64.
	convertKernels, convertLimb = 2.6, 0.11
	convertPlain, convertWord   = 15, 1.5

	// For an element, in butterflies of the field: packing, products of values and unpacking.
	nativeElement = 3
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
	traits := f.bulk.Traits()
	if f.tiled(n) {
		traits = f.tiles.Traits()
	}
	native := traits.Butterfly * (layers + nativeElement)
	need := 2*size + float64(bits.Len(uint(n))) + 1
	if residues.Kernels() {
		primes := math.Ceil(need / residues.KernelBits)
		return primes * (layers*butterflyIFMA + convertKernels + convertLimb*size/52) / native
	}
	butterfly := butterflyPlain
	if k := kernels.Shoup62(); k != nil && k.Lanes >= 8 {
		butterfly = butterfly512
	} else if k != nil {
		butterfly = butterfly256
	}
	return math.Ceil(need/residues.PlainBits) * (layers*butterfly + convertPlain + convertWord*size/64) / native
}
