package midint

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
)

// joined is the number of a product of polynomials with those digits, whose coefficients are known modulo the primes
// alone.
func joined(t Transform, x, y []uint32) *big.Int {
	m, z := t.modulus(), new(big.Int)
	for k := range 2*len(x) - 1 {
		c := new(big.Int)
		for i := max(0, k-len(y)+1); i <= min(k, len(x)-1); i++ {
			c.Add(c, new(big.Int).Mul(big.NewInt(int64(x[i])), big.NewInt(int64(y[k-i]))))
		}
		c.Mod(c, m)
		z.Add(z, c.Lsh(c, uint(t.Digit*k)))
	}
	return z
}

// What is chosen gives products of the largest digits and of random ones, and one prime fewer does not.
func TestParams(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 1))
	for _, width := range []int{32, 64, 96, 1056, 8192, 8224, 3 << 14, 1 << 16, 1<<18 - 32, 1 << 18,
		1<<18 + 32, 1 << 20, 1 << 27, 1<<27 + 32, 1 << 30} {
		p, err := Params(width)
		require.NoError(t, err)
		require.Equal(t, width, p.Bits)
		require.Equal(t, width, p.Digit*p.Digits)
		require.GreaterOrEqual(t, p.Points, 2*p.Digits-1)
		require.Contains(t, p.String(), p.bound().String())
		for i, q := range p.Primes {
			require.True(t, new(big.Int).SetUint64(q).ProbablyPrime(20))
			require.Zero(t, (q-1)%uint64(p.Points))
			require.True(t, q < 1<<30 || width > 1<<27 && q < 1<<31)
			require.NotContains(t, p.Primes[:i], q)
		}
		fewer := p
		fewer.Primes = p.Primes[:len(p.Primes)-1]
		require.ErrorIs(t, fewer.check(), field.ErrScheme)
		longer := p
		longer.Points = 1 << 28
		require.ErrorIs(t, longer.check(), field.ErrScheme)
		shorter := p
		shorter.Points = p.Digits
		if p.Digits > 1 {
			require.ErrorIs(t, shorter.check(), field.ErrScheme)
		}
		if width > 8224 {
			continue
		}
		x, y := make([]uint32, p.Digits), make([]uint32, p.Digits)
		for i := range x {
			x[i], y[i] = 1<<32-1, 1<<32-1
		}
		square := func() *big.Int {
			var a, b big.Int
			b1, b2 := &Batch{bits: width, n: 1, words: x}, &Batch{bits: width, n: 1, words: y}
			require.NoError(t, b1.Ints([]*big.Int{&a}))
			require.NoError(t, b2.Ints([]*big.Int{&b}))
			return new(big.Int).Mul(&a, &b)
		}
		require.Zero(t, joined(p, x, y).Cmp(square()))
		require.NotZero(t, joined(fewer, x, y).Cmp(square()), "one prime fewer")
		for i := range x {
			x[i], y[i] = r.Uint32(), r.Uint32()
		}
		require.Zero(t, joined(p, x, y).Cmp(square()))
	}
	for _, width := range []int{0, -32, 33} {
		_, err := Params(width)
		require.ErrorIs(t, err, field.ErrSpec)
	}
	_, err := Params(1<<30 + 32)
	require.ErrorIs(t, err, field.ErrScheme)
	require.Equal(t, "no transform", Transform{}.String())
}

type explained struct{ Device }

func (explained) Explain(bits int) string { return "so" }

// An engine says how it multiplies, or what its device says.
func TestExplain(t *testing.T) {
	e, err := New()
	require.NoError(t, err)
	for _, width := range []int{32, 1024, 1 << 16, 1 << 20} {
		require.Contains(t, e.Explain(width), "whole by ")
	}
	require.Empty(t, e.Explain(33))
	e, err = New(WithDevice(explained{}))
	require.NoError(t, err)
	require.Equal(t, "so", e.Explain(32))
	e, err = New(WithDevice(struct{ Device }{}))
	require.NoError(t, err)
	require.Equal(t, "products of 32 bits on a device", e.Explain(32))
}
