package crt_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/galfft/fft/crt"
	"github.com/galfft/fft/internal/cpu"
	"github.com/stretchr/testify/require"
)

// Products by 1 to 64 workers are the same on every tier, of lengths that are none of blocks, and so few or so many
// primes that they are shared in both ways. Results stay what they are while others are made, and where the caller
// writes to all the words of others.
func TestMulWorkers(t *testing.T) {
	rnd := newRand(t)
	for _, c := range []struct{ a, b, size int }{{2000, 777, 64}, {70, 33, 2500}} {
		a, b := polynomial(rnd, c.a, c.size), polynomial(rnd, c.b, c.size)
		want := schoolbook(a, b)
		for _, tier := range cpu.Present() {
			undo, err := cpu.Use(tier)
			require.NoError(t, err)
			var all [][]*big.Int
			for _, workers := range []int{1, 2, 3, 5, 8, 16, 64} {
				got, err := crt.Mul(t.Context(), a, b, crt.WithWorkers(workers))
				require.NoError(t, err)
				all = append(all, got)
			}
			for i, x := range all[0] { // up to the ends of the words that it has
				for w := x.Bits(); i%2 == 0 && len(w) < cap(w); {
					w = append(w, ^big.Word(0))
				}
				if i%2 == 1 {
					require.Zero(t, want[i].Cmp(x), "%v, coefficient %d", tier, i)
				}
			}
			for i, got := range all[1:] {
				requireInts(t, want, got, fmt.Sprintf("%v, %d coefficients, list %d", tier, c.a, i))
			}
			undo()
		}
	}
}
