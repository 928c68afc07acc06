package intmul

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
)

// Quotients and remainders are those of math/big, for special numbers of both signs and lengths of every kind.
func TestQuoRem(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	a, err := New(from(short(20, 256)))
	require.NoError(t, err)
	for _, c := range [][2]int{{1, 1}, {100, 200}, {1000, 500}, {2000, 1000}, {20000, 10001}, {40000, 5000},
		{10000, 9000}, {64 * 300, 64 * 100}, {30000, 400}, {9000, 8990}, {3000, 30}} {
		for i, y := range special(r, c[1]) {
			if y.Sign() == 0 {
				continue
			}
			for j, x := range append(special(r, c[0]), new(big.Int).Mul(y, random(r, max(1, c[0]-c[1])))) {
				if (i+j)%3 == 1 {
					x.Neg(x)
				}
				y := new(big.Int).Set(y)
				if (i+j)%2 == 1 {
					y.Neg(y)
				}
				for _, x := range []*big.Int{x, new(big.Int).Sub(x, big.NewInt(1))} {
					wantQ, wantR := new(big.Int).QuoRem(x, y, new(big.Int))
					var q, rest big.Int
					require.NoError(t, a.QuoRem(t.Context(), &q, &rest, x, y))
					require.Zero(t, wantQ.Cmp(&q), "%v, %d, %d", c, i, j)
					require.Zero(t, wantR.Cmp(&rest), "%v, %d, %d", c, i, j)
				}
			}
		}
		x, y := random(r, c[0]), random(r, c[1])
		d, err := a.Divisor(t.Context(), y)
		require.NoError(t, err)
		wantQ, wantR := new(big.Int).QuoRem(x, y, new(big.Int))
		require.NoError(t, d.QuoRem(t.Context(), x, y, x)) // results are operands
		require.Zero(t, wantQ.Cmp(x))
		require.Zero(t, wantR.Cmp(y))
	}
}

// Reciprocals are within 2 of what they stand for.
func TestReciprocal(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	a, err := New(from(short(4, 64)))
	require.NoError(t, err)
	for _, c := range [][2]int{{100, 200}, {1000, 1000}, {5000, 300}, {1000, 2000}, {3001, 2999}} {
		for _, y := range special(r, c[0]) {
			z, err := a.reciprocal(t.Context(), y, c[1])
			require.NoError(t, err)
			want := new(big.Int).Lsh(big.NewInt(1), uint(y.BitLen()+c[1]))
			want.Quo(want, y)
			require.LessOrEqual(t, want.Sub(want, z).CmpAbs(big.NewInt(2)), 0)
		}
	}
}

func TestDivExact(t *testing.T) {
	a, err := New()
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(25, 26))
	x, y := random(r, 300000), random(r, 200000)
	z := new(big.Int).Mul(x, y)
	require.NoError(t, a.DivExact(t.Context(), z, z, y))
	require.Zero(t, z.Cmp(x))
	require.ErrorIs(t, a.DivExact(t.Context(), z, z, y), field.ErrRange)
	require.Zero(t, z.Cmp(x))
	require.ErrorIs(t, a.DivExact(t.Context(), z, z, new(big.Int)), field.ErrNotInvertible)
	require.ErrorIs(t, a.QuoRem(t.Context(), z, z, x, y), field.ErrOverlap)
	require.Zero(t, z.Cmp(x))
}
