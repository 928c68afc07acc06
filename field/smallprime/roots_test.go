package smallprime

import (
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/factor"
	"github.com/stretchr/testify/require"
)

func TestRoots(t *testing.T) {
	each(t, func(t *testing.T, f *Field32) { testRoots(t, f) }, func(t *testing.T, f *Field64) { testRoots(t, f) })
}

func testRoots[W word](t *testing.T, f full[W]) {
	p := uint64(f.Modulus())
	m := newModulus(p)
	orders := []uint64{1} // all divisors of p−1
	for _, q := range factor.Primes(p - 1) {
		for _, n := range orders {
			for d := q; factor.Part(p-1, q)%d == 0; d *= q {
				orders = append(orders, n*d)
				if d == factor.Part(p-1, q) {
					break
				}
			}
		}
	}
	require.Contains(t, orders, p-1)
	root := map[uint64]uint64{}
	for _, n := range orders {
		var z W
		require.NoError(t, f.RootOfUnity(&z, n))
		x := uint64(z)
		root[n] = x
		require.Equal(t, uint64(1), m.pow(x, n))
		for _, q := range factor.Primes(n) {
			require.NotEqual(t, uint64(1), m.pow(x, n/q), "root of order %d", n)
		}
	}
	for n, x := range root {
		if y, ok := root[2*n]; ok && n&(n-1) == 0 {
			require.Equal(t, x, m.mul(y, y), "root(%d)² = root(%d)", 2*n, n)
		}
	}

	z := W(1)
	for _, n := range []uint64{0, p, 2 * (p - 1), (p - 1) &^ ((p - 1) & -(p - 1)) << 1} {
		if n != 0 && (p-1)%n == 0 {
			continue
		}
		err := f.RootOfUnity(&z, n)
		require.ErrorIs(t, err, field.ErrNoRoot)
		require.Equal(t, W(1), z)
	}
}

func TestNoRootText(t *testing.T) {
	var z uint32
	require.EqualError(t, Mersenne31().RootOfUnity(&z, 4),
		"fft: no root of unity of that order: order 4 does not divide p−1 for p = 2147483647, whose 2-adicity is 1; the nearest that do: 3 and 6")
	// p − 1
	require.ErrorContains(t, BabyBear().RootOfUnity(&z, 1<<31), "2-adicity is 27; the nearest that do: 2013265920")
}

// TestRootLargeFactor takes p−1 = 2q, 2ab and 4a² with primes q of 63 bits and a, b of 31.
func TestRootLargeFactor(t *testing.T) {
	const q, a, b, c = 9223372036854775073, 2147483629, 2147482949, 2147483423
	for p, factors := range map[uint64][]uint64{2*q + 1: {2, q}, 2*a*b + 1: {2, b, a}, 4*c*c + 1: {2, c}} {
		require.Equal(t, factors, factor.Primes(p-1))
		f := field64(t, p)
		var z uint64
		require.NoError(t, f.RootOfUnity(&z, p-1))
		for _, q := range factors {
			require.NotEqual(t, uint64(1), f.m.pow(z, (p-1)/q))
		}
	}
}
