package factor

import (
	"math"
	"math/big"
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

// IsPrime is ProbablyPrime, which is exact below 2^64: for all short numbers, the longest ones, random ones, products
// of two primes, and strong pseudoprimes to several of the bases.
func TestIsPrime(t *testing.T) {
	same := func(n uint64) bool {
		prime := new(big.Int).SetUint64(n).ProbablyPrime(0)
		require.Equal(t, prime, IsPrime(n), "%d", n)
		return prime
	}
	var last uint64
	for n := range uint64(1 << 13) {
		if same(n) {
			same(n * n)
			same(n * last)
			last = n
		}
	}
	r := rand.New(rand.NewPCG(27, 1))
	for i := range uint64(500) {
		same(math.MaxUint64 - i)
		same(r.Uint64()>>r.IntN(60) | 1)
	}
	for _, k := range []uint64{2, 3, 4, 5, 6} { // a prime p and 1 + k·(p − 1) have many liars in common
		for range 2000 {
			p := r.Uint64()>>33 | 1
			if q := 1 + k*(p-1); q < 1<<32 && IsPrime(p) && IsPrime(q) {
				same(p * q)
			}
		}
	}
	for _, n := range []uint64{2047, 3215031751, 341550071728321, 3825123056546413051} {
		require.False(t, same(n))
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
