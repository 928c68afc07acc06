package binary

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

// splitMix returns the generator of S. Vigna, SplitMix64, from which the vectors below are drawn.
func splitMix(state uint64) func() uint64 {
	return func() uint64 {
		state += 0x9E3779B97F4A7C15
		z := (state ^ state>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		return z ^ z>>31
	}
}

// Products, a square and an inverse of GF(2^64), and the example of M. Hamilis' thesis in GF(16).
func TestKnownElements(t *testing.T) {
	f, next := must(New[uint64](64)), splitMix(1)
	var a [4]uint64
	for i := range a {
		a[i] = next()
	}
	require.Equal(t, [4]uint64{0x910a2dec89025cc1, 0xbeeb8da1658eec67, 0xf893a2eefb32555e, 0x71c18690ee42c90b}, a)
	var z uint64
	f.Mul(&z, &a[0], &a[1])
	require.Equal(t, uint64(0x58887e4430a3b0a3), z)
	f.Mul(&z, &a[2], &a[3])
	require.Equal(t, uint64(0x153f1ec4a011db6f), z)
	f.Square(&z, &a[0])
	require.Equal(t, uint64(0x9b5a06a87a3c4b2b), z)
	require.NoError(t, f.Inv(&z, &a[0]))
	require.Equal(t, uint64(0x16facd79f1fc60ef), z)
	g, x, y, p := must(New[uint8](4)), uint8(0xA), uint8(5), uint8(0)
	g.Mul(&p, &x, &y)
	require.Equal(t, uint8(4), p)
}

// FIPS 197, section 4.2, and RFC 8452, section 7.
func TestPublishedElements(t *testing.T) {
	f, x, y, z := AES(), uint8(0x57), uint8(0x83), uint8(0)
	f.Mul(&z, &x, &y)
	require.Equal(t, uint8(0xC1), z)
	g := POLYVAL()
	a, b, c := block(t, "66e94bd4ef8a2c3b884cfa59ca342b2e"), block(t, "ff000000000000000000000000000000"), [2]uint64{}
	g.Mul(&c, &a, &b)
	require.Equal(t, block(t, "37856175e9dc9df26ebc6d6171aa0ae9"), c)
}

func block(t *testing.T, text string) [2]uint64 {
	b, err := hex.DecodeString(text)
	require.NoError(t, err)
	return [2]uint64{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
}

// Transforms of GF(2^64) over random and over Cantor's subspaces, with a shift, from coefficients of powers of x:
// values that evaluation at each point and another implementation confirmed, on every tier.
func TestKnownTransforms(t *testing.T) { eachTier(t, knownTransforms) }

func knownTransforms(t *testing.T) {
	f := must(New[uint64](64))
	for _, c := range []struct {
		m      int
		cantor bool
		y0, y1 uint64
		sum    string
	}{
		{3, false, 0x3eb225a100a72546, 0xed9d476e67783425,
			"4965d24c85d01cfa640e46ac31b664719b8c3f408369a5e72b7f847055234158"},
		{3, true, 0x3eb225a100a72546, 0x01db8ffee73651ae,
			"cb1a15b4da7d20977314a0aa6e67810d22fa5b36693edac62de43d5544f43fcd"},
		{10, false, 0x80922dff166b89a1, 0xc3e66ee6dd88284c,
			"0c51d4241a53d3b2225c7f83453e2483487f1a27d49f0eba5e4b0a739add6a21"},
		{10, true, 0x80922dff166b89a1, 0x59d67ea465dd3305,
			"4eb5a71d68d7dc02e098fe60bcde5d4b182633cd84a7ea148041dee9d9d1d0da"},
		{14, false, 0xc3b7a7c5e503b003, 0x9135eb1d4921d70a,
			"59daafb1ecf395e4ed1c62ead362eb6008b0e43bf61579ebcd575446003f1f81"},
		{14, true, 0xc3b7a7c5e503b003, 0x26ab2cbab8054d4e,
			"90fd534e9053d808fa0885a13e05b3a603b32b509344c585d253c99bd5457ae4"},
	} {
		x, next := make([]uint64, 1<<c.m), splitMix(uint64(1000+c.m))
		for i := range x {
			x[i] = next()
		}
		d := field.Affine[uint64]{Basis: make([]uint64, c.m)}
		next = splitMix(uint64(2000 + c.m))
		for i := range d.Basis {
			d.Basis[i] = next()
		}
		d.Shift = next()
		if c.cantor {
			require.NoError(t, f.Subspace(d.Basis))
		}
		p, err := schemes.New(f, d, field.Spec{})
		require.NoError(t, err)
		y := make([]uint64, len(x))
		require.NoError(t, p.Forward(t.Context(), y, x))
		require.Equal(t, []uint64{c.y0, c.y1}, y[:2])
		sum := sha256.New()
		require.NoError(t, binary.Write(sum, binary.LittleEndian, y))
		require.Equal(t, c.sum, hex.EncodeToString(sum.Sum(nil)), "2^%d", c.m)
		require.NoError(t, p.Inverse(t.Context(), y, y))
		require.Equal(t, x, y)
	}
}

// Products by kernels are those of elements, at all short lengths and longer than a call, where z is x or y too.
func TestWordVectors(t *testing.T) {
	eachTier(t, func(t *testing.T) {
		wordVectors(t, must(New[uint64](64)))
		wordVectors(t, gapless64())
		wordVectors(t, GHASH())
		wordVectors(t, POLYVAL())
		wordVectors(t, must(New[uint32](32)))
	})
}

func wordVectors[E Elements](t *testing.T, f *Field[E]) {
	r := rand.New(rand.NewPCG(4, uint64(f.core.m)))
	lengths := []int{1 << 14}
	for n := range 140 {
		lengths = append(lengths, n)
	}
	all := make([][]E, 3)
	for i := range all {
		all[i] = make([]E, 1<<14)
		for j := range all[i] {
			f.Random(&all[i][j], r)
		}
	}
	products := make([]E, 1<<14)
	for i := range products {
		f.Mul(&products[i], &all[0][i], &all[1][i])
	}
	for _, n := range lengths {
		x, y := all[0][:n], all[1][:n]
		for in := range 3 { // z is x, y or apart
			z := slices.Clone([][]E{x, y, all[2][:n]}[in])
			a, b := x, y
			switch in {
			case 0:
				a = z
			case 1:
				b = z
			}
			f.MulVec(z, a, b)
			require.Equal(t, products[:n], z, "%s: %d products, z %d", f.Name(), n, in)
		}
		z, want := slices.Clone(all[2][:n]), make([]E, n)
		f.AddVec(want, z, products[:n])
		f.MulAddVec(z, x, y)
		require.Equal(t, want, z, "%s: %d sums of products", f.Name(), n)
	}
	x, y, z := all[0], all[1], all[2]
	require.Zero(t, testing.AllocsPerRun(10, func() { f.MulVec(z, x, y) }), f.Name())
	require.Zero(t, testing.AllocsPerRun(10, func() { f.MulAddVec(z, x, y) }), f.Name())
}
