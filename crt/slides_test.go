package crt_test

import (
	"context"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/crt"
)

// The example of the slides on generalized Fermat primes: residues modulo 3, 7 and 11 of numbers below 231.
func TestSlides(t *testing.T) {
	ctx, primes := context.Background(), []uint64{3, 7, 11}
	s, err := crt.New(ctx, primes)
	require.NoError(t, err)
	require.EqualValues(t, 231, s.Modulus().Int64())
	r := [][]uint64{make([]uint64, 2), make([]uint64, 2), make([]uint64, 2)}
	require.NoError(t, s.Residues(ctx, r, []*big.Int{big.NewInt(14), big.NewInt(10)}))
	require.Equal(t, [][]uint64{{2, 1}, {0, 3}, {3, 10}}, r)
	product := make([][]uint64, 3)
	for i, p := range primes {
		product[i] = []uint64{r[i][0] * r[i][1] % p}
	}
	require.Equal(t, [][]uint64{{2}, {0}, {8}}, product)
	x := []*big.Int{new(big.Int)}
	require.NoError(t, s.Garner(ctx, x, product))
	require.EqualValues(t, 140, x[0].Int64())
	for i, constant := range []int64{154, 99, 210} { // 1 modulo one prime, 0 modulo the others
		one := [][]uint64{{0}, {0}, {0}}
		one[i][0] = 1
		require.NoError(t, s.Garner(ctx, x, one))
		require.Equal(t, constant, x[0].Int64())
	}
}
