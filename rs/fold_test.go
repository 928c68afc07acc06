package rs

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// A single wrong bit of a long shard is found wherever it is, and a word without one is right, in one part: no piece is
// left out, and sums are linear in the field.
func TestRepairLong(t *testing.T) {
	for _, c := range all {
		t.Run(c.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(9, uint64(c)))
			p := plan(t, 5, 4, WithCode(c))
			if c.Unit() > 2 {
				t.Skip("shards of this code are not folded")
			}
			for _, size := range []int{combineBytes, 2*combineBytes + 48} {
				whole := encoded(t, r, p, size)
				shards := clone(whole)
				for at := 0; at < size; at += 1 + r.IntN(64) {
					i := r.IntN(len(shards))
					shards[i][at] ^= 1 << r.IntN(8)
					parts, err := p.locate(ctx, shards)
					require.NoError(t, err)
					require.Len(t, parts, 1, "byte %d of %d: by parts", at, size)
					require.Equal(t, []int{i}, parts[0].wrong, "byte %d of %d", at, size)
					shards[i][at] = whole[i][at]
				}
				parts, err := p.locate(ctx, shards)
				require.NoError(t, err)
				require.Len(t, parts, 1)
				require.Empty(t, parts[0].wrong)
				shards[1][size-1]++
				shards[7][size/2]++
				found, err := p.Repair(ctx, shards)
				require.NoError(t, err)
				require.Equal(t, []int{1, 7}, found)
				require.Equal(t, whole, shards)
			}
		})
	}
}
