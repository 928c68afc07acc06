package smallprime_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/smallprime"
)

// Primes of few bits are all that a look at every number finds.
func TestPrimes(t *testing.T) {
	for bits := 2; bits <= 12; bits++ {
		for _, divisor := range []uint64{1, 2, 3, 4, 5, 6, 8, 15, 16, 17, 96, 1<<bits - 1} {
			if divisor >= 1<<bits {
				continue
			}
			primes, err := smallprime.Primes(bits, divisor)
			require.NoError(t, err)
			var want []uint64
			for p := uint64(1)<<bits - 1; p > 2; p-- {
				if p%divisor == 1%divisor && big.NewInt(int64(p)).ProbablyPrime(0) {
					want = append(want, p)
				}
			}
			require.Equal(t, want, slices.Collect(primes), "%d bits, 1 modulo %d", bits, divisor)
		}
	}
}

func TestPrimesOfSize(t *testing.T) {
	for _, c := range []struct {
		bits    int
		divisor uint64
		want    uint64
	}{
		{64, 1, 1<<64 - 59},
		{62, 1 << 24, smallprime.P62().Modulus()},
		{50, 1 << 24, smallprime.P50().Modulus()},
		{64, 1 << 24, smallprime.P64().Modulus()},
		{31, 15 << 27, 2013265921}, // BabyBear
		{62, 29 << 57, smallprime.Covanov().Modulus()},
		{2, 1, 3},
	} {
		primes, err := smallprime.Primes(c.bits, c.divisor)
		require.NoError(t, err)
		for p := range primes {
			require.Equal(t, c.want, p, "%d bits, 1 modulo %d", c.bits, c.divisor)
			break
		}
	}
}

func TestPrimesRefuses(t *testing.T) {
	for _, c := range []struct {
		bits    int
		divisor uint64
	}{{1, 1}, {65, 1}, {-1, 1}, {2, 0}, {2, 4}, {16, 1 << 16}} {
		_, err := smallprime.Primes(c.bits, c.divisor)
		require.ErrorIs(t, err, field.ErrRange, "%d bits, 1 modulo %d", c.bits, c.divisor)
	}
	primes, err := smallprime.Primes(3, 5) // 6 is even
	require.NoError(t, err)
	require.Empty(t, slices.Collect(primes))
}
