package smallprime

import (
	"fmt"
	"math/bits"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/factor"
)

// root returns the root of unity of order n; p is an odd prime.
func (m modulus) root(n uint64) (uint64, error) {
	if n == 0 || (m.p-1)%n != 0 {
		return 0, fmt.Errorf("fft: %w: order %d does not divide p−1 for p = %d, whose 2-adicity is %d",
			field.ErrNoRoot, n, m.p, bits.TrailingZeros64(m.p-1))
	}
	root := uint64(1)
	for _, q := range factor.Primes(n) {
		c := uint64(2)
		for m.pow(c, (m.p-1)/q) == 1 {
			c++
		}
		root = m.mul(root, m.pow(c, (m.p-1)/factor.Part(n, q)))
	}
	return root, nil
}
