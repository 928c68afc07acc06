package rs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// Wrong shards at unknown places are found and put right, beside missing ones, as many as the parity makes up for.
func TestRepair(t *testing.T) {
	for _, c := range all {
		t.Run(c.String(), func(t *testing.T) {
			for seed := range uint64(8 * testscale.Of(t)) {
				r := rand.New(rand.NewPCG(seed, uint64(c)))
				data, parity := 1+r.IntN(40), 1+r.IntN(40)
				if seed == 0 && c.serves(200, 56) {
					data, parity = 200, 56 // with the point 0, and all others
				}
				p := plan(t, data, parity, WithCode(c))
				whole := encoded(t, r, p, c.Unit()*(1+r.IntN(300/c.Unit())))
				missing := r.IntN(parity + 1)
				errors := (parity - missing) / 2
				if r.IntN(3) == 0 {
					errors = r.IntN(errors + 1)
				}
				shards, order := clone(whole), r.Perm(data+parity)
				for _, i := range order[:missing] {
					shards[i] = nil
				}
				wrong := slices.Clone(order[missing : missing+errors])
				if errors > 0 && seed%2 == 0 && !slices.Contains(order[:missing], 0) && !slices.Contains(wrong, 0) {
					wrong[0] = 0
				}
				slices.Sort(wrong)
				kept := make([][]byte, len(shards))
				for _, i := range wrong {
					for range 1 + r.IntN(3) {
						shards[i][r.IntN(len(shards[i]))] ^= byte(1 + r.IntN(255))
					}
					shards[i][0] = ^whole[i][0]
					kept[i] = shards[i]
				}
				name := fmt.Sprintf("seed %d: %d+%d, %d missing, %v wrong", seed, data, parity, missing, wrong)
				before := clone(shards)
				found, err := p.Locate(ctx, shards)
				require.NoError(t, err, name)
				require.True(t, slices.Equal(wrong, found), "%s: found %v", name, found)
				require.Equal(t, before, shards, name)
				found, err = p.Repair(ctx, shards)
				require.NoError(t, err, name)
				require.True(t, slices.Equal(wrong, found), "%s: found %v", name, found)
				require.Equal(t, whole, shards, name)
				for _, i := range wrong {
					require.Equal(t, whole[i], kept[i], "%s: not in place", name)
				}
			}
		})
	}
}

// More damage than the parity makes up for is refused where it does not look like less, and nothing is written.
func TestBeyond(t *testing.T) {
	for _, c := range all {
		p := plan(t, 40, 6, WithCode(c))
		r := rand.New(rand.NewPCG(7, uint64(c)))
		shards := random(r, 46, 64)
		before := clone(shards)
		_, err := p.Repair(ctx, shards)
		require.ErrorIs(t, err, ErrBeyond)
		require.Equal(t, before, shards)
		_, err = p.Locate(ctx, make([][]byte, 46))
		require.ErrorIs(t, err, ErrTooFew)
	}
}
