package devices

import (
	"os"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/binary"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/gpu"
	"github.com/galfft/fft/internal/emulator"
	"github.com/galfft/fft/internal/testfields"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { os.Exit(emulator.Main(m)) }

// What gpu.Field takes, Field takes, with its options.
func TestField(t *testing.T) {
	emulator.Need(t)
	compare(t, smallprime.P62())
	compare(t, smallprime.P30())
	compare(t, gfpf.P1())
	compare(t, gfpf.P2())
	compare(t, gfpf.P3())
	compare(t, gfpf.P4())
	compare(t, gfpf.P5())
	compare(t, gfpf.P6())
	compare(t, gfpf.P7())
}

// Binary fields whose elements are of one type for all sizes have vectors there.
func TestNumbers(t *testing.T) {
	emulator.Need(t)
	f, err := binary.New[binary.Number](32)
	require.NoError(t, err)
	g, _, err := Field(f)
	require.NoError(t, err)
	v, err := g.(*gpu.DeviceField[binary.Number]).NewVec(3)
	require.NoError(t, err)
	require.Equal(t, 3, v.Len())
}

func compare[E any](t *testing.T, f field.Rooted[E]) {
	_, want := gpu.Field(f)
	got, device, err := Field(f, gpu.From(9))
	if want != nil {
		require.ErrorIs(t, want, field.ErrSpec)
		require.EqualError(t, err, want.Error())
		require.Nil(t, got)
		return
	}
	require.NoError(t, err)
	g := got.(*gpu.DeviceField[E])
	require.Equal(t, f, g.Unwrap())
	require.Equal(t, g.Device().Info(), *device)
	d, err := field.NewCyclic(g, 8)
	require.NoError(t, err)
	p, err := schemes.New(g, d, field.Spec{})
	require.NoError(t, err)
	require.Empty(t, p.Report().Device)
}

func TestNoField(t *testing.T) {
	for _, f := range []any{nil, 1, testfields.NewWord256()} {
		_, _, err := Field(f)
		require.ErrorIs(t, err, field.ErrSpec)
	}
}
