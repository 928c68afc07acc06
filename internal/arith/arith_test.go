package arith_test

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/internal/arith"
)

// Products, powers and inverses are those of math/big, for primes of every size.
func TestArith(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range []uint64{3, 17, 1<<31 - 1, 1<<61 - 1, 18446744069414584321, 18446744073709551557} {
		m := new(big.Int).SetUint64(p)
		for _, x := range []uint64{1, 2, p - 1, 1 + r.Uint64N(p-1), 1 + r.Uint64N(p-1)} {
			y := r.Uint64()
			a, b := new(big.Int).SetUint64(x), new(big.Int).SetUint64(y)
			z := new(big.Int).Mul(a, b)
			require.Equal(t, z.Mod(z, m).Uint64(), arith.Mul(x, y, p))
			require.Equal(t, z.Exp(a, b, m).Uint64(), arith.Pow(x, y, p))
			require.EqualValues(t, 1, arith.Mul(x, arith.Inverse(x, p), p))
		}
		require.EqualValues(t, 1, p*arith.Newton(p))
	}
	require.EqualValues(t, 1, arith.Pow(5, 0, 7))
}

func TestAligned(t *testing.T) {
	for n := 1; n < 100; n++ {
		w := arith.Aligned(n)
		require.Len(t, w, n)
		require.Zero(t, uintptr(unsafe.Pointer(&w[0]))%64)
	}
	require.Empty(t, arith.Aligned(0))
}
