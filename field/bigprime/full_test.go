//go:build full

package bigprime

import (
	"testing"

	"github.com/galfft/fft/internal/testscale"
)

// Elements of more than five words, and of three: the tests and benchmarks without this tag have the others.

func TestLongTiles(t *testing.T) {
	if testscale.Of(t) <= testscale.Full {
		t.Skip("long elements take minutes, and wait for a scale above ", testscale.Full)
	}
	eachTier(t, func(t *testing.T) {
		tilesConform(t, below[[10]uint64](t, 640, 305))
		tilesConform(t, below[[16]uint64](t, 1000, 1245))
	})
}

func TestLongProducts(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		productsOf(t, below[[16]uint64](t, 1024, 105))
		productsOf(t, below[[32]uint64](t, 2048, 1557))
	})
}

func TestLongMillions(t *testing.T) {
	million[[3]uint64](t)
	million[[6]uint64](t)
	million[[8]uint64](t)
	million[[10]uint64](t)
	million[[12]uint64](t)
	million[[16]uint64](t)
}

func BenchmarkLongOperations(b *testing.B) {
	benchmark[[6]uint64](b)
	benchmark[[8]uint64](b)
	benchmark[[10]uint64](b)
	benchmark[[16]uint64](b)
	benchmark[[32]uint64](b)
	benchmark[[64]uint64](b)
}

func BenchmarkLongTiers(b *testing.B) {
	benchTiers[[3]uint64](b, 191)
	benchTiers[[6]uint64](b, 381)
	benchTiers[[8]uint64](b, 500)
}

func BenchmarkLongConvolution(b *testing.B) {
	stages(b, newField[[10]uint64](number(b, "2^521-1")), 1<<14)
	stages(b, newField[[20]uint64](number(b, "2^1279-1")), 1<<13)
	stages(b, newField[[64]uint64](number(b, "2^3217-1")), 1<<11)
}
