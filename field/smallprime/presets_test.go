package smallprime

import (
	"math/bits"
	"testing"

	"github.com/galfft/fft/internal/factor"
	"github.com/stretchr/testify/require"
)

// TestPresets derives the documented moduli, 2-adicities and roots.
func TestPresets(t *testing.T) {
	want := []struct {
		name     string
		p        uint64
		adicity  int
		c        uint64 // the smallest non-residue
		root     uint64 // of order 2^adicity
		elements string
	}{
		{"goldilocks", 0xffffffff00000001, 32, 7, 1753635133440165772, "goldilocks"},
		{"babybear", 2013265921, 27, 11, 1227303670, "uint32"},
		{"koalabear", 2130706433, 24, 3, 1791270792, "uint32"},
		{"mersenne31", 2147483647, 1, 3, 2147483646, "uint32"},
		{"998244353", 998244353, 23, 3, 15311432, "uint32"},
		{"covanov", 4179340454199820289, 57, 3, 68630377364883, "uint64"},
		{"P1", 655360001, 20, 3, 179630168, "uint32"},
		{"p30", 754974721, 24, 11, 739831874, "uint32"},
		{"p32", 4194304001, 25, 3, 1177770062, "uint32"},
		{"p50", 1125899437080577, 26, 5, 447034753174620, "uint64"},
		{"p62", 4611686018326724609, 25, 3, 3124110217111569905, "uint64"},
		{"p63", 9223372036737335297, 24, 3, 2419180138865645092, "uint64"},
		{"p64", 18446744073692774401, 24, 43, 7554718977942093330, "uint64"},
	}
	presets := Presets()
	require.Len(t, presets, len(want))
	for i, w := range want {
		t.Run(w.name, func(t *testing.T) {
			require.Equal(t, w.name, presets[i].Name)
			require.Equal(t, w.p, presets[i].Modulus)
			require.True(t, factor.IsPrime(w.p))
			require.Equal(t, w.adicity, bits.TrailingZeros64(w.p-1))
			m := newModulus(w.p)
			for c := range w.c {
				require.True(t, c == 0 || m.pow(c, (w.p-1)/2) == 1, "%d is a residue", c)
			}
			require.Equal(t, w.root, m.pow(w.c, (w.p-1)>>w.adicity))
			require.Equal(t, w.p-1, m.pow(w.root, 1<<(w.adicity-1)))
			switch f := presets[i].New().(type) {
			case *Field32:
				requirePreset(t, f, w.elements, "uint32", w.p, w.name, w.root, w.adicity)
			case *GoldilocksField:
				requirePreset(t, f, w.elements, "goldilocks", w.p, w.name, w.root, w.adicity)
			case *Field64:
				requirePreset(t, f, w.elements, "uint64", w.p, w.name, w.root, w.adicity)
			}
		})
	}
	require.Equal(t, "prime:17", field64(t, 17).Name())
	require.Equal(t, "prime:17", field32(t, 17).Name())
	require.Equal(t, "p62", field64(t, p62).Name())
}

func requirePreset[W word](t *testing.T, f full[W], want, got string, p uint64, name string, root uint64, adicity int) {
	require.Equal(t, want, got)
	require.Equal(t, p, uint64(f.Modulus()))
	require.Equal(t, name, f.Name())
	var z W
	require.NoError(t, f.RootOfUnity(&z, 1<<adicity))
	require.Equal(t, root, uint64(z))
}

// TestPresetsLargest searches the largest primes below powers of two of 2-adicity at least 24.
func TestPresetsLargest(t *testing.T) {
	for _, w := range []struct {
		bits uint
		p    uint64
	}{{30, p30}, {31, koalaBear}, {50, p50}, {62, p62}, {63, p63}, {64, p64}} {
		p := ^uint64(0)>>(64-w.bits)>>24<<24 + 1
		for !factor.IsPrime(p) {
			p -= 1 << 24
		}
		require.Equal(t, w.p, p, "below 2^%d", w.bits)
	}
}

// TestPresetsOfLibraries checks the relations to other libraries' roots that the documentation states.
func TestPresetsOfLibraries(t *testing.T) {
	m := newModulus(babyBear)
	require.Equal(t, uint64(440564289), m.pow(31, 15))
	for _, root := range []uint64{440564289, 137} {
		require.Equal(t, uint64(babyBear-1), m.pow(root, 1<<26), "the order is 2^27")
	}
	require.Equal(t, []uint64{2, 3, 7, 11, 31, 151, 331}, factor.Primes(mersenne31-1))
	require.Equal(t, uint64(2*3*3*7*11*31*151*331), uint64(mersenne31-1))
	for d := uint64(1); d <= 192; d++ {
		if 192%d == 0 {
			f, z, power := Goldilocks(), uint64(0), false
			require.NoError(t, f.RootOfUnity(&z, d))
			for s := range uint64(192) {
				power = power || f.m.pow(2, s) == z
			}
			require.True(t, power, "root of order %d is a power of 2", d)
		}
	}
}

func TestShift(t *testing.T) {
	f, r := Goldilocks(), newRand()
	require.Equal(t, uint64(192), f.ShiftOrder())
	require.Equal(t, uint64(goldilocks-1), f.m.pow(2, 96))
	for s := range uint64(400) {
		if s >= 390 {
			s = r.Uint64()
		}
		for range 50 {
			x, z := edgy(r, goldilocks-1), uint64(0)
			f.Shift(&z, &x, s)
			require.Equal(t, f.m.mul(x, f.m.pow(2, s%192)), z, "%d·2^%d", x, s)
			f.Shift(&x, &x, s)
			require.Equal(t, z, x)
		}
	}
}
