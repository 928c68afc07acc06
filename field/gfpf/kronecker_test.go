package gfpf

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/stretchr/testify/require"
)

// bigProduct sets z to the product of the integers x and y.
func bigProduct(z, x, y []uint64) {
	b := new(big.Int).Mul(bigOf(x), bigOf(y)).FillBytes(make([]byte, 8*len(z)))
	for i := range z {
		z[i] = 0
		for _, d := range b[len(b)-8*i-8 : len(b)-8*i] {
			z[i] = z[i]<<8 | uint64(d)
		}
	}
}

func bigOf(x []uint64) *big.Int {
	b := make([]byte, 0, 8*len(x))
	for i := len(x) - 1; i >= 0; i-- {
		for s := 56; s >= 0; s -= 8 {
			b = append(b, byte(x[i]>>s))
		}
	}
	return new(big.Int).SetBytes(b)
}

// Products by Kronecker substitution are those of digits, for radices at the ends of what there is.
func TestKronecker(t *testing.T) {
	for k := 2; k <= most; k *= 2 {
		for _, r := range []uint64{1<<64 - 1, 1<<63 + 1<<34, leastSplitRadix, leastSplitRadix - 1, uint64(4*k + 1)} {
			t.Run(fmt.Sprintf("%s^%d", RadixText(r), k), func(t *testing.T) {
				f := newRing(r, k)
				g := f
				g.integers = newKronecker(bigProduct)
				list := oracle{&f, f.p}.samples(rand.New(rand.NewPCG(r, uint64(k))))
				z, want := make([]uint64, k), make([]uint64, k)
				for i, x := range list {
					for j, y := range list {
						if (i+j)%5 == 0 || k <= 8 {
							f.mul(want, x, y)
							g.mul(z, x, y)
							require.Equal(t, want, z, "%x · %x", x, y)
						}
					}
				}
			})
		}
	}
}

// A field with such products conforms, and its transforms have the same values.
func TestKroneckerField(t *testing.T) {
	f := P2()
	g, err := f.Kronecker("other", bigProduct)
	require.NoError(t, err)
	require.Equal(t, "other", g.Name())
	fieldtest.Run(t, g, fieldtest.Config[[4]uint64]{})
	for _, n := range []int{16, 512} {
		x, r := make([][4]uint64, n), rand.New(rand.NewPCG(1, 2))
		for i := range x {
			f.Random(&x[i], r)
		}
		y := make([][4]uint64, n)
		require.NoError(t, fft.Must(fft.NewPlan(g, n)).Forward(y, x))
		require.NoError(t, fft.Must(fft.NewPlan(f, n)).Forward(x, x))
		require.Equal(t, x, y)
	}
}
