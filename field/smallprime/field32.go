package smallprime

import (
	"fmt"

	"github.com/galfft/fft/field"
)

// Field32 is the field of an odd prime p < 2^32, with elements in uint32. It implements field.Rooted,
// field.Info, field.Codec, field.Sampler, field.Vectors, field.RangeChecker, field.Convolver and field.Planner.
// Elements passed to its methods must be canonical. It is immutable and safe for concurrent use. W is uint32.
//
// Nil and the zero Field32 are no fields. Methods that return an error return field.ErrSpec for the zero Field32 and
// for nil elements; all others may panic on these, and every method may on a nil pointer.
type Field32 struct {
	prime[uint32]
	mod modulus32
}

// New32 returns the field of p. It fails with field.ErrModulus where p is not an odd prime.
func New32(p uint32) (*Field32, error) {
	if err := checkPrime(uint64(p)); err != nil {
		return nil, err
	}
	return newField32(p), nil
}

func newField32(p uint32) *Field32 {
	f := &Field32{newPrime[uint32](uint64(p)), newModulus32(p)}
	_, k := f.class()
	f.v = newElements(uint64(p), k)
	return f
}

// Check is a field.ErrSpec for nil and the zero Field32.
func (f *Field32) Check() error {
	if f == nil {
		return fmt.Errorf("fft: %w: the field is nil", field.ErrSpec)
	}
	if f.m.p == 0 {
		return f.unfit()
	}
	return nil
}

// Set sets z = x.
func (f *Field32) Set(z, x *uint32) { *z = *x }

// Add sets z = x + y.
func (f *Field32) Add(z, x, y *uint32) { *z = f.add(*x, *y) }

// Sub sets z = x − y.
func (f *Field32) Sub(z, x, y *uint32) { *z = f.sub(*x, *y) }

// Neg sets z = −x.
func (f *Field32) Neg(z, x *uint32) { *z = f.sub(0, *x) }

// Mul sets z = xy.
func (f *Field32) Mul(z, x, y *uint32) { *z = uint32(f.mod.mul(uint64(*x), uint64(*y))) }

// Inv sets z = 1/x. It fails with field.ErrNotInvertible where x = 0 and leaves z.
func (f *Field32) Inv(z, x *uint32) error {
	if err := f.check(z, x); err != nil {
		return err
	}
	if *x == 0 {
		return notInvertible(f.m.p)
	}
	*z = uint32(f.m.inv(uint64(*x)))
	return nil
}

// One sets z = 1.
func (f *Field32) One(z *uint32) { *z = 1 }

// Equal reports whether x = y.
func (f *Field32) Equal(x, y *uint32) bool { return *x == *y }

// AddVec sets zᵢ = xᵢ + yᵢ.
func (f *Field32) AddVec(z, x, y []uint32) {
	done := f.v.add(z, x, y)
	z, x, y = z[done:], x[done:len(z)], y[done:len(z)]
	for i := range z {
		z[i] = f.add(x[i], y[i])
	}
}

// SubVec sets zᵢ = xᵢ − yᵢ.
func (f *Field32) SubVec(z, x, y []uint32) {
	done := f.v.sub(z, x, y)
	z, x, y = z[done:], x[done:len(z)], y[done:len(z)]
	for i := range z {
		z[i] = f.sub(x[i], y[i])
	}
}

// MulVec sets zᵢ = xᵢyᵢ.
func (f *Field32) MulVec(z, x, y []uint32) {
	m, done := f.mod, f.v.mul(z, x, y)
	z, x, y = z[done:], x[done:len(z)], y[done:len(z)]
	for i := range z {
		z[i] = uint32(m.mul(uint64(x[i]), uint64(y[i])))
	}
}

// MulAddVec sets zᵢ = zᵢ + xᵢyᵢ.
func (f *Field32) MulAddVec(z, x, y []uint32) {
	m, done := f.mod, f.v.mulAdd(z, x, y)
	z, x, y = z[done:], x[done:len(z)], y[done:len(z)]
	for i := range z {
		z[i] = f.add(z[i], uint32(m.mul(uint64(x[i]), uint64(y[i]))))
	}
}

func (f *Field32) add(x, y uint32) uint32 { return uint32(addMod(uint64(x), uint64(y), f.mod.p)) }
func (f *Field32) sub(x, y uint32) uint32 { return uint32(subMod(uint64(x), uint64(y), f.mod.p)) }

func notInvertible(p uint64) error {
	return fmt.Errorf("fft: 0 is %w modulo %d", field.ErrNotInvertible, p)
}
