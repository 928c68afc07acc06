package testfields

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestConstants derives the constants again.
func TestConstants(t *testing.T) {
	q := modulus256()
	require.True(t, q.ProbablyPrime(20))
	require.Equal(t, 255, q.BitLen())
	word := new(big.Int).Lsh(big.NewInt(1), 64)
	inv := new(big.Int).ModInverse(new(big.Int).Neg(q), word)
	require.Equal(t, inv.Uint64(), qNegInv)

	digits := new(big.Int)
	for _, d := range []uint64{d4, d3, d2, d1, d0} {
		digits.Lsh(digits, 52).Add(digits, new(big.Int).SetUint64(d))
	}
	require.Equal(t, q, digits)
	require.Equal(t, uint(32), new(big.Int).Sub(q, big.NewInt(1)).TrailingZeroBits())
}
