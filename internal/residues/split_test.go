package residues

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// SplitAll sets digits modulo all primes as they are defined, from any block on, and zeros behind the number; other
// places keep what they have. Split does the same for one prime.
func TestSplitAll(t *testing.T) {
	tiers(t, func(t *testing.T, most int) {
		r := rand.New(rand.NewPCG(70, uint64(most)))
		for _, size := range []int{30, 49, 50, 52, 53, 104, 105, 166, 217} {
			primes, ok := Primes(most, 1<<12, new(big.Int).Lsh(big.NewInt(1), uint(2*size+20)))
			require.True(t, ok)
			d, err := NewDigits(t.Context(), primes, size)
			require.NoError(t, err)
			for _, words := range []int{1, 7, 130} {
				a := make([]uint64, words)
				for i := range a {
					a[i] = r.Uint64()
				}
				n := d.Count(words) + 70
				from := 8 * r.IntN(n/8)
				to := from + r.IntN(n-from+1)
				rows, one := make([][]uint64, len(primes)), make([]uint64, to-from)
				for i := range rows {
					rows[i] = make([]uint64, n)
					for j := range rows[i] {
						rows[i][j] = 1<<64 - 1
					}
				}
				d.SplitAll(rows, from, to, a)
				for i, p := range primes {
					d.Split(i, one, from, a)
					for j, v := range rows[i] {
						want := uint64(1<<64 - 1)
						if from <= j && j < to {
							want = digit(a, j, size, p)
							require.Equal(t, want, one[j-from], "%d bits, %d words, digit %d", size, words, j)
						}
						require.Equal(t, want, v, "%d bits, %d words, digit %d of %d to %d", size, words, j, from, to)
					}
				}
			}
		}
	})
}

// digit returns digit j of a, of so many bits, modulo p.
func digit(a []uint64, j, size int, p uint64) uint64 {
	x := new(big.Int)
	for _, w := range slices.Backward(a) {
		x.Add(x.Lsh(x, 64), new(big.Int).SetUint64(w))
	}
	x.Rsh(x, uint(j*size))
	x.And(x, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(size)), big.NewInt(1)))
	return x.Mod(x, new(big.Int).SetUint64(p)).Uint64()
}
