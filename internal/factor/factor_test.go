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
	product := uint64(1)
	for _, p := range Powers(n) {
		for range p.Exp {
			product *= p.Prime
		}
	}
	require.Equal(t, n, product, "the powers of %d", n)
}

func TestText(t *testing.T) {
	require.Equal(t, "2^32·3·5·17·257·65537", Text(Powers(1<<64-1<<32)))
	require.Equal(t, "7", Text(Powers(7)))
	require.Equal(t, "1", Text(nil))
}

func TestNearest(t *testing.T) {
	for m := uint64(1); m < 400; m++ {
		for n := uint64(1); n < m+3; n++ {
			below, above := n, n
			for m%below != 0 {
				below--
			}
			for above <= m && m%above != 0 {
				above++
			}
			if above > m {
				above = 0
			}
			b, a := Nearest(Powers(m), n)
			require.Equal(t, [2]uint64{below, above}, [2]uint64{b, a}, "the divisors of %d near %d", m, n)
		}
	}
	// Far more divisors than fit a word, and most of them beyond it.
	long := []Power{{2, 4000}, {3, 128}, {43691, 128}}
	below, above := Nearest(long, 1<<63+1)
	require.Less(t, below, uint64(1<<63+1))
	require.Greater(t, above, uint64(1<<63+1))
	below, above = Nearest([]Power{{2, 4000}}, 1<<63+1)
	require.Equal(t, [2]uint64{1 << 63, 0}, [2]uint64{below, above})
	require.Equal(t, "9223372036854775808", Near([]Power{{2, 4000}}, 1<<63+1))
	require.Equal(t, "4 and 8", Near(long[:1], 5))
	require.Equal(t, "1", Near(long, 0))
}
