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

// Steps are all layers, the shorter one first, and two are one pass where there is room for them.
func TestDigitPasses(t *testing.T) {
	room := func(layers int) bool { return layers <= 5 }
	paired := Digits{Pairs: true}
	for _, c := range []struct {
		way     Digits
		n, most int
		want    []DigitPass
	}{
		{Digits{}, 3, 3, []DigitPass{{3, 0}}},
		{Digits{}, 7, 3, []DigitPass{{1, 0}, {3, 0}, {3, 0}}},
		{paired, 3, 3, []DigitPass{{3, 0}}},
		{paired, 5, 3, []DigitPass{{5, 3}}},
		{paired, 7, 3, []DigitPass{{4, 3}, {3, 0}}},
		{paired, 6, 3, []DigitPass{{3, 0}, {3, 0}}},
		{paired, 9, 2, []DigitPass{{3, 2}, {4, 2}, {2, 0}}},
		{Digits{Pairs: true, Lazy: true}, 5, 3, []DigitPass{{2, 0}, {3, 0}}},
	} {
		require.Equal(t, c.want, c.way.Passes(c.n, c.most, room), "%+v", c)
	}
}
