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
		return 0, noRoot{m.p, n}
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

// noRoot is the field.ErrNoRoot of order n modulo p. Its text is made where it is read: to factor p − 1 takes time, and
// callers try orders.
type noRoot struct{ p, n uint64 }

func (e noRoot) Error() string {
	less := e.p - 1
	return fmt.Sprintf("fft: %v: order %d does not divide p−1 for p = %d, whose 2-adicity is %d; the nearest that do: %s",
		field.ErrNoRoot, e.n, e.p, bits.TrailingZeros64(less), factor.Near(factor.Powers(less), e.n))
}

func (e noRoot) Unwrap() error { return field.ErrNoRoot }
