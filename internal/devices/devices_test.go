package devices_test

import (
	"os"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/devices"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/testfields"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { os.Exit(emulator.Main(m)) }

// Fields of all types of elements that kernels have are put on a device, with options.
func TestField(t *testing.T) {
	emulator.Need(t)
	takes(t, smallprime.P62())
	takes(t, smallprime.P30())
	takes(t, gfpf.P1())
	takes(t, gfpf.P2())
	takes(t, gfpf.P3())
	takes(t, gfpf.P4())
	takes(t, gfpf.P5())
	takes(t, gfpf.P6())
	takes(t, gfpf.P7())
}

// takes asks for interfaces alone: package gpu would be compiled for E once more.
func takes[E any](t *testing.T, f field.Rooted[E]) {
	got, info, err := devices.Field(f, gpu.From(9))
	require.NoError(t, err)
	g, ok := got.(interface {
		field.Planner[E]
		Unwrap() field.Rooted[E]
		Device() *gpu.Device
	})
	require.True(t, ok, "%T", got)
	require.Equal(t, f, g.Unwrap())
	require.Equal(t, g.Device().Info(), *info)
	d, err := field.NewCyclic(f, 8) // shorter than the least length for a device
	require.NoError(t, err)
	p, err := g.Plan(d, field.Spec{})
	require.NoError(t, err)
	require.Empty(t, p.Report().Device)
}

// Binary fields whose elements are of one type for all sizes have vectors there.
func TestNumbers(t *testing.T) {
	emulator.Need(t)
	f, err := binary.New[binary.Number](32)
	require.NoError(t, err)
	g, _, err := devices.Field(f)
	require.NoError(t, err)
	v, err := g.(interface {
		NewVec(n int) (field.Vec, error)
	}).NewVec(3)
	require.NoError(t, err)
	require.Equal(t, 3, v.Len())
}

// What gpu.Field refuses, Field refuses, with the same error.
func TestNoField(t *testing.T) {
	for _, f := range []any{nil, 1, testfields.NewWord256()} {
		_, _, err := devices.Field(f)
		require.ErrorIs(t, err, field.ErrSpec)
	}
	var whole field.Rooted[uint64] = testfields.Layers[uint64]{Rooted: smallprime.P62()}
	_, want := gpu.Field(whole)
	require.ErrorIs(t, want, field.ErrSpec)
	got, info, err := devices.Field(whole)
	require.EqualError(t, err, want.Error())
	require.Nil(t, got)
	require.Nil(t, info)
}
