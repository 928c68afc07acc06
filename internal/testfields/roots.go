package testfields

import (
	"fmt"
	"math/big"

	"github.com/galfft/fft/field"
)

// rootOfUnity returns a root of unity of order n modulo the prime p, for every n that divides p − 1. It is
// the product, over the prime powers q^e of n, of c^((p−1)/q^e), where c is the least number from 2 on with
// c^((p−1)/q) ≠ 1. So the roots fit together for the powers of each prime: root(qn)^q = root(n).
func rootOfUnity(p *big.Int, n uint64) (*big.Int, error) {
	one := big.NewInt(1)
	order := new(big.Int).Sub(p, one)
	if n == 0 || new(big.Int).Mod(order, new(big.Int).SetUint64(n)).Sign() != 0 {
		return nil, fmt.Errorf("testfields: %w: order %d modulo %v, want a divisor of p − 1", field.ErrNoRoot, n, p)
	}
	quotient := func(d uint64) *big.Int { return new(big.Int).Div(order, new(big.Int).SetUint64(d)) }
	root := big.NewInt(1)
	for q, power := range primePowers(n) {
		c, e, t := big.NewInt(2), quotient(q), new(big.Int)
		for t.Exp(c, e, p).Cmp(one) == 0 {
			c.Add(c, one)
		}
		root.Mul(root, t.Exp(c, quotient(power), p)).Mod(root, p)
	}
	return root, nil
}

// primePowers yields each prime q of n with its full power, by trial division.
func primePowers(n uint64) func(yield func(q, power uint64) bool) {
	return func(yield func(q, power uint64) bool) {
		for q := uint64(2); n > 1; q++ {
			if n/q < q {
				q = n
			}
			power := uint64(1)
			for n%q == 0 {
				n, power = n/q, power*q
			}
			if power > 1 && !yield(q, power) {
				return
			}
		}
	}
}
