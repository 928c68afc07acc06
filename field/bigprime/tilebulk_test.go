package bigprime

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bulks"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/galfft/fft/internal/cpu"
	"github.com/galfft/fft/internal/testscale"
	"github.com/stretchr/testify/require"
)

// ownVectors has vectors of its own alone.
type ownVectors struct{ *tileBulk }

func (b ownVectors) Traits() bulks.Traits {
	t := b.tileBulk.Traits()
	t.InPlace = false
	return t
}

// Passes over tiles, and over elements of the caller's through tiles, conform for moduli of every kind of kernels.
// TestLongTiles has longer elements.
func TestTiles(t *testing.T) {
	eachTier(t, tilesOf)
}

// eachTier runs a test on every tier that has kernels.
func eachTier(t *testing.T, test func(t *testing.T)) {
	for _, tier := range cpu.Present() {
		t.Run(tier.String(), func(t *testing.T) {
			undo, err := cpu.Use(tier)
			require.NoError(t, err)
			defer undo()
			test(t)
		})
	}
}

func tilesOf(t *testing.T) {
	tilesConform(t, P2())
	tilesConform(t, Secp256k1()) // the least room for weights
	if testscale.Of(t) >= testscale.Full {
		tilesConform(t, BN254())
	}
	if testscale.Of(t) <= testscale.Full {
		return
	}
	tilesConform(t, Stark252())
}

// below returns the field of the prime 2^n − c.
func below[E Words](t *testing.T, n uint, c int64) *Field[E] {
	p := new(big.Int).Lsh(big.NewInt(1), n)
	f, err := New[E](p.Sub(p, big.NewInt(c)))
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

// Products of vectors are those of elements, on tiles and on what they leave. TestLongProducts has longer elements.
func TestProducts(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		productsOf(t, P2())
		productsOf(t, BN254())
		productsOf(t, Secp256k1())
		productsOf(t, below[[5]uint64](t, 257, 93)) // fewer bits in limbs than in words
	})
}

func productsOf[E Words](t *testing.T, f *Field[E]) {
	for _, n := range []int{4, 64, 75} {
		products(t, f, n)
	}
}

func products[E Words](t *testing.T, f *Field[E], n int) {
	x, y, z, want := make([]E, n), make([]E, n), make([]E, n), make([]E, n)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range x {
		f.Random(&x[i], rnd)
		f.Random(&y[i], rnd)
	}
	copy(words(&x[3]), f.prime.p)
	words(&x[3])[0]--
	y[3] = x[3]
	for i := range z {
		f.Mul(&want[i], &x[i], &y[i])
	}
	f.MulVec(z, x, y)
	require.Equal(t, want, z, f.Name())
	for i := range z {
		f.Add(&want[i], &want[i], &x[i])
	}
	copy(z, x)
	f.MulAddVec(z, x, y)
	require.Equal(t, want, z, f.Name())
	for i := range z {
		f.prime.mont(words(&want[i]), words(&x[i]), words(&y[i]))
	}
	require.NoError(t, f.MulMontgomery(z, x, y))
	require.Equal(t, want, z, f.Name())
	require.NoError(t, f.MulMontgomery(x, x, y))
	require.Equal(t, want, x, f.Name())
	require.ErrorIs(t, f.MulMontgomery(z, x[1:], y), field.ErrLength)
	require.ErrorIs(t, f.MulMontgomery(z, x, y[1:]), field.ErrLength)
}

// Products on each tier, of two to five words, are those of math/big: with TestLongMillions, a million, and
// a quarter of them below testscale.Full.
func TestMillionProducts(t *testing.T) {
	million[[2]uint64](t)
	million[[4]uint64](t)
	million[[5]uint64](t)
}

// million tests a ninth of a million products of E, modulo four primes of different sizes. They are the same on all
// tiers, and math/big takes longer for them than any.
func million[E Words](t *testing.T) {
	const primes = 4
	n := 1_000_000/9/4 + 1
	if testscale.Of(t) < testscale.Full {
		n /= 4
	}
	var e E
	rnd := rand.New(rand.NewPCG(7, uint64(len(e))))
	x, y, z, want := make([]E, n), make([]E, n), make([]E, n), make([]big.Int, n)
	a, b, c := new(big.Int), new(big.Int), new(big.Int)
	for range primes {
		f, err := New[E](randomPrime(rnd, 64*len(e)-rnd.IntN(48)))
		require.NoError(t, err)
		for i := range x {
			f.Random(&x[i], rnd)
			f.Random(&y[i], rnd)
			a.Mul(setBig(a, words(&x[i])), setBig(b, words(&y[i])))
			c.QuoRem(a, f.prime.n, &want[i])
		}
		for _, tier := range cpu.Present() {
			undo, err := cpu.Use(tier)
			require.NoError(t, err)
			f, err := New[E](f.prime.n)
			require.NoError(t, err)
			clear(z)
			f.MulVec(z, x, y)
			undo()
			for i := range z {
				if want[i].Cmp(setBig(c, words(&z[i]))) != 0 {
					require.Fail(t, f.Name(), "%s: %x · %x: got %x, want %x", tier, x[i], y[i], c, &want[i])
				}
			}
		}
	}
}

// Elements that lie apart go through tiles as those of arrays do.
func TestAnyTiles(t *testing.T) {
	f, err := Open(BN254().Characteristic())
	require.NoError(t, err)
	if f.tiles == nil {
		t.Skip("this tier has no kernels: ", cpu.Active())
	}
	fieldtest.RunBulk(t, f, numberTiles{f.tiles}, fieldtest.Config[Number]{})
}
