package integer

import (
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	power := func(e uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), e) }
	for text, want := range map[string]*big.Int{
		"0": new(big.Int), "17": big.NewInt(17), "0017": big.NewInt(17), "0x11": big.NewInt(17), "2^0": big.NewInt(1),
		"2^10":   big.NewInt(1024),
		"2^61-1": new(big.Int).Sub(power(61), big.NewInt(1)), "2^3+0x10-2^1-1": big.NewInt(21),
		"1-2^4": big.NewInt(-15),
		"2^64":  power(64), "2^255-19": new(big.Int).Sub(power(255), big.NewInt(19)), "2^32767": power(32767),
		"0xffffffffffffffffff": new(big.Int).Sub(power(72), big.NewInt(1)),
	} {
		x, ok := Parse(text)
		require.True(t, ok, text)
		require.Equal(t, want.String(), x.String(), text)
	}
	for _, text := range []string{
		"", "+", "-1", "+1", "1+", "1++1", "1 + 1", "2^", "2^x", "2^-1", "2^+1", "2^32768", "2^99999999999999999999",
		"3^2", "0x", "0x-1", "1_7", "0b1",
		"1e6", "x", "２", strings.Repeat("1", mostBytes+1),
	} {
		_, ok := Parse(text)
		require.False(t, ok, "%.40q", text)
	}
}
