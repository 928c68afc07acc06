package nccl

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu"
)

// additive compares transforms over binary fields.
func additive(ctx context.Context, g dist.Group, d *gpu.Device) error {
	return errors.Join(additiveOver(ctx, g, d, "gf2:32", 1<<10),
		additiveOver(ctx, g, d, "gf2:64", long(1<<10, 1<<12)...), additiveOver(ctx, g, d, "gf2:128", 1<<10))
}

func additiveOver(ctx context.Context, g dist.Group, d *gpu.Device, name string, lengths ...int) error {
	f, on, err := hidden(name, d)
	if err != nil {
		return err
	}
	shift := f.Zero()
	if err := f.SetBytes(shift, []byte("coset of 16 byte")[:f.Size()]); err != nil {
		return err
	}
	for i, n := range lengths {
		err := compareOne(ctx, g, f, on, n, dist.Blocks{Coefficients: i > 0}, fft.WithCoefficients(fft.LCH),
			f.Coset(shift))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// BenchmarkAdditive is transforms of 2^log points over GF(2^64) from LCH coefficients, of vectors that stay on the
// devices.
func BenchmarkAdditive(b *testing.B) {
	onCards(b)
	f, err := binary.New[uint64](64)
	require.NoError(b, err)
	opts := []fft.Option{fft.WithCoefficients(fft.LCH)}
	for _, log := range []int{24, 28, 30, 31, 32, 33} {
		b.Run(fmt.Sprintf("plan/devices=1/n=2^%d", log), func(b *testing.B) {
			on, err := gpu.Field(f, gpu.On(devicesOf(b, 1)[0]))
			require.NoError(b, err)
			p, err := fft.NewPlan(on, 1<<log, opts...)
			if errors.Is(err, field.ErrMemory) {
				b.Skip(err)
			}
			require.NoError(b, err)
			v, err := p.NewVec()
			if errors.Is(err, field.ErrMemory) {
				b.Skip(err)
			}
			require.NoError(b, err)
			again(b, func() error { return p.ForwardVec(b.Context(), v) })
		})
		for _, size := range []int{2, 4, 8} {
			b.Run(fmt.Sprintf("nccl/devices=%d/n=2^%d", size, log), func(b *testing.B) {
				devices := devicesOf(b, size)
				timed(b, groupOf(b, "nccl", devices), func(g dist.Group) (func() error, error) {
					on, err := gpu.Field(f, gpu.On(devices[g.Rank()]))
					if err != nil {
						return nil, err
					}
					p, err := dist.NewPlan(b.Context(), g, on, 1<<log, dist.Blocks{}, opts...)
					if err != nil {
						return nil, err
					}
					v, err := p.NewVec()
					return func() error { return p.ForwardVec(b.Context(), v) }, err
				})
			})
		}
	}
}

// again does something twice, and then as often as asked for.
func again(b *testing.B, do func() error) {
	require.NoError(b, do())
	require.NoError(b, do())
	for b.Loop() {
		require.NoError(b, do())
	}
}

// BenchmarkBatch is 256 transforms of 2^20 words on as many devices of this process, without a group, of vectors that
// stay there.
func BenchmarkBatch(b *testing.B) {
	onCards(b)
	for _, size := range []int{1, 2, 4, 8} {
		b.Run(fmt.Sprintf("devices=%d", size), func(b *testing.B) {
			on, err := gpu.Field(smallprime.Goldilocks(), gpu.Among(devicesOf(b, size)...))
			require.NoError(b, err)
			p, err := fft.NewPlan(on, 1<<20, fft.WithBatch(fft.Batch{Count: 256}), fft.WithOrder(fft.BitReversed))
			require.NoError(b, err)
			v, err := p.NewVec()
			require.NoError(b, err)
			again(b, func() error { return p.ForwardVec(b.Context(), v) })
		})
	}
}
