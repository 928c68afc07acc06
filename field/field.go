// Package field holds the contracts between fields and transforms.
//
// A user who brings a field of his own writes the eight methods of [Field] and the one of [Roots]; every transform,
// product and suite of this module then works over it. A field that has a faster working form of a vector makes it a
// Bulk of package field/bulks and opens it to plans with [Planner]; package field/smallprime is an example.
// Nothing here knows a concrete field or a machine.
//
// Optional interfaces are found by type assertion: [Info], [Codec] and [Sampler] serve files, tests and the command;
// [Shifter], [Butterflies] and [Vectors] offer speed. A type that embeds a field inherits its optional methods: a
// wrapper that changes the arithmetic must define Plan and Convolution anew, or hide them with [ElementsOnly].
//
// Nil, and in general the zero value of a field's type, are no fields: what takes a field and returns an error finds
// that by [Check]. Methods may panic where their field is none or an element is nil, and so do functions that return no
// error.
package field

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
)

// Field is the arithmetic of elements of a finite field.
//
// The destination comes first and may be the same element as any operand; operands are not changed
// otherwise. The zero value of E behaves as 0. Elements are copied with Set only, because E may hold
// pointers; generic code may also swap two elements by value. Methods are safe for concurrent use as long
// as the destinations differ.
type Field[E any] interface {
	Set(z, x *E)        // z = x
	Add(z, x, y *E)     // z = x + y
	Sub(z, x, y *E)     // z = x − y
	Neg(z, x *E)        // z = −x
	Mul(z, x, y *E)     // z = x·y
	Inv(z, x *E) error  // z = 1/x; ErrNotInvertible, z unchanged, when x = 0
	One(z *E)           // z = 1
	Equal(x, y *E) bool // x = y
}

// Rooted is a field that gives roots of unity, which is all that a cyclic transform needs. A plan asks for one root and
// derives all others as its powers.
type Rooted[E any] interface {
	Field[E]
	// RootOfUnity sets z to a root of unity of order exactly n. For powers of two the roots fit together:
	// root(2n)² = root(n). When the field has none, or n is 0, the error is ErrNoRoot and z is unchanged.
	RootOfUnity(z *E, n uint64) error
}

// ContextRoots is offered by fields whose roots may take long to find. What makes plans asks it, where it is there.
type ContextRoots[E any] interface {
	// RootOfUnityContext is RootOfUnity of [Rooted] that stops when ctx ends, and then returns an error that wraps the
	// context's, with z unchanged. Where there is no root it is ErrNoRoot, at once, even if ctx ended before.
	RootOfUnityContext(ctx context.Context, z *E, n uint64) error
}

// HasRoot reports whether f has roots of unity of order n. It searches for none where f is a [ContextRoots].
func HasRoot[E any](f Field[E], n uint64) bool {
	var z E
	if r, ok := f.(ContextRoots[E]); ok {
		err := r.RootOfUnityContext(ended, &z, n)
		return err == nil || errors.Is(err, context.Canceled)
	}
	r, ok := f.(Rooted[E])
	return ok && r.RootOfUnity(&z, n) == nil
}

// ended is a context that ended.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// Info describes a field.
type Info interface {
	Name() string             // the name under which the command knows the field
	Characteristic() *big.Int // a fresh value
	Order() *big.Int          // number of elements, a fresh value
}

// Codec is the canonical encoding of elements. Decoders accept canonical values only: anything else is
// ErrRange (or ErrLength for a wrong number of bytes) and leaves z unchanged.
type Codec[E any] interface {
	Size() int                        // bytes of an encoded element, ⌈bits(order−1)/8⌉
	PutBytes(b []byte, x *E)          // little-endian into b[:Size()]; panics when b is shorter
	SetBytes(z *E, b []byte) error    // little-endian, exactly Size() bytes
	AppendText(b []byte, x *E) []byte // in the digits of [TextBaseOf]
	SetText(z *E, s []byte) error     // the same, digits only
	SetBig(z *E, x *big.Int) error    // 0 ≤ x < order; nil is ErrRange
	Big(z *big.Int, x *E) *big.Int    // sets and returns z, a fresh one where that is nil
}

// TextBaseOf is the base of the text of a [Codec]: 16 for fields whose [Info] says that they are of characteristic 2,
// with the digits a to f, for which SetText takes A to F as well, and 10 for others.
func TextBaseOf(f any) int {
	if i, ok := f.(Info); ok && i.Characteristic().IsUint64() && i.Characteristic().Uint64() == 2 {
		return 16
	}
	return 10
}

