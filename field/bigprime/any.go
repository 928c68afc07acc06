package bigprime

import (
	"context"
	"math/big"
	"math/rand/v2"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes"
)

// Any is the field of a prime whose size is known at run time alone. Its elements are of one type for all sizes, which
// costs an allocation each and the way through memory: where the size is known, [Field] is faster. It implements
// field.Rooted, field.ContextRoots, field.Planner, field.Convolver, field.RangeChecker, field.Info,
// field.Codec and field.Sampler. Elements passed to its methods must be canonical. It is immutable and safe for
// concurrent use.
//
// Nil and the zero Any are no fields. Methods that return an error return field.ErrSpec for the zero Any and for nil
// pointers to elements; all others may panic on these, and every method may on a nil pointer.
type Any struct {
	prime
	numbers
}

// Open returns the field of p, with the errors of [New].
func Open(p *big.Int) (*Any, error) {
	w, err := Size(p)
	if err != nil {
		return nil, err
	}
	if err := checkPrime(p); err != nil {
		return nil, err
	}
	return newAny(p, w), nil
}

func newAny(p *big.Int, w int) *Any {
	f := new(Any)
	f.init(p, w)
	f.numbers = numbers{&f.prime.modulus}
	return f
}

// Check is a field.ErrSpec for nil and the zero Any.
func (f *Any) Check() error {
	if f == nil {
		return errNil
	}
	return f.check()
}

// Inv sets z = 1/x by Euclid's algorithm. It fails with field.ErrNotInvertible where x = 0 and leaves z.
func (f *Any) Inv(z, x *Number) error {
	if err := f.operands(z == nil || x == nil); err != nil {
		return err
	}
	return f.numbers.Inv(z, x)
}

// RootOfUnity sets z to the root of unity that [Field.RootOfUnity] has.
func (f *Any) RootOfUnity(z *Number, n uint64) error {
	return f.RootOfUnityContext(context.Background(), z, n)
}

// RootOfUnityContext is RootOfUnity, which ctx stops.
func (f *Any) RootOfUnityContext(ctx context.Context, z *Number, n uint64) error {
	if err := f.operands(z == nil); err != nil {
		return err
	}
	root, err := f.root(ctx, n)
	if err == nil {
		copy(f.room(z), root)
	}
	return err
}

// Random sets z to an element drawn uniformly. It panics where r is nil.
func (f *Any) Random(z *Number, r *rand.Rand) { f.random(f.room(z), r) }

// PutBytes writes x to b[:Size()] as a number, little-endian. It panics where b is shorter.
func (f *Any) PutBytes(b []byte, x *Number) { f.putBytes(b, f.of(x)) }

// SetBytes sets z to the little-endian number b of Size() bytes.
func (f *Any) SetBytes(z *Number, b []byte) error {
	if err := f.operands(z == nil); err != nil {
		return err
	}
	return f.setBytes(f.room(z), b)
}

// PutBigEndian writes x to b[:Size()] as a number, big-endian. It panics where b is shorter.
func (f *Any) PutBigEndian(b []byte, x *Number) { f.putBigEndian(b, f.of(x)) }

// SetBigEndian sets z to the big-endian number b of Size() bytes, with the errors of SetBytes.
func (f *Any) SetBigEndian(z *Number, b []byte) error {
	if err := f.operands(z == nil); err != nil {
		return err
	}
	return f.setBigEndian(f.room(z), b)
}

// AppendText appends x in decimal.
func (f *Any) AppendText(b []byte, x *Number) []byte { return f.appendText(b, f.of(x)) }

// SetText sets z to the decimal number s, of one digit or more and nothing else. Leading zeros are allowed.
func (f *Any) SetText(z *Number, s []byte) error {
	if err := f.operands(z == nil); err != nil {
		return err
	}
	return f.setText(f.room(z), s)
}

// SetBig sets z to x.
func (f *Any) SetBig(z *Number, x *big.Int) error {
	if err := f.operands(z == nil); err != nil {
		return err
	}
	return f.setBig(f.room(z), x)
}

// Big sets z, or a fresh integer where z is nil, to x and returns it.
func (f *Any) Big(z *big.Int, x *Number) *big.Int { return f.big(z, f.of(x)) }

// Plan makes the transform over d as s asks, on vectors that it copies numbers to and from: see [Field.Plan].
func (f *Any) Plan(d field.Domain[Number], s field.Spec) (field.Transform[Number], error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	if f.tiles == nil {
		return schemes.Build(f, numberBulk{f.prime.bulk}, d, s)
	}
	return schemes.BuildFirst(f, d, s, numberTiles{f.tiles}, numberBulk{f.prime.bulk})
}
