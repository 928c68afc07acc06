package literal

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/stretchr/testify/require"
)

// Products modulo x^m − r are those of long division, with the operations that Theorem 3.1 of the thesis bounds, where
// products of degree d have d² sums and (d + 1)² products: 2m + A(m − 1) + k·A(m/k) and M(m − 1) + k·M(m/k), with
// ⌈m/k⌉ for m/k.
func TestGapped(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, p := range []uint64{2, 3, 7} {
		for k := 2; k <= 8; k++ {
			for _, m := range []int{8, 9, 15, 16, 31, 64, 95, 163} {
				for _, degree := range []int{-1, 0, 1, m/k - 1, m / k} {
					rest := make([]uint64, degree+1)
					for i := range rest {
						rest[i] = r.Uint64N(p)
					}
					if degree >= 0 {
						rest[degree] = 1 + r.Uint64N(p-1)
					}
					g, err := NewGapped(p, m, k, rest...)
					require.NoError(t, err)
					for _, random := range []bool{true, false} {
						x, y := make([]uint64, m), make([]uint64, m)
						for i := range x {
							x[i], y[i] = p-1, p-1
							if random {
								x[i], y[i] = r.Uint64N(p), r.Uint64N(p)
							}
						}
						want := divided(p, m, rest, x, y)
						z := slices.Clone(x)
						sums, products, err := g.Mul(z, z, y)
						require.NoError(t, err)
						require.Equal(t, want, z, "p %d, m %d, k %d, degree %d", p, m, k, degree)
						l := (m + k - 1) / k
						require.LessOrEqual(t, sums, 2*k*l+(m-1)*(m-1)+k*l*l)
						require.LessOrEqual(t, products, m*m+k*(l+1)*(l+1))
						if degree == m/k && m%k == 0 {
							require.Equal(t, (m-1)*(m-1)+m*(l+1), sums)
							require.Equal(t, m*m+m*(l+1), products)
						}
					}
				}
			}
		}
	}
}

// divided is x·y modulo x^m − r, one coefficient at a time.
func divided(p uint64, m int, rest, x, y []uint64) []uint64 {
	h := make([]uint64, 2*m-1)
	for i := range x {
		for j := range y {
			h[i+j] = (h[i+j] + x[i]*y[j]) % p
		}
	}
	for i := len(h) - 1; i >= m; i-- {
		for j, c := range rest {
			h[i-m+j] = (h[i-m+j] + h[i]*c) % p
		}
		h[i] = 0
	}
	return h[:m]
}

func TestGappedRefuses(t *testing.T) {
	for _, c := range []struct {
		p    uint64
		m, k int
		r    []uint64
	}{{0, 8, 2, nil}, {1, 8, 2, nil}, {1 << 31, 8, 2, nil}, {2, 1, 2, nil}, {2, 8, 1, nil}, {2, 8, 9, nil},
		{2, 8, 2, []uint64{1, 0, 0, 0, 0, 1}}, {3, 8, 2, []uint64{3}}} {
		g, err := NewGapped(c.p, c.m, c.k, c.r...)
		require.ErrorIs(t, err, field.ErrModulus, "%+v", c)
		require.Nil(t, g)
	}
	g, err := NewGapped(3, 8, 2, 1, 0, 0, 0, 1, 0, 0) // leading zeros do not count
	require.NoError(t, err)
	z := []uint64{1, 2, 0, 1, 2, 0, 1, 2}
	for _, x := range [][][]uint64{{z[:7], z, z}, {z, nil, z}, {z, z, z[1:]}} {
		_, _, err = g.Mul(x[0], x[1], x[2])
		require.ErrorIs(t, err, field.ErrLength)
	}
	require.Equal(t, []uint64{1, 2, 0, 1, 2, 0, 1, 2}, z)
}
