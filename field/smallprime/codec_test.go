package smallprime

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/galfft/fft/field"
	"github.com/stretchr/testify/require"
)

func TestCodec(t *testing.T) {
	each(t, func(t *testing.T, f *Field32) { testCodec(t, f) }, func(t *testing.T, f *Field64) { testCodec(t, f) })
}

func testCodec[W word](t *testing.T, f full[W]) {
	r, p := newRand(), uint64(f.Modulus())
	size := f.Size()
	require.Equal(t, (new(big.Int).SetUint64(p-1).BitLen()+7)/8, size)
	for range 500 {
		x, z := W(edgy(r, p-1)), W(0)
		b := make([]byte, size+1)
		b[size] = 99
		f.PutBytes(b, &x)
		require.Equal(t, byte(99), b[size])
		require.NoError(t, f.SetBytes(&z, b[:size]))
		require.Equal(t, x, z)
		text := f.AppendText([]byte("x"), &x)
		require.Equal(t, fmt.Sprintf("x%d", x), string(text))
		z = 0
		require.NoError(t, f.SetText(&z, text[1:]))
		require.Equal(t, x, z)
		z = 0
		require.NoError(t, f.SetBig(&z, f.Big(new(big.Int), &x)))
		require.Equal(t, x, z)
	}

	z := W(1)
	fails := func(want, err error, value string) {
		t.Helper()
		require.ErrorIs(t, err, want)
		require.ErrorContains(t, err, value)
		require.ErrorContains(t, err, fmt.Sprint(p))
		require.Equal(t, W(1), z)
	}
	fails(field.ErrLength, f.SetBytes(&z, make([]byte, size+1)), fmt.Sprint(size+1))
	fails(field.ErrLength, f.SetBytes(&z, nil), "0 bytes")
	b := make([]byte, 8)
	for i := range b {
		b[i] = byte(p >> (8 * i))
	}
	fails(field.ErrRange, f.SetBytes(&z, b[:size]), fmt.Sprint(p))
	order := new(big.Int).SetUint64(p)
	for _, s := range []string{
		"", "+1", "-1", "1_0", " 1", "1 ", "0x1", "1.", "/", ":", "a", "１",
		order.String(), new(big.Int).Lsh(order, 3).String(), new(big.Int).Lsh(order, 64).String(),
		strings.Repeat("9", 1000),
	} {
		fails(field.ErrRange, f.SetText(&z, []byte(s)), "")
	}
	require.NoError(t, f.SetText(&z, []byte("0001")))
	for _, x := range []*big.Int{big.NewInt(-1), order, new(big.Int).Lsh(order, 64),
		new(big.Int).Lsh(big.NewInt(1), 64)} {
		fails(field.ErrRange, f.SetBig(&z, x), x.String())
	}
	require.Panics(t, func() { f.PutBytes(make([]byte, size-1, size), &z) })
}

func TestTextErrorNamesValue(t *testing.T) {
	var z uint64
	require.EqualError(t, Goldilocks().SetText(&z, []byte("18446744069414584321")),
		`fft: value out of range: "18446744069414584321", want 0 to p−1 for p = 18446744069414584321`)
	require.Less(t, len(Goldilocks().SetText(&z, []byte(strings.Repeat("1", 1e6))).Error()), 200)
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"0", "18446744069414584320", "18446744069414584321", "18446744073709551616", "+1",
		"1_0", ""} {
		f.Add(s)
	}
	digits := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	f.Fuzz(func(t *testing.T, s string) {
		for _, g := range []*Field64{&Goldilocks().Field64, field64(t, 17)} {
			z := uint64(1)
			err := g.SetText(&z, []byte(s))
			want, _ := new(big.Int).SetString(s, 10)
			if digits(s) && want.Cmp(g.Order()) < 0 {
				require.NoError(t, err)
				require.Equal(t, want.Uint64(), z)
				continue
			}
			require.ErrorIs(t, err, field.ErrRange)
			require.Equal(t, uint64(1), z)
		}
	})
}
