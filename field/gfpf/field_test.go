package gfpf

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/fieldtest"
	"github.com/stretchr/testify/require"
)

func TestConformance(t *testing.T) {
	conforms(t, "P1", P1())
	conforms(t, "P2", P2())
	conforms(t, "P3", P3())
	small, err := New[[2]uint64](10)
	require.NoError(t, err)
	conforms(t, "101", small)
}

func conforms[E Digits](t *testing.T, name string, f *Field[E]) {
	t.Run(name, func(t *testing.T) {
		fieldtest.Run(t, f, fieldtest.Config[E]{RootOrders: []uint64{1, 2, f.ShiftOrder()}})
	})
}

// Presets are prime, by the proof and, below 2^1100, by another one; their names lead back to them.
func TestPresets(t *testing.T) {
	for _, p := range Presets() {
		t.Run(Name(p.Radix, p.K), func(t *testing.T) {
			t.Parallel()
			q := modulus(p.Radix, p.K)
			f, err := p.Open()
			require.NoError(t, err)
			require.Equal(t, Name(p.Radix, p.K), f.Name())
			require.Equal(t, p.Radix, f.Radix())
			require.Equal(t, p.K, f.K())
			if q.BitLen() < 1100 {
				require.True(t, q.ProbablyPrime(1))
			}
			r, err := ParseRadix(RadixText(p.Radix))
			require.NoError(t, err)
			require.Equal(t, p.Radix, r)
		})
	}
	for _, f := range []field.Info{P1(), P2(), P3(), P4(), P5(), P6(), P7(), K4(), K8(), K16(), K32()} {
		require.True(t, slices.ContainsFunc(Presets(), func(p Preset) bool {
			return p.Name != "" && Prefix+p.Name == f.Name() && modulus(p.Radix, p.K).Cmp(f.Characteristic()) == 0
		}), f.Name())
	}
}

// All r = 2^w ± 2^u above 4k: for k = 2 and 4 compared with another test of primality, and their numbers, which
// stand in the literature's tables for w ≤ 64, less the radices below and powers of two.
func TestRadices(t *testing.T) {
	for _, k := range []int{2, 4} {
		var want []uint64
		for w := range 65 {
			for u := 1; u < w; u++ {
				for _, r := range []uint64{1<<w - 1<<u, 1<<w + 1<<u} {
					if r > uint64(4*k) && (w < 64 || r > 1<<63) && modulus(r, k).ProbablyPrime(0) {
						want = append(want, r)
					}
				}
			}
		}
		slices.Sort(want)
		want = slices.Compact(want)
		slices.Reverse(want)
		require.Equal(t, want, slices.Collect(Radices(k, 0, 1<<64-1)), "k = %d", k)
	}
	require.Contains(t, slices.Collect(Radices(8, 1<<63, 1<<64-1)), uint64(1<<63+1<<34))
	for r := range Radices(16, 1<<63, 1<<64-1) {
		require.Equal(t, uint64(1<<64-1<<3), r, "the largest for k = 16")
		break
	}
	require.Panics(t, func() { Radices(3, 0, 1) })
}

func TestNewErrors(t *testing.T) {
	for _, c := range []struct {
		r    uint64
		k    int
		text string
	}{
		{1<<63 + 1<<35, 8, "composite"}, {1<<63 + 1, 8, "composite"}, {0, 2, "radix 0"}, {1, 2, "radix 1"},
		{6, 2, "want more than 8"},
		// 17·53
		{1<<63 + 1<<34, 7, "7 digits"}, {1<<63 + 1<<34, 256, "256 digits"}, {1<<63 + 1<<34, 0, "0 digits"},
		{30, 2, "composite"},
	} {
		f, err := Open(c.r, c.k)
		require.ErrorIs(t, err, field.ErrModulus)
		require.ErrorContains(t, err, c.text)
		require.Nil(t, f)
	}
}

func TestParseRadix(t *testing.T) {
	for s, want := range map[string]uint64{
		"2^63+2^34": 1<<63 + 1<<34, "2^64-2^28": 1<<64 - 1<<28, "2^59+2^58+2^11": 864691128455137280, "10": 10,
		"2^4-2":                14,
		"18446744073709551615": 1<<64 - 1,
	} {
		r, err := ParseRadix(s)
		require.NoError(t, err, s)
		require.Equal(t, want, r, s)
	}
	for _, s := range []string{"", "2^", "2^65", "2^64", "1", "0", "2^3-2^3", "-2^5", "2^5+", "2^5++2^4", "x",
		"2^63+2^63", "18446744073709551616", "2^-1", " 10", "2^1e3"} {
		_, err := ParseRadix(s)
		require.ErrorIs(t, err, field.ErrModulus, s)
	}
	for r, want := range map[uint64]string{1<<63 + 1<<34: "2^63+2^34", 1<<64 - 1<<28: "2^64-2^28",
		1<<51 - 1<<49: "2^50+2^49", 10: "2^3+2^1", 1 << 40: "2^41-2^40", 1000003: "1000003"} {
		require.Equal(t, want, RadixText(r))
		back, err := ParseRadix(want)
		require.NoError(t, err)
		require.Equal(t, r, back)
	}
}

// root(n)^(n/2k) = r, odd factors of n included, and −1 as text and bytes.
func TestRoots(t *testing.T) {
	f := P3()
	for _, n := range []uint64{16, 32, 1 << 20, 1 << 63, 16 * 3 * 59, 1 << 10 * 59} { // 2^29 + 1 = 3·59·3033169
		var z, r [8]uint64
		require.NoError(t, f.RootOfUnity(&z, n))
		field.PowUint(f, &z, &z, n/16)
		r[1] = 1
		require.Equal(t, r, z, "order %d", n)
	}
	var z [8]uint64
	require.ErrorIs(t, f.RootOfUnity(&z, 5), field.ErrNoRoot)
	require.ErrorIs(t, f.RootOfUnity(&z, 0), field.ErrNoRoot)
	require.ErrorContains(t, K4().RootOfUnity(new([4]uint64), 1<<45),
		"2-adicity is 44; the nearest that do: 35125543620772 and 35651124619990")
	require.ErrorContains(t, f.RootOfUnity(&z, 5), "the nearest that do: 4 and 6")
}

func TestCodecErrors(t *testing.T) {
	f := P3()
	var z, before [8]uint64
	f.One(&before)
	z = before
	p := f.Characteristic()
	b := make([]byte, f.Size())
	p.FillBytes(b)
	slices.Reverse(b)
	require.ErrorIs(t, f.SetBytes(&z, b), field.ErrRange)
	require.ErrorIs(t, f.SetBytes(&z, b[1:]), field.ErrLength)
	require.ErrorIs(t, f.SetBig(&z, p), field.ErrRange)
	require.ErrorIs(t, f.SetBig(&z, big.NewInt(-1)), field.ErrRange)
	for _, s := range []string{"", "-1", "+1", "1_0", "0x1", p.String(), strings.Repeat("9", 1<<20)} {
		require.ErrorIs(t, f.SetText(&z, []byte(s)), field.ErrRange, "%.20q", s)
	}
	require.Equal(t, before, z)
	require.NoError(t, f.SetText(&z, []byte(new(big.Int).Sub(p, big.NewInt(1)).String())))
	require.Equal(t, [8]uint64{7: f.Radix()}, z)
}
