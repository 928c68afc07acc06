package literal

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/galfft/fft/field"
)

// Int is an element of [Field]. The zero value is 0. It holds a pointer, made on first use: it is copied with Set.
type Int[I any] struct{ v *I }

// integer is a pointer to an integer of a library, with the methods of math/big.
type integer[I any] interface {
	*I
	Set(x *I) *I
	SetInt64(x int64) *I
	SetBytes(b []byte) *I // big-endian
	Bytes() []byte
	Add(x, y *I) *I
	Sub(x, y *I) *I
	Mul(x, y *I) *I
	Rem(x, y *I) *I // of the sign of x
	Mod(x, y *I) *I // not negative
	ModInverse(x, m *I) *I
	Cmp(x *I) int
	Sign() int
}

// Field is the field of a prime p, over the integers of a library. It has the roots and the encoding of the field that
// it was made of, and implements field.Rooted, field.Info, field.Codec and field.Sampler. It is immutable
// and safe for concurrent use.
//
// Nil and the zero Field are no fields. Methods that return an error return field.ErrSpec for the zero Field and for
// nil elements; all others may panic on these, and every method may on a nil pointer.
type Field[I any, P integer[I]] struct {
	of      residues
	name    string
	p, zero *I
}

func newField[I any, P integer[I], E any](f Residues[E], prefix string) (*Field[I, P], error) {
	if err := field.Check[E](f); err != nil {
		return nil, err
	}
	p := f.Characteristic()
	if p.Cmp(f.Order()) != 0 {
		return nil, fmt.Errorf("literal: %w: the field %s, want one of prime order", field.ErrModulus, f.Name())
	}
	return &Field[I, P]{typed[E]{f}, prefix + f.Name(), P(new(I)).SetBytes(p.Bytes()), P(new(I)).SetInt64(0)}, nil
}

// Check is a field.ErrSpec for nil and the zero Field.
func (f *Field[I, P]) Check() error {
	if f == nil || f.of == nil {
		return fmt.Errorf("literal: %w: a field that is nil or zero, want one that a constructor made", field.ErrSpec)
	}
	return nil
}

// operands is an ErrSpec for the zero Field, and where an element is nil.
func (f *Field[I, P]) operands(isNil bool) error {
	if isNil {
		return fmt.Errorf("literal: %w: the element is nil", field.ErrSpec)
	}
	return f.Check()
}

// Name returns that of the field that f was made of, after big: or ncw:.
func (f *Field[I, P]) Name() string { return f.name }

// Characteristic returns p.
func (f *Field[I, P]) Characteristic() *big.Int { return f.of.Characteristic() }

// Order returns p.
func (f *Field[I, P]) Order() *big.Int { return f.of.Characteristic() }

// read returns the integer of an operand.
func (f *Field[I, P]) read(x *Int[I]) *I {
	if x.v == nil {
		return f.zero
	}
	return x.v
}

// write returns the integer of a destination.
func write[I any, P integer[I]](z *Int[I]) P {
	if z.v == nil {
		z.v = new(I)
	}
	return z.v
}

// Set sets z = x.
func (f *Field[I, P]) Set(z, x *Int[I]) { write[I, P](z).Set(f.read(x)) }

// Add sets z = x + y.
func (f *Field[I, P]) Add(z, x, y *Int[I]) {
	d := write[I, P](z)
	d.Rem(d.Add(f.read(x), f.read(y)), f.p)
}

// Sub sets z = x − y.
func (f *Field[I, P]) Sub(z, x, y *Int[I]) {
	d := write[I, P](z)
	d.Mod(d.Sub(f.read(x), f.read(y)), f.p)
}

// Neg sets z = −x.
func (f *Field[I, P]) Neg(z, x *Int[I]) {
	d := write[I, P](z)
	d.Rem(d.Sub(f.p, f.read(x)), f.p)
}

// Mul sets z = xy.
func (f *Field[I, P]) Mul(z, x, y *Int[I]) {
	d := write[I, P](z)
	d.Rem(d.Mul(f.read(x), f.read(y)), f.p)
}

// Inv sets z = 1/x. It fails with field.ErrNotInvertible where x = 0 and leaves z.
func (f *Field[I, P]) Inv(z, x *Int[I]) error {
	if err := f.operands(z == nil || x == nil); err != nil {
		return err
	}
	if P(f.read(x)).Sign() == 0 {
		return fmt.Errorf("literal: %w: 0", field.ErrNotInvertible)
	}
	write[I, P](z).ModInverse(f.read(x), f.p)
	return nil
}

// One sets z = 1.
func (f *Field[I, P]) One(z *Int[I]) { write[I, P](z).SetInt64(1) }

// Equal reports whether x = y.
func (f *Field[I, P]) Equal(x, y *Int[I]) bool { return P(f.read(x)).Cmp(f.read(y)) == 0 }

// RootOfUnity sets z to the root of order n of the field that f was made of.
func (f *Field[I, P]) RootOfUnity(z *Int[I], n uint64) error {
	return f.from(z, func() (*big.Int, error) { return f.of.root(n) })
}

// from sets z to the number that number makes, if it does.
func (f *Field[I, P]) from(z *Int[I], number func() (*big.Int, error)) error {
	if err := f.operands(z == nil); err != nil {
		return err
	}
	x, err := number()
	if err == nil {
		write[I, P](z).SetBytes(x.Bytes())
	}
	return err
}

// Random sets z to an element drawn uniformly. It panics where r is nil.
func (f *Field[I, P]) Random(z *Int[I], r *rand.Rand) {
	write[I, P](z).SetBytes(f.of.random(r).Bytes())
}

// Size returns the number of bytes of an encoded element.
func (f *Field[I, P]) Size() int { return f.of.size() }

// PutBytes writes x to b[:Size()] as a number, little-endian. It panics where b is shorter.
func (f *Field[I, P]) PutBytes(b []byte, x *Int[I]) {
	b = b[:f.Size():len(b)]
	f.Big(nil, x).FillBytes(b)
	slices.Reverse(b)
}

// SetBytes sets z to the little-endian number b of Size() bytes.
func (f *Field[I, P]) SetBytes(z *Int[I], b []byte) error {
	return f.from(z, func() (*big.Int, error) { return f.of.bytes(b) })
}

// AppendText appends x in decimal.
func (f *Field[I, P]) AppendText(b []byte, x *Int[I]) []byte { return f.Big(nil, x).Append(b, 10) }

// SetText sets z to the decimal number s, of one digit or more and nothing else.
func (f *Field[I, P]) SetText(z *Int[I], s []byte) error {
	return f.from(z, func() (*big.Int, error) { return f.of.text(s) })
}

// SetBig sets z to x.
func (f *Field[I, P]) SetBig(z *Int[I], x *big.Int) error {
	return f.from(z, func() (*big.Int, error) { return f.of.number(x) })
}

// Big sets z, or a fresh integer where z is nil, to x and returns it.
func (f *Field[I, P]) Big(z *big.Int, x *Int[I]) *big.Int {
	if z == nil {
		z = new(big.Int)
	}
	return z.SetBytes(P(f.read(x)).Bytes())
}