// Sampler draws elements.
type Sampler[E any] interface {
	Random(z *E, r *rand.Rand) // uniform over the field; panics where r is nil
}

// RangeChecker is offered by fields whose element type has values that are no elements, such as words from p on. Plans
// and products check with it what they are given: whole operands, with a [RangeError] before anything is written.
// Spec.Unchecked leaves that out of plans. Element methods and [Vectors] do not check: given such values, theirs are
// unspecified.
//
// Transforms look for it in the field that they are made for, whatever bulk they run on.
type RangeChecker[E any] interface {
	FirstInvalid(x []E) int // the least i for which x[i] is no canonical element; −1 where there is none
}

// CheckRange is a RangeError where an element of x, which messages call what, is not canonical, for an f that is a
// [RangeChecker], and nil for others.
func CheckRange[E any](f Field[E], what string, x []E) error {
	if c, ok := f.(RangeChecker[E]); ok {
		if i := c.FirstInvalid(x); i >= 0 {
			return &RangeError{What: what, Index: i}
		}
	}
	return nil
}

// Shifter is offered by fields where multiplying by the powers of one root of unity g costs about as much
// as an addition: r in Z/(r^k+1), 2 in Z/(2^64−2^32+1).
type Shifter[E any] interface {
	ShiftOrder() uint64      // the order of g
	Shift(z, x *E, s uint64) // z = x·g^s, for every s
}

// Butterflies is offered by fields that compute whole rows of butterflies faster than element by element: transforms
// over element methods then take one call for a row, in which the arithmetic can be inlined. The slices have one length
// and do not overlap; w is in neither.
type Butterflies[E any] interface {
	Butterflies(x, y []E, w *E)  // (xᵢ, yᵢ) = (xᵢ + w·yᵢ, xᵢ − w·yᵢ)
	ButterfliesT(x, y []E, w *E) // (xᵢ, yᵢ) = (xᵢ + yᵢ, (xᵢ − yᵢ)·w)
}

// Vectors is offered by fields that handle whole slices of canonical elements faster than one by one. The
// slices have one length; z may be x or y, other overlap is not allowed. [AddVec], [SubVec] and [MulVec]
// use it where it exists.
type Vectors[E any] interface {
	AddVec(z, x, y []E) // zᵢ = xᵢ + yᵢ
	SubVec(z, x, y []E) // zᵢ = xᵢ − yᵢ
	MulVec(z, x, y []E) // zᵢ = xᵢ·yᵢ

	MulAddVec(z, x, y []E) // zᵢ = zᵢ + xᵢ·yᵢ
}

// AddVec sets zᵢ = xᵢ + yᵢ by [Vectors] where f offers it. The three have one length; otherwise the
// error is ErrLength and nothing is written.
func AddVec[E any](f Field[E], z, x, y []E) error {
	if err := checkVec(f, z, x, y); err != nil {
		return err
	}
	if v, ok := f.(Vectors[E]); ok {
		v.AddVec(z, x, y)
	} else {
		(&oneByOne[E]{f}).AddVec(z, x, y)
	}
	return nil
}

// SubVec sets zᵢ = xᵢ − yᵢ by [Vectors] where f offers it. The three have one length; otherwise the
// error is ErrLength and nothing is written.
func SubVec[E any](f Field[E], z, x, y []E) error {
	if err := checkVec(f, z, x, y); err != nil {
		return err
	}
	if v, ok := f.(Vectors[E]); ok {
		v.SubVec(z, x, y)
	} else {
		(&oneByOne[E]{f}).SubVec(z, x, y)
	}
	return nil
}

// MulVec sets zᵢ = xᵢ·yᵢ by [Vectors] where f offers it. The three have one length; otherwise the
// error is ErrLength and nothing is written.
func MulVec[E any](f Field[E], z, x, y []E) error {
	if err := checkVec(f, z, x, y); err != nil {
		return err
	}
	if v, ok := f.(Vectors[E]); ok {
		v.MulVec(z, x, y)
	} else {
		(&oneByOne[E]{f}).MulVec(z, x, y)
	}
	return nil
}

// MulAddVec sets zᵢ = zᵢ + xᵢ·yᵢ by [Vectors] where f offers it. The three have one length; otherwise the
// error is ErrLength and nothing is written.
func MulAddVec[E any](f Field[E], z, x, y []E) error {
	if err := checkVec(f, z, x, y); err != nil {
		return err
	}
	if v, ok := f.(Vectors[E]); ok {
		v.MulAddVec(z, x, y)
	} else {
		(&oneByOne[E]{f}).MulAddVec(z, x, y)
	}
	return nil
}

