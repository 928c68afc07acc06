package bigprime

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/galfft/fft/field"
)

// Field is the field of a prime p, with elements that are plain residues in little-endian words: see the package
// comment. It implements field.Rooted, field.ContextRoots, field.Butterflies, field.Vectors,
// field.RangeChecker, field.Planner, field.Convolver, field.Info, field.Codec and field.Sampler. Elements passed
// to its methods must be canonical, that is, below p. It is immutable and safe for concurrent use.
//
// Nil and the zero Field are no fields. Methods that return an error return field.ErrSpec for the zero Field and for
// nil elements; all others may panic on these, and every method may on a nil pointer.
type Field[E Words] struct{ prime prime }

// New returns the field of p, an odd prime of 65 to 8192 bits, with elements of type E: the shortest of [Words] that
// has all bits of p, which [Size] tells. The error is field.ErrModulus for all other p and E. Whether p is prime is
// decided by the test of Baillie, Pomerance, Selfridge and Wagstaff, which no composite number is known to pass; it
// takes a millisecond for 1000 bits, and half a second for 8000. [Open] is for sizes that are known at run time alone.
func New[E Words](p *big.Int) (*Field[E], error) {
	w, err := Size(p)
	if err != nil {
		return nil, err
	}
	var e E
	if w != len(e) {
		return nil, fmt.Errorf("fft: %w: a prime of %d bits in %d words, want elements of %d", field.ErrModulus, p.BitLen(),
			len(e), w)
	}
	if err := checkPrime(p); err != nil {
		return nil, err
	}
	return newField[E](p), nil
}

func newField[E Words](p *big.Int) *Field[E] {
	var e E
	f := new(Field[E])
	f.prime.init(p, len(e))
	return f
}

// Check is a field.ErrSpec for nil and the zero Field.
func (f *Field[E]) Check() error {
	if f == nil {
		return errNil
	}
	return f.prime.check()
}

// Name returns the name of the preset, or prime:p.
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

// Mul sets z = xy, by two of Montgomery's products.
func (f *Field[E]) Mul(z, x, y *E) { f.prime.mul(words(z), words(x), words(y)) }

// Inv sets z = 1/x by Euclid's algorithm. It fails with field.ErrNotInvertible where x = 0 and leaves z.
func (f *Field[E]) Inv(z, x *E) error {
	if err := f.prime.operands(z == nil || x == nil); err != nil {
		return err
	}
	return f.prime.invert(words(z), words(x))
}

// One sets z = 1.
func (f *Field[E]) One(z *E) {
	var t E
	words(&t)[0] = 1
	*z = t
}

// Equal reports whether x = y.
func (f *Field[E]) Equal(x, y *E) bool { return *x == *y }

// RootOfUnity sets z to a root of unity of order n, for n that divides p − 1: the product, over the prime powers q^e
// that divide n exactly, of c^((p−1)/q^e) for the least c ≥ 2 with c^((p−1)/q) ≠ 1. For q = 2 presets may name another
// c, so that their roots are those of known libraries. For powers of two, root(2n)² = root(n).
//
// The error is field.ErrNoRoot where n is 0 or does not divide p − 1.
func (f *Field[E]) RootOfUnity(z *E, n uint64) error {
	return f.RootOfUnityContext(context.Background(), z, n)
}

// RootOfUnityContext is RootOfUnity, which ctx stops: the first root of a field takes a fifth of a second for 8192
// bits.
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

// PutBigEndian writes x to b[:Size()] as a number, big-endian. It panics where b is shorter.
func (f *Field[E]) PutBigEndian(b []byte, x *E) { f.prime.putBigEndian(b, words(x)) }

// SetBigEndian sets z to the big-endian number b of Size() bytes, with the errors of SetBytes.
func (f *Field[E]) SetBigEndian(z *E, b []byte) error {
	if err := f.prime.operands(z == nil); err != nil {
		return err
	}
	return f.prime.setBigEndian(words(z), b)
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

// SetMontgomery sets zᵢ to the element that xᵢ is in Montgomery's form: xᵢ is zᵢ·2^(64w) mod p for elements of w words.
// This is how gnark-crypto keeps elements, lowest word first. The slices have one length (field.ErrLength); z may be x,
// and other overlap is not allowed. The error is a field.RangeError where an xᵢ is not below p, and nothing is written.
func (f *Field[E]) SetMontgomery(z, x []E) error {
	if err := f.prime.forms(len(z), len(x)); err != nil {
		return err
	}
	if i := f.FirstInvalid(x); i >= 0 {
		return &field.RangeError{What: "x", Index: i}
	}
	var one E
	f.One(&one)
	f.prime.times(packed(z), packed(x), words(&one), row(len(x)))
	return nil
}

// Montgomery sets zᵢ to Montgomery's form of xᵢ, which is xᵢ·2^(64w) mod p. Lengths and overlap are as for
// SetMontgomery.
func (f *Field[E]) Montgomery(z, x []E) error {
	if err := f.prime.forms(len(z), len(x)); err != nil {
		return err
	}
	f.prime.times(packed(z), packed(x), f.prime.r2, row(len(x)))
	return nil
}

// MulMontgomery sets zᵢ = xᵢ·yᵢ/2^(64w) mod p, for x and y below p: the product of numbers in Montgomery's form, in the
// same form. The slices have one length (field.ErrLength); z may be x or y, and other overlap is not allowed.
func (f *Field[E]) MulMontgomery(z, x, y []E) error {
	if err := f.prime.forms(len(z), len(x)); err != nil {
		return err
	}
	if err := f.prime.forms(len(z), len(y)); err != nil {
		return err
	}
	f.prime.mulMontgomery(packed(z), packed(x), packed(y))
	return nil
}
