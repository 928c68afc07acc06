package gpu

import (
	"math"
	"slices"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/emulator"
	"github.com/stretchr/testify/require"
)

// Calls on pinned slices are right, short and long ones, also on a device that reads them late, and after the end of
// the device that they were made on.
func TestHostSlice(t *testing.T) {
	emulator.Need(t)
	d, err := Open(0)
	require.NoError(t, err)
	t.Cleanup(func() { d.Close() })
	f := smallprime.Goldilocks()
	g, err := Field(f, On(d))
	require.NoError(t, err)
	last, err := HostSlice[uint64](3, On(d))
	require.NoError(t, err)
	for _, n := range []int{1 << 6, 1 << 17} {
		x, err := HostSlice[uint64](n+1, On(d))
		require.NoError(t, err)
		y, err := HostSlice[uint64](n, On(d))
		require.NoError(t, err)
		require.Equal(t, make([]uint64, n+1), x.Slice())
		src := x.Slice()[1:] // any part
		copy(src, random(f, n, 3))
		want := make([]uint64, n)
		require.NoError(t, fft.Must(fft.NewPlan[uint64](f, n)).Forward(want, src))
		p := fft.Must(fft.NewPlan[uint64](g, n))
		for _, us := range []string{"0", "300"} {
			t.Setenv("EMULATE_DELAY", us)
			clear(y.Slice())
			require.NoError(t, p.Forward(y.Slice(), src))
			require.True(t, slices.Equal(want, y.Slice()), n)
			v, err := p.NewVec()
			require.NoError(t, err)
			kept := slices.Clone(src)
			require.NoError(t, p.Load(v, src))
			clear(src) // Load is through with it
			require.NoError(t, p.Store(y.Slice(), v))
			require.True(t, slices.Equal(kept, y.Slice()), n)
			copy(src, kept)
		}
		for range 2 {
			require.NoError(t, x.Close())
			require.NoError(t, y.Close())
		}
		require.Nil(t, x.Slice())
	}
	require.NoError(t, d.Close())
	copy(last.Slice(), []uint64{1, 2, 3})
	require.Equal(t, []uint64{1, 2, 3}, last.Slice())
	require.NoError(t, last.Close())

	_, err = HostSlice[uint64](1, On(d))
	require.ErrorIs(t, err, ErrClosed)
	_, err = HostSlice[*uint64](1)
	require.ErrorIs(t, err, field.ErrSpec)
	_, err = HostSlice[uint64](-1)
	require.ErrorIs(t, err, field.ErrLength)
	_, err = HostSlice[uint64](math.MaxInt / 4)
	require.ErrorIs(t, err, field.ErrMemory)
	_, err = HostSlice[uint64](math.MaxInt >> 23)
	require.ErrorIs(t, err, field.ErrMemory)
	var none *Host[uint64]
	require.Nil(t, none.Slice())
	require.NoError(t, none.Close())
	require.Nil(t, new(Host[uint64]).Slice())
	require.NoError(t, new(Host[uint64]).Close())
}
