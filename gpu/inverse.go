package gpu

import (
	"context"

	"github.com/galfft/fft/field"
)

// InverseMulVec sets z to the inverse transforms of the products of the values x and y: what MulVec and then InverseVec
// leave in z, bit for bit. Over words that takes a pass over memory less. The three are vectors of one plan, or of one
// convolution, over a [DeviceField] that runs on the device; any of them may be another. What is no such vector, or
// closed, is field.ErrVec, and a nil ctx is field.ErrSpec: then nothing is written. Where ctx ends, the error wraps
// that of ctx, and the values of z are unspecified.
//
// It returns when z is there, or begun where z is of a [Queue]. Calls on other vectors may run meanwhile.
func InverseMulVec(ctx context.Context, z, x, y field.Vec) error {
	if ctx == nil {
		return errContext
	}
	if v, ok := z.(*convolved); ok && v != nil {
		if c, ok := v.of.(interface {
			inverseMulVec(ctx context.Context, z, x, y field.Vec) error
		}); ok {
			return c.inverseMulVec(ctx, z, x, y)
		}
	}
	o, err := fellows(z, x, y)
	if err != nil {
		return err
	}
	return o[0].InverseMul(ctx, o[1], o[2])
}
