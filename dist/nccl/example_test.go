package nccl_test

import (
	"context"
	"log"

	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/dist/nccl"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu"
)

// A polynomial over two devices of one process, each of which has a half of it.
func Example() {
	ctx := context.Background()
	var devices []*gpu.Device
	for i := range 2 {
		d, err := gpu.Open(i)
		if err != nil {
			log.Fatal(err)
		}
		devices = append(devices, d)
	}
	ends, err := nccl.Local(ctx, devices...)
	if err != nil {
		log.Fatal(err)
	}
	err = dist.Run(ends, func(g dist.Group) error {
		f, err := gpu.Field(smallprime.Goldilocks(), gpu.On(devices[g.Rank()]))
		if err != nil {
			return err
		}
		p, err := dist.NewPlan(ctx, g, f, 1<<20, dist.Blocks{})
		if err != nil {
			return err
		}
		part := make([]uint64, p.Size())
		return p.Forward(ctx, part, part)
	})
	if err != nil {
		log.Fatal(err)
	}
}
