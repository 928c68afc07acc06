// Package integer reads integers as people write moduli and lengths: sums of powers of two and plain numbers.
package integer

import (
	"math/big"
	"strconv"
	"strings"
)

// mostBytes bounds the text, and exponentBits the powers in it: no number of this module is longer.
const (
	mostBytes    = 1 << 13
	exponentBits = 15
)

// Parse reads terms 2^e, decimal numbers, and hexadecimal ones after 0x, added and subtracted, as 2^64-2^32+1. It
// reports false for any other text.
func Parse(s string) (*big.Int, bool) {
	if len(s) > mostBytes {
		return nil, false
	}
	sum := new(big.Int)
	for rest, sign := s, byte('+'); ; {
		term, n := rest, strings.IndexAny(rest, "+-")
		if n >= 0 {
			term = rest[:n]
		}
		x, ok := parseTerm(term)
		if !ok {
			return nil, false
		}
		if sign == '-' {
			x.Neg(x)
		}
		if sum.Add(sum, x); n < 0 {
			return sum, true
		}
		rest, sign = rest[n+1:], rest[n]
	}
}

func parseTerm(s string) (*big.Int, bool) {
	if e, ok := strings.CutPrefix(s, "2^"); ok {
		n, err := strconv.ParseUint(e, 10, exponentBits)
		return new(big.Int).Lsh(big.NewInt(1), uint(n)), err == nil
	}
	if hex, ok := strings.CutPrefix(s, "0x"); ok {
		return new(big.Int).SetString(hex, 16)
	}
	return new(big.Int).SetString(s, 10)
}
