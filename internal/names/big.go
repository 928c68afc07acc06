package names

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/galfft/fft/field"
	"github.com/galfft/fft/field/bigprime"
	"github.com/galfft/fft/field/gfpf"
	"github.com/galfft/fft/internal/verbs"
)

// openBig returns the field of a prime of more than 64 bits. Elements are in arrays for the sizes that generalized
// Fermat primes have too, because each type of elements takes time to compile; for others, they are of one type for
// all.
func openBig(p *big.Int) (verbs.Field, error) {
	w, err := bigprime.Size(p)
	if err != nil {
		return nil, err
	}
	if open, ok := ofWords[w]; ok {
		return open(p)
	}
	f, err := bigprime.Open(p)
	if err != nil {
		return nil, err
	}
	return verbs.Of(f), nil
}

// ofWords makes fields by the number of words, with elements in arrays.
var ofWords = map[int]func(p *big.Int) (verbs.Field, error){
	2: newBig[[2]uint64], 4: newBig[[4]uint64], 8: newBig[[8]uint64], 16: newBig[[16]uint64],
	32: newBig[[32]uint64], 64: newBig[[64]uint64], 128: newBig[[128]uint64],
}

func newBig[E bigprime.Words](p *big.Int) (verbs.Field, error) {
	f, err := bigprime.New[E](p)
	if err != nil {
		return nil, err
	}
	return verbs.Of(f), nil
}

// PlainPrefix stands before a name of package gfpf, without its prefix, for the prime as any other.
const PlainPrefix = "plain:"

// openPlain returns the field of the prime that gfpf:name is, in words in place of digits.
func openPlain(name string) (verbs.Field, error) {
	r, k, err := radix(name)
	if err != nil {
		return nil, err
	}
	p := new(big.Int).SetUint64(r)
	f, err := openBig(p.Exp(p, big.NewInt(int64(k)), nil).Add(p, big.NewInt(1)))
	if err != nil {
		return nil, err
	}
	known := strings.TrimPrefix(gfpf.Name(r, k), gfpf.Prefix)
	return verbs.Named(f, PlainPrefix+known), nil
}

// radix returns r and k of the prime r^k + 1 with a name of package gfpf, which is r:k or that of a preset.
func radix(name string) (r uint64, k int, err error) {
	for _, p := range gfpf.Presets() {
		if p.Name == name && name != "" {
			return p.Radix, p.K, nil
		}
	}
	text, digits, _ := strings.Cut(name, ":")
	if k, err = strconv.Atoi(digits); err != nil || k < 2 || k > 128 {
		return 0, 0, fmt.Errorf("galfft: %w: %.60q, want a name behind %s: one as P3, or r:k, the prime r^k + 1, as 2^63+2^34:8",
			field.ErrModulus, name, gfpf.Prefix)
	}
	r, err = gfpf.ParseRadix(text)
	return r, k, err
}
