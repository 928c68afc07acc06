package binary

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// towerProducts are products that others publish for this tower, by its bits: of Binius, the tests of its binary_field
// at 026a5ed, and of Plonky3, tower-basis.txt of its binary-field at dedefe7.
var towerProducts = map[int][][3]string{
	8: {
		{"1b", "a8", "09"}, {"76", "51", "84"}, {"e4", "8f", "0e"}, {"42", "66", "ea"}, {"68", "d0", "c5"}, // Binius
		{"ff", "80", "ed"}, {"5e", "55", "79"}, {"55", "e3", "ae"}, // Plonky3
	},
	16: {
		{"48a8", "f8a4", "3656"}, {"f8a4", "f8a4", "e7e6"}, {"448b", "0585", "47d3"}, {"0585", "0585", "8057"},
		{"f62c", "0dbd", "a9da"}, {"f62c", "f62c", "37bb"}, // Binius
		{"ffff", "8000", "c3ed"}, {"d065", "6248", "0802"}, {"5fdd", "0be5", "86ad"}, // Plonky3
	},
	32: {
		{"ffffffff", "80000000", "622ec3ed"}, {"6e6b43d5", "6d6a5ece", "c195e1fd"},
		{"1b63f0f6", "7614f6ed", "a4191908"}, // Plonky3
	},
	64: {
		{"c84d619110831cef", "a14f", "3565086d6b9ef595"}, {"a14f580107030300", "f404", "83e7239eb819a6ac"},
		{"f404210706070403", "6b44", "790541c54ffa2ede"}, {"6b44000404006b44", "13", "7018004c4c007018"},
		{"6b44000404006b44", "6b44000404006b44", "c59751e6f1769000"}, {"eb", "fba1", "7689"}, // Binius
		{"ffffffffffffffff", "8000000000000000", "b9a1a1c3622ec3ed"},
		{"31656f879cdb81ee", "66d75ad4db51bfa0", "ba39089b43ee2cb1"}, // Plonky3
	},
	128: {
		{"ffffffffffffffffffffffffffffffff", "80000000000000000000000000000000", "60f5db8fdb8f622eb9a1a1c3622ec3ed"},
		{"c0e76875903848eb5c5cee68499f3d23", "1c1f23ec3c4346635ba5c3fc6ebd20bb", "7b0b0c11861ce0ca135a40ca22c7b320"},
		{"0cb4913c70da4326da78fba75482fd28", "326dc89ff3b33fffd0d3f46658164133", "a63e4505e4c700fdf8d370824e9d4d09"},
	}, // Plonky3
}

// towerInverses and towerVectors, of Cantor's chain in 128 bits by their numbers, are Plonky3's.
var (
	towerInverses = map[int][2]string{
		8: {"ff", "cb"}, 16: {"ffff", "be75"}, 32: {"ffffffff", "75b9cbcc"}, 64: {"ffffffffffffffff", "cbcc7572be75bebe"},
		128: {"80000000000000000000000000000000", "d30d00d30000d30d00000000d30d00d3"},
	}
	towerVectors = map[int]string{
		0: "1", 1: "2", 2: "c", 3: "6", 4: "66", 7: "ac", 15: "cd68", 16: "110a454", 31: "685bb70c", 32: "101003bc34582",
		63: "b70c3fecc1c7c4cc", 64: "10001000051ec1382cf362d58", 127: "c1c7c4ccd801fe2b6b65f1fbd173938c",
	}
)

func TestTowerOfPeers(t *testing.T) {
	for m, list := range towerProducts {
		f := must(NewTower[Number](m))
		number := func(s string) *Number {
			x := make(Number, f.core.w)
			require.NoError(t, f.SetText(&x, []byte(s)))
			return &x
		}
		for _, p := range list {
			var z Number
			f.Mul(&z, number(p[0]), number(p[1]))
			require.Equal(t, *number(p[2]), z, "%d bits: %s·%s", m, p[0], p[1])
		}
		var z Number
		p := towerInverses[m]
		require.NoError(t, f.Inv(&z, number(p[0])))
		require.Equal(t, *number(p[1]), z, "%d bits: the inverse of %s", m, p[0])
		if m < 128 {
			continue
		}
		basis := make([]Number, m)
		require.NoError(t, f.Subspace(basis))
		for i, s := range towerVectors {
			require.Equal(t, *number(s), basis[i], "vector %d", i)
		}
	}
}
