package intmul

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// shortGCD takes greatest common divisors by products, of numbers of so few bits, and quotients by words below others.
func shortGCD(gcd, halves int) crossovers {
	c := short(4, 64)
	c.gcd, c.euclid = gcd, halves
	return c
}

// fibonacci returns two Fibonacci numbers, one behind the other: their quotients are all 1.
func fibonacci(n int) (x, y *big.Int) {
	x, y = big.NewInt(1), big.NewInt(0)
	for range n {
		x, y = y.Add(x, y), x
	}
	return x, y
}

// Greatest common divisors are those of math/big, for numbers of both signs, with common factors and without, and with
// quotients of every length.
func TestGCD(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	for _, c := range [][2]int{{2, 2}, {64, 40}, {100, 200}, {1 << 13, measured.euclid}} {
		a, err := New(from(shortGCD(c[0], c[1])))
		require.NoError(t, err)
		check := func(x, y *big.Int) {
			t.Helper()
			want := new(big.Int).GCD(nil, nil, new(big.Int).Abs(x), new(big.Int).Abs(y))
			for _, pair := range [][2]*big.Int{{x, y}, {y, x}} {
				z := new(big.Int)
				require.NoError(t, a.GCD(t.Context(), z, pair[0], pair[1]))
				require.Zero(t, want.Cmp(z), "%v: %x and %x", c, x, y)
			}
		}
		for bits := 1; bits < 200; bits += 3 {
			check(random(r, bits), random(r, 1+r.IntN(bits)))
		}
		for _, n := range []int{100, 300, 1000, max(2000, 2*c[0])} {
			x, y := fibonacci(n)
			check(x, y)
			check(x, new(big.Int))
			check(x, new(big.Int).Set(x))
			check(new(big.Int).Lsh(x, uint(n/3)), new(big.Int).Neg(y))
			for i, u := range special(r, n) {
				check(u, special(r, n)[(i+1)%3])
				check(u, random(r, n/2))
				f := random(r, 1+r.IntN(n))
				check(new(big.Int).Mul(u, f), new(big.Int).Mul(random(r, n-n/5), f))
			}
			z, w := random(r, n), random(r, n)
			want := new(big.Int).GCD(nil, nil, z, w)
			require.NoError(t, a.GCD(t.Context(), z, z, w)) // the result is an operand
			require.Zero(t, want.Cmp(z))
		}
	}
}

// Quotients of higher parts are those of the whole numbers: they leave what their matrix says, more than half of the
// bits, and no quotient that could be taken.
func TestHalve(t *testing.T) {
	r := rand.New(rand.NewPCG(73, 74))
	for _, halves := range []int{2, 3, 70, 200} {
		a, err := New(from(shortGCD(2, halves)))
		require.NoError(t, err)
		for i := range 300 {
			n := 1 + r.IntN(700)
			x, y := random(r, n), random(r, 1+n/2+r.IntN(n/2+1))
			switch {
			case i%50 == 1:
				x, y = fibonacci(n)
			case i%50 == 2: // a long quotient at the end
				y = new(big.Int).Lsh(big.NewInt(1), uint(n/2+1))
			case i%50 == 3:
				y = new(big.Int).Set(x)
			}
			n = max(x.BitLen(), y.BitLen())
			u, v := new(big.Int).Set(x), new(big.Int).Set(y)
			m, err := a.halve(t.Context(), u, v)
			require.NoError(t, err)
			if m == nil {
				m = noSteps()
				require.Zero(t, u.Cmp(x))
				require.Zero(t, v.Cmp(y))
			} else {
				require.Greater(t, min(u.BitLen(), v.BitLen()), half(n))
			}
			row := func(i int) *big.Int {
				z := new(big.Int).Mul(m[i][0], u)
				return z.Add(z, new(big.Int).Mul(m[i][1], v))
			}
			require.Zero(t, row(0).Cmp(x), "%d bits, %d", n, i)
			require.Zero(t, row(1).Cmp(y), "%d bits, %d", n, i)
			det := new(big.Int).Mul(m[0][0], m[1][1])
			det.Sub(det, new(big.Int).Mul(m[0][1], m[1][0]))
			require.Equal(t, "1", det.String())
			if min(u.BitLen(), v.BitLen()) > half(n) {
				_, ok, err := a.divide(t.Context(), u, v, half(n), nil)
				require.NoError(t, err)
				require.False(t, ok, "%d bits, %d: a quotient is left", n, i)
			}
		}
	}
}
