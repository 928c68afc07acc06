package bigprime_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/poly"
	"github.com/stretchr/testify/require"
)

// Products of polynomials against products of integers whose digits are the coefficients (Kronecker).
func TestConvolution(t *testing.T) {
	convolve(t, bigprime.P2(), 700)
	convolve(t, bigprime.BN254(), 300)
}

func convolve[E bigprime.Words](t *testing.T, f *bigprime.Field[E], n int) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var one, last E
	f.One(&one)
	f.Neg(&last, &one)
	random := func(n int) []E {
		x := make([]E, n)
		for i := range x {
			if f.Random(&x[i], rnd); rnd.IntN(3) == 0 {
				x[i] = last
			}
		}
		return x
	}
	a, b := random(n), random(n/2+1)
	got, err := poly.Mul(f, a, b)
	require.NoError(t, err)
	p := f.Characteristic()
	room := uint(2*p.BitLen() + 20)
	pack := func(x []E) *big.Int {
		z := new(big.Int)
		for i := len(x) - 1; i >= 0; i-- {
			z.Lsh(z, room).Add(z, f.Big(new(big.Int), &x[i]))
		}
		return z
	}
	product := pack(a)
	product.Mul(product, pack(b))
	mask := new(big.Int).Lsh(big.NewInt(1), room)
	mask.Sub(mask, big.NewInt(1))
	require.Len(t, got, len(a)+len(b)-1)
	for i := range got {
		c := new(big.Int).And(product, mask)
		product.Rsh(product, room)
		require.Zero(t, c.Mod(c, p).Cmp(f.Big(new(big.Int), &got[i])), "%s, coefficient %d", f.Name(), i)
	}
	require.Zero(t, product.Sign())
}

// What is no length or element is refused, before anything is written.
func TestRefusals(t *testing.T) {
	f := bigprime.Secp256k1()
	_, err := fft.NewPlan(f, 4)
	require.ErrorIs(t, err, fft.ErrNoRoot)
	require.ErrorContains(t, err, "2-adicity is 1")
	g := bigprime.BN254()
	p := fft.Must(fft.NewPlan(g, 64))
	x, y := make([][4]uint64, 64), make([][4]uint64, 65)
	x[5] = [4]uint64{0, 0, 0, 1 << 63}
	require.ErrorIs(t, p.Forward(y[:64], x), fft.ErrRange)
	require.ErrorIs(t, p.Forward(y[1:], y[:64]), fft.ErrOverlap)
	require.Equal(t, make([][4]uint64, 65), y)
}
