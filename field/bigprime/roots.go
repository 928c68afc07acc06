package bigprime

import (
	"fmt"
	"math/big"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/factor"
)

// root is RootOfUnity of [Field] on words.
func (f *prime) root(z []uint64, n uint64) error {
	less := new(big.Int).Sub(f.n, big.NewInt(1))
	if n == 0 || new(big.Int).Rem(less, new(big.Int).SetUint64(n)).Sign() != 0 {
		return noRoot{f, n}
	}
	root := big.NewInt(1)
	for _, q := range factor.Primes(n) {
		c := f.generator
		if q > 2 {
			c = leastPower(f.n, q)
		}
		e := new(big.Int).Div(less, new(big.Int).SetUint64(factor.Part(n, q)))
		x := new(big.Int).SetUint64(c)
		root.Mul(root, x.Exp(x, e, f.n)).Mod(root, f.n)
	}
	setWords(z[:f.w], root)
	return nil
}

// leastPower returns the least c ≥ 2 with c^((p−1)/q) ≠ 1, for a prime q that divides p − 1.
func leastPower(p *big.Int, q uint64) uint64 {
	if q == 2 {
		return leastNonResidue(p)
	}
	one := big.NewInt(1)
	e := new(big.Int).Sub(p, one)
	e.Div(e, new(big.Int).SetUint64(q))
	c, t := big.NewInt(2), new(big.Int)
	for t.Exp(c, e, p).Cmp(one) == 0 {
		c.Add(c, one)
	}
	return c.Uint64()
}

// leastNonResidue is leastPower for q = 2, by Jacobi's symbol, which takes no power.
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
