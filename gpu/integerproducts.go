package gpu

import (
	"fmt"
	"math/bits"

	"github.com/galfft/fft/internal/device"
)

// integerProduct is a kind of kernel that multiplies integers.
type integerProduct int

const (
	byShort      integerProduct = iota // a thread an integer, to mostShortWords words
	byTiles                            // eight words a thread, to threadWords·mostProductThreads words
	byPieces                           // eight words a thread, of any width
	byTensors                          // a warp an integer, on tensor cores, to mostTensorWords words
	byTransforms                       // modulo three primes, to 2^(mostTransform−1) words
	byLows                             // a thread an integer, to the last of lowWords, for low halves
	byWindows                          // four threads an integer, to the last of lowWords words
	byPasses                           // modulo three primes in passes, to 2^(mostPass−1) words
)

func (p integerProduct) String() string {
	return [...]string{"a thread each", "products of words", "products of words in pieces", "tensor cores",
		"transforms modulo three primes", "a thread each", "windows of columns",
		"transforms modulo three primes in passes"}[p]
}

const (
	mostShortWords  = 16   // words of an integer that a thread has alone
	shortThreads    = 32   // of a block of them
	windowThreads   = 64   // of a block of windows
	windowIntegers  = 16   // of a block, at a time
	mostTensorWords = 8192 // for which sums of products of bytes fit 31 bits
	mostHeldWords   = 256  // with an operand in registers
	mostFewWords    = 384  // by four tiles at a time, above them
	tensorIntegers  = 4    // of a block
	leastTensors    = 49   // words from which they pay
	leastTransforms = 193  // where there are no tensor cores for integers
)

// lowWords are the words to which kernels have low halves, a thread an integer, and windows.
var lowWords = [...]int{24, 32}

// windowRoom is the bytes of shared memory of a thread of each kernel of windows.
var windowRoom = [...]int{72, 100}

// mostTensors is the words up to which tensor cores take less time than transforms of a length, for whole products, low
// halves, whole squares and their low halves (BenchmarkIntegers; docs/adr/0102).
var mostTensors = [4][mostTransform + 1]int{
	{9: 256, 10: 512, 11: 1024, 12: 1632},
	{9: 256, 10: 512, 11: 1024, 12: 1632},
	{9: 256, 10: 512, 11: 1000, 12: 1560},
	{9: 256, 10: 512, 11: 1024, 12: 1632},
}

// productFor is the fastest kind for results of so many words, of integers of m.
func (g *Integers) productFor(m, out int, square bool) integerProduct {
	of := 0
	if out <= m {
		of = 1
	}
	if square {
		of += 2
	}
	tensors, transforms := g.can(byTensors, m, square), g.can(byTransforms, m, square)
	switch {
	case m > threadWords && m <= mostShortWords:
		return byShort
	case out <= m && m > mostShortWords && g.can(byLows, m, square):
		return byLows
	case m > mostShortWords && g.can(byWindows, m, square):
		return byWindows
	case tensors && m >= leastTensors && (!transforms || m <= mostTensors[of][lengthFor(m)]):
		return byTensors
	case transforms && m >= leastTransforms:
		return byTransforms
	case g.can(byTiles, m, square):
		return byTiles
	case g.can(byPasses, m, square):
		return byPasses
	}
	return byPieces
}

// Explain says how products of integers of so many bits go on the device. It is empty for nil and for widths that are
// none.
func (g *Integers) Explain(bits int) string {
	if g == nil || g.d == nil || bits <= 0 || bits%32 != 0 {
		return ""
	}
	m, memory := bits/32, ""
	if g.productFor(m, 2*m, false) == byPasses {
		_, _, bytes := g.passShape(1, m, 2*m, false)
		memory = fmt.Sprintf("; in passes each takes %d bytes of the device on its way", bytes)
	}
	return fmt.Sprintf("products of %d bits on %s: whole by %v, low halves by %v; squares by %v, low halves of them by %v%s",
		bits, g.d.Info().Name, g.productFor(m, 2*m, false), g.productFor(m, m, false), g.productFor(m, 2*m, true),
		g.productFor(m, m, true), memory)
}

