package bigprime

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/galfft/fft/field"
)

// prime is what fields share, whatever their type of elements.
type prime struct {
	modulus
	name      string
	generator uint64 // of roots whose order is a power of two
	bulk      *bulk
	tiles     *tileBulk // nil without kernels

	largest atomic.Pointer[largest] // see rootOfTwo; nil at first
}

func (f *prime) init(p *big.Int, w int) {
	f.modulus = newModulus(p, w)
	f.name, f.generator = describe(p)
	if f.generator == 0 {
		f.generator = leastNonResidue(p)
	}
	f.bulk, f.tiles = newBulk(&f.modulus), newTileBulk(&f.modulus)
}

var (
	errNil     = fmt.Errorf("fft: %w: a field that is nil or zero, want one that a constructor made", field.ErrSpec)
	errElement = fmt.Errorf("fft: %w: the element is nil", field.ErrSpec)
)

// check is an ErrSpec for the zero value.
func (f *prime) check() error {
	if f.n == nil {
		return errNil
	}
	return nil
}

// operands is an ErrSpec for the zero value, and where an element is nil.
func (f *prime) operands(isNil bool) error {
	if isNil {
		return errElement
	}
	return f.check()
}

// Name returns the name of the preset, or prime:p.
func (f *prime) Name() string { return f.name }

// Characteristic returns p.
func (f *prime) Characteristic() *big.Int { return new(big.Int).Set(f.n) }

// Order returns p.
func (f *prime) Order() *big.Int { return f.Characteristic() }

// random draws words until they are below p, which is every other time or more often.
func (f *prime) random(w []uint64, r *rand.Rand) {
	w = w[:f.w]
	clear(w)
	length := f.n.BitLen()
	top := (length - 1) / 64
	for {
		for i := range top + 1 {
			w[i] = r.Uint64()
		}
		w[top] >>= uint(-length) % 64
		if f.valid(w) {
			return
		}
	}
}

// Bounds of moduli, in bits.
const (
	leastBits = 65
	mostBits  = 64 * most
)

// Size returns the number of words of elements modulo p: the least of those of Words that has all bits of p. The error
// is field.ErrModulus where p is nil, negative, or not of 65 to 8192 bits.
func Size(p *big.Int) (int, error) {
	switch {
	case p == nil:
		return 0, fmt.Errorf("fft: %w: nil, want an odd prime of %d to %d bits", field.ErrModulus, leastBits, mostBits)
	case p.Sign() < 0 || p.BitLen() < leastBits:
		return 0, fmt.Errorf("fft: %w: %v, want an odd prime of %d to %d bits (package field/smallprime has those below)",
			field.ErrModulus, p, leastBits, mostBits)
	case p.BitLen() > mostBits:
		return 0, fmt.Errorf("fft: %w: a number of %d bits, want an odd prime of %d to %d bits",
			field.ErrModulus, p.BitLen(), leastBits, mostBits)
	}
	w := (p.BitLen() + 63) / 64
	i, _ := slices.BinarySearch(sizes[:], w)
	return sizes[i], nil
}

// checkPrime returns an ErrModulus unless p is a prime.
func checkPrime(p *big.Int) error {
	const tests = 0 // of Miller and Rabin with random bases, beside those of Baillie, Pomerance, Selfridge and Wagstaff
	switch {
	case p.Bit(0) == 0:
		return fmt.Errorf("fft: %w: an even number of %d bits, want an odd prime", field.ErrModulus, p.BitLen())
	case !p.ProbablyPrime(tests):
		return fmt.Errorf("fft: %w: %s is composite, want a prime", field.ErrModulus, short(p))
	}
	return nil
}

// short is p for messages: in decimal, or what it is about.
func short(p *big.Int) string {
	if p.BitLen() <= 256 {
		return p.String()
	}
	return fmt.Sprintf("a number of %d bits", p.BitLen())
}

// invert sets z = 1/x, or is an ErrNotInvertible for 0.
func (f *prime) invert(z, x []uint64) error {
	if isZero(x) {
		return fmt.Errorf("fft: %w: 0 modulo %s", field.ErrNotInvertible, short(f.n))
	}
	f.inverse(z, x)
	return nil
}
