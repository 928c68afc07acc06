package gpu_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu"
)

// A transform on a device, or on the processor where there is none.
func ExampleField() {
	var f field.Rooted[uint64] = smallprime.Goldilocks()
	if g, err := gpu.Field(f); err == nil {
		f = g
	}
	p, err := fft.NewPlan(f, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := []uint64{1, 2, 3, 4}
	if err := p.Forward(x, x); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x[0])
	// Output: 10
}

// A transform on a stream, behind a kernel of the program's own.
func ExampleQueue() {
	_ = func(ctx context.Context, g *gpu.DeviceField[uint64], p *fft.Plan[uint64], x []uint64,
		mine func(at, stream uintptr) error) error {
		q, err := g.Device().NewQueue() // or QueueOf(stream), for a CUstream of your own
		if err != nil {
			return err
		}
		defer q.Close()
		v, err := q.NewVec(p) // or VecAt(p, address), for device memory of your own
		if err != nil {
			return err
		}
		at, err := gpu.Pointer(v) // for kernels of your own, on q.Stream()
		if err != nil {
			return err
		}
		// Calls return when their work is in the stream; x may change then.
		if err := errors.Join(p.Load(v, x), mine(at, q.Stream()), p.ForwardVec(ctx, v)); err != nil {
			return err
		}
		return q.Wait(ctx) // has what failed later
	}
}

func ExampleResizeVec() {
	_ = func(ctx context.Context, small, large *fft.Plan[uint64], v, w fft.Vec) error {
		// small: 2^k points over basis[:k]; large: 2^m points over basis, any shift; both from coefficients fft.LCH
		err := errors.Join(small.InverseVec(ctx, v), gpu.ResizeVec(w, v), large.ForwardVec(ctx, w))
		return err
	}
}

// Elements of a tower become elements of GHASH's basis, on the device.
func ExampleNewConversion() {
	_ = func(tower, ghash *gpu.DeviceField[[2]uint64], z, x field.Vec) error {
		c, err := gpu.NewConversion(tower, ghash) // two fields on one device
		if err != nil {
			return err
		}
		return c.MapVec(z, x) // z of ghash.NewVec, x of tower.NewVec
	}
}