// can reports whether a kind takes integers of m words on this device.
func (g *Integers) can(p integerProduct, m int, square bool) bool {
	switch p {
	case byShort:
		return m <= mostShortWords
	case byLows:
		return m <= lowWords[len(lowWords)-1]
	case byWindows:
		return m <= lowWords[len(lowWords)-1]
	case byTiles:
		return m <= threadWords*mostProductThreads
	case byPasses:
		return passLength(m) <= mostPass
	case byTensors:
		_, _, shared := tensorShape(m)
		return g.d.Info().Major >= 8 && m <= mostTensorWords && shared <= g.d.Info().SharedOptIn
	case byTransforms:
		lg := lengthFor(m)
		if lg > mostTransform {
			return false
		}
		_, shared := transformShape(lg, square)
		return shared <= g.d.Info().SharedOptIn
	}
	return true
}

// tensorShape is the kernel for integers of m words, the last two for those that no operand is held of, the words that
// it takes them as, and the bytes of shared memory of a block.
func tensorShape(m int) (kernel, size, shared int) {
	words := 0
	switch {
	case m <= mostHeldWords:
		kernel = bits.Len(uint(max(m, 32)-1)) - 5
		size = 32 << kernel
		words = 4*size + 176
	case m <= mostFewWords:
		kernel = heldKernels
		size = (m + 31) &^ 31
		words = 4*size + 368
	default:
		kernel = heldKernels + 1
		size = (m + 31) &^ 31
		words = 4*size + 624
	}
	return kernel, size, tensorIntegers * 4 * words
}

// heldKernels is the kernels with an operand in registers: for 32, 64, … words.
const heldKernels = 4

// lengthFor is the binary logarithm of the coefficients of a product of integers of m words.
func lengthFor(m int) int { return max(leastTransform, bits.Len(uint(2*m-1))) }

// transformShape is the threads of a block that multiplies by transforms, and its bytes of shared memory, which has a
// word more for every 32.
func transformShape(lg int, square bool) (threads, shared int) {
	parts, planes := 1, 4
	if lg > 10 {
		parts = 2
	}
	if parts == 2 || square {
		planes = 3
	}
	return 1 << lg / 8 / parts, planes * 4 * (1<<lg + 1<<lg/32)
}

// multiplyBy starts products of n integers of m words by a kind that can, with results of so many words.
func (g *Integers) multiplyBy(s *device.Stream, p integerProduct, z, x, y, work uint64, n, m, out int) error {
	switch p {
	case byShort:
		grid := [2]int{(n + shortThreads - 1) / shortThreads, 1}
		return g.d.Launch(s, g.short, grid, shortThreads, 160*shortThreads, z, x, y, uint64(n), uint64(m), uint64(out))
	case byLows:
		i := 0
		for m > lowWords[i] {
			i++
		}
		grid := [2]int{(n + shortThreads - 1) / shortThreads, 1}
		shared := 8 * (lowWords[i] + 4) * shortThreads
		return g.d.Launch(s, g.low[i], grid, shortThreads, shared, z, x, y, uint64(n), uint64(m), uint64(out))
	case byWindows:
		i := 0
		for m > lowWords[i] {
			i++
		}
		shared := windowRoom[i] * windowThreads
		most, err := g.windows[i].Fill(windowThreads, shared)
		if err != nil {
			return err
		}
		grid := [2]int{min((n+windowIntegers-1)/windowIntegers, most), 1}
		return g.d.Launch(s, g.windows[i], grid, windowThreads, shared, z, x, y, uint64(n), uint64(m), uint64(out))
	case byPasses:
		return g.multiplyPasses(s, z, x, y, work, n, m, out)
	case byTensors:
		kernel, size, shared := tensorShape(m)
		grid := [2]int{(n + tensorIntegers - 1) / tensorIntegers, 1}
		return g.d.Launch(s, g.tensors[kernel][0], grid, 32*tensorIntegers, shared, z, x, y, uint64(n), uint64(m),
			uint64(out), uint64(size))
	case byTransforms:
		if err := g.needRoots(); err != nil {
			return err
		}
		lg := lengthFor(m)
		threads, shared := transformShape(lg, x == y)
		grid := [2]int{n, 1}
		if x == y {
			return g.d.Launch(s, g.transforms[lg][1], grid, threads, shared, z, x, uint64(m), uint64(out), g.roots.At)
		}
		return g.d.Launch(s, g.transforms[lg][0], grid, threads, shared, z, x, y, uint64(m), uint64(out), g.roots.At)
	}
	t, grid, threads := shape(n, m, mostProductThreads)
	f, room := g.multiply, 80
	if p == byPieces {
		f, room = g.product, 16
	}
	return g.d.Launch(s, f, grid, threads, warpShares+room*threads, z, x, y, uint64(n), uint64(m), uint64(out),
		uint64(t))
}
