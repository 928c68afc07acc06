package factor

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPrimes(t *testing.T) {
	for n := uint64(1); n < 5000; n++ {
		requireFactors(t, n)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		requireFactors(t, r.Uint64())
	}
	for _, n := range []uint64{
		1<<64 - 1, 1<<64 - 2, 1<<64 - 59, 4294967291 * 4294967291, 4294967291 * 4294967279,
		1031 * 1031, 1031 * 1031 * 1031 * 1031, 1031 * 1033 * 1039 * 1049, 1 << 63, 2147483647 * 2147483647,
	} {
		requireFactors(t, n)
	}
}

// requireFactors checks that the factors of n are prime, distinct, ascending and complete.
func requireFactors(t *testing.T, n uint64) {
	rest, last := n, uint64(1)
	for _, q := range Primes(n) {
		require.Greater(t, q, last, "factors of %d", n)
		require.True(t, IsPrime(q), "%d, a factor of %d", q, n)
		last = q
		require.Zero(t, rest%q)
		rest /= Part(rest, q)
	}
	require.Equal(t, uint64(1), rest, "what is left of %d", n)
}
