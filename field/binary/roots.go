package binary

import (
	"fmt"
	"math/big"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/factor"
)

// RootOfUnity sets z to a root of unity of order n, for n that divides 2^m − 1 and is odd therefore: the product, over
// the prime powers q^e that divide n exactly, of c^((2^m−1)/q^e) for the least element c with c^((2^m−1)/q) ≠ 1, as an
// integer, from the generator of the basis on: x, which is 2, or that of the last extension of a tower. The error is
// field.ErrNoRoot for all other n.
func (f *Field[E]) RootOfUnity(z *E, n uint64) error {
	if err := f.core.operands(z == nil); err != nil {
		return err
	}
	units := f.Order()
	units.Sub(units, big.NewInt(1))
	if n == 0 || new(big.Int).Rem(units, new(big.Int).SetUint64(n)).Sign() != 0 {
		return noRoot{f.core.name, f.core.m, n}
	}
	root := f.core.unit(0)
	for _, q := range factor.Primes(n) {
		f.core.mul(root, root, f.core.rootOfPrime(units, q, factor.Part(n, q)))
	}
	setWordsOf(f, z, root)
	return nil
}

// rootOfPrime returns c^(units/n) of order n, a power of a prime q, for the least c from the generator on.
func (c *core) rootOfPrime(units *big.Int, q, n uint64) []uint64 {
	e := new(big.Int).Div(units, new(big.Int).SetUint64(n))
	one := c.unit(0)
	x := make([]uint64, c.w)
	for copy(x, c.generator()); ; x[0]++ {
		z := c.power(x, e)
		if compare(c.power(z, new(big.Int).SetUint64(n/q)), one) != 0 {
			return z
		}
	}
}

// power returns x^e.
func (c *core) power(x []uint64, e *big.Int) []uint64 {
	z := c.unit(0)
	for i := e.BitLen() - 1; i >= 0; i-- {
		c.square(z, z)
		if e.Bit(i) == 1 {
			c.mul(z, z, x)
		}
	}
	return z
}

// noRoot is the field.ErrNoRoot of order n. Its text is made where it is read, because callers try orders.
type noRoot struct {
	name string
	m    int
	n    uint64
}

func (e noRoot) Error() string {
	return fmt.Sprintf("fft: %v: order %d does not divide 2^%d − 1, the number of units of %s", field.ErrNoRoot, e.n, e.m,
		e.name)
}

func (e noRoot) Unwrap() error { return field.ErrNoRoot }
