package gpu

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/galfft/fft/field/binary"
	"github.com/stretchr/testify/require"
)

// What is known of GF(2^64) modulo x^64 + x^4 + x^3 + x + 1, from elsewhere: a·b, c·d, a² and 1/a.
var (
	vectorsX = []binary.Number{{0x910a2dec89025cc1}, {0xf893a2eefb32555e}, {0x910a2dec89025cc1}}
	vectorsY = []binary.Number{{0xbeeb8da1658eec67}, {0x71c18690ee42c90b}, {0x910a2dec89025cc1}}
	vectorsZ = []binary.Number{{0x58887e4430a3b0a3}, {0x153f1ec4a011db6f}, {0x9b5a06a87a3c4b2b}}
	inverse  = []binary.Number{{0x16facd79f1fc60ef}}
)

// imagesOf are elements of GF(2^64) in a field of 64 bits in any basis, or of 128: there by way of the towers, of which
// the one of 64 bits is the lower half of the other.
func imagesOf(t *testing.T, f *binary.Field[binary.Number], x []binary.Number) []binary.Number {
	apply := func(from, to *binary.Field[binary.Number], x []binary.Number) []binary.Number {
		i, err := binary.NewIsomorphism(from, to)
		require.NoError(t, err)
		z := make([]binary.Number, len(x))
		require.NoError(t, i.Map(z, x))
		return z
	}
	from := must(binary.New[binary.Number](64))
	if f.Degree() == 64 {
		return apply(from, f, x)
	}
	z := apply(from, must(binary.NewTower[binary.Number](64)), x)
	for i := range z {
		z[i] = append(z[i], 0)
	}
	return apply(must(binary.NewTower[binary.Number](128)), f, z)
}

// Every multiplier has the values that were found elsewhere: over the field itself, over its images in other bases, and
// over the field of 128 bits that has it.
func TestGF2Vectors(t *testing.T) {
	d := alone(t)
	ran := map[multiplier]bool{}
	for _, f := range gf2Fields(t, "64 128", "64 128", "12881000000200841 polyval") {
		s := newSomeGF2(t, d, f)
		x, y, z := imagesOf(t, f, vectorsX), imagesOf(t, f, vectorsY), imagesOf(t, f, vectorsZ)
		for _, w := range s.b.ways {
			ran[w.by] = true
			s.multiplies(t, w, x, y, z)
		}
		for of, want := range map[operation]binary.Number{squaring: z[2], inverting: imagesOf(t, f, inverse)[0]} {
			v := s.vector(t, x[:1])
			require.NoError(t, s.b.do(d.room().Stream(), of, v, v, v, 0))
			require.Equal(t, s.bytes([]binary.Number{want}), s.bytesOf(t, v), "%s", f.Name())
			require.NoError(t, s.b.Release(v))
		}
	}
	for _, by := range []multiplier{sliced, slicedTower, holes, whole, groups, bitwise, mapped} {
		require.True(t, ran[by], by)
	}
}

// sixteen returns the images of x³ + x, x² + 1 and their product x², by the worked example of GF(16) modulo x⁴ + x + 1,
// in a field that has GF(16): an element of which it is a root is a power of another.
func sixteen(t *testing.T, f *binary.Field[binary.Number]) (a, b, c binary.Number) {
	exponent := new(big.Int).Div(new(big.Int).Sub(f.Order(), big.NewInt(1)), big.NewInt(15))
	var one, e binary.Number
	f.One(&one)
	for i := range int64(200) {
		require.NoError(t, f.SetBig(&e, new(big.Int).Mod(big.NewInt(2+i), f.Order())))
		var g, two, four binary.Number
		f.One(&g)
		for bit := exponent.BitLen() - 1; bit >= 0; bit-- {
			f.Square(&g, &g)
			if exponent.Bit(bit) == 1 {
				f.Mul(&g, &g, &e)
			}
		}
		f.Square(&two, &g)
		f.Square(&four, &two)
		f.Add(&four, &four, &g)
		if !f.Equal(&four, &one) {
			continue
		}
		f.Mul(&a, &two, &g)
		f.Add(&a, &a, &g)
		f.Add(&b, &two, &one)
		return a, b, two
	}
	t.Fatal("no root of x^4 + x + 1 in " + f.Name())
	return
}

// The worked example holds in every field that has it, by every multiplier and by tables of factors.
func TestGF2Sixteen(t *testing.T) {
	d := alone(t)
	for _, f := range gf2Fields(t, "4 8 16 32 64 96 128 160 192 224 256 352 512", "8 16 32 64 128",
		"14d 174c5 1e040020d 12881000000200841 polyval") {
		s := newSomeGF2(t, d, f)
		a, b, c := sixteen(t, f)
		if f.Name() == "gf2:4" {
			require.Equal(t, []binary.Number{{0xa}, {5}, {4}}, []binary.Number{a, b, c})
		}
		for _, w := range s.b.ways {
			s.multiplies(t, w, []binary.Number{a, b}, []binary.Number{b, a}, []binary.Number{c, c})
		}
	}
	// All else is 0, so that the first of the butterflies leaves the product where it is.
	for _, tables := range allTables(t) {
		a, b, c := sixteen(t, must(binary.New[binary.Number](tables.bits)))
		x, factors := make([]uint32, tileLength), make([]uint32, tileFactors)
		x[tileLength/2], factors[0] = uint32(b[0]), uint32(a[0])
		from, at := words32(t, d.room(), x), words32(t, d.room(), factors)
		f := d.room().Function("gf2tables", fmt.Sprint("gf2_tile_", tables.bits), tables.sharedBytes())
		require.NoError(t, d.room().Launch(d.room().Stream(), f, [2]int{1, 1}, tileThreads, tables.sharedBytes(),
			from.At, from.At, at.At, 1))
		require.Equal(t, uint32(c[0]), words32Of(t, d.room(), from, len(x))[0], tables.bits)
		require.NoError(t, from.Release())
		require.NoError(t, at.Release())
	}
}
