package gpu

import (
	"cmp"
	"math/bits"
	"unsafe"
)

// transformPrimes are those that products by transforms are taken modulo, as midfft.cu has them: 119, 107 and 105 times
// 2^23, and 1.
var transformPrimes = [...]uint64{998244353, 897581057, 880803841}

const (
	leastTransform = 9  // binary logarithm of the coefficients of products by transforms
	mostTransform  = 14 // for integers of 2^18 bits
)

// transformRoots is the table of midfft.cu, by pairs of a root w and ⌊w·2^32/p⌋.
func transformRoots() []uint32 {
	const n = 1 << mostTransform
	table := make([]uint32, 0, len(transformPrimes)*2*n*2)
	for _, p := range transformPrimes {
		root := rootOfTwo(p, n)
		for _, r := range [...]uint64{root, power(root, p-2, p)} {
			powers := make([]uint64, n/2) // r^(n/2) is −1, which no node is
			powers[0] = 1
			for i := 1; i < len(powers); i++ {
				powers[i] = powers[i-1] * r % p
			}
			table = append(table, 0, 0) // there is no node 0
			for layer := range mostTransform {
				for i := range 1 << layer {
					// Half the exponent of the parent's root, and n/4 more for the second of two children.
					turned := bits.Reverse64(uint64(i)) >> (65 - mostTransform)
					w := powers[turned]
					table = append(table, uint32(w), uint32(w<<32/p))
				}
			}
		}
	}
	return table
}

// rootOfTwo is an element of order n modulo p, for a power of two that divides p − 1.
func rootOfTwo(p, n uint64) uint64 {
	for g := uint64(2); ; g++ {
		if r := power(g, (p-1)/n, p); power(r, n/2, p) == p-1 {
			return r
		}
	}
}

// power is x^n modulo p < 2^32.
func power(x, n, p uint64) uint64 {
	r := uint64(1)
	for ; n > 0; n /= 2 {
		if n%2 == 1 {
			r = r * x % p
		}
		x = x * x % p
	}
	return r
}

// needRoots has the table on the device.
func (g *Integers) needRoots() error {
	if g.roots != nil {
		return nil
	}
	table := transformRoots()
	m, err := g.d.Make(len(table) * 4)
	if err != nil {
		return err
	}
	if err := g.d.CopyIn(m.At, unsafe.Pointer(unsafe.SliceData(table)), len(table)*4); err != nil {
		return cmp.Or(err, m.Release())
	}
	g.roots = m
	return nil
}
