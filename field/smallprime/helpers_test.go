package smallprime

import (
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/internal/cpu"
	"github.com/stretchr/testify/require"
)

// primes32 and primes64 are the ends of every class of moduli, and small primes.
var (
	primes32 = []uint32{3, 5, 17, 97, 257, 1<<30 - 35, 1<<30 + 3, 1<<31 - 1, 1<<31 + 11, 1<<32 - 5, p30, babyBear,
		3<<30 + 1, p32}
	primes64 = []uint64{3, 5, 17, 97, 257, 1<<32 - 5, 1<<50 - 27, 1<<50 + 55, 1<<62 - 57, 1<<62 + 135, 1<<63 - 25,
		1<<63 + 29, 1<<64 - 59, goldilocks, p64}
)

// newRand returns a fixed sequence, so that a failure repeats.
func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// edgy returns a number up to limit, which is often near a multiple of limit/4 or a word boundary.
func edgy(r *rand.Rand, limit uint64) uint64 {
	x, kind := r.Uint64(), r.Uint64()
	switch kind % 3 {
	case 0:
		x = (limit/4+1)*(x%5) + x>>32%5 - 2
	case 1:
		x = 1<<(x%64) + x>>32%3 - 1
	}
	if x <= limit {
		return x
	}
	return x % (limit + 1)
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

// use makes tier the active one until the test ends.
func use(t testing.TB, tier cpu.Tier) {
	undo, err := cpu.Use(tier)
	require.NoError(t, err)
	t.Cleanup(undo)
}

// sameAbove reports whether the active tier has the kernels for p of a higher one, with which they are tested: only
// primes below 2^50 have others with IFMA.
func sameAbove(p uint64) bool {
	tiers := cpu.Present()
	return cpu.Active() == cpu.AVX512 && tiers[len(tiers)-1] == cpu.IFMA && p >= 1<<50
}

// eachTier runs test on every tier that this processor has.
func eachTier(t *testing.T, test func(t *testing.T)) {
	for _, tier := range cpu.Present() {
		t.Run(tier.String(), func(t *testing.T) {
			use(t, tier)
			test(t)
		})
	}
}
