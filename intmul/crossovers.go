package intmul

// crossovers are the lengths from which on products by transforms are faster than math/big, for each operation.
type crossovers struct {
	product, square int // words of 64 bits of the shorter operand, and of that of a square
	divisor         int // bits of a divisor and of a quotient; the product of both is to be its square
	root            int // bits
	leaf            int // bits of numbers whose digits math/big makes and reads
}

// measured is those of every Arithmetic.
var measured = crossovers{product: 420, square: 460, divisor: 1 << 17, root: 1 << 14, leaf: 1 << 15}

// small reports whether math/big multiplies numbers of x and y words, or a square.
func (c *crossovers) small(x, y int, square bool) bool {
	if square {
		return x < c.square
	}
	return min(x, y) < c.product
}
