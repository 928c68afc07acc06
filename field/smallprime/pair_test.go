package smallprime

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Companions of 52 bits are quotients, for primes of every length and multipliers next to both ends.
func TestCompanions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for size := 2; size <= 50; size++ {
		for _, p := range []uint64{1<<size - 1, 1<<(size-1) | 1, 1<<(size-1) | r.Uint64N(1<<(size-1)) | 1} {
			m := newShoup50(p)
			for i := range uint64(300) {
				for _, w := range []uint64{i % p, p - 1 - i%p, r.Uint64N(p)} {
					want, _ := bits.Div64(w>>12, w<<52, p)
					same, q := m.pair(w)
					require.Equal(t, w, same)
					require.Equal(t, want, q, "%d·2^52/%d", w, p)
				}
			}
		}
	}
}
