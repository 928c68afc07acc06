package intmul

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
)

// Roots are those of math/big, also next to squares.
func TestSqrt(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	least := short(8, 256)
	least.root = 64
	a, err := New(from(least))
	require.NoError(t, err)
	for bits := 1; bits < 700; bits += 1 + bits/100 {
		for _, x := range special(r, bits) {
			square := new(big.Int).Mul(x, x)
			for _, d := range []int64{-1, 0, 1} {
				y := new(big.Int).Add(square, big.NewInt(d))
				if y.Sign() < 0 {
					continue
				}
				z := new(big.Int).Set(y)
				require.NoError(t, a.Sqrt(t.Context(), z, z))
				require.Zero(t, y.Sqrt(y).Cmp(z), "%d bits, %d", bits, d)
			}
		}
	}
	for _, bits := range []int{5000, 30001, 70000} {
		for i, x := range special(r, bits) {
			square := new(big.Int).Mul(x, x)
			for _, y := range []*big.Int{x, square, new(big.Int).Sub(square, big.NewInt(1))} {
				z := new(big.Int)
				require.NoError(t, a.Sqrt(t.Context(), z, y))
				want := new(big.Int).Sqrt(y)
				require.Zero(t, want.Cmp(z), "%d bits, %d", bits, i)
				z, rest := new(big.Int), new(big.Int).Set(y)
				require.NoError(t, a.SqrtRem(t.Context(), z, rest, rest))
				require.Zero(t, want.Cmp(z), "%d bits, %d", bits, i)
				require.Zero(t, want.Sub(y, want.Mul(want, want)).Cmp(rest), "%d bits, %d", bits, i)
			}
		}
	}
	z := big.NewInt(7)
	require.ErrorIs(t, a.SqrtRem(t.Context(), z, z, z), field.ErrOverlap)
	require.Equal(t, int64(7), z.Int64())
	require.ErrorIs(t, a.Sqrt(t.Context(), new(big.Int), big.NewInt(-1)), field.ErrRange)
}

// Powers are those of math/big, with a modulus and without.
func TestExp(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	a, err := New(from(short(8, 512)))
	require.NoError(t, err)
	for _, c := range [][3]int{{1, 1, 0}, {10, 10, 0}, {100, 6, 1}, {3000, 700, 3000}, {1000, 3000, 2500}} {
		x, y := random(r, c[0]), random(r, c[1])
		x.Neg(x)
		var m *big.Int
		if c[2] > 0 {
			m = random(r, c[2])
		}
		z := new(big.Int)
		require.NoError(t, a.Exp(t.Context(), z, x, y, m))
		require.Zero(t, new(big.Int).Exp(x, y, m).Cmp(z), "%v", c)
	}
	z := big.NewInt(3)
	require.NoError(t, a.Exp(t.Context(), z, z, new(big.Int), z))
	require.Equal(t, int64(1), z.Int64())
	require.ErrorIs(t, a.Exp(t.Context(), z, z, big.NewInt(-1), nil), field.ErrRange)
	require.ErrorIs(t, a.Exp(t.Context(), z, big.NewInt(2), new(big.Int).Lsh(z, 100), nil), field.ErrMemory)
	require.Equal(t, int64(1), z.Int64())
}

func TestTrees(t *testing.T) {
	a, err := New()
	require.NoError(t, err)
	z := new(big.Int)
	for _, c := range [][2]int64{{1, 0}, {-3, 5}, {1, 20}, {5, 5000}, {-5000, -1}, {1 << 62, 1<<62 + 200}} {
		require.NoError(t, a.MulRange(t.Context(), z, c[0], c[1]))
		require.Zero(t, new(big.Int).MulRange(c[0], c[1]).Cmp(z), "%v", c)
	}
	want := big.NewInt(1)
	var list []*big.Int
	for i := range 10 {
		require.NoError(t, a.Product(t.Context(), z, list))
		require.Zero(t, want.Cmp(z))
		list = append(list, big.NewInt(int64(i-11)))
		want.Mul(want, list[i])
	}
	require.NoError(t, a.Product(t.Context(), list[0], list))
	require.Zero(t, want.Cmp(list[0]))
}
