// Package factor finds the prime factors of machine words.
package factor

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/galfft/fft/internal/arith"
)

// trialBound is where trial division ends and Pollard's rho starts.
const trialBound = 1 << 10

// witnesses are bases of which one shows that n is composite, for every odd composite n below 2^64: those of
// J. Sinclair, checked with the list of all strong pseudoprimes to base 2 below 2^64.
var witnesses = [...]uint64{2, 325, 9375, 28178, 450775, 9780504, 1795265022}

// IsPrime is exact: Miller and Rabin's test to bases that are enough for words.
func IsPrime(n uint64) bool {
	if n < 4 || n%2 == 0 {
		return n == 2 || n == 3
	}
	for _, base := range witnesses {
		if base %= n; base != 0 && !strong(base, n) {
			return false
		}
	}
	return true
}

// strong reports whether an odd n > 2 is prime or a strong pseudoprime to a base below n: base^d is 1, or one of the
// powers with exponents d, 2·d, 4·d, … below n − 1 is −1, for the odd part d of n − 1.
func strong(base, n uint64) bool {
	k := bits.TrailingZeros64(n - 1)
	x := pow(base, (n-1)>>k, n)
	if x == 1 {
		return true
	}
	for ; k > 1 && x != n-1; k-- {
		x = arith.Mul(x, x, n)
	}
	return x == n-1
}

// pow returns x^e mod n for x < n.
func pow(x, e, n uint64) uint64 {
	z := uint64(1)
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			z = arith.Mul(z, x, n)
		}
		x = arith.Mul(x, x, n)
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

// Power is a prime with an exponent.
type Power struct {
	Prime uint64
	Exp   uint
}

// Powers returns the prime factors of n ≥ 1 with their exponents, ascending.
func Powers(n uint64) []Power {
	var all []Power
	for _, q := range Primes(n) {
		p := Power{q, 0}
		for ; n%q == 0; n /= q {
			p.Exp++
		}
		all = append(all, p)
	}
	return all
}

// Text writes a product of powers, as 2^32·3·5.
func Text(powers []Power) string {
	parts := make([]string, len(powers))
	for i, p := range powers {
		parts[i] = strconv.FormatUint(p.Prime, 10)
		if p.Exp > 1 {
			parts[i] += "^" + strconv.FormatUint(uint64(p.Exp), 10)
		}
	}
	if len(parts) == 0 {
		return "1"
	}
	return strings.Join(parts, "·")
}

// Nearest returns the largest divisor of a product of powers that is at most n ≥ 1, and the least one that is at least
// n, or 0 where none below 2^64 is.
func Nearest(powers []Power, n uint64) (below, above uint64) {
	below = 1
	var search func(i int, d uint64)
	search = func(i int, d uint64) { // d times divisors of the powers before i
		if d <= n {
			below = max(below, d)
		}
		if d >= n {
			if above == 0 || d < above {
				above = d
			}
			return // multiples are farther away
		}
		if i == 0 {
			return
		}
		for e := uint(0); ; e++ {
			search(i-1, d)
			hi, lo := bits.Mul64(d, powers[i-1].Prime)
			if e == powers[i-1].Exp || hi != 0 || above != 0 && lo >= above {
				return
			}
			d = lo
		}
	}
	search(len(powers), 1)
	return below, above
}

// Near names the divisors of a product of powers that are nearest to n: "8 and 16", or one where there is no other.
func Near(powers []Power, n uint64) string {
	below, above := Nearest(powers, max(n, 1))
	if above == 0 || above == below {
		return strconv.FormatUint(below, 10)
	}
	return fmt.Sprintf("%d and %d", below, above)
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
			s, carry := bits.Add64(arith.Mul(y, y, n), c, 0)
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
					z = arith.Mul(z, max(x, y)-min(x, y), n)
				}
				d = GCD(z, n)
			}
		}
		if d < n {
			return d
		}
	}
}

func GCD(x, y uint64) uint64 {
	for x != 0 {
		x, y = y%x, x
	}
	return y
}

// PrimesBelow yields the odd primes p < 2^bits with p = 1 modulo divisor, all of them, largest first, for bits from 2
// to 64 and a divisor from 1 to 2^bits − 1.
func PrimesBelow(bits int, divisor uint64) iter.Seq[uint64] {
	most := ^uint64(0) >> (64 - bits)
	return func(yield func(uint64) bool) {
		step := divisor
		if step%2 == 1 {
			if step > most/2 {
				return
			}
			step *= 2
		}
		for p := (most-1)/step*step + 1; p > 1; p -= step {
			if IsPrime(p) && !yield(p) {
				return
			}
		}
	}
}
