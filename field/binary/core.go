package binary

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/kernels/gf2"
)

// arithmetic is that of a basis of the field: products and squares of w words, and of one for fields of up to 64 bits.
type arithmetic interface {
	mul(z, x, y []uint64)
	square(z, x []uint64)
	mul1(x, y uint64) uint64
	square1(x uint64) uint64
	trace() []uint64     // the mask of the bits whose basis vectors have trace 1
	generator() []uint64 // an element in no smaller field, which makes the basis
}

// kind says where the words of elements are.
type kind int

const (
	scalar kind = iota // in a word of 8 to 64 bits
	array              // in an array of words
	number             // in a Number
)

// core is what fields share, whatever their type of elements.
type core struct {
	arithmetic
	m, w int
	kind kind
	name string
	of2  *modulus // nil for towers
	// rest is the modulus as kernels for words take it; nil where they have no such field, or it is longer than a word.
	rest *[gf2.RestWords]uint64

	traces    func() []uint64   // see arithmetic
	quadratic func() *quadratic // the solutions of z² + z = y
	basis     func() [][]uint64 // the field's own, of subspaces
}

func (c *core) init(a arithmetic, m, w int, k kind, name string) {
	c.arithmetic, c.m, c.w, c.kind, c.name = a, m, w, k, name
	c.of2, _ = a.(*modulus)
	if c.of2 != nil && (m == 64 || m == 128) && len(trimmed(c.of2.tail)) == 1 {
		rest := gf2.Rest(c.of2.tail[0])
		c.rest = &rest
	}
	c.traces = sync.OnceValue(a.trace)
	c.quadratic = sync.OnceValue(c.newQuadratic)
	c.basis = sync.OnceValue(c.newBasis)
}

var (
	errNil     = fmt.Errorf("fft: %w: a field that is nil or zero, want one that a constructor made", field.ErrSpec)
	errElement = fmt.Errorf("fft: %w: the element is nil", field.ErrSpec)
)

// check is an ErrSpec for the zero value.
func (c *core) check() error {
	if c.arithmetic == nil {
		return errNil
	}
	return nil
}

// operands is an ErrSpec for the zero value, and where an element is nil.
func (c *core) operands(isNil bool) error {
	if isNil {
		return errElement
	}
	return c.check()
}

// valid reports whether x has no bits from m on.
func (c *core) valid(x []uint64) bool {
	if k := c.m % 64; k != 0 && x[c.m/64]>>k != 0 {
		return false
	}
	return len(trimmed(x)) <= (c.m+63)/64
}

func isZero(x []uint64) bool { return len(trimmed(x)) == 0 }

// invert sets z = x^(2^m − 2) for x ≠ 0: x to the power of 2^k − 1 for the leading bits k of m − 1, by T. Itoh and
// S. Tsujii, "A fast algorithm for computing multiplicative inverses in GF(2^m)", Inform. and Comput. 78 (1988).
func (c *core) invert(z, x []uint64) {
	if c.m <= 64 {
		z[0] = c.invert1(x[0])
		return
	}
	var r, t [most]uint64
	power, square := r[:c.w], t[:c.w]
	copy(power, x)
	n, k := c.m-1, 1
	for i := bits.Len(uint(n)) - 2; i >= 0; i-- {
		copy(square, power)
		for range k {
			c.square(square, square)
		}
		c.mul(power, power, square)
		if k *= 2; n>>i&1 == 1 {
			c.square(power, power)
			c.mul(power, power, x)
			k++
		}
	}
	c.square(z, power)
}

func (c *core) invert1(x uint64) uint64 {
	power, n, k := x, c.m-1, 1
	for i := bits.Len(uint(n)) - 2; i >= 0; i-- {
		square := power
		for range k {
			square = c.square1(square)
		}
		power = c.mul1(power, square)
		if k *= 2; n>>i&1 == 1 {
			power = c.mul1(c.square1(power), x)
			k++
		}
	}
	return c.square1(power)
}

// traceOf is the trace of x over GF(2).
func (c *core) traceOf(x []uint64) uint {
	var t uint64
	for i, w := range c.traces() {
		t ^= w & x[i]
	}
	return uint(bits.OnesCount64(t) & 1)
}

// random draws m bits.
func (c *core) random(z []uint64, r *rand.Rand) {
	for i := range z[:c.w] {
		z[i] = 0
		if 64*i < c.m {
			z[i] = r.Uint64() >> max(0, 64*(i+1)-c.m)
		}
	}
}

// unit returns the element with bit i alone.
func (c *core) unit(i int) []uint64 {
	x := make([]uint64, c.w)
	x[i/64] = 1 << (i % 64)
	return x
}

// least returns the least of the conjugates of x, and how many squares lead to it.
func (c *core) least(x []uint64) (least []uint64, squares int) {
	least = slices.Clone(x)
	t := slices.Clone(x)
	for i := 1; i < c.m; i++ {
		if c.square(t, t); compare(t, least) < 0 {
			copy(least, t)
			squares = i
		}
	}
	return least, squares
}

// compare compares integers of as many words.
func compare(x, y []uint64) int {
	for i := len(x) - 1; i >= 0; i-- {
		if x[i] != y[i] {
			if x[i] < y[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}
