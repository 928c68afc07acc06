package intmul

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
)

// Products of floats have the value, the precision and the accuracy of math/big's, in every mode.
func TestMulFloat(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	a, err := New(WithWorkers(2))
	require.NoError(t, err)
	bits := 64*measured.square[0] + 1000
	numbers := []*big.Float{big.NewFloat(0), big.NewFloat(-3), big.NewFloat(math.Inf(1))}
	for i, x := range special(r, bits) {
		f := new(big.Float).SetInt(x)
		f.SetMantExp(f, []int{0, 5, -bits, -bits - 77, 1 << 20, big.MaxExp / 2, big.MinExp / 2}[i])
		if i%2 == 1 {
			f.Neg(f)
		}
		numbers = append(numbers, f)
	}
	for i, x := range numbers {
		for j, y := range numbers {
			if x.Sign() == 0 && y.IsInf() || x.IsInf() && y.Sign() == 0 {
				continue
			}
			for _, prec := range []uint{0, 1, 100, uint(bits), uint(2 * bits)} {
				mode := big.RoundingMode((i + j) % 6)
				want := new(big.Float).SetPrec(prec).SetMode(mode)
				want.Mul(x, y)
				got := new(big.Float).SetPrec(prec).SetMode(mode)
				require.NoError(t, a.MulFloat(t.Context(), got, x, y))
				z := new(big.Float).SetInt64(5).SetPrec(prec).SetMode(mode)
				require.Same(t, z, MulFloat(z, x, y))
				for _, got := range []*big.Float{got, z} {
					require.Zero(t, want.Cmp(got), "%d, %d, %d bits, %v", i, j, prec, mode)
					require.Equal(t, want.Prec(), got.Prec())
					require.Equal(t, want.Acc(), got.Acc(), "%d, %d, %d bits, %v", i, j, prec, mode)
					require.Equal(t, want.Mode(), got.Mode())
					require.Equal(t, want.Signbit(), got.Signbit())
				}
			}
			want := new(big.Float).Mul(x, y)
			z := new(big.Float).Copy(x) // the result is an operand
			if z.Prec() == want.Prec() {
				require.Zero(t, want.Cmp(MulFloat(z, z, y)))
			}
		}
	}
	inf, zero, z := numbers[2], numbers[0], big.NewFloat(7)
	require.ErrorIs(t, a.MulFloat(t.Context(), z, inf, zero), field.ErrRange)
	require.ErrorIs(t, a.MulFloat(t.Context(), z, zero, inf), field.ErrRange)
	require.Panics(t, func() { MulFloat(new(big.Float), zero, inf) })
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, a.MulFloat(cancelled, z, numbers[3], numbers[4]), context.Canceled)
	require.Zero(t, z.Cmp(big.NewFloat(7)))
}
