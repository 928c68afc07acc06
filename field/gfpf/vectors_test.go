package gfpf

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/testscale"
	"github.com/galfft/fft/schemes"
	"github.com/stretchr/testify/require"
)

// The products of digits 1 … 8 and 8 … 1, and of digits near r, modulo P3.
func TestProducts(t *testing.T) {
	f := P3()
	const r = 9223372054034644992
	var z [8]uint64
	f.Mul(&z, &[8]uint64{1, 2, 3, 4, 5, 6, 7, 8}, &[8]uint64{8, 7, 6, 5, 4, 3, 2, 1})
	require.Equal(t, [8]uint64{r - 160, r - 111, r - 57, r - 1, 55, 110, 160, 204}, z)
	var x, y [8]uint64
	for i := range x {
		x[i], y[i] = r-1-uint64(i), r-1-2*uint64(i)
	}
	f.Mul(&z, &x, &y)
	const high = 0x80000003ffffff00
	require.Equal(t, [8]uint64{high | 0x5c, high | 0x35, high | 0x27, high | 0x31, high | 0x57, high | 0x9d, 7, 0x9a},
		z)
	f.Shift(&z, &[8]uint64{1, 2, 3, 4, 5, 6, 7, 8}, 3)
	require.Equal(t, [8]uint64{r - 6, r - 8, r - 9, 0, 2, 3, 4, 5}, z)
	var one [8]uint64
	f.One(&one)
	f.Neg(&x, &one)
	f.Mul(&z, &x, &x)
	require.Equal(t, one, z)
}

// The first digits of roots of unity.
func TestRootDigits(t *testing.T) {
	p3, p4 := P3(), P4()
	for n, want := range map[uint64][3]uint64{
		256:     {0x10dd56c959364cc6, 0x7b67d0e97a2574bc, 0x65446d1ea440728e},
		4096:    {0x0984319193810fda, 0x1a9e0e321bcc3d55, 0x0e587b76c2c56b78},
		65536:   {0x6bb796305676af42, 0x1bb8447782ee2ec0, 0x088697bc49d25559},
		1 << 20: {0x76eaa2d2cac8ab89, 0x77c527bd7a0a130f, 0x03829d2d09318794},
	} {
		var w [8]uint64
		require.NoError(t, p3.RootOfUnity(&w, n))
		require.Equal(t, want, [3]uint64(w[:3]), "P3, order %d", n)
	}
	for n, want := range map[uint64][3]uint64{
		1024:    {0x275694f4ad238d4b, 0x0f6b403fcfd844c7, 0x2117e1812d3863e6},
		32768:   {0x2d1fbc94c5a62fca, 0x04d2f1ba4bba7eb3, 0x063a9077770e30d1},
		1 << 20: {0x3e3f124686c3c885, 0x0d4bc4c87abce0e6, 0x03a9914d4ae85968},
	} {
		var w [16]uint64
		require.NoError(t, p4.RootOfUnity(&w, n))
		require.Equal(t, want, [3]uint64(w[:3]), "P4, order %d", n)
	}
}

// Whole transforms: SHA-256 of the values in natural order, digits in eight little-endian bytes each. The longest
// takes seconds and runs at full scale.
func TestTransforms(t *testing.T) {
	next := func(i int) uint64 { return uint64(i) + 1 }
	square := func(i int) uint64 { return uint64(i)*uint64(i) + 1 }
	for _, c := range []struct {
		name string
		n    int
		x    func(i int) uint64
		run  func(t *testing.T, n int, x func(i int) uint64) string
		want string
	}{
		{"P3", 256, next, sum(P3()), "cc92acd48688cf958696cea839a13e57a62d909d52cd4abc2bddf143058e8782"},
		{"P3", 4096, square, sum(P3()), "46d827629ff3b87dd85a86c23905fc26d995dd8aee08af8cd7af6ea5b02b149f"},
		{"P3", 65536, next, sum(P3()), "55f4689a161848e67fb0605508afdacec1cff5928d14f23de5424310771f6293"},
		{"P3", 1 << 20, next, sum(P3()), "cb2abd9d2842eb53ad871ccb751b27fc128e2cf132a4033f3e174218aab493fc"},
	} {
		if c.n > 1<<16 && testscale.Of(t) < testscale.Full {
			continue
		}
		require.Equal(t, c.want, c.run(t, c.n, c.x), "%s, %d points", c.name, c.n)
	}
}

// sum returns the SHA-256 of a transform over f.
func sum[E Digits](f *Field[E]) func(t *testing.T, n int, x func(i int) uint64) string {
	return func(t *testing.T, n int, x func(i int) uint64) string {
		v := make([]E, n)
		for i := range v {
			words(&v[i])[0] = x(i)
		}
		d, err := field.NewCyclic(f, n)
		require.NoError(t, err)
		p, err := schemes.New(f, d, field.Spec{})
		require.NoError(t, err)
		require.NoError(t, p.Forward(t.Context(), v, v))
		h := sha256.New()
		for i := range v {
			for _, w := range words(&v[i]) {
				h.Write(binary.LittleEndian.AppendUint64(nil, w))
			}
		}
		return hex.EncodeToString(h.Sum(nil))
	}
}
