package smallprime

import "slices"

// trialBound is where trial division ends and Pollard's rho starts.
const trialBound = 1 << 10

// primeFactors returns the distinct prime factors of n ≥ 1, ascending.
func primeFactors(n uint64) []uint64 {
	var f []uint64
	for q := uint64(2); q < trialBound && q*q <= n; q++ {
		if n%q == 0 {
			f = append(f, q)
			n /= part(n, q)
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
	if n < trialBound*trialBound || isPrime(n) {
		return []uint64{n}
	}
	d := rho(n)
	return append(split(d), split(n/d)...)
}

// rho returns a proper factor of a composite odd n by Pollard's method in Brent's form: R. P. Brent, "An
// improved Monte Carlo factorization algorithm", BIT 20 (1980). It takes about the root of the smallest
// prime factor in steps.
func rho(n uint64) uint64 {
	const batch = 64 // steps between two common divisors
	m := newModulus(n)
	for c := uint64(1); ; c++ { // another sequence where one closes modulo all factors at once
		x, y, d := uint64(2), uint64(2), uint64(1)
		next := func() { y = addMod(m.mul(y, y), c, n) }
		for length := 1; d == 1; length *= 2 {
			x = y
			for range length {
				next()
			}
			for k := 0; k < length && d == 1; k += batch {
				z := uint64(1)
				for range min(batch, length-k) {
					next()
					z = m.mul(z, max(x, y)-min(x, y))
				}
				d = gcd(z, n)
			}
		}
		if d < n {
			return d
		}
	}
}

func gcd(x, y uint64) uint64 {
	for x != 0 {
		x, y = y%x, x
	}
	return y
}
