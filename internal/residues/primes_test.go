package residues

import (
	"math/big"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
)

// Three primes serve sums of 2^21 products of words, whether or not there are kernels.
func TestPrimesOfWords(t *testing.T) {
	tiers(t, func(t *testing.T, size int) {
		primes, ok := Primes(size, 1<<21, LeastModulo(1<<21, new(big.Int).SetUint64(1<<64-1), false))
		require.True(t, ok)
		require.Len(t, primes, 3)
	})
}

// Primes of every size exceed 4·n·p², as few of them as do.
func TestPrimes(t *testing.T) {
	number := func(size uint, d int64) *big.Int {
		p := new(big.Int).Lsh(big.NewInt(1), size)
		return p.Add(p, big.NewInt(d))
	}
	tiers(t, func(t *testing.T, size int) {
		for _, p := range []*big.Int{big.NewInt(3), big.NewInt(65537), number(31, -1), number(50, -27), number(61, -1),
			number(64, -59), number(64, 13), number(254, -127), number(8192, -1)} {
			for logN := range 40 {
				n := 1 << min(logN, bits.UintSize-2)
				primes, ok := Primes(size, n, Least(n, p, p, Modulo))
				if logN > 33 && p.BitLen() > 500 {
					require.False(t, ok && size == KernelBits, "so many of these roots there are not")
					continue
				}
				require.True(t, ok)
				product, least := big.NewInt(1), new(big.Int).Mul(p, p)
				least.Mul(least.Lsh(least, 2), big.NewInt(int64(n)))
				for i, q := range primes {
					require.LessOrEqual(t, product.Cmp(least), 0, "prime %d of %d", i, len(primes))
					require.Equal(t, size, bits.Len64(q))
					require.EqualValues(t, 1, q%(2*uint64(n)))
					require.EqualValues(t, 1, q%someRoots)
					product.Mul(product, new(big.Int).SetUint64(q))
				}
				require.Positive(t, product.Cmp(least), "n 2^%d, p %d", logN, p)
				require.Less(t, len(primes), MostPrimes)
			}
		}
	})
}
