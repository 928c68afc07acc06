package gpu_test

import (
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

func TestQuick(t *testing.T) {
	emulator.Need(t)
	f := gfpf.P3()
	g, err := gpu.Field(f)
	require.NoError(t, err)
	for _, n := range []int{2, 8, 16, 64, 512, 1024, 8192} {
		d, err := field.Cyclic(f, n)
		require.NoError(t, err)
		x := make([][8]uint64, n)
		for i := range x {
			x[i][0], x[i][3] = uint64(i*i+1), uint64(i*i*i+5)
		}
		p, err := schemes.New(g, d, field.Spec{})
		require.NoError(t, err)
		t.Logf("%+v", p.Report())
		q, err := schemes.New(f, d, field.Spec{})
		require.NoError(t, err)
		y, z := make([][8]uint64, n), make([][8]uint64, n)
		require.NoError(t, p.Forward(t.Context(), y, x))
		require.NoError(t, q.Forward(t.Context(), z, x))
		require.Equal(t, z, y)
		require.NoError(t, p.Inverse(t.Context(), y, y))
		require.Equal(t, x, y)
	}
}
