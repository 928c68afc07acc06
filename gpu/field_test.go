package gpu

import (
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

// Reports tell where plans run: on the device powers of two from a length on, in the schemes that it has.
func TestWhere(t *testing.T) {
	emulator.Need(t)
	g, err := Field(smallprime.Goldilocks(), From(16))
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
		d, err := field.NewCyclic(g, c.n)
		require.NoError(t, err)
		p, err := schemes.New(g, d, c.s)
		require.NoError(t, err)
		r := p.Report()
		if c.device {
			require.Contains(t, r.Form, info.Name)
			require.Equal(t, info.Name, r.Device)
		} else {
			require.NotContains(t, r.Form, info.Name)
			require.Empty(t, r.Device)
		}
		require.Equal(t, c.device && c.s.Algorithm == field.Auto, r.Algorithm == field.Fused)
	}
	require.Nil(t, (*DeviceField[uint64])(nil).Device())
}

func TestCrossover(t *testing.T) {
	for bytes, want := range map[int]int{4: 1 << 16, 8: 1 << 15, 64: 1 << 12, 1 << 30: 1, 0: 1 << 18, -1: 1 << 18} {
		require.Equal(t, want, Crossover(bytes))
	}
}
