package bigprime

import (
	"math/big"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/internal/cpu"
	"github.com/stretchr/testify/require"
)

// ownVectors has vectors of its own alone.
type ownVectors struct{ *tileBulk }

func (b ownVectors) Traits() field.Traits {
	t := b.tileBulk.Traits()
	t.InPlace = false
	return t
}

// Passes over tiles, and over elements of the caller's through tiles, conform for moduli of every kind of kernels.
func TestTiles(t *testing.T) {
	tilesConform(t, P2())
	tilesConform(t, BN254())
	tilesConform(t, Secp256k1())
	tilesConform(t, Stark252())
	tilesConform(t, ofBits[[10]uint64](t, 640))
	tilesConform(t, ofBits[[16]uint64](t, 1000))
}

// ofBits returns the field of the largest prime of so many bits.
func ofBits[E Words](t *testing.T, n uint) *Field[E] {
	p := new(big.Int).Lsh(big.NewInt(1), n)
	for p.Sub(p, big.NewInt(1)); !p.ProbablyPrime(0); p.Sub(p, big.NewInt(2)) {
	}
	f, err := New[E](p)
	require.NoError(t, err)
	return f
}

func tilesConform[E Words](t *testing.T, f *Field[E]) {
	b := f.prime.tiles
	if b == nil {
		t.Skip("this tier has no kernels: ", cpu.Active())
	}
	t.Run(f.Name(), func(t *testing.T) {
		t.Run("tiles", func(t *testing.T) { fieldtest.RunBulk(t, f, ownVectors{b}, fieldtest.Config[E]{}) })
		t.Run("packed", func(t *testing.T) { fieldtest.RunBulk(t, f, b, fieldtest.Config[E]{}) })
	})
}
