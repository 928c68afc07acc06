package intmul

import (
	"github.com/galfft/fft/internal/residues"
	"github.com/galfft/fft/kernels/rns"
)

// crossovers are the lengths from which on products by transforms are faster than math/big, for each operation.
type crossovers struct {
	product, square kernels // words of 64 bits of both factors, and of that of a square
	operand         int     // words of the shorter operand where one is prepared, with kernels
	divisor         int     // bits of a divisor and of a quotient, whose product is its square; a multiple of 64
	wrap            int     // bits of products modulo 2^m − 1
	reciprocal      int     // bits of reciprocals, which math/big divides for below
	root            int     // bits
	gcd             int     // bits of the longer number
	euclid          int     // bits of numbers whose quotients come from words
	leaf            int     // bits of numbers whose digits math/big makes and reads
	text            int     // bits of numbers whose digits come by way of a Decimal, where the base is 10
	quotients       int     // words that become digits by quotients
	parts           int     // words that become digits by fractions, if not more
	digits          int     // digits of radix 10^19 that come one by one from a fraction, or go into a number
	decimal         int     // words of 19 digits of the shorter operand, which schoolbook products have below
}

// kernels has a crossover without kernels, with those of AVX2 or AVX-512, and with those of IFMA: none is greater than
// the one before.
type kernels [3]int

// now returns the crossover of the active tier.
func (k *kernels) now() int {
	switch set := rns.Active(); {
	case set == nil:
		return k[0]
	case set.Garner[leastPrimes] == nil:
		return k[1]
	}
	return k[2]
}

// measured is those of every Arithmetic.
var measured = crossovers{product: kernels{420, 320, 220}, square: kernels{460, 360, 245}, operand: 160,
	divisor: 1 << 15, wrap: 1 << 14, reciprocal: 1 << 14, root: 1 << 9, gcd: 1 << 15, euclid: 1 << 12, leaf: 1 << 15,
	text: 1 << 14, quotients: 48, parts: 2048, digits: 48, decimal: 130}

// few is small for operands of which one is prepared.
func (c *crossovers) few(in radix, x, y int) bool {
	return c.small(in, x, y, false) && (in == decimal || residues.Bits() > residues.KernelBits || min(x, y) < c.operand)
}

// small reports whether no transforms multiply numbers of x and y words, or a square.
func (c *crossovers) small(in radix, x, y int, square bool) bool {
	if in == decimal {
		return min(x, y) < c.decimal
	}
	if square {
		return x < c.square[2] || x < c.square.now()
	}
	return less(x, y, c.product[2]) || less(x, y, c.product.now())
}

// less reports whether products of x and y words are faster without transforms, where they are for equal lengths below
// the crossover: those of math/big take the time of as many equal ones as the longer factor has parts.
func less(x, y, crossover int) bool {
	short, long := min(x, y), max(x, y)
	return 2*short < crossover || short < crossover && long < crossover*crossover/short
}
