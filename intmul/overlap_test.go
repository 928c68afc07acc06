package intmul

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Products that overlap are right from the shortest that do to the longest, of any numbers and in place.
func TestOverlap(t *testing.T) {
	r := rand.New(rand.NewPCG(121, 1))
	for _, workers := range []int{1, 3} {
		a, err := New(WithWorkers(workers))
		require.NoError(t, err)
		tried := 0
		for _, s := range overlapsOf() {
			if s.n > 1<<12 {
				continue
			}
			n := s.halfWords()
			most := n + n/overlapped
			for _, words := range []int{n + leastOverlapped, most - 1, most} {
				for _, short := range []int{words / 8, words / 3, words/2 - 1, words / 2} {
					if !s.overlaps(words-short, short) {
						continue
					}
					tried++
					list := special(r, 64*short)
					for i, x := range special(r, 64*(words-short)) {
						y := list[i%len(list)]
						want := make([]uint64, words)
						copy(want, of(new(big.Int).Mul(x, y)))
						u, v := make([]uint64, words-short), make([]uint64, short)
						copy(u, of(x))
						copy(v, of(y))
						z := make([]uint64, words)
						require.NoError(t, a.overlapped(t.Context(), s, z, u, v))
						require.True(t, slices.Equal(want, z), "%+v, %d and %d words, %d", s, len(u), len(v), i)
						z = append(slices.Clone(u), v...)
						require.NoError(t, a.overlapped(t.Context(), s, z, z[:len(u)], v))
						require.True(t, slices.Equal(want, z), "in place")
						if 2*short == words {
							copy(want, of(new(big.Int).Mul(y, y)))
							clear(want[len(of(new(big.Int).Mul(y, y))):])
							require.NoError(t, a.overlapped(t.Context(), s, z, v, v))
							require.True(t, slices.Equal(want, z), "a square")
						}
					}
				}
			}
		}
		require.Greater(t, tried, 40)
	}
}

// The bound of products that overlap holds for all that do, and one prime fewer does not do.
func TestOverlapBound(t *testing.T) {
	l := primes()
	for _, s := range overlapsOf() {
		require.Negative(t, bound(1, s.overlapDigits(), s.size).Cmp(l.products[s.primes]))
		require.Positive(t, bound(1, s.overlapDigits(), s.size).Cmp(l.products[s.primes-1]))
		words := s.halfWords() + s.halfWords()/overlapped
		require.False(t, s.overlaps(words+1-words/2, words/2), "a word too many")
		require.False(t, s.overlaps(s.halfWords(), leastOverlapped-1), "too few beyond")
	}
}

// Overlapping is chosen where it costs less, and a context that has ended leaves z alone.
func TestOverlapChosen(t *testing.T) {
	r := rand.New(rand.NewPCG(121, 2))
	a := must(t)
	chosen := 0
	for words := 1 << 12; words < 1<<16; words += words / 50 {
		s, ok := chooseOverlap(words-words/2, words/2)
		if !ok {
			continue
		}
		chosen++
		whole, _ := choose(1, 64*(words-words/2), 64*(words/2))
		require.Less(t, s.cost(), whole.cost())
		plan, cut, err := a.plan(64*(words-words/2), 64*(words/2))
		require.NoError(t, err)
		require.False(t, cut)
		require.Equal(t, s, plan)
		x, y, z := random(r, 64*(words-words/2)), random(r, 64*(words/2)), new(big.Int)
		require.NoError(t, a.Mul(t.Context(), z, x, y))
		require.Zero(t, z.Cmp(new(big.Int).Mul(x, y)))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, a.Mul(ctx, z, x, x), context.Canceled)
		require.Zero(t, z.Cmp(new(big.Int).Mul(x, y)))
	}
	require.Positive(t, chosen)
}

// Long products overlap in place of two transforms where weights have that at .9 of the cost, and short ones do not.
func TestOverlapLong(t *testing.T) {
	gains := map[bool]int{}
	for words := 1 << 14; words < 1<<22; words += words / 40 {
		s, ok := chooseOverlap(words, words)
		whole, _ := choose(1, 64*words, 64*words)
		if !ok || !whole.truncated() {
			continue
		}
		if c := s.cost() + lowCost(s.over(2*words)); c > gainTruncated*whole.cost() {
			gains[whole.n > cached]++
		}
	}
	require.Positive(t, gains[true])
	require.Zero(t, gains[false])
}
