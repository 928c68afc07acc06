//go:build cgo && gmp

package intmul

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/ncw/gmp"
	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/internal/testscale"
)

// ofGMP returns x as GMP has it, and equalGMP compares.
func ofGMP(x *big.Int) *gmp.Int {
	z := new(gmp.Int).SetBytes(x.Bytes())
	if x.Sign() < 0 {
		z.Neg(z)
	}
	return z
}

func equalGMP(t *testing.T, want *gmp.Int, got *big.Int, format string, args ...any) {
	t.Helper()
	require.Equal(t, want.Sign(), got.Sign(), append([]any{format}, args...)...)
	require.Equal(t, want.Bytes(), got.Bytes(), append([]any{format}, args...)...)
}

// Products of numbers of 1 to 600 words are those of GMP: of all lengths with all at full scale, of random ones by
// default; from random words, ones and zeros in runs.
func TestGMPProducts(t *testing.T) {
	const most = 600
	a, err := New(from(short(1, measured.divisor)))
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(61, 62))
	x := random(r, 64*most)
	runs := new(big.Int)
	for bit := 0; bit < 64*most; {
		n := 1 + r.IntN(300)
		if r.IntN(2) == 1 {
			ones := new(big.Int).Lsh(big.NewInt(1), uint(n))
			runs.Or(runs, ones.Sub(ones, big.NewInt(1)).Lsh(ones, uint(bit)))
		}
		bit += n
	}
	runs.SetBit(runs, 64*most-1, 1)
	var u, v, z big.Int
	check := func(i, j int) {
		for _, y := range []*big.Int{x, runs} {
			u.Rsh(x, uint(64*(most-i)))
			v.Rsh(y, uint(64*(most-j)))
			require.NoError(t, a.Mul(t.Context(), &z, &u, &v))
			equalGMP(t, new(gmp.Int).Mul(ofGMP(&u), ofGMP(&v)), &z, "%d and %d words", i, j)
		}
		if i == j {
			require.NoError(t, a.Sqr(t.Context(), &z, &v))
			equalGMP(t, new(gmp.Int).Mul(ofGMP(&v), ofGMP(&v)), &z, "%d words", i)
		}
	}
	if testscale.Of(t) >= testscale.Full {
		for i := 1; i <= most; i++ {
			for j := 1; j <= i; j++ {
				check(i, j)
			}
		}
		return
	}
	for range 1000 {
		check(1+r.IntN(most), 1+r.IntN(most))
	}
}

// Everything else that GMP has, for long integers of any length and sign.
func TestGMP(t *testing.T) {
	a, err := New(WithWorkers(2), from(short(30, 1024)))
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(63, 64))
	ctx := t.Context()
	for i := range 12 * testscale.Of(t) {
		x, y := random(r, 1+r.IntN(400000)), random(r, 1+r.IntN(200000))
		if i%2 == 1 {
			x.Neg(x)
		}
		if i%3 == 1 {
			y.Neg(y)
		}
		u, v := ofGMP(x), ofGMP(y)
		z, rest := new(big.Int), new(big.Int)
		require.NoError(t, a.Mul(ctx, z, x, y))
		equalGMP(t, new(gmp.Int).Mul(u, v), z, "product %d", i)
		require.NoError(t, a.QuoRem(ctx, z, rest, x, y))
		q, m := new(gmp.Int).QuoRem(u, v, new(gmp.Int))
		equalGMP(t, q, z, "quotient %d", i)
		equalGMP(t, m, rest, "remainder %d", i)
		text, err := a.Append(ctx, nil, x, 10)
		require.NoError(t, err)
		require.Equal(t, u.String(), string(text))
		require.NoError(t, a.Parse(ctx, z, text, 10))
		require.Zero(t, x.Cmp(z))
		x.Abs(x)
		require.NoError(t, a.Sqrt(ctx, z, x))
		equalGMP(t, new(gmp.Int).Sqrt(ofGMP(x)), z, "root %d", i)
		require.NoError(t, a.GCD(t.Context(), z, x, y))
		equalGMP(t, new(gmp.Int).GCD(nil, nil, new(gmp.Int).Abs(ofGMP(x)), new(gmp.Int).Abs(ofGMP(y))), z, "GCD %d", i)
		require.NoError(t, a.Exp(ctx, z, y, big.NewInt(int64(i)), x))
		equalGMP(t, new(gmp.Int).Exp(v, gmp.NewInt(int64(i)), ofGMP(x)), z, "power %d", i)
	}
}
