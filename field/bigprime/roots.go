package bigprime

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/factor"
)

// root is RootOfUnity of [Field] on words.
func (f *prime) root(z []uint64, n uint64) error {
	less := new(big.Int).Sub(f.n, big.NewInt(1))
	if n == 0 || new(big.Int).Rem(less, new(big.Int).SetUint64(n)).Sign() != 0 {
		return noRoot{f, n}
	}
	root := f.rootOfTwo(bits.TrailingZeros64(n))
	for _, q := range factor.Primes(n >> bits.TrailingZeros64(n)) {
		f.mul(root, root, f.rootOfPrime(q, factor.Part(n, q)))
	}
	copy(z[:f.w], root)
	return nil
}

// power returns c^((p−1)/n) for n that divides p − 1.
func (f *prime) power(c, n uint64) []uint64 {
	e := new(big.Int).Sub(f.n, big.NewInt(1))
	e.Div(e, new(big.Int).SetUint64(n))
	x, z := new(big.Int).SetUint64(c), make([]uint64, f.w)
	setWords(z, x.Exp(x, e, f.n))
	return z
}

// rootOfPrime returns c^((p−1)/n) of order n, a power of a prime q, for the least c ≥ 2.
func (f *prime) rootOfPrime(q, n uint64) []uint64 {
	for c := uint64(2); ; c++ {
		z := f.power(c, n)
		x, one := setBig(new(big.Int), z), big.NewInt(1)
		if x.Exp(x, new(big.Int).SetUint64(n/q), f.n).Cmp(one) != 0 {
			return z
		}
	}
}

// rootOfTwo returns the root of order 2^k, for 2^k that divides p − 1. It is a power of one that is computed once,
// because plans ask for many, and that power takes half a second for 8192 bits.
func (f *prime) rootOfTwo(k int) []uint64 {
	f.two.once.Do(func() {
		less := new(big.Int).Sub(f.n, big.NewInt(1))
		f.two.k = min(63, int(less.TrailingZeroBits()))
		f.two.root = f.power(f.generator, 1<<f.two.k)
	})
	root := slices.Clone(f.two.root)
	for range f.two.k - k {
		f.mul(root, root, root)
	}
	return root
}

// leastNonResidue returns the least c ≥ 2 with c^((p−1)/2) ≠ 1, by Jacobi's symbol, which takes no power.
func leastNonResidue(p *big.Int) uint64 {
	c := big.NewInt(2)
	for big.Jacobi(c, p) != -1 {
		c.Add(c, big.NewInt(1))
	}
	return c.Uint64()
}

// noRoot is the field.ErrNoRoot of order n. Its text is made where it is read, because callers try orders.
type noRoot struct {
	f *prime
	n uint64
}

func (e noRoot) Error() string {
	less := new(big.Int).Sub(e.f.n, big.NewInt(1))
	return fmt.Sprintf("fft: %v: order %d does not divide p−1 for p = %s, whose 2-adicity is %d; of orders without prime "+
		"factors above %d, the nearest that do: %s", field.ErrNoRoot, e.n, short(e.f.n), less.TrailingZeroBits(), smooth,
		factor.Near(smallPowers(less), e.n))
}

func (e noRoot) Unwrap() error { return field.ErrNoRoot }

// smooth bounds the prime factors that smallPowers looks for.
const smooth = 1000

// smallPowers returns the prime factors of n up to smooth with their exponents, ascending.
func smallPowers(n *big.Int) []factor.Power {
	var powers []factor.Power
	rest, quotient, r := new(big.Int).Set(n), new(big.Int), new(big.Int)
	for q := uint64(2); q <= smooth; q++ { // a composite q divides nothing any more
		by, e := new(big.Int).SetUint64(q), uint(0)
		for quotient.QuoRem(rest, by, r); r.Sign() == 0; quotient.QuoRem(rest, by, r) {
			rest.Set(quotient)
			e++
		}
		if e > 0 {
			powers = append(powers, factor.Power{Prime: q, Exp: e})
		}
	}
	return powers
}