// VectorsOf returns the operations on vectors of f, by its own [Vectors] where it offers it: for callers that have
// checked field and lengths.
func VectorsOf[E any](f Field[E]) Vectors[E] {
	if v, ok := f.(Vectors[E]); ok {
		return v
	}
	return &oneByOne[E]{f}
}

// oneByOne is Vectors by the methods of elements.
type oneByOne[E any] struct{ f Field[E] }

func (v *oneByOne[E]) AddVec(z, x, y []E) {
	for i := range z {
		v.f.Add(&z[i], &x[i], &y[i])
	}
}

func (v *oneByOne[E]) SubVec(z, x, y []E) {
	for i := range z {
		v.f.Sub(&z[i], &x[i], &y[i])
	}
}

func (v *oneByOne[E]) MulVec(z, x, y []E) {
	for i := range z {
		v.f.Mul(&z[i], &x[i], &y[i])
	}
}

func (v *oneByOne[E]) MulAddVec(z, x, y []E) {
	var t E
	for i := range z {
		v.f.Mul(&t, &x[i], &y[i])
		v.f.Add(&z[i], &z[i], &t)
	}
}

// InvVec sets zᵢ = 1/xᵢ, with one inversion and three products for each element: P. Montgomery, "Speeding the Pollard
// and elliptic curve methods of factorization", Math. Comp. 48 (1987), section 10.3.1, on halves of the vector, so that
// the products are of vectors. z may be x. Where an xᵢ is 0 the error is ErrNotInvertible and nothing is written. It
// allocates two vectors of the length.
func InvVec[E any](f Field[E], z, x []E) error {
	if err := checkVec(f, z, x, z); err != nil {
		return err
	}
	var zero E
	for i := range x {
		if f.Equal(&x[i], &zero) {
			return fmt.Errorf("fft: element %d is 0: %w", i, ErrNotInvertible)
		}
	}
	if len(x) == 0 {
		return nil
	}
	return invVec(f, z, x)
}

// invVec inverts the products of the first half by the second one, of which it gets both.
func invVec[E any](f Field[E], z, x []E) error {
	n := len(x)
	if n == 1 {
		return f.Inv(&z[0], &x[0])
	}
	h := n / 2
	t, u := make([]E, n-h), make([]E, h)
	if err := MulVec(f, t[:h], x[:h], x[h:2*h]); err != nil {
		return err
	}
	if n%2 == 1 {
		f.Set(&t[h], &x[n-1])
	}
	if err := invVec(f, t, t); err != nil {
		return err
	}
	if err := errors.Join(MulVec(f, u, t[:h], x[:h]), MulVec(f, z[:h], t[:h], x[h:2*h])); err != nil {
		return err
	}
	for i := range u {
		f.Set(&z[h+i], &u[i])
	}
	if n%2 == 1 {
		f.Set(&z[n-1], &t[h])
	}
	return nil
}

// checkVec checks the arguments of an operation on vectors.
func checkVec[E any](f Field[E], z, x, y []E) error {
	if err := Check(f); err != nil {
		return err
	}
	if len(x) != len(z) {
		return &LengthError{What: "x", Want: len(z), Got: len(x)}
	}
	if len(y) != len(z) {
		return &LengthError{What: "y", Want: len(z), Got: len(y)}
	}
	return nil
}

// Pow sets z = x^e by repeated squaring; x^0 = 1. z may be x. It panics where e is nil or negative.
func Pow[E any](f Field[E], z, x *E, e *big.Int) {
	if e == nil || e.Sign() < 0 {
		panic(fmt.Sprintf("fft: exponent %v, want one that is not negative", e))
	}
	var r E
	f.One(&r)
	for i := e.BitLen() - 1; i >= 0; i-- {
		f.Mul(&r, &r, &r)
		if e.Bit(i) == 1 {
			f.Mul(&r, &r, x)
		}
	}
	f.Set(z, &r)
}

// PowUint is Pow for a machine word.
func PowUint[E any](f Field[E], z, x *E, e uint64) { Pow(f, z, x, new(big.Int).SetUint64(e)) }

// ElementsOnly returns f with its element methods and roots alone: every optional interface is hidden, so
// that transforms take the generic path. Suites compare it with the fast path.
func ElementsOnly[E any](f Rooted[E]) Rooted[E] { return elementsOnly[E]{f} }

type elementsOnly[E any] struct{ Rooted[E] }

func (f elementsOnly[E]) Check() error { return Check(f.Rooted) }
