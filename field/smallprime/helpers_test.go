package smallprime

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// primes32 and primes64 are the ends of every class of moduli, and small primes.
var (
	primes32 = []uint32{3, 5, 17, 97, 257, 1<<31 - 1, 1<<31 + 11, 1<<32 - 5, p30, babyBear}
	primes64 = []uint64{3, 5, 17, 97, 257, 1<<32 - 5, 1<<50 - 27, 1<<50 + 55, 1<<62 - 57, 1<<62 + 135, 1<<63 - 25, 1<<63 + 29, 1<<64 - 59, goldilocks, p64}
)

// newRand returns a fixed sequence, so that a failure repeats.
func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// edgy returns a number below n, which is often near a multiple of n/4 or a word boundary.
func edgy(r *rand.Rand, n uint64) uint64 {
	x := r.Uint64()
	switch r.IntN(3) {
	case 0:
		x = n/4*uint64(r.IntN(5)) + uint64(r.IntN(5)) - 2
	case 1:
		x = 1<<r.IntN(64) + uint64(r.IntN(3)) - 1
	}
	return x % n
}

func field32(t testing.TB, p uint32) *Field32 {
	f, err := New32(p)
	require.NoError(t, err)
	return f
}

func field64(t testing.TB, p uint64) *Field64 {
	f, err := New64(p)
	require.NoError(t, err)
	return f
}
