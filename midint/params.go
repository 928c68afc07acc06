package midint

import (
	"fmt"
	"math/big"
	"math/bits"
	"strings"

	"github.com/galfft/fft/field"
)

// Transform is how integers of one width are multiplied exactly by transforms: their words are the coefficients of
// polynomials, whose product has coefficients below that of the primes, so that its residues are enough.
type Transform struct {
	Bits   int      // of an integer
	Digit  int      // bits of a coefficient of an operand
	Digits int      // of an integer
	Points int      // of a transform, a power of two
	Primes []uint64 // distinct, each 1 modulo Points
}

// mostTransformBits is the width of the longest integers that have primes: a transform of 2^26 points.
const mostTransformBits = 1 << 30

// transformPrimes are those of package gpu: 119, 107 and 105 times 2^23, and 1. Transforms of more points have
// longPrimes, 30, 27 and 7 times 2^26, and 1.
var (
	transformPrimes = [...]uint64{998244353, 897581057, 880803841}
	longPrimes      = [...]uint64{2013265921, 1811939329, 469762049}
)

// Params chooses digits, points and primes for products of integers of so many bits. Transforms of up to 2^14 points,
// for 2^18 bits, are in a block of a device, and others go in passes. A width that is no positive multiple of 32 is
// field.ErrSpec, and one above 2^30 is field.ErrScheme.
func Params(bits int) (Transform, error) {
	if err := checkSize(bits, 0); err != nil {
		return Transform{}, err
	}
	if bits > mostTransformBits {
		return Transform{}, fmt.Errorf("midint: %w: transforms for integers of %d bits, want at most %d", field.ErrScheme,
			bits, mostTransformBits)
	}
	t := Transform{Bits: bits, Digit: wordBits, Digits: bits / wordBits}
	t.Points = pointsFor(t.Digits)
	primes := transformPrimes
	if (primes[0]-1)%uint64(t.Points) != 0 {
		primes = longPrimes
	}
	for n := 1; n <= len(primes); n++ {
		t.Primes = primes[:n:n]
		if t.check() == nil {
			return t, nil
		}
	}
	return Transform{}, t.check()
}

// pointsFor is the points of a product of so many coefficients by as many, at least those of the shortest kernel.
func pointsFor(digits int) int { return max(1<<9, 1<<bits.Len(uint(2*digits-1))) }

// bound is the largest coefficient of a product.
func (t Transform) bound() *big.Int {
	d := new(big.Int).Lsh(big.NewInt(1), uint(t.Digit))
	d.Sub(d, big.NewInt(1))
	return d.Mul(d, d).Mul(d, big.NewInt(int64(t.Digits)))
}

// modulus is the product of the primes.
func (t Transform) modulus() *big.Int {
	m := big.NewInt(1)
	for _, p := range t.Primes {
		m.Mul(m, new(big.Int).SetUint64(p))
	}
	return m
}

// check is field.ErrScheme where a coefficient can be as large as the product of the primes, products wrap, or a prime
// has no transform of the points.
func (t Transform) check() error {
	for _, p := range t.Primes {
		if (p-1)%uint64(t.Points) != 0 {
			return fmt.Errorf("midint: %w: %d points modulo %d", field.ErrScheme, t.Points, p)
		}
	}
	if t.Points < 2*t.Digits-1 {
		return fmt.Errorf("midint: %w: %d points for products of %d digits", field.ErrScheme, t.Points, t.Digits)
	}
	if c, m := t.bound(), t.modulus(); c.Cmp(m) >= 0 {
		return fmt.Errorf("midint: %w: coefficients to %v, and primes of the product %v", field.ErrScheme, c, m)
	}
	return nil
}

// String says what was chosen, and proves that products are exact.
func (t Transform) String() string {
	if len(t.Primes) == 0 {
		return "no transform"
	}
	var primes []string
	for _, p := range t.Primes {
		primes = append(primes, fmt.Sprint(p))
	}
	return fmt.Sprintf("%d bits: %d digits of %d bits, %d points modulo %s, each 1 modulo the points. A product has %d "+
		"coefficients, which do not wrap. Each is a sum of at most %d products of digits, at most %d·(2^%d − 1)² = %v, and "+
		"below the product of the primes, %v: residues modulo them are the coefficient", t.Bits, t.Digits, t.Digit, t.Points,
		strings.Join(primes, ", "), 2*t.Digits-1, t.Digits, t.Digits, t.Digit, t.bound(), t.modulus())
}
