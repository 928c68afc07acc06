package gpu

import (
	"fmt"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/engine"
)

// ResizeVec sets the vector z of one plan to the vector x of another, transform by transform of a batch: to its first
// elements where those of z are shorter, and else to all of them, followed by zeros. So it pads and truncates
// polynomials in the memory of the device. Coefficients [field.LCH] mean the same polynomial where the basis of one
// plan begins with that of the other one, whatever the shifts. Values at n points go to more points or to other cosets
// by InverseVec, ResizeVec and ForwardVec.
//
// Both plans are over one [DeviceField] of characteristic 2 that transforms on the device, else it is field.ErrVec, as
// for a vector that is closed. Batches of other counts are field.ErrLength. Then nothing is written. x stays as it is,
// and may be z. ResizeVec returns when z is there, or begun where z is of a [Queue], and allocates nothing.
func ResizeVec(z, x field.Vec) error {
	var o [2]engine.Operand
	var of [2]*additive
	for i, v := range [2]field.Vec{z, x} {
		var err error
		if o[i], err = engine.OperandOf(v); err != nil {
			return err
		}
		b, ok := o[i].Bulk.(*additive)
		if of[i] = b; !ok || b != of[0] {
			return fmt.Errorf("gpu: %w: vectors of several fields, or of one without transforms over affine domains",
				field.ErrVec)
		}
	}
	to, from := o[0].Points(), o[1].Points()
	count := o[0].View.N / to
	if o[1].View.N/from != count {
		return &field.LengthError{What: "transforms of the vector", Want: count, Got: o[1].View.N / from}
	}
	if memory(o[0].View) == memory(o[1].View) {
		return o[0].Began()
	}
	onQueueOf(o[0].View, o[1].View, o[1].View, func(s *device.Stream) error {
		return of[0].resize(s, o[0].View, o[1].View, to, from)
	})
	return o[0].Began()
}

// resize copies rows of some elements to rows of others, with zeros behind them.
func (b *additive) resize(s *device.Stream, z, x bulks.View, to, from int) error {
	if to > from {
		if err := memory(z).Queue().Clear(b.at(z), z.N*b.size); err != nil {
			return err
		}
	}
	rows, width := z.N/to, min(to, from)
	return b.d.Each(s, b.copies, rows*width, b.at(z), b.at(x), uint64(rows), uint64(width), uint64(to), uint64(from), 0,
		0, 0)
}
