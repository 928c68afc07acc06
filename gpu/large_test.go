package gpu

import (
	"slices"
	"sync"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/emulator"
	"github.com/stretchr/testify/require"
)

// The longest transforms, forward and back, have the values of the processor. The emulated device has shorter ones.
func TestLarge(t *testing.T) {
	emulator.Need(t)
	list, err := Devices()
	require.NoError(t, err)
	less := 0 // log2 of how many times shorter
	switch {
	case testing.Short() || emulator.Emulates():
		less = 13
	case list[0].Memory>>30 < 32:
		t.Skipf("the device has %d bytes, and these transforms are for 32 GiB", list[0].Memory)
	}
	t.Run("goldilocks", func(t *testing.T) { largeTransforms(t, smallprime.Goldilocks(), less, 25, 26, 27) })
	t.Run("p62", func(t *testing.T) { largeTransforms(t, smallprime.P62(), less, 25) })
	t.Run("covanov", func(t *testing.T) { largeTransforms(t, smallprime.Covanov(), less, 26, 27) })
	t.Run("babybear", func(t *testing.T) { largeTransforms(t, smallprime.BabyBear(), less, 25, 27) })
	t.Run("P3", func(t *testing.T) { largeTransforms(t, gfpf.P3(), less, 24) })
	t.Run("P4", func(t *testing.T) { largeTransforms(t, gfpf.P4(), less, 23) })
	t.Run("groups", func(t *testing.T) {
		if less > 0 {
			t.Skip("batches beyond gigabytes of memory are for real devices; TestGroups has small ones")
		}
		largeGroups(t)
	})
}

// large opens the device for one case, so that no other one finds its memory.
func large(t *testing.T) *Device {
	d, err := Open(0)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

func largeTransforms[E comparable](t *testing.T, f field.Rooted[E], less int, logs ...int) {
	g, err := Field(f, On(large(t)))
	require.NoError(t, err)
	for i, n := range logs {
		n -= less
		opts := []fft.Option{fft.WithOrder(field.Order(i % 2))}
		there, err := fft.NewPlan(g, 1<<n, opts...)
		require.NoError(t, err)
		here, err := fft.NewPlan(f, 1<<n, append(opts, fft.WithWorkers(0))...)
		require.NoError(t, err)
		x := random(f, 1<<n, uint64(n))
		want, got := make([]E, len(x)), make([]E, len(x))
		require.NoError(t, here.Forward(want, x))
		require.NoError(t, there.Forward(got, x))
		require.True(t, slices.Equal(want, got), "2^%d", n)
		require.NoError(t, there.Inverse(got, want))
		require.True(t, slices.Equal(x, got), "2^%d, inverse", n)
	}
}

// largeGroups is a batch for which the device has no room, as something else takes it: it runs in groups.
func largeGroups(t *testing.T) {
	d, f, count := large(t), smallprime.P62(), 192
	g, err := Field(f, On(d))
	require.NoError(t, err)
	const n = 1 << 20
	opts := []fft.Option{fft.WithBatch(fft.Batch{Count: count})}
	there, err := fft.NewPlan(g, n, opts...)
	require.NoError(t, err)
	here, err := fft.NewPlan(f, n, append(opts, fft.WithWorkers(0))...)
	require.NoError(t, err)
	free, _, err := d.room().Driver().Free()
	require.NoError(t, err)
	ballast, err := d.room().Driver().Alloc(free - 8*n*count/2)
	require.NoError(t, err)
	defer func() { require.NoError(t, d.room().Driver().Release(ballast)) }()
	_, err = there.NewVec()
	require.ErrorIs(t, err, field.ErrMemory, "it is to be too large")
	x := random(f, n*count, 1)
	want, got := make([]uint64, len(x)), make([]uint64, len(x))
	require.NoError(t, here.Forward(want, x))
	require.NoError(t, there.Forward(got, x))
	require.True(t, slices.Equal(want, got))
	require.NoError(t, there.Inverse(got, got))
	require.True(t, slices.Equal(x, got))
}

// Two devices at once, each asked by two goroutines.
func TestTwoDevices(t *testing.T) {
	emulator.Need(t)
	if emulator.Emulates() {
		t.Setenv("EMULATE_DEVICES", "2")
	}
	list, err := Devices()
	require.NoError(t, err)
	if len(list) < 2 {
		t.Skipf("this machine has %d device", len(list))
	}
	f, n := smallprime.Goldilocks(), 1<<12
	if !emulator.Emulates() {
		n = 1 << 22
	}
	here, err := fft.NewPlan(f, n)
	require.NoError(t, err)
	var wait sync.WaitGroup
	for i := range 2 {
		d, err := Open(i)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, d.Close()) })
		g, err := Field(f, On(d))
		require.NoError(t, err)
		p, err := fft.NewPlan(g, n)
		require.NoError(t, err)
		for j := range 2 {
			x := random(f, n, uint64(2*i+j))
			want := make([]uint64, n)
			require.NoError(t, here.Forward(want, x))
			wait.Go(func() {
				got := make([]uint64, n)
				for range 5 {
					check(t, p.Forward(got, x), slices.Equal(want, got))
					check(t, p.Inverse(got, got), slices.Equal(x, got))
				}
			})
		}
	}
	wait.Wait()
}
