package gfpf

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/galfft/fft/field"
)

// Field is the field of p = r^k + 1, with elements of k = len(E) digits in radix r: see the package comment. It
// implements field.Rooted, field.Shifter, field.Vectors, field.Planner, field.Info, field.Codec and
// field.Sampler. Elements passed to its methods must be canonical. It is immutable and safe for concurrent use.
//
// Nil and the zero Field are no fields. Methods that return an error return field.ErrSpec for the zero Field and for
// nil elements; all others may panic on these, and every method may on a nil pointer.
type Field[E Digits] struct{ prime prime }

// New returns the field of r^k + 1 for k = len(E). It fails with field.ErrModulus where that is no prime, and where
// r ≤ 4k: such primes below 2^64 are smallprime's. [Open] is for k that are known at run time alone.
func New[E Digits](r uint64) (*Field[E], error) {
	f := newField[E](r)
	if err := checkPrime(r, f.prime.k, f.prime.p); err != nil {
		return nil, err
	}
	return f, nil
}

func newField[E Digits](r uint64) *Field[E] {
	var e E
	f := new(Field[E])
	f.prime.init(r, len(e))
	return f
}

// Check is a field.ErrSpec for nil and the zero Field.
func (f *Field[E]) Check() error {
	if f == nil {
		return errNil
	}
	return f.prime.check()
}

// Radix returns r.
func (f *Field[E]) Radix() uint64 { return f.prime.Radix() }

// Name returns the name of the preset, or gfpf:r:k.
func (f *Field[E]) Name() string { return f.prime.Name() }

// Characteristic returns p.
func (f *Field[E]) Characteristic() *big.Int { return f.prime.Characteristic() }

// Order returns p.
func (f *Field[E]) Order() *big.Int { return f.prime.Order() }

// Set sets z = x.
func (f *Field[E]) Set(z, x *E) { *z = *x }

// Add sets z = x + y.
func (f *Field[E]) Add(z, x, y *E) { f.prime.add(words(z), words(x), words(y)) }

// Sub sets z = x − y.
func (f *Field[E]) Sub(z, x, y *E) { f.prime.sub(words(z), words(x), words(y)) }

// Neg sets z = −x.
func (f *Field[E]) Neg(z, x *E) { f.prime.neg(words(z), words(x)) }

// Mul sets z = xy.
func (f *Field[E]) Mul(z, x, y *E) {
	var t E
	f.prime.mul(words(&t), words(x), words(y))
	*z = t
}

// Inv sets z = 1/x by Euclid's algorithm. It fails with field.ErrNotInvertible where x = 0 and leaves z.
func (f *Field[E]) Inv(z, x *E) error {
	if err := f.prime.operands(z == nil || x == nil); err != nil {
		return err
	}
	if isZero(words(x)) {
		return fmt.Errorf("fft: %w: 0 modulo %s", field.ErrNotInvertible, f.prime.name)
	}
	f.prime.inv(words(z), words(x))
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
func (f *Field[E]) ShiftOrder() uint64 { return uint64(2 * f.prime.k) }

// Shift sets z = x·r^s, for every s, at the price of an addition.
func (f *Field[E]) Shift(z, x *E, s uint64) {
	t := *x
	f.prime.shift(words(z), words(&t), s)
}

// RootOfUnity sets z to a root of unity of order n, for n that divides p − 1. Where 2k divides n, root(n)^(n/2k) = r.
//
// For powers of two N ≥ 2k the root is g^j, with g = α^((p−1)/N) for the least quadratic non-residue α and the least
// j with (g^(N/2k))^j = r, which is odd and the same for all N (the thesis of Mohajerani, section 3.2, algorithm 3.1,
// which draws α at random). Below it is a power of r. For n = m·N with an odd m > 1 that root is raised to 1/m modulo
// 2k, and multiplied, for each prime power q^e of m, by c^((p−1)/q^e) with the least c for which c^((p−1)/q) ≠ 1.
//
// The error is field.ErrNoRoot where n is 0 or does not divide p − 1.
func (f *Field[E]) RootOfUnity(z *E, n uint64) error {
	return f.RootOfUnityContext(context.Background(), z, n)
}

// RootOfUnityContext is RootOfUnity, which ctx stops: the first root of an order above 2k takes a tenth of a second for
// 128 digits.
func (f *Field[E]) RootOfUnityContext(ctx context.Context, z *E, n uint64) error {
	if err := f.prime.operands(z == nil); err != nil {
		return err
	}
	root, err := f.prime.root(ctx, n)
	if err == nil {
		copy(words(z), root)
	}
	return err
}

// Random sets z to an element drawn uniformly. It panics where r is nil.
func (f *Field[E]) Random(z *E, r *rand.Rand) { f.prime.random(words(z), r) }

// Size returns the number of bytes of an encoded element, that of p − 1.
func (f *Field[E]) Size() int { return f.prime.Size() }

// PutBytes writes x to b[:Size()] as a number, little-endian. It panics where b is shorter.
func (f *Field[E]) PutBytes(b []byte, x *E) { f.prime.putBytes(b, words(x)) }

// SetBytes sets z to the little-endian number b of Size() bytes.
func (f *Field[E]) SetBytes(z *E, b []byte) error {
	if err := f.prime.operands(z == nil); err != nil {
		return err
	}
	return f.prime.setBytes(words(z), b)
}

// AppendText appends x in decimal.
func (f *Field[E]) AppendText(b []byte, x *E) []byte { return f.prime.appendText(b, words(x)) }

// SetText sets z to the decimal number s, of one digit or more and nothing else. Leading zeros are allowed.
func (f *Field[E]) SetText(z *E, s []byte) error {
	if err := f.prime.operands(z == nil); err != nil {
		return err
	}
	return f.prime.setText(words(z), s)
}

// SetBig sets z to x.
func (f *Field[E]) SetBig(z *E, x *big.Int) error {
	if err := f.prime.operands(z == nil); err != nil {
		return err
	}
	return f.prime.setBig(words(z), x)
}

// Big sets z, or a fresh integer where z is nil, to x and returns it.
func (f *Field[E]) Big(z *big.Int, x *E) *big.Int { return f.prime.big(z, words(x)) }
