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

func TestAlone(t *testing.T) {
	require.Equal(t, []int{6, 6}, Alone(12, 8))
	for _, c := range [][2]int{{12, 4}, {11, 8}, {13, 8}} {
		require.Nil(t, Alone(c[0], c[1]))
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
		require.Equal(t, c.want, c.way.passes(c.n, c.most, room), "%+v", c)
	}
}

// Tiles have segments of 128 bytes, or what fits; lazy ones of short transforms are many, for all of the device.
func TestDigitTiles(t *testing.T) {
	h200 := DigitTiles{Digits: 8, Shared: 227 << 10, Multiprocessors: 132, Threads: 128}
	lazy, small := h200, h200
	lazy.Way.Lazy, small.Shared = true, 1<<10
	require.Equal(t, []DigitPass{{4, 0}, {4, 0}}, h200.Passes(8))
	require.Equal(t, []DigitPass{{1, 0}, {3, 0}}, small.Passes(4))
	require.Nil(t, (&DigitTiles{Digits: 128, Shared: 1 << 10}).Passes(4))
	for _, c := range []struct {
		tiles    DigitTiles
		pass     DigitPass
		elements int
		want     DigitLaunch
	}{
		{h200, DigitPass{4, 0}, 1 << 20, DigitLaunch{4096, 128, 17440, 4}},
		{h200, DigitPass{8, 4}, 1 << 20, DigitLaunch{512, 512, 147968, 3}},
		{lazy, DigitPass{4, 0}, 1 << 20, DigitLaunch{4096, 128, 24320, 4}},
		{h200, DigitPass{5, 0}, 1 << 20, DigitLaunch{2048, 128, 34880, 4}},
		{lazy, DigitPass{4, 0}, 1 << 8, DigitLaunch{8, 16, 2720, 1}},
		{lazy, DigitPass{4, 0}, 1 << 12, DigitLaunch{128, 16, 2720, 1}},
		{lazy, DigitPass{4, 0}, 1 << 13, DigitLaunch{128, 32, 8000, 2}},
	} {
		require.Equal(t, c.want, c.tiles.Launch(c.pass, c.elements), "%+v", c)
	}
}
