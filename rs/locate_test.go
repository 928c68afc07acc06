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

// Shards that are wrong in some columns each, more of them than whole shards could be, are put right part by part, down
// to single columns.
func TestRepairColumns(t *testing.T) {
	for _, c := range all {
		t.Run(c.String(), func(t *testing.T) {
			for seed := range uint64(4 * testscale.Of(t)) {
				r := rand.New(rand.NewPCG(seed, uint64(c)))
				const data, parity = 20, 9
				p := plan(t, data, parity, WithCode(c))
				unit := c.Unit()
				symbols := 1 + r.IntN(150)
				whole := encoded(t, r, p, unit*symbols)
				shards, order := clone(whole), r.Perm(data+parity)
				shards[order[0]] = nil
				kept, wrong := slices.Clone(shards), map[int]bool{}
				block := p.blockBytes()
				for symbol := range symbols {
					if symbols > 3 && r.IntN(3) > 0 {
						continue
					}
					// Symbol j of a block of n has its bytes n apart.
					at := symbol * unit / block * block
					n := min(block, unit*symbols-at) / unit
					j := symbol - at/unit
					for _, i := range r.Perm(data + parity - 1)[:(parity-1)/2] {
						i = order[1+i]
						wrong[i] = true
						shards[i][at+j+r.IntN(unit)*n] ^= byte(1 + r.IntN(255))
					}
				}
				var want []int
				for i := range shards {
					if wrong[i] {
						want = append(want, i)
					}
				}
				name := fmt.Sprintf("seed %d: %d symbols, %v wrong", seed, symbols, want)
				found, err := p.Locate(ctx, shards)
				require.NoError(t, err, name)
				require.Equal(t, want, found, name)
				found, err = p.Repair(ctx, shards)
				require.NoError(t, err, name)
				require.Equal(t, want, found, name)
				require.Equal(t, whole, shards, name)
				for i, s := range kept {
					require.True(t, s == nil || &s[0] == &shards[i][0], "%s: %d not in place", name, i)
				}
			}
		})
	}
}

// Where one column of many is beyond repair, nothing is written.
func TestBeyondColumn(t *testing.T) {
	for _, c := range all {
		p := plan(t, 40, 12, WithCode(c))
		r := rand.New(rand.NewPCG(8, uint64(c)))
		shards := encoded(t, r, p, 64*c.Unit())
		for i := range 20 {
			for b := range c.Unit() {
				at := 5
				if c.Unit() > 1 {
					at += b * p.blockBytes() / c.Unit()
				}
				shards[i][at] ^= byte(1 + r.IntN(255))
			}
		}
		shards[45][0] ^= 1
		before := clone(shards)
		_, err := p.Repair(ctx, shards)
		require.ErrorIs(t, err, ErrBeyond, c)
		require.Equal(t, before, shards, c)
	}
}
