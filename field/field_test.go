package field_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/testfields"
)

func TestBatchLayout(t *testing.T) {
	for _, c := range []struct {
		in     field.Batch
		n      int
		stride int
		length int
		err    error
	}{
		{field.Batch{}, 8, 8, 8, nil},
		{field.Batch{Count: 3}, 8, 8, 24, nil},
		{field.Batch{Count: 3, Stride: 10}, 8, 10, 28, nil},
		{field.Batch{Count: 3, Columns: true}, 8, 3, 24, nil},
		{field.Batch{Count: 3, Stride: 5, Columns: true}, 8, 5, 38, nil},
		{field.Batch{Count: 1, Stride: 5, Columns: true}, 8, 5, 36, nil},
		{field.Batch{Count: 0, Stride: 9}, 8, 0, 0, field.ErrSpec},
		{field.Batch{Count: -2}, 8, 0, 0, field.ErrSpec},
		{field.Batch{Count: 2, Stride: 7}, 8, 0, 0, field.ErrSpec},
		{field.Batch{Count: 4, Stride: 3, Columns: true}, 8, 0, 0, field.ErrSpec},
		{field.Batch{Count: math.MaxInt, Stride: 8}, 8, 0, 0, field.ErrMemory},
	} {
		b, length, err := c.in.Layout(c.n)
		require.ErrorIs(t, err, c.err, "%+v", c.in)
		if c.err == nil {
			require.Equal(t, c.stride, b.Stride)
			require.Equal(t, c.length, length)
		}
	}
}

func TestNames(t *testing.T) {
	for o := field.Natural; o <= field.Scheme; o++ {
		got, err := field.ParseOrder(o.String())
		require.NoError(t, err)
		require.Equal(t, o, got)
	}
	for a := field.Auto; a <= field.FourStep; a++ {
		got, err := field.ParseAlgorithm(a.String())
		require.NoError(t, err)
		require.Equal(t, a, got)
	}
	for w := field.AutoTwiddles; w <= field.TwoLevel; w++ {
		got, err := field.ParseTwiddles(w.String())
		require.NoError(t, err)
		require.Equal(t, w, got)
	}
	_, err := field.ParseOrder("backwards")
	require.ErrorIs(t, err, field.ErrSpec)
	require.Equal(t, "#99", field.Algorithm(99).String())
}

func TestDomains(t *testing.T) {
	f := testfields.NewFermat()
	d, err := field.NewNegacyclic[uint32](f, 16)
	require.NoError(t, err)
	var s uint32
	field.PowUint(f, &s, &d.Shift, 16)
	require.EqualValues(t, 65536, s, "the shift of a negacyclic domain is a root of −1")
	_, err = field.NewCyclic[uint32](f, 1<<17)
	require.ErrorIs(t, err, field.ErrNoRoot)
	_, err = field.NewCyclic[uint32](f, 0)
	require.ErrorIs(t, err, field.ErrLength)
	_, err = field.NewNegacyclic[uint32](f, 1<<16)
	require.ErrorIs(t, err, field.ErrNoRoot)
	_, err = field.NewCyclic[uint32](struct{ field.Field[uint32] }{f}, 4)
	require.ErrorIs(t, err, field.ErrNoRoot)
}

// ElementsOnly hides everything but elements and roots.
func TestElementsOnly(t *testing.T) {
	var f field.Field[uint32] = testfields.NewFermat()
	_, ok := f.(field.Shifter[uint32])
	require.True(t, ok)
	f = field.ElementsOnly(f.(field.Rooted[uint32]))
	_, ok = f.(field.Shifter[uint32])
	require.False(t, ok)
}
