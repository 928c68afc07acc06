// Package factor finds the prime factors of machine words.
package factor

import (
	"math/big"
	"math/bits"
	"slices"
)

// trialBound is where trial division ends and Pollard's rho starts.
const trialBound = 1 << 10

// IsPrime is exact, as ProbablyPrime is below 2^64. Fermat's test rejects almost all composites in a twentieth of its time.
func IsPrime(n uint64) bool {
	if n < 4 || n%2 == 0 {
		return n == 2 || n == 3
	}
	return pow(2, n-1, n) == 1 && new(big.Int).SetUint64(n).ProbablyPrime(0)
}

// pow returns x^e mod n for x < n.
func pow(x, e, n uint64) uint64 {
	z := uint64(1)
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			z = mul(z, x, n)
		}
		x = mul(x, x, n)
	}
	return z
}

// Part returns the largest power of q > 1 that divides n ≥ 1.
func Part(n, q uint64) uint64 {
	z := uint64(1)
	for n%q == 0 {
		n /= q
		z *= q
	}
	return z
}

// Primes returns the distinct prime factors of n ≥ 1, ascending.
func Primes(n uint64) []uint64 {
	var f []uint64
	for q := uint64(2); q < trialBound && q*q <= n; q++ {
		if n%q == 0 {
			f = append(f, q)
			n /= Part(n, q)
		}
	}
	if n > 1 {
		f = append(f, split(n)...)
	}
	slices.Sort(f)
	return slices.Compact(f)
}

// split returns prime factors of n > 1, each at least once. Composite n have none below trialBound.
func split(n uint64) []uint64 {
	if n < trialBound*trialBound || IsPrime(n) {
		return []uint64{n}
	}
	d := rho(n)
	return append(split(d), split(n/d)...)
}

// rho returns a proper factor of a composite odd n by Pollard's method in Brent's form: R. P. Brent, "An
// improved Monte Carlo factorization algorithm", BIT 20 (1980). It takes about the root of the smallest
// prime factor in steps.
func rho(n uint64) uint64 {
	const batch = 64            // steps between two common divisors
	for c := uint64(1); ; c++ { // another sequence where one closes modulo all factors at once
		x, y, d := uint64(2), uint64(2), uint64(1)
		next := func() {
			s, carry := bits.Add64(mul(y, y, n), c, 0)
			_, y = bits.Div64(carry, s, n)
		}
		for length := 1; d == 1; length *= 2 {
			x = y
			for range length {
				next()
			}
			for k := 0; k < length && d == 1; k += batch {
				z := uint64(1)
				for range min(batch, length-k) {
					next()
					z = mul(z, max(x, y)-min(x, y), n)
				}
				d = gcd(z, n)
			}
		}
		if d < n {
			return d
		}
	}
}

func mul(x, y, n uint64) uint64 {
	h, l := bits.Mul64(x, y)
	return bits.Rem64(h, l, n)
}

func gcd(x, y uint64) uint64 {
	for x != 0 {
		x, y = y%x, x
	}
	return y
}
