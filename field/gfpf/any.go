package gfpf

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes"
)

// Any is the field of p = r^k + 1 for a k that is known at run time alone. Its elements are of one type for all k,
// which costs an allocation each and the way through memory: where k is known, [Field] is faster. It implements
// field.Rooted, field.Shifter, field.Planner, field.RangeChecker, field.Vectors, field.Info, field.Codec
// and field.Sampler. Elements passed to its methods must be canonical. It is immutable and safe for concurrent use.
//
// Nil and the zero Any are no fields. Methods that return an error return field.ErrSpec for the zero Any and for nil
// pointers to elements; all others may panic on these, and every method may on a nil pointer.
type Any struct {
	prime
	numbers
}

// Open returns the field of r^k + 1, with the errors of [New]; k is a power of two from 2 to 128 (field.ErrModulus).
func Open(r uint64, k int) (*Any, error) {
	if k < 2 || k > most || k&(k-1) != 0 {
		return nil, fmt.Errorf("fft: %w: %d digits, want a power of two from 2 to %d", field.ErrModulus, k, most)
	}
	f := new(Any)
	f.init(r, k)
	f.numbers = numbers{&f.prime.ring}
	if err := checkPrime(r, k, f.prime.p); err != nil {
		return nil, err
	}
	return f, nil
}

// Check is a field.ErrSpec for nil and the zero Any.
func (f *Any) Check() error {
	if f == nil {
		return errNil
	}
	return f.check()
}

// K returns k.
func (f *Any) K() int { return f.prime.k }

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

// AddVec sets zᵢ = xᵢ + yᵢ, element by element: see field.Vectors. Like the others below it panics where x or y is
// shorter than z.
func (f *Any) AddVec(z, x, y []Number) { each(z, x, y, f.Add) }

// SubVec sets zᵢ = xᵢ − yᵢ.
func (f *Any) SubVec(z, x, y []Number) { each(z, x, y, f.Sub) }

// MulVec sets zᵢ = xᵢ·yᵢ.
func (f *Any) MulVec(z, x, y []Number) { each(z, x, y, f.Mul) }

// MulAddVec sets zᵢ = zᵢ + xᵢ·yᵢ.
func (f *Any) MulAddVec(z, x, y []Number) {
	var t Number
	each(z, x, y, func(z, x, y *Number) {
		f.Mul(&t, x, y)
		f.Add(z, z, &t)
	})
}

func each(z, x, y []Number, do func(z, x, y *Number)) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		do(&z[i], &x[i], &y[i])
	}
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

// Plan makes the transform over d as s asks, as [Field.Plan] does.
func (f *Any) Plan(d field.Domain[Number], s field.Spec) (field.Transform[Number], error) {
	if err := f.Check(); err != nil || f.tiles.set == nil {
		return nil, err
	}
	return schemes.BuildFirst(f, d, s, numberBulk{f.tiles})
}
