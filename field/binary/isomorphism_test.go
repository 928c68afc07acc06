package binary

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/stretchr/testify/require"
)

// Between all bases of three bits, and between the ones that have names, maps keep sums and products, one and all
// subfields, and go back; the way by way of a third field differs by a conjugation at most.
func TestIsomorphisms(t *testing.T) {
	var small []*Field[uint8]
	for p := 8; p < 16; p++ {
		if f, err := NewModulus[uint8](big.NewInt(int64(p))); err == nil {
			small = append(small, f)
		}
	}
	require.Len(t, small, 2)
	isomorphisms(t, small...)
	isomorphisms(t, AES(), RAID6(), must(NewTower[uint8](8)))
	isomorphisms(t, must(New[uint16](16)), Leopard16(), must(NewTower[uint16](16)))
	isomorphisms(t, must(New[uint64](64)), must(NewTower[uint64](64)))
	number := func(p *big.Int) *Field[Number] { return must(NewModulus[Number](p)) }
	isomorphisms(t, number(GHASH().Modulus()), number(POLYVAL().Modulus()), must(NewTower[Number](128)))
	isomorphisms(t, must(New[Number](95)), number(sumOfPowers(95, 17, 0)))
	isomorphisms(t, must(New[Number](60)), number(sumOfPowers(60, 9, 0)))
}

func isomorphisms[E Elements](t *testing.T, fields ...*Field[E]) {
	r := rand.New(rand.NewPCG(11, 12))
	const n = 30
	for _, f := range fields {
		for _, g := range fields {
			i, err := NewIsomorphism(f, g)
			require.NoError(t, err)
			require.Same(t, i, i.Inverse().Inverse())
			x, y, sum, product := make([]E, n), make([]E, n), make([]E, n), make([]E, n)
			for k := range x {
				f.Random(&x[k], r)
				f.Random(&y[k], r)
			}
			f.One(&x[0])
			setWordsOf(f, &x[1], append(f.core.generator(), make([]uint64, f.core.w-len(f.core.generator()))...))
			f.AddVec(sum, x, y)
			f.MulVec(product, x, y)
			images := func(x []E) []E {
				z := make([]E, n)
				require.NoError(t, i.Map(z, x))
				require.Equal(t, -1, g.FirstInvalid(z))
				return z
			}
			u, v, want := images(x), images(y), make([]E, n)
			g.AddVec(want, u, v)
			equal(t, g, want, images(sum))
			g.MulVec(want, u, v)
			equal(t, g, want, images(product))
			g.One(&want[0])
			equal(t, g, want[:1], u[:1])
			var room [1]uint64
			least, squares := g.core.least(wordsIn(g, &u[1], &room))
			require.Zero(t, squares, "the image of the generator is %x, and %x is less", u[1], least)
			if f == g {
				equal(t, g, x, u)
			}
			require.NoError(t, i.Inverse().Map(u, u))
			equal(t, f, x, u)
		}
	}
}

func equal[E Elements](t *testing.T, f *Field[E], want, got []E) {
	for i := range want {
		require.True(t, f.Equal(&want[i], &got[i]), "%s: element %d is %v, want %v", f.core.name, i, got[i], want[i])
	}
}

// Wrong arguments change nothing.
func TestIsomorphismErrors(t *testing.T) {
	_, err := NewIsomorphism(must(New[uint8](7)), AES())
	require.ErrorIs(t, err, field.ErrSpec)
	i, err := NewIsomorphism(must(New[uint8](7)), must(New[uint8](7)))
	require.NoError(t, err)
	z := []uint8{9, 9}
	require.ErrorIs(t, i.Map(z, []uint8{1}), field.ErrLength)
	require.ErrorIs(t, i.Map(z, []uint8{1, 0x80}), field.ErrRange)
	require.Equal(t, []uint8{9, 9}, slices.Clone(z))
}
