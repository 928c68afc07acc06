package gpu

import (
	"fmt"
	"math"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/arith"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/engine"
)

// AddVec sets z to the sums of the elements of x and y, SubVec to the differences x − y, in the memory of the device.
// The three are vectors of one plan over a [DeviceField] that runs on the device; any of them may be another. What is
// no such vector, or closed, is field.ErrVec. As Plan.MulVec they return when z is there, or begun where z is of a
// [Queue], and they allocate nothing.
func AddVec(z, x, y field.Vec) error { return elementwise(z, x, y, adding, 0) }

// SubVec sets z to the differences of the elements of x and y: see [AddVec].
func SubVec(z, x, y field.Vec) error { return elementwise(z, x, y, subtracting, 0) }

// ShiftVec sets z to the elements of x times g^s, for the root of unity g of the field's Shift: r in Z/(r^k + 1), 2 in
// Z/(2^64 − 2^32 + 1). z may be x. Fields that are no field.Shifter are field.ErrSpec; for all else see [AddVec].
func ShiftVec(z, x field.Vec, s uint64) error { return elementwise(z, x, x, shifting, s) }

// operation is one of those that are done element by element.
type operation int

const (
	adding operation = iota
	subtracting
	shifting
	multiplying
	squaring
	inverting
)

func elementwise(z, x, y field.Vec, of operation, s uint64) error {
	if own, ok := z.(*vector); ok && own != nil && own.b != nil {
		return ownElementwise(own, [2]field.Vec{x, y}, of, s)
	}
	if all, ok := z.(*dealtVec); ok && all != nil && all.of != nil {
		return all.of.elementwise(dealtElementwise, z, x, y, of, s)
	}
	o, err := fellows(z, x, y)
	if err != nil {
		return err
	}
	b, ok := o[0].Bulk.(bulk)
	if !ok {
		return fmt.Errorf("gpu: %w: it is not on a device", field.ErrVec)
	}
	if s, err = exponent(b, of, s); err != nil {
		return err
	}
	onQueueOf(o[0].View, o[1].View, o[2].View, func(on *device.Stream) error {
		return b.do(on, of, o[0].View, o[1].View, o[2].View, s)
	})
	return o[0].Began()
}

// fellows are what vectors of one plan are.
func fellows(z, x, y field.Vec) (o [3]engine.Operand, err error) {
	for i, v := range [3]field.Vec{z, x, y} {
		if o[i], err = engine.OperandOf(v); err != nil {
			return o, err
		}
		if !o[0].Fellow(o[i]) {
			return o, fmt.Errorf("gpu: %w: vectors of several plans", field.ErrVec)
		}
	}
	return o, nil
}

// order is 192 for Goldilocks, of the root 2.
func (b *words) order() uint64 {
	if b.p == goldilocks {
		return 192
	}
	return 0
}

func (b *words) do(on *device.Stream, of operation, z, x, y bulks.View, s uint64) error {
	f := b.sum
	switch of {
	case subtracting:
		f = b.difference
	case multiplying:
		return b.times(on, z, x, y)
	case shifting: // by 2^s·2^64, as the kernel divides by 2^64
		w := arith.Pow(2, (s+64)%192, b.p)
		return b.d.Each(on, b.scaled, z.N, b.at(z), b.at(x), w, b.p, b.inverse, uint64(z.N))
	}
	return b.d.Each(on, f, z.N, b.at(z), b.at(x), b.at(y), b.p, uint64(z.N))
}

func (b *digits) order() uint64 { return uint64(2 * b.k) }

func (b *digits) do(on *device.Stream, of operation, z, x, y bulks.View, s uint64) error {
	f := b.add
	switch of {
	case subtracting:
		f = b.sub
	case multiplying:
		return b.times(on, z, x, b.at(y), b.pitch(y), math.MaxUint64)
	case shifting:
		return b.shifted(on, z, x, s)
	}
	return b.d.Each(on, f, z.N, b.at(z), b.pitch(z), b.at(x), b.pitch(x), b.at(y), b.pitch(y), uint64(z.N), b.radix[0])
}

// shifted sets z to x·r^s, for s below 2k.
func (b *digits) shifted(stream *device.Stream, z, x bulks.View, s uint64) error {
	threads := device.Warps(z.N, digitsThreads(b.k))
	return b.d.Launch(stream, b.shift, [2]int{(z.N + threads - 1) / threads, 1}, threads, 8*threads*b.k, b.at(z),
		b.pitch(z), b.at(x), b.pitch(x), uint64(z.N), s, b.radix[0])
}
