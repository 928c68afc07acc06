package smallprime

import (
	"fmt"

	"github.com/galfft/fft/field"
)

// Field64 is the field of an odd prime p < 2^64, with elements in uint64. It implements field.Rooted,
// field.Info, field.Codec, field.Sampler, field.Vectors, field.RangeChecker, field.Convolver and field.Planner.
// Elements passed to its methods must be canonical. It is immutable and safe for concurrent use. W is uint64.
//
// Nil and the zero Field64 are no fields. Methods that return an error return field.ErrSpec for the zero Field64 and
// for nil elements; all others may panic on these, and every method may on a nil pointer.
type Field64 struct{ prime[uint64] }

// New64 returns the field of p. It fails with field.ErrModulus where p is not an odd prime.
func New64(p uint64) (*Field64, error) {
	if err := checkPrime(p); err != nil {
		return nil, err
	}
	return newField64(p), nil
}

func newField64(p uint64) *Field64 {
	f := &Field64{newPrime[uint64](p)}
	_, k := f.class()
	f.v = newElements(p, k)
	return f
}

// Check is a field.ErrSpec for nil and the zero Field64.
func (f *Field64) Check() error {
	if f == nil {
		return fmt.Errorf("fft: %w: the field is nil", field.ErrSpec)
	}
	if f.m.p == 0 {
		return f.unfit()
	}
	return nil
}

// Set sets z = x.
func (f *Field64) Set(z, x *uint64) { *z = *x }

// Add sets z = x + y.
func (f *Field64) Add(z, x, y *uint64) { *z = addMod(*x, *y, f.m.p) }

// Sub sets z = x − y.
func (f *Field64) Sub(z, x, y *uint64) { *z = subMod(*x, *y, f.m.p) }

// Neg sets z = −x.
func (f *Field64) Neg(z, x *uint64) { *z = subMod(0, *x, f.m.p) }

// Mul sets z = xy.
func (f *Field64) Mul(z, x, y *uint64) { *z = f.m.mul(*x, *y) }

// Inv sets z = 1/x. It fails with field.ErrNotInvertible where x = 0 and leaves z.
func (f *Field64) Inv(z, x *uint64) error {
	if err := f.check(z, x); err != nil {
		return err
	}
	if *x == 0 {
		return notInvertible(f.m.p)
	}
	*z = f.m.inv(*x)
	return nil
}

// One sets z = 1.
func (f *Field64) One(z *uint64) { *z = 1 }

// Equal reports whether x = y.
func (f *Field64) Equal(x, y *uint64) bool { return *x == *y }

// AddVec sets zᵢ = xᵢ + yᵢ.
func (f *Field64) AddVec(z, x, y []uint64) {
	done := f.v.add(z, x, y)
	z, x, y = z[done:], x[done:len(z)], y[done:len(z)]
	for i := range z {
		z[i] = addMod(x[i], y[i], f.m.p)
	}
}

// SubVec sets zᵢ = xᵢ − yᵢ.
func (f *Field64) SubVec(z, x, y []uint64) {
	done := f.v.sub(z, x, y)
	z, x, y = z[done:], x[done:len(z)], y[done:len(z)]
	for i := range z {
		z[i] = subMod(x[i], y[i], f.m.p)
	}
}

// MulVec sets zᵢ = xᵢyᵢ.
func (f *Field64) MulVec(z, x, y []uint64) {
	m, done := f.m, f.v.mul(z, x, y)
	z, x, y = z[done:], x[done:len(z)], y[done:len(z)]
	for i := range z {
		z[i] = m.mul(x[i], y[i])
	}
}

// MulAddVec sets zᵢ = zᵢ + xᵢyᵢ.
func (f *Field64) MulAddVec(z, x, y []uint64) {
	m, done := f.m, f.v.mulAdd(z, x, y)
	z, x, y = z[done:], x[done:len(z)], y[done:len(z)]
	for i := range z {
		z[i] = addMod(z[i], m.mul(x[i], y[i]), f.m.p)
	}
}
