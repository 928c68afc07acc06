package testfields_test

import (
	"math/big"
	"testing"

	"github.com/galfft/fft/internal/testfields"
	"github.com/stretchr/testify/require"
)

// The modulus of 256 bits is what it is taken for. TestOnePrime judges what was derived from it.
func TestModulus256(t *testing.T) {
	q := testfields.NewWord256().Characteristic()
	require.True(t, q.ProbablyPrime(20))
	require.Equal(t, 255, q.BitLen())
	require.Equal(t, uint(32), new(big.Int).Sub(q, big.NewInt(1)).TrailingZeroBits())
}
