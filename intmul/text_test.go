package intmul

import (
	"bytes"
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/galfft/fft/field"
)

// Digits are those of math/big, in every base, and the number comes back from them.
func TestText(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	least := short(10, 256)
	least.leaf, least.text = 300, 2000
	a, err := New(from(least))
	require.NoError(t, err)
	numbers := []*big.Int{new(big.Int), big.NewInt(-1)}
	for _, bits := range []int{64, 301, 1200, 5000} {
		numbers = append(numbers, special(r, bits)...)
		ten := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(bits/4)), nil)
		numbers = append(numbers, ten, new(big.Int).Sub(ten, big.NewInt(1)))
	}
	for base := 2; base <= 62; base++ {
		for i, x := range numbers {
			if i%7 != base%7 && base != 10 {
				continue
			}
			if i%2 == 1 {
				x = new(big.Int).Neg(x)
			}
			got, err := a.Append(t.Context(), []byte("x="), x, base)
			require.NoError(t, err)
			require.Equal(t, "x="+x.Text(base), string(got))
			z := big.NewInt(5)
			require.NoError(t, a.Parse(t.Context(), z, got[2:], base))
			require.Zero(t, z.Cmp(x), "base %d", base)
		}
	}
	var b strings.Builder
	x := random(r, 9000)
	require.NoError(t, a.Format(t.Context(), &b, x, 10))
	z := new(big.Int)
	in := iotest.OneByteReader(strings.NewReader(" \n" + b.String() + "\n"))
	require.NoError(t, a.Scan(t.Context(), in, z, 10, 1<<20))
	require.Zero(t, z.Cmp(x))
	require.ErrorIs(t, a.Scan(t.Context(), strings.NewReader(b.String()), z, 10, 100), field.ErrMemory)
	broken := errors.New("broken")
	require.ErrorIs(t, a.Scan(t.Context(), iotest.ErrReader(broken), z, 10, 100), broken)
	require.Zero(t, z.Cmp(x))
}

// What is no number is an error with its place, and z keeps its value.
func TestSyntax(t *testing.T) {
	a, err := New()
	require.NoError(t, err)
	z := big.NewInt(7)
	for text, want := range map[string]SyntaxError{
		"":      {Base: 10, End: true},
		"-":     {Base: 10, Offset: 1, End: true},
		"12a":   {Base: 10, Offset: 2, Byte: 'a'},
		"--1":   {Base: 10, Offset: 1, Byte: '-'},
		"1 2":   {Base: 10, Offset: 1, Byte: ' '},
		"1_000": {Base: 10, Offset: 1, Byte: '_'},
		"zz":    {Base: 35, Offset: 0, Byte: 'z'},
		"ZZ!":   {Base: 36, Offset: 2, Byte: '!'},
	} {
		var got *SyntaxError
		err := a.Parse(t.Context(), z, []byte(text), want.Base)
		require.ErrorAs(t, err, &got, text)
		require.Equal(t, want, *got, text)
		require.ErrorIs(t, err, field.ErrRange)
	}
	for _, base := range []int{-1, 0, 1, 63} {
		require.ErrorIs(t, a.Parse(t.Context(), z, []byte("1"), base), field.ErrRange)
		_, err := a.Append(t.Context(), nil, z, base)
		require.ErrorIs(t, err, field.ErrRange)
	}
	require.Equal(t, int64(7), z.Int64())
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("-123"), 10)
	f.Add(bytes.Repeat([]byte("zZ"), 3000), 62)
	a, err := New()
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text []byte, base int) {
		z := new(big.Int)
		err := a.Parse(t.Context(), z, text, base)
		want, ok := new(big.Int), false
		if base >= 2 && base <= 62 {
			want, ok = want.SetString(string(text), base)
		}
		require.Equal(t, ok, err == nil)
		if ok {
			require.Zero(t, want.Cmp(z))
			got, err := a.Append(t.Context(), nil, z, base)
			require.NoError(t, err)
			require.Equal(t, want.Text(base), string(got))
		}
	})
}
