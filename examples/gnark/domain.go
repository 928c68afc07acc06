package main

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
)

// Domain computes the transforms of a domain of gnark-crypto, with elements E, by plans over the same field, with
// elements W. Both types are arrays of the same words. gnark-crypto keeps x as x·R mod p, in Montgomery's form. A plan
// takes x·R as it stands, a number below p: a transform is linear, so that the result is the transform of x, times R.
// Vectors are transformed where they lie, and nothing is converted or copied.
//
// A Domain is immutable and safe for concurrent use.
type Domain[E, W any] struct {
	f             field.Field[W]
	plan, mirror  *fft.Plan[W] // for w and the shift, and for 1/w
	before, after []W          // factors before mirror.Inverse, and after mirror.Forward
}

// Decimation says which side of a transform is in bit-reversed order, as in gnark-crypto; the other one is in natural
// order.
type Decimation uint8

const (
	DIT Decimation = iota // in time: the input
	DIF                   // in frequency: the output
)

// NewDomain is the domain of the n points shift·w^j, for a power of two n and w of order n. Both are plain numbers: for
// a domain d of gnark-crypto w is d.Generator.Bits(), and shift is d.FrMultiplicativeGen.Bits() for its transforms
// OnCoset, and 1 for the others.
func NewDomain[E, W any](f field.Field[W], n int, w, shift W) (*Domain[E, W], error) {
	var e E
	if unsafe.Sizeof(e) != unsafe.Sizeof(w) {
		return nil, fmt.Errorf("%T has %d bytes, and %T has %d", e, unsafe.Sizeof(e), w, unsafe.Sizeof(w))
	}
	plan, err := fft.NewPlan(f, n, fft.WithRoot(w), fft.WithCoset(shift), fft.WithOrder(fft.BitReversed))
	if err != nil {
		return nil, err
	}
	if err := f.Inv(&w, &w); err != nil {
		return nil, err
	}
	mirror, err := fft.NewPlan(f, n, fft.WithRoot(w), fft.WithOrder(fft.BitReversed))
	if err != nil {
		return nil, err
	}
	d := &Domain[E, W]{f, plan, mirror, make([]W, n), make([]W, n)}
	return d, d.factors(shift)
}

// factors sets before to n·shift^i, at the reversal of the bits of i, and after to 1 over it.
func (d *Domain[E, W]) factors(shift W) error {
	var x, y, inverse W
	if err := d.f.Inv(&inverse, &shift); err != nil {
		return err
	}
	n, unused := len(d.before), 65-bits.Len(uint(len(d.before)))
	d.f.One(&x)
	for m := 1; m < n; m *= 2 {
		d.f.Add(&x, &x, &x)
	}
	if err := d.f.Inv(&y, &x); err != nil {
		return err
	}
	for i := range uint64(n) {
		r := bits.Reverse64(i) >> unused
		d.f.Set(&d.before[r], &x)
		d.f.Set(&d.after[r], &y)
		d.f.Mul(&x, &x, &shift)
		d.f.Mul(&y, &y, &inverse)
	}
	return nil
}

// FFT replaces coefficients by values.
func (d *Domain[E, W]) FFT(a []E, decimation Decimation) error {
	v := words[W](a)
	if decimation == DIF {
		return d.plan.Forward(v, v)
	}
	// Value j is Σᵢ aᵢ·shift^i·w^(ij), which is what mirror.Inverse computes of n·aᵢ·shift^i.
	if err := field.MulVec(d.f, v, v, d.before); err != nil {
		return err
	}
	return d.mirror.Inverse(v, v)
}

// FFTInverse replaces values by coefficients: it undoes FFT.
func (d *Domain[E, W]) FFTInverse(a []E, decimation Decimation) error {
	v := words[W](a)
	if decimation == DIT {
		return d.plan.Inverse(v, v)
	}
	if err := d.mirror.Forward(v, v); err != nil {
		return err
	}
	return field.MulVec(d.f, v, v, d.after)
}

// words is the memory of a, as elements of the library.
func words[W, E any](a []E) []W {
	return unsafe.Slice((*W)(unsafe.Pointer(unsafe.SliceData(a))), len(a))
}
