package gfpf

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/kernels/digits"
)

// Field is the field of p = r^k + 1, with elements of k = len(E) digits in radix r: see the package comment. It
// implements field.Field, field.Roots, field.Shifter, field.Vectors, field.Planner, field.Info, field.Codec and
// field.Sampler. Elements passed to its methods must be canonical. It is immutable and safe for concurrent use.
type Field[E Digits] struct {
	ring
	name  string
	tiles *bulk // with the kernels that there were when the field was made
}

// New returns the field of r^k + 1 for k = len(E). It fails with field.ErrModulus where that is no prime, and where
// r ≤ 4k: such primes below 2^64 are smallprime's.
func New[E Digits](r uint64) (*Field[E], error) {
	f := newField[E](r)
	if err := checkPrime(r, f.k, f.p); err != nil {
		return nil, err
	}
	return f, nil
}

func newField[E Digits](r uint64) *Field[E] {
	var e E
	f := &Field[E]{ring: newRing(r, len(e)), name: Name(r, len(e))}
	f.tiles = newBulk(&f.ring, digits.Active())
	return f
}

// Open returns the *Field[[k]uint64] of r^k + 1, with the errors of New; k is a power of two from 2 to 128
// (field.ErrModulus).
func Open(r uint64, k int) (any, error) {
	switch k {
	case 2:
		return opened(New[[2]uint64](r))
	case 4:
		return opened(New[[4]uint64](r))
	case 8:
		return opened(New[[8]uint64](r))
	case 16:
		return opened(New[[16]uint64](r))
	case 32:
		return opened(New[[32]uint64](r))
	case 64:
		return opened(New[[64]uint64](r))
	case 128:
		return opened(New[[128]uint64](r))
	}
	return nil, fmt.Errorf("fft: %w: %d digits, want a power of two from 2 to %d", field.ErrModulus, k, most)
}

// opened keeps a nil pointer out of an interface.
func opened[E Digits](f *Field[E], err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Radix returns r.
func (f *Field[E]) Radix() uint64 { return f.r }

// Name returns the name of the preset, or gfpf:r:k.
func (f *Field[E]) Name() string { return f.name }

// Characteristic returns p.
func (f *Field[E]) Characteristic() *big.Int { return new(big.Int).Set(f.p) }

// Order returns p.
func (f *Field[E]) Order() *big.Int { return f.Characteristic() }

// Set sets z = x.
func (f *Field[E]) Set(z, x *E) { *z = *x }

// Add sets z = x + y.
func (f *Field[E]) Add(z, x, y *E) { f.add(words(z), words(x), words(y)) }

// Sub sets z = x − y.
func (f *Field[E]) Sub(z, x, y *E) { f.sub(words(z), words(x), words(y)) }

// Neg sets z = −x.
func (f *Field[E]) Neg(z, x *E) { f.neg(words(z), words(x)) }

// Mul sets z = xy.
func (f *Field[E]) Mul(z, x, y *E) {
	var t E
	f.mul(words(&t), words(x), words(y))
	*z = t
}

// Inv sets z = 1/x by Euclid's algorithm. It fails with field.ErrNotInvertible where x = 0 and leaves z.
func (f *Field[E]) Inv(z, x *E) error {
	if isZero(words(x)) {
		return fmt.Errorf("fft: %w: 0 modulo %s", field.ErrNotInvertible, f.name)
	}
	f.inv(words(z), words(x))
	return nil
}

// One sets z = 1.
func (f *Field[E]) One(z *E) {
	var t E
	words(&t)[0] = 1
	*z = t
}

// Equal reports whether x = y.
func (f *Field[E]) Equal(x, y *E) bool { return *x == *y }

// ShiftOrder returns 2k, the order of r.
func (f *Field[E]) ShiftOrder() uint64 { return uint64(2 * f.k) }

// Shift sets z = x·r^s, for every s, at the price of an addition.
func (f *Field[E]) Shift(z, x *E, s uint64) {
	t := *x
	f.shift(words(z), words(&t), s)
}

// Random sets z to an element drawn uniformly.
func (f *Field[E]) Random(z *E, r *rand.Rand) {
	w := words(z)
	for {
		low := uint64(0) // all digits but the last, together
		for i := range f.k - 1 {
			w[i] = r.Uint64N(f.r)
			low |= w[i]
		}
		if w[f.k-1] = r.Uint64N(f.r + 1); w[f.k-1] < f.r || low == 0 {
			return
		}
	}
}
