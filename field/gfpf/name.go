package gfpf

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/internal/integer"
)

// Prefix stands before the names of all fields of this package.
const Prefix = "gfpf:"

// Name returns the name of the field of r^k + 1: that of its preset, or gfpf:r:k, with r as [ParseRadix] reads it.
func Name(r uint64, k int) string {
	for _, p := range presets {
		if p.Name != "" && p.Radix == r && p.K == k {
			return Prefix + p.Name
		}
	}
	return Prefix + RadixText(r) + ":" + strconv.Itoa(k)
}

// RadixText writes r as a sum of two or three powers of two, as a difference of two, or in decimal.
func RadixText(r uint64) string {
	if n := bits.OnesCount64(r); n == 2 || n == 3 {
		var terms []string
		for ; r != 0; r -= 1 << (bits.Len64(r) - 1) {
			terms = append(terms, fmt.Sprintf("2^%d", bits.Len64(r)-1))
		}
		return strings.Join(terms, "+")
	}
	u := bits.TrailingZeros64(r)
	if run := r >> u; run&(run+1) == 0 && r != 0 {
		return fmt.Sprintf("2^%d-2^%d", bits.Len64(r), u)
	}
	return strconv.FormatUint(r, 10)
}

// ParseRadix reads r: terms 2^e, decimal numbers, or hexadecimal ones after 0x, added and subtracted, as 2^63+2^34,
// 2^64-2^28 or 9223372054034644992. The error is field.ErrModulus where it is none, or not from 2 to 2^64 − 1.
func ParseRadix(s string) (uint64, error) {
	r, ok := integer.Parse(s)
	if !ok || !r.IsUint64() || r.Uint64() < 2 {
		return 0, fmt.Errorf("fft: %w: radix %.60q, want powers of two, as 2^63+2^34, or a number, below 2^64",
			field.ErrModulus, s)
	}
	return r.Uint64(), nil
}
