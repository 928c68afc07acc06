package intmul

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzArithmetic compares everything that two integers make with math/big.
func FuzzArithmetic(f *testing.F) {
	f.Add([]byte{1, 2, 3}, []byte{4}, true)
	f.Add(make([]byte, 100), []byte{}, false)
	c := short(1, 64)
	c.gcd, c.euclid = 64, 80
	a, err := New(from(c))
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, u, v []byte, negative bool) {
		x, y := new(big.Int).SetBytes(u), new(big.Int).SetBytes(v)
		if negative {
			x.Neg(x)
		}
		ctx, z, r := t.Context(), new(big.Int), new(big.Int)
		require.NoError(t, a.Mul(ctx, z, x, y))
		require.Zero(t, new(big.Int).Mul(x, y).Cmp(z))
		require.NoError(t, a.Sqr(ctx, z, x))
		require.Zero(t, new(big.Int).Mul(x, x).Cmp(z))
		require.NoError(t, a.MulAdd(ctx, z, []*big.Int{x, y}, []*big.Int{y, y}))
		require.Zero(t, r.Mul(y, r.Add(x, y)).Cmp(z))
		require.NoError(t, a.Sqrt(ctx, z, y))
		require.Zero(t, r.Sqrt(y).Cmp(z))
		require.NoError(t, a.GCD(ctx, z, x, y))
		require.Zero(t, r.GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y)).Cmp(z))
		if y.Sign() != 0 {
			require.NoError(t, a.QuoRem(ctx, z, r, x, y))
			q, rest := new(big.Int).QuoRem(x, y, new(big.Int))
			require.Zero(t, q.Cmp(z))
			require.Zero(t, rest.Cmp(r))
		}
	})
}
