package smallprime_test

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
	"github.com/galfft/fft/internal/residues"
)

// A product by a reverse is one by the factor whose coefficients stand in reverse, and its coefficients are stored from
// any place on; for lengths of less than a run of values, of several parts, and on several workers.
func TestMulReversed(t *testing.T) {
	f, r := smallprime.P64(), rand.New(rand.NewPCG(27, 1))
	form := residues.Form[uint64]{P: new(big.Int).Set(f.Order()), Words: 1, Elements: 1, Invalid: f.FirstInvalid}
	for _, workers := range []int{1, 2} {
		for k := 6; k <= 14; k++ {
			n := 1 << k
			s := field.Spec{Workers: workers, Grain: 1}
			c, err := residues.NewPacked(form, n, false, s, fields)
			require.NoError(t, err)
			first := 32 + r.IntN(n/2-31)
			require.True(t, c.Reverses(first))
			a, b, back := make([]uint64, n), make([]uint64, n), make([]uint64, n)
			for i := range n {
				f.Random(&a[i], r)
				f.Random(&b[i], r)
				back[-i&(n-1)] = b[i]
			}
			want, got := make([]uint64, n), make([]uint64, first-r.IntN(2))
			x, y, z := loaded(t, c, a), loaded(t, c, b), loaded(t, c, back)
			require.NoError(t, c.MulVec(z, x, z))
			require.NoError(t, c.InverseVec(context.Background(), z))
			require.NoError(t, c.Store(want, z))
			require.NoError(t, c.MulReversed(context.Background(), x, x, y))
			require.NoError(t, c.InverseVec(context.Background(), x))
			part, err := c.From(x, first)
			require.NoError(t, err)
			require.NoError(t, c.Store(got, part))
			require.Equal(t, want[first:][:len(got)], got, "%d points, %d workers, from %d on", n, workers, first)
		}
	}
}

func loaded(t *testing.T, c *residues.Packed[uint64], a []uint64) field.Vec {
	t.Helper()
	v, err := c.NewVec()
	require.NoError(t, err)
	require.NoError(t, c.Load(v, a))
	require.NoError(t, c.ForwardVec(context.Background(), v))
	return v
}

// There are no reverses modulo x^n + 1, and no coefficients from the first block on, or behind half of the length.
func TestReverses(t *testing.T) {
	form := residues.Form[uint64]{P: smallprime.P64().Order(), Words: 1, Elements: 1}
	c, err := residues.NewPacked(form, 128, false, field.Spec{}, fields)
	require.NoError(t, err)
	require.False(t, c.Reverses(31))
	require.True(t, c.Reverses(32))
	require.True(t, c.Reverses(64))
	require.False(t, c.Reverses(65))
	_, err = c.From(nil, 32)
	require.ErrorIs(t, err, field.ErrVec)
	c, err = residues.NewPacked(form, 128, true, field.Spec{}, fields)
	require.NoError(t, err)
	require.False(t, c.Reverses(32))
}
