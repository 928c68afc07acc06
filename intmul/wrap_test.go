package intmul

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Products that overlap give differences of both signs, next to the bound, and all ones as 0.
func TestWrap(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for _, workers := range []int{1, 3} {
		a, err := New(WithWorkers(workers), from(short(4, 256)))
		require.NoError(t, err)
		for _, bits := range []int{3000, 64 * 1000} {
			for _, shorter := range []int{bits / 8, bits / 2, bits} {
				for _, x := range special(r, bits) {
					f, err := a.factor(t.Context(), x, bits+2, shorter)
					require.NoError(t, err)
					require.NotNil(t, f.e)
					bound := new(big.Int).Lsh(big.NewInt(1), uint(bits))
					for i, y := range append(special(r, shorter), new(big.Int)) {
						p := new(big.Int).Mul(x, y)
						for _, d := range []*big.Int{new(big.Int), random(r, bits-1), bound} {
							d := new(big.Int).Set(d)
							if d.Neg(d); i%2 == 1 && p.Cmp(d.Abs(d)) > 0 {
								d.Neg(d)
							}
							got, err := f.difference(t.Context(), new(big.Int).Add(p, d), y)
							require.NoError(t, err)
							require.Zero(t, d.Cmp(got), "%d by %d bits, %d", bits, shorter, i)
						}
					}
					if shorter == bits {
						d := random(r, bits)
						got, err := a.minusSquare(t.Context(), new(big.Int).Add(new(big.Int).Mul(x, x), d), x, bits+2)
						require.NoError(t, err)
						require.Zero(t, d.Cmp(got))
					}
					f.close()
				}
			}
		}
	}
}

// The bound of products that overlap holds, and one prime fewer does not do.
func TestWrapBound(t *testing.T) {
	l := primes()
	for _, pair := range wrapsOf() {
		for i, count := range []int{pair[0].n / 2, pair[0].n} {
			s := pair[i]
			require.Negative(t, bound(1, count, s.size).Cmp(l.products[s.primes]))
			require.Positive(t, bound(1, count, s.size).Cmp(l.products[s.primes-1]))
		}
	}
	for _, bits := range []int{1 << 15, 100000, 1 << 20, 1e9} {
		for _, shorter := range []int{bits / 2, bits} {
			s, ok := chooseWrap(bits, shorter)
			require.True(t, ok)
			require.GreaterOrEqual(t, s.size*s.n, bits)
			require.Negative(t, bound(1, min(s.n, s.digits(shorter)), s.size).Cmp(l.products[s.primes]))
		}
	}
}

// Numbers are folded around, once more where a carry comes.
func TestAround(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	a, err := New()
	require.NoError(t, err)
	for _, n := range []int{1, 2, 3, 8} {
		m := new(big.Int).Lsh(big.NewInt(1), uint(64*n))
		m.Sub(m, big.NewInt(1))
		for bits := 1; bits < 64*5*n; bits += 1 + bits/40 {
			for _, x := range special(r, bits) {
				z := new(big.Int)
				set(z, a.wrapped(of(x), n), false)
				require.Zero(t, new(big.Int).Mod(z, m).Cmp(new(big.Int).Mod(x, m)))
			}
		}
	}
}
