package intmul

import (
	endian "encoding/binary"
	"errors"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Eight digits at once are those of strconv, and other bytes among them are seen.
func TestEightDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 30))
	for range 20000 {
		text := make([]byte, 8)
		for i := range text {
			text[i] = byte('0' + r.IntN(10))
		}
		x := endian.LittleEndian.Uint64(text)
		require.True(t, areDigits(x), string(text))
		want, err := strconv.ParseUint(string(text), 10, 64)
		require.NoError(t, err)
		require.Equal(t, want, eightDigits(x), string(text))
		for range 1 + r.IntN(3) {
			text[r.IntN(8)] = byte(r.IntN(256))
		}
		require.Equal(t, strings.Trim(string(text), "0123456789") == "", areDigits(endian.LittleEndian.Uint64(text)), text)
	}
	for c := range 256 { // every byte at every place
		for i := range 8 {
			text := []byte("09090909")
			text[i] = byte(c)
			require.Equal(t, '0' <= c && c <= '9', areDigits(endian.LittleEndian.Uint64(text)), text)
		}
	}
}

// A byte that is no digit is told by its offset, wherever it stands, and the first of two.
func TestSyntaxOffsets(t *testing.T) {
	a := must(t)
	digits := strings.Repeat("1234567890", 4)
	for at := range len(digits) {
		for _, c := range []byte{'/', ':', 'a', 0, 0x80, 0xff, '-'} {
			for _, sign := range []string{"", "-"} {
				text := []byte(sign + digits)
				text[at+len(sign)], text[len(text)-1] = c, c
				if at == 0 && sign == "" && c == '-' {
					continue
				}
				var wrong *SyntaxError
				require.True(t, errors.As(a.Parse(t.Context(), new(big.Int), text, 10), &wrong))
				require.Equal(t, SyntaxError{Base: 10, Offset: at + len(sign), Byte: c}, *wrong)
			}
		}
	}
}

// Leaves of every length have the value of their digits.
func TestJoinLeaf(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for n := range 70 {
		for _, most := range []bool{false, true} {
			x, z, want := make([]uint64, n), make([]uint64, n), new(big.Int)
			for i := range x {
				if x[i] = wordRadix - 1; !most {
					x[i] = r.Uint64N(wordRadix)
				}
				z[i] = r.Uint64()
			}
			for i := range x {
				want.Mul(want, new(big.Int).SetUint64(wordRadix)).Add(want, new(big.Int).SetUint64(x[n-1-i]))
			}
			joinLeaf(z, x)
			require.Zero(t, want.Cmp(new(big.Int).SetBits(fromWords(z))), n)
		}
	}
}
