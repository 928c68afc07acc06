package nccl

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/dist"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/device"
	"github.com/galfft/fft/internal/emulator"
)

// Vectors that come from the drivers' pools and go back there, one after the other, on two devices of one process,
// reach the other device by NCCL and by copies. All memory is free again when they are closed, and one device serves on
// when the other has been closed and opened.
func TestPools(t *testing.T) {
	devices := devicesOf(t, 2)
	for round := range 3 {
		for how, group := range map[string]func() ([]dist.Group, error){
			"nccl":  func() ([]dist.Group, error) { return Local(t.Context(), devices...) },
			"peers": func() ([]dist.Group, error) { return peers(t, devices), nil },
		} {
			ends, err := group()
			require.NoError(t, err)
			require.NoError(t, dist.Run(ends, func(g dist.Group) error {
				return pooled(t, g, devices[g.Rank()])
			}), "round %d, %s", round, how)
		}
		require.NoError(t, devices[1].Close())
		again, err := gpu.Open(1)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, again.Close()) })
		devices[1] = again
	}
}

func pooled(t *testing.T, g dist.Group, d *gpu.Device) error {
	on, err := gpu.Field(smallprime.Goldilocks(), gpu.On(d))
	if err != nil {
		return err
	}
	b := on.Bulk().(interface {
		bulks.Bulk
		bulks.Device
		Release(v bulks.View) error
	})
	free := func() int {
		_ = (*device.Device)(d).Driver().Wait()
		n, _, err := (*device.Device)(d).Driver().Free()
		require.NoError(t, err)
		return int(n)
	}
	words := 1 << 12
	if !emulator.Emulates() {
		words = 1 << 21
	}
	before := 0
	for i := range 12 {
		n := words << (i % 3)
		x, err1 := b.Make(n)
		y, err2 := b.Make(n)
		if err := errors.Join(err1, err2); err != nil {
			return err
		}
		sent, want, got := make([]uint64, n), make([]uint64, n), make([]uint64, n)
		for j := range n {
			sent[j] = uint64(i)<<40 | uint64(g.Rank())<<32 | uint64(j)
			want[j] = uint64(i)<<40 | uint64(j/(n/2))<<32 | uint64(g.Rank()*n/2+j%(n/2))
		}
		b.Pack(x, bulks.ViewOf(sent))
		if err := g.Exchange(t.Context(), b, y, x); err != nil {
			return err
		}
		b.Unpack(bulks.ViewOf(got), y)
		if err := b.Wait(t.Context(), y); err != nil {
			return err
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("rank %d, vectors %d: wrong words", g.Rank(), i)
		}
		if err := errors.Join(b.Release(x), b.Release(y)); err != nil {
			return err
		}
		if i == 2 {
			before = free()
		}
	}
	if after := free(); after < before {
		return fmt.Errorf("rank %d: %d bytes are free, %d were after the first vectors", g.Rank(), after, before)
	}
	return nil
}
