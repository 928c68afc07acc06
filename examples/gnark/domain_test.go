package main

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/consensys/gnark-crypto/ecc/bn254/fr"
	"github.com/consensys/gnark-crypto/ecc/bn254/fr/fft"
	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/smallprime"
)

// edges is fill with the words 0, 1 and p − 1.
func (p *pairOf[E, W, D, O]) edges(rnd *rand.Rand) {
	x, list := words[W](p.x), make([]W, 3)
	p.f.One(&list[1])
	p.f.Neg(&list[2], &list[1])
	for i := range x {
		p.f.Set(&x[i], &list[rnd.IntN(len(list))])
	}
	copy(p.y, p.x)
}

// largest is fill with the word p − 1.
func (p *pairOf[E, W, D, O]) largest(*rand.Rand) {
	x := words[W](p.x)
	for i := range x {
		p.f.One(&x[i])
		p.f.Neg(&x[i], &x[i])
	}
	copy(p.y, p.x)
}

func TestEqual(t *testing.T) {
	for _, newPair := range pairs {
		for n := 1; n <= 1<<14; n *= 2 {
			p, err := newPair(n)
			require.NoError(t, err)
			t.Run(fmt.Sprintf("%v/%d", p, n), func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(uint64(n), 0))
				values := p.(interface {
					edges(*rand.Rand)
					largest(*rand.Rand)
				})
				for _, fill := range []func(*rand.Rand){p.fill, values.edges, values.largest} {
					for _, transform := range transforms() {
						fill(rnd)
						p.theirs(transform)
						require.NoError(t, p.ours(transform))
						require.True(t, p.equal(), "%v", transform)
					}
				}
			})
		}
	}
}

// Each library goes on with what the other one left, on the coset and off it.
func TestMixed(t *testing.T) {
	const n = 64
	theirs := fft.NewDomain(n)
	ours, err := NewDomain[fr.Element](bigprime.BN254(), n, theirs.Generator.Bits(), theirs.FrMultiplicativeGen.Bits())
	require.NoError(t, err)
	x := make(fr.Vector, n)
	x.MustSetRandom()
	y := append(fr.Vector{}, x...)
	require.NoError(t, ours.FFT(y, DIF))
	theirs.FFTInverse(y, fft.DIT, fft.OnCoset())
	require.Equal(t, x, y)
	theirs.FFTInverse(y, fft.DIF)
	theirs.FFT(y, fft.DIT, fft.OnCoset())
	require.NoError(t, ours.FFTInverse(y, DIF))
	require.NoError(t, ours.FFT(y, DIT))
	theirs.FFTInverse(y, fft.DIF, fft.OnCoset())
	theirs.FFT(y, fft.DIT)
	require.Equal(t, x, y)
}

func TestErrors(t *testing.T) {
	f, d := bigprime.BN254(), fft.NewDomain(8)
	w, one := d.Generator.Bits(), [4]uint64{1}
	_, err := NewDomain[fr.Element](smallprime.Goldilocks(), 8, 1, 1)
	require.EqualError(t, err, "fr.Element has 32 bytes, and uint64 has 8")
	_, err = NewDomain[fr.Element](f, 0, w, one)
	require.ErrorIs(t, err, field.ErrLength)
	_, err = NewDomain[fr.Element](f, 12, w, one)
	require.Error(t, err)
	_, err = NewDomain[fr.Element](f, 16, w, one) // of order 8
	require.ErrorIs(t, err, field.ErrNoRoot)
	_, err = NewDomain[fr.Element](f, 8, [4]uint64(d.Generator), one) // in Montgomery's form
	require.ErrorIs(t, err, field.ErrNoRoot)
	_, err = NewDomain[fr.Element](f, 8, w, [4]uint64{})
	require.ErrorIs(t, err, field.ErrNotInvertible)
	ours, err := NewDomain[fr.Element](f, 8, w, one)
	require.NoError(t, err)
	for _, decimation := range []Decimation{DIF, DIT} {
		for _, n := range []int{0, 7, 16} { // gnark-crypto computes something of these
			require.ErrorIs(t, ours.FFT(make([]fr.Element, n), decimation), field.ErrLength)
			require.ErrorIs(t, ours.FFTInverse(make([]fr.Element, n), decimation), field.ErrLength)
		}
	}
}

// Calls allocate nothing once warm.
func TestAllocations(t *testing.T) {
	for _, newPair := range pairs {
		p, err := newPair(1 << 10)
		require.NoError(t, err)
		for _, transform := range transforms() {
			n := testing.AllocsPerRun(10, func() { require.NoError(t, p.ours(transform)) })
			require.Zero(t, n, "%v, %v", p, transform)
		}
	}
}

func TestCompare(t *testing.T) {
	for _, newPair := range pairs {
		p, err := newPair(64)
		require.NoError(t, err)
		require.NoError(t, compare(p, 64, 10*time.Microsecond))
	}
}
