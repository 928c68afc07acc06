package gpu_test

import (
	"fmt"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/emulator"
	"github.com/stretchr/testify/require"
)

// Plans tell where they run: on the device powers of two from a length on, in the schemes that it has.
func TestOnPlan(t *testing.T) {
	emulator.Need(t)
	var told []string
	g, err := gpu.Field(smallprime.Goldilocks(), gpu.From(16), gpu.OnPlan(func(n int, device bool) {
		told = append(told, fmt.Sprint(n, device))
	}))
	require.NoError(t, err)
	info := g.Device().Info()
	for _, c := range []struct {
		n      int
		s      field.Spec
		device bool
	}{
		{16, field.Spec{}, true},
		{8, field.Spec{}, false},
		{8, field.Spec{Batch: field.Batch{Count: 2}}, true},
		{15, field.Spec{}, false},
		{1, field.Spec{Batch: field.Batch{Count: 99}}, false},
		{64, field.Spec{Algorithm: field.FourStep}, true},
		{64, field.Spec{Algorithm: field.Naive}, false},
	} {
		told = nil
		d, err := field.NewCyclic(g, c.n)
		require.NoError(t, err)
		p, err := g.Plan(d, c.s)
		require.NoError(t, err)
		require.Equal(t, []string{fmt.Sprint(c.n, c.device)}, told)
		if c.device {
			require.Contains(t, p.Report().Form, info.Name)
		} else if p != nil {
			require.NotContains(t, p.Report().Form, info.Name)
		}
	}
	g, err = gpu.Field(smallprime.Goldilocks(), gpu.OnPlan(nil))
	require.NoError(t, err)
	d, err := field.NewCyclic(g, 16)
	require.NoError(t, err)
	_, err = g.Plan(d, field.Spec{})
	require.NoError(t, err)
	require.Nil(t, (*gpu.DeviceField[uint64])(nil).Device())
}

func TestCrossover(t *testing.T) {
	for bytes, want := range map[int]int{4: 1 << 16, 8: 1 << 15, 64: 1 << 12, 1 << 30: 1, 0: 1 << 18, -1: 1 << 18} {
		require.Equal(t, want, gpu.Crossover(bytes))
	}
}
