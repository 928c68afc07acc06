package testscale

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	for v, want := range map[string]int{"": 1, "1": 1, "10": 10} {
		n, err := parse(v)
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	for _, v := range []string{"0", "-1", "ten", "1.5", " 2"} {
		_, err := parse(v)
		require.ErrorContains(t, err, "want a positive integer", v)
	}
}

// pair is choice a of parameter i beside choice b of parameter j > i.
type pair struct{ i, a, j, b int }

func pairsOf(c []int) (list []pair) {
	for j := range c {
		for i := range j {
			list = append(list, pair{i, c[i], j, c[j]})
		}
	}
	return list
}

// Any two choices of two parameters meet in a cover, which is little longer than the two parameters with most choices
// ask for. From Full on all combinations are there once.
func TestCombinations(t *testing.T) {
	for _, sizes := range [][]int{{1, 1}, {3, 2}, {4, 8, 3, 4}, {3, 5, 8, 3}, {7, 3, 3}, {2, 2, 2, 2, 2, 2}} {
		product := 1
		for _, n := range sizes {
			product *= n
		}
		full := Combinations(Full, nil, sizes...)
		require.Len(t, full, product)
		slices.SortFunc(full, slices.Compare)
		require.Len(t, slices.CompactFunc(full, slices.Equal), product)

		some := Combinations(1, rand.New(rand.NewPCG(1, 2)), sizes...)
		most := slices.Sorted(slices.Values(sizes))
		require.LessOrEqual(t, len(some), 2*most[len(most)-1]*most[len(most)-2], "%v", sizes)
		seen := map[pair]bool{}
		for _, c := range some {
			for i, a := range c {
				require.Less(t, a, sizes[i])
			}
			for _, p := range pairsOf(c) {
				seen[p] = true
			}
		}
		for _, c := range full {
			for _, p := range pairsOf(c) {
				require.True(t, seen[p], "%v: %+v", sizes, p)
			}
		}
	}
	a, b := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 2))
	require.Equal(t, Combinations(1, a, 4, 4, 4), Combinations(1, b, 4, 4, 4), "the same by the same seed")
}
