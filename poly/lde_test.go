package poly_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/poly"
)

// Extended values are those of the polynomial at shift·w^j, by Horner's rule.
func TestLDE(t *testing.T) {
	f := smallprime.Goldilocks()
	shift := uint64(3)
	for _, c := range []struct{ n, blowup, columns int }{{1, 1, 1}, {1, 4, 2}, {8, 1, 1}, {8, 2, 1}, {16, 8, 1},
		{64, 4, 5}, {15, 2, 3}, {30, 4, 1}} {
		for _, o := range []fft.Order{fft.Natural, fft.BitReversed} {
			if o == fft.BitReversed && c.n%15 == 0 {
				continue
			}
			l, err := poly.NewLDE(f, c.n, c.blowup, c.columns, &shift, fft.WithOrder(o), fft.WithWorkers(2))
			require.NoError(t, err)
			m := c.n * c.blowup
			require.Equal(t, m*c.columns, l.Size())
			a := random(f, rng(m), c.n*c.columns) // coefficients, in columns
			v, want := make([]uint64, c.n*c.columns), make([]uint64, m*c.columns)
			one := uint64(1)
			valuesAt(t, v, a, c.n, c.columns, &one, o)
			valuesAt(t, want, a, m, c.columns, &shift, o)
			got, before := random(f, rng(7), l.Size()), append([]uint64(nil), v...)
			require.NoError(t, l.ExtendTo(ctx, got, v))
			require.Equal(t, want, got, "%+v, %v order", c, o)
			require.Equal(t, before, v)
			copy(got, v)
			require.NoError(t, l.ExtendTo(ctx, got, got[:len(v)]), "in place")
			require.Equal(t, want, got, "%+v, %v order, in place", c, o)
		}
	}
}

// valuesAt sets v to the values of the columns of a at m points.
func valuesAt(t *testing.T, v, a []uint64, m, columns int, shift *uint64, o fft.Order) {
	f := smallprime.Goldilocks()
	p, err := fft.NewPlan(f, m, fft.WithAlgorithm(fft.Naive), fft.WithOrder(o))
	require.NoError(t, err)
	var z uint64
	for i, j := range p.Permutation() {
		p.Point(&z, j)
		f.Mul(&z, &z, shift)
		for c := range columns {
			y := uint64(0)
			for k := len(a)/columns - 1; k >= 0; k-- {
				f.Mul(&y, &y, &z)
				f.Add(&y, &y, &a[k*columns+c])
			}
			v[i*columns+c] = y
		}
	}
}

func TestLDERefuses(t *testing.T) {
	shift, zero := uint64(3), uint64(0)
	for _, c := range []struct {
		n, blowup, columns int
		shift              *uint64
		want               error
	}{
		{0, 1, 1, &shift, field.ErrLength}, {1, 0, 1, &shift, field.ErrLength}, {1, 1, 0, &shift, field.ErrLength},
		{-1, 1, 1, &shift, field.ErrLength},
		{math.MaxInt, 2, 1, &shift, field.ErrLength}, {1 << 20, 2, math.MaxInt / 2, &shift, field.ErrLength},
		{8, 2, 1, nil, field.ErrSpec}, {8, 2, 1, &zero, field.ErrNotInvertible}, {8, 7, 1, &shift, field.ErrNoRoot},
		{7, 1, 1, &shift, field.ErrNoRoot},
	} {
		l, err := poly.NewLDE(smallprime.Goldilocks(), c.n, c.blowup, c.columns, c.shift)
		require.ErrorIs(t, err, c.want, "%+v", c)
		require.Nil(t, l)
	}
	_, err := poly.NewLDE[uint64](nil, 8, 2, 1, &shift)
	require.ErrorIs(t, err, field.ErrSpec)
	_, err = poly.NewLDE(smallprime.Goldilocks(), 15, 2, 1, &shift, fft.WithOrder(fft.BitReversed))
	require.ErrorIs(t, err, field.ErrSpec)

	l, err := poly.NewLDE(smallprime.Goldilocks(), 8, 4, 1, &shift)
	require.NoError(t, err)
	x := random(smallprime.Goldilocks(), rng(3), 64)
	before := append([]uint64(nil), x...)
	for name, c := range map[string]struct {
		dst, v []uint64
		want   error
	}{
		"short destination": {x[:31], x[32:40], field.ErrLength}, "long values": {x[:32], x[32:41], field.ErrLength},
		"nil":           {nil, nil, field.ErrLength},
		"values inside": {x[:32], x[8:16], field.ErrOverlap}, "values across the end": {x[:32], x[31:39],
			field.ErrOverlap},
	} {
		require.ErrorIs(t, l.ExtendTo(ctx, c.dst, c.v), c.want, name)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, l.ExtendTo(ended, x[:32], x[32:40]), context.Canceled)
	require.Equal(t, before, x)
}

func TestLDEAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector empties pools at random")
	}
	f := smallprime.P62()
	shift := uint64(5)
	l, err := poly.NewLDE(f, 256, 4, 3, &shift)
	require.NoError(t, err)
	v, dst := make([]uint64, 256*3), make([]uint64, l.Size())
	require.Zero(t, testing.AllocsPerRun(20, func() { err = l.ExtendTo(ctx, dst, v) }))
	require.NoError(t, err)
}

// x² from its values at the fourth roots of unity to those at 3 times the eighth ones.
func ExampleLDE() {
	f := smallprime.P62()
	shift := uint64(3)
	l, err := poly.NewLDE(f, 4, 2, 1, &shift)
	if err != nil {
		fmt.Println(err)
		return
	}
	v := []uint64{1, f.Modulus() - 1, 1, f.Modulus() - 1} // x² at the fourth roots of unity
	dst := make([]uint64, l.Size())
	if err := l.ExtendTo(context.Background(), dst, v); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(dst[0], dst[4]) // (±3)²
	// Output: 9 9
}
