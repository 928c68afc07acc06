package literal

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
)

// Both fields compute as math/big does, on edges and at random.
func TestFields(t *testing.T) {
	fieldOf(t, PrimeField32())
	fieldOf(t, PrimeField64())
}

func fieldOf[W Word](t *testing.T, f Field[W]) {
	p := new(big.Int).SetUint64(uint64(f.P))
	require.True(t, p.ProbablyPrime(20))
	require.Equal(t, f.P, f.K<<f.N+1)
	require.Equal(t, f.P-1, f.Pow(f.G, 1<<(f.N-1)))
	r := rand.New(rand.NewPCG(7, uint64(f.P)))
	values := []W{0, 1, 2, f.P / 2, f.P - 2, f.P - 1}
	for range 50 {
		values = append(values, f.Norm(W(r.Uint64())))
	}
	of := func(x W) *big.Int { return new(big.Int).SetUint64(uint64(x)) }
	is := func(want *big.Int, got W) {
		require.Zero(t, want.Mod(want, p).Cmp(of(got)))
	}
	for _, a := range values {
		is(new(big.Int).Neg(of(a)), f.Neg(a))
		is(new(big.Int).Exp(of(a), big.NewInt(77), p), f.Pow(a, 77))
		for _, b := range values {
			is(new(big.Int).Add(of(a), of(b)), f.Add(a, b))
			is(new(big.Int).Sub(of(a), of(b)), f.Sub(a, b))
			is(new(big.Int).Mul(of(a), of(b)), f.Mul(a, b))
			q, err := f.Div(a, b)
			if b == 0 {
				require.ErrorIs(t, err, field.ErrNotInvertible)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, a, f.Mul(q, b))
		}
	}
	require.Equal(t, W(f.P-1), f.Norm(^W(0)-^W(0)%f.P-1))
}

// The search finds the paper's primes and generators.
func TestFindPrimes(t *testing.T) {
	require.Equal(t, []Field[uint32]{PrimeField32()}, FindPrimes[uint32](30, 99))
	require.Contains(t, FindPrimes[uint64](57, 99), PrimeField64())
	require.Len(t, FindPrimes[uint64](32, 3), 3)
	for _, n := range []uint{0, 32, 64} {
		require.Empty(t, FindPrimes[uint32](n, 1))
	}
}

// Tables are powers of roots of the right order; the first is that of the paper's test.
func TestRoots(t *testing.T) {
	f := PrimeField32()
	require.NotEqual(t, f.P-1, f.Pow(f.G, 1<<28))
	for _, m := range []int{1, 2, 16, 1 << 10} {
		x, y, inverse, err := f.Roots(m)
		require.NoError(t, err)
		require.EqualValues(t, 1, f.Mul(inverse, uint32(m)))
		for i := range m {
			require.EqualValues(t, 1, f.Mul(x[i], y[i]))
			require.Equal(t, f.Pow(x[1%m], uint64(i)), x[i])
		}
		if m > 1 {
			require.Equal(t, f.P-1, x[m/2])
		}
	}
	g := PrimeField64()
	x, _, _, err := g.Roots(1 << 4)
	require.NoError(t, err)
	require.Equal(t, g.P-1, x[8])
	for _, m := range []int{-1, 0, 3, 32} {
		_, _, _, err := Field[uint32]{17, 1, 4, 3}.Roots(m)
		require.ErrorIs(t, err, field.ErrNoRoot)
	}
	_, _, _, err = Field[uint64]{1<<63 + 1, 1, 63, 3}.Roots(math.MaxInt/2 + 1)
	require.ErrorIs(t, err, field.ErrMemory)
}
