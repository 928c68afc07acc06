package choice

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDivided(t *testing.T) {
	for n, want := range map[int][]int{1: {1}, 12: {12}, 13: {5, 8}, 15: {5, 10}, 18: {8, 10}, 20: {8, 12},
		21: {5, 6, 10}, 24: {7, 7, 10}, 28: {8, 8, 12}} {
		require.Equal(t, want, Divided(n), "2^%d", n)
	}
}

func TestOfDigits(t *testing.T) {
	require.Equal(t, Digits{Pairs: true}, OfDigits(4, false))
	require.Equal(t, Digits{Lazy: true}, OfDigits(8, true))
}
